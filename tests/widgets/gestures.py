"""What a reader does to a widget: drag with a mouse, swipe with a finger, let it play and pause it."""

import re

from playwright.sync_api import Locator, Page, expect


def middle(node: Locator) -> tuple[float, float]:
    """The middle of an element, in the window."""
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def swipe(page: Page, start: tuple[float, float], by: tuple[float, float], steps: int = 5) -> None:
    finger = page.context.new_cdp_session(page)
    for k in range(steps + 1):
        at = {"x": start[0] + by[0] * k / steps, "y": start[1] + by[1] * k / steps}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove" if k else "touchStart", "touchPoints": [at]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def step(page: Page | Locator, name: str = "Next") -> None:
    """Press a button of the transport."""
    page.get_by_role("button", name=name, exact=True).click()


def choose_points(playground: Page | Locator, name: str) -> None:
    """Take one of the data sets that the playground offers."""
    step(playground, "More")
    preset = playground.locator(f"[data-preset='{name}']")
    preset.click()
    preset.press("Escape")


def play_until(page: Page, words: str | re.Pattern) -> int:
    """Let the widget play fast until it says these words; returns the step at which it then stays."""
    page.emulate_media(reduced_motion="no-preference")
    for _ in range(3):
        page.locator(".pla-speed").click()
    step(page, "Play")
    expect(page.locator(".pla-words")).to_contain_text(words)
    step(page, "Pause")
    return int(page.locator(".pla-scrubber input").input_value())
