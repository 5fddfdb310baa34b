"""The page for addresses that lead nowhere: it works from any depth, at the host's root and below a folder."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from book.serve import serving
from tests import SITE
from tests.site_checks import PHONE


def published(folder: Path, path: str, base: str) -> None:
    """Put the site below a path, as it is built for a base."""
    page = re.sub('<base href="[^"]*">', f'<base href="{base}">', (SITE / "404.html").read_text(encoding="utf-8"))
    (folder / "404.html").write_text(page, encoding="utf-8")
    (folder / path).mkdir(exist_ok=True)
    for part in SITE.iterdir():
        if not (folder / path / part.name).exists():
            (folder / path / part.name).symlink_to(part, target_is_directory=part.is_dir())


@pytest.fixture(params=["", "/perceptron"])
def root(request, tmp_path):
    """The address of the site, at the root of its host and in a folder, as GitHub Pages has it."""
    published(tmp_path, request.param.strip("/"), f"{request.param}/")
    with serving(tmp_path) as address:
        yield address + request.param


@pytest.mark.parametrize("path", ["gone.html", "lectures/gone.html", "a/b/c/"])
def test_wrong_address_leads_back_into_the_book(page, root, path):
    failed = []
    page.on("response", lambda answer: answer.status >= 400 and failed.append(answer.url))
    assert page.goto(f"{root}/{path}").status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(page.locator(".chapter-list a")).to_have_count(10)
    assert page.locator("body").evaluate("body => getComputedStyle(body).margin") == "0px", "the style sheet is there"
    page.get_by_role("searchbox").fill("soft margin C")
    result = page.locator("#search-results a").first
    expect(result).to_have_attribute("href", re.compile("06_soft_margin"))
    assert result.evaluate("link => link.href").startswith(f"{root}/lectures/06_soft_margin.html")
    assert failed == [f"{root}/{path}"]
    page.get_by_role("link", name="4. The convergence theorem").click()
    expect(page).to_have_url(f"{root}/lectures/04_convergence.html")


def test_search_field_goes_to_the_search_page(page, root):
    page.goto(f"{root}/lectures/gone.html")
    page.get_by_role("searchbox").fill("novikoff")
    page.get_by_role("button", name="Search").click()
    expect(page).to_have_url(f"{root}/search.html?q=novikoff")


def test_page_works_without_scripts(browser, root):
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(f"{root}/a/b/gone.html")
    assert page.locator(".not-found").bounding_box()["width"] == PHONE["width"]
    page.get_by_role("link", name="4. The convergence theorem").click()
    expect(page).to_have_url(f"{root}/lectures/04_convergence.html")
    context.close()


def test_site_that_is_published_elsewhere_works_on_this_machine(page, tmp_path):
    published(tmp_path, "", "/perceptron/")
    with serving(tmp_path) as root:
        page.goto(f"{root}/a/gone.html")
        assert page.locator(".not-found").evaluate("main => getComputedStyle(main).marginBottom") == "0px"
        page.get_by_role("link", name="4. The convergence theorem").click()
        expect(page).to_have_url(f"{root}/lectures/04_convergence.html")
