"""A chapter as it is published, for the tests of the site."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page


@pytest.fixture
def chapter(page: Page, site: str, request) -> Page:
    """The page of the chapter that is the test's parameter, or else the one that the test file is called after.

    It is shown without motion, so that what a step leads to is there at once.
    """
    page.emulate_media(reduced_motion="reduce")
    name = getattr(request, "param", request.module.__name__.rpartition(".test_")[2])
    page.goto(f"{site}/lectures/{name}.html")
    return page


@pytest.fixture
def widget(chapter: Page) -> Callable[[int], Locator]:
    """Start a widget of the chapter, chosen by its place on the page, and return it."""

    def widget(number: int) -> Locator:
        found = chapter.locator(".pla-widget").nth(number)
        found.scroll_into_view_if_needed()
        found.locator(".pla").wait_for()
        return found

    return widget
