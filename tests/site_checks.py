"""What must hold for every page, as functions that list a page's faults. test_site_checks.py plants each of them."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser, Page

from tests.browser import PATIENCE

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 900}

# Widgets start when they near the screen, and so may other things.
SCROLL = """async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += 0.9 * innerHeight) {
        scrollTo(0, y);
        await new Promise((done) => setTimeout(done, 40));
    }
    scrollTo(0, 0);
}"""

# Axe measures the contrast of every piece of text, thousands on a page of formulas, most of them set alike. Where one
# has passed, others in the same style on the same ground pass too. What is moved by its position, a transformation or a
# negative margin may lie on something other than the boxes around it, and so has a ground of its own.
ONE_OF_EACH_STYLE = """() => {
    const check = axe._audit.checks["color-contrast"], measure = check.evaluate;
    const grounds = new Map(), numbers = new Map(), passed = new Set();
    const number = (...parts) => {
        const key = parts.join();
        return numbers.get(key) ?? numbers.set(key, numbers.size).get(key);
    };
    const moved = (css) => ["absolute", "fixed", "sticky"].includes(css.position) ||
        css.transform !== "none" || css.translate !== "none" ||
        ["Top", "Right", "Bottom", "Left"].some((side) => css[`margin${side}`].startsWith("-") ||
            css.position === "relative" && !["auto", "0px"].includes(css[side.toLowerCase()]));
    function ground(element) {
        if (!element) return -1;
        if (!grounds.has(element)) {
            const css = getComputedStyle(element), below = ground(element.parentElement);
            const paint = [css.backgroundColor, css.backgroundImage, css.opacity, css.filter, css.mixBlendMode].join();
            // Formulas move accents a little and paint no boxes: there only colours count.
            const own = moved(css) && !element.closest("math") && `own ground ${grounds.size}`;
            const bare = paint === "rgba(0, 0, 0, 0),none,1,none,normal";
            grounds.set(element, bare && !own ? below : number(below, paint, own));
        }
        return grounds.get(element);
    }
    const rule = axe._audit.rules.find(({ id }) => id === "color-contrast"), matches = rule.matches;
    const hasText = (element) => element.matches("input, select, textarea") ||
        [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue.trim());
    rule.matches = (element, ...rest) => hasText(element) && matches(element, ...rest);
    check.evaluate = function (element, ...rest) {
        const css = getComputedStyle(element), ink = [css.color, css.webkitTextFillColor, css.webkitTextStroke];
        const style = number(ground(element), ...ink, css.textShadow, css.fontSize, css.fontWeight);
        const control = element.matches("input, select, textarea");  // even a hidden one would pass
        if (!control && passed.has(style)) return true;
        const result = measure.call(this, element, ...rest);
        if (!control && result === true) passed.add(style);
        return result;
    };
}"""

# The page is the same at another width and in other colours. What can differ there: contrast, what scrolls, and the
# names of the controls that only a narrow screen shows.
RULES_OF_A_SECOND_LOOK = [
    "color-contrast",
    "link-in-text-block",
    "scrollable-region-focusable",
    "aria-command-name",
    "aria-hidden-focus",
    "button-name",
    "label",
    "link-name",
    "select-name",
    "summary-name",
]


def faults_in_browser(
    browser: Browser,
    address: str,
    *,
    colours: str = "light",
    size: dict = LAPTOP,
    rules: list[str] | None = None,
    storage_state: dict | None = None,
) -> list[str]:
    """Open the page as a reader would, scroll through it, and list what went wrong; of axe's rules all, or some.

    `storage_state` is what the browser remembers of earlier visits, as Playwright writes it.
    """
    look = {"viewport": size, "color_scheme": colours, "reduced_motion": "reduce"}
    context = browser.new_context(**look, storage_state=storage_state)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    faults, host = [], urlsplit(address).netloc
    context.on("request", lambda request: _is_foreign(request.url, host) and faults.append(f"asks {request.url}"))
    context.on("response", lambda answer: answer.status >= 400 and faults.append(f"{answer.status}: {answer.url}"))
    page.on("console", lambda message: message.type == "error" and faults.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: faults.append(f"script error: {error}"))
    page.goto(address)
    page.evaluate(SCROLL)
    for place in page.locator(".pla-widget").all():
        place.locator(".pla").wait_for()
    page.wait_for_load_state("networkidle")
    for text in page.locator(".temml-error").all_text_contents():
        faults.append(f"Temml cannot read: {text}")
    for source, text, in_the_text in page.locator("img").evaluate_all(
        "all => all.map((one) => [one.getAttribute('src'), one.getAttribute('alt'), one.closest('article') !== null])"
    ):
        if not _says_something(text, in_the_text):
            faults.append(f"no alternative text: {source}")
    width = page.evaluate("document.documentElement.scrollWidth")
    if width > size["width"]:
        faults.append(f"scrolls sideways: {width} px wide on a screen of {size['width']}")
    for violation in violations(page, rules):
        where = [node["target"] for node in violation["nodes"]][:3]
        faults.append(f"axe, {violation['id']}: {violation['help']} at {where}")
    context.close()
    return faults


def violations(page: Page, rules: list[str] | None) -> list[dict]:
    """What axe finds against these rules, or against all of its own."""
    page.evaluate(AXE_SCRIPT)
    page.evaluate(ONE_OF_EACH_STYLE)
    # What passes need not be told, which takes a third of the time on a page of formulas.
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    return page.evaluate("async (options) => (await axe.run(options)).violations", options)


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
    index, faults = index_of(folder / page), []
    for tag, reference, rel in index.references:
        address, anchor = urldefrag(urljoin(page, reference.split()[0]))
        if urlsplit(address).scheme or urlsplit(address).netloc:
            if tag != "a" and rel != "canonical" and not address.startswith("data:"):
                faults.append(f"names another host: {reference}")
            continue
        target = folder / unquote(urlsplit(address).path)
        if not target.is_file():
            faults.append(f"leads nowhere: {reference}")
        elif anchor and unquote(anchor) not in index_of(target).ids:
            faults.append(f"no such place on the page: {reference}")
    for source, text, in_the_text in index.images:
        if not _says_something(text, in_the_text):
            faults.append(f"no alternative text: {source}")
    return faults


REFERENCES = {"a": ["href"], "link": ["href"], "script": ["src"], "img": ["src", "srcset"], "iframe": ["src"]}


class Index(HTMLParser):
    """The ids, references and images of a page, without the tree of its elements, which takes far longer to make."""

    def __init__(self, page: str):
        super().__init__()
        self.ids, self.references, self.images = set(), [], []
        self.articles = 0  # how many are open
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.articles += tag == "article"
        if "id" in attributes:
            self.ids.add(attributes["id"])
        for name in REFERENCES.get(tag, []):
            if name in attributes:
                self.references.append((tag, attributes[name], attributes.get("rel")))
        if tag == "img":
            self.images.append((attributes.get("src"), attributes.get("alt"), self.articles > 0))

    def handle_endtag(self, tag: str) -> None:
        self.articles -= tag == "article"


@cache
def index_of(file: Path) -> Index:
    return Index(file.read_text(encoding="utf-8"))


@cache
def soup_of(file: Path) -> BeautifulSoup:
    return BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")


@cache
def places_of(file: Path) -> dict[str, Tag]:
    """The elements of a page by their ids: a search through the whole page for each link would take minutes."""
    return {element["id"]: element for element in soup_of(file).find_all(id=True)}
