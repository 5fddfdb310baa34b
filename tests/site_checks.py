"""What must hold for every page, as functions that list a page's faults. test_site_checks.py plants each of them."""

import re
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from playwright.sync_api import Browser

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 900}


def faults_in_browser(browser: Browser, address: str, *, colours: str = "light", size: dict = LAPTOP) -> list[str]:
    """Open the page as a reader would, scroll through it, and list what went wrong."""
    context = browser.new_context(viewport=size, color_scheme=colours, reduced_motion="reduce")
    page = context.new_page()
    faults, host = [], urlsplit(address).netloc
    context.on("request", lambda request: _is_foreign(request.url, host) and faults.append(f"asks {request.url}"))
    context.on("response", lambda answer: answer.status >= 400 and faults.append(f"{answer.status}: {answer.url}"))
    page.on("console", lambda message: message.type == "error" and faults.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: faults.append(f"script error: {error}"))
    page.goto(address)
    # Widgets start when they near the screen, and so may other things.
    page.evaluate("""async () => {
        for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
            scrollTo(0, y);
            await new Promise((done) => setTimeout(done, 40));
        }
    }""")
    for place in page.locator(".pla-widget").all():
        place.locator(".pla").wait_for()
    page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")
    for error in page.locator(".katex-error").all():
        faults.append(f"KaTeX cannot read: {error.get_attribute('title')}")
    for image in page.locator("img").all():
        text = image.get_attribute("alt")
        if not _says_something(text, in_the_text=image.locator("xpath=ancestor::article").count() > 0):
            faults.append(f"no alternative text: {image.get_attribute('src')}")
    width = page.evaluate("document.documentElement.scrollWidth")
    if width > size["width"]:
        faults.append(f"scrolls sideways: {width} px wide on a screen of {size['width']}")
    # What passes need not be told, which takes a third of the time on a page of formulas.
    for violation in Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]:
        where = [node["target"] for node in violation["nodes"]][:3]
        faults.append(f"axe, {violation['id']}: {violation['help']} at {where}")
    context.close()
    return faults


def _is_foreign(address: str, host: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme not in ("blob", "data") and parts.netloc != host


def _says_something(alternative_text: str | None, in_the_text: bool) -> bool:
    """An empty text marks an ornament, which a figure is not. For want of a text Sphinx writes the file's name."""
    if not alternative_text:
        return alternative_text == "" and not in_the_text
    return not re.search(r"\.\w{3,4}$", alternative_text.rstrip(". "))


def faults_in_source(folder: Path, page: str) -> list[str]:
    """What can be seen without a browser: links that lead nowhere, hints to other hosts, silent pictures.

    The pictures that stand in for widgets are seen only here; in the browser the widgets have taken their place.
    """
    soup, faults = soup_of(folder / page), []
    for tag, attribute in (
        ("a", "href"),
        ("link", "href"),
        ("script", "src"),
        ("img", "src"),
        ("iframe", "src"),
        ("img", "srcset"),
    ):
        for element in soup.find_all(tag, **{attribute: True}):
            address, anchor = urldefrag(urljoin(page, element[attribute].split()[0]))
            if urlsplit(address).scheme or urlsplit(address).netloc:
                if tag != "a" and element.get("rel") != ["canonical"] and not address.startswith("data:"):
                    faults.append(f"names another host: {element[attribute]}")
                continue
            target = folder / unquote(urlsplit(address).path)
            if not target.is_file():
                faults.append(f"leads nowhere: {element[attribute]}")
            elif anchor and not soup_of(target).find(id=unquote(anchor)):
                faults.append(f"no such place on the page: {element[attribute]}")
    for image in soup.find_all("img"):
        if not _says_something(image.get("alt"), in_the_text=bool(image.find_parent("article"))):
            faults.append(f"no alternative text: {image['src']}")
    return faults


def soup_of(file: Path, cache: dict = {}) -> BeautifulSoup:  # noqa: B006 (a cache is meant to be kept)
    key = file, file.stat().st_mtime_ns
    if key not in cache:
        cache[key] = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
    return cache[key]
