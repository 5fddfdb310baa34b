"""A widget on its page of the gallery, on a laptop and on a phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page


@pytest.fixture
def widget(page: Page, gallery: str, request) -> Page:
    """The gallery's page of the widget that the test file is called after, with the widget started and in view.

    It is shown without motion, so that what a step leads to is there at once; test_motion.py is about the way there.
    """
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{gallery}/lectures/{request.module.__name__.rpartition('.test_')[2]}.html")
    page.locator(".pla").first.wait_for()
    page.locator(".pla").first.scroll_into_view_if_needed()
    return page


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """An empty page on a phone."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()
