"""The one-screen rule: what a reader needs of a widget is within its own height, and that within the window."""

from playwright.sync_api import Browser

SIZES = ((1280, 720), (1440, 900), (390, 844))
BOXES = """() => Object.fromEntries([".pla", ".pla-verdict", ".pla-main svg", ".pla-bar", ".pla-next"].map((name) => {
  const { top, bottom, left, right } = document.querySelector(name).getBoundingClientRect();
  return [name, { top, bottom, left, right }];
}))"""


def expect_one_screen(browser: Browser, address: str) -> None:
    """At the three sizes: verdict, picture and transport lie in the widget, the widget in the window."""
    for width, height in SIZES:
        narrow = width < 500
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=narrow, is_mobile=narrow)
        page = context.new_page()
        page.goto(address)
        page.locator(".pla-main svg").wait_for()
        page.locator(".pla").evaluate("node => node.scrollIntoView({ block: 'end', behavior: 'instant' })")
        boxes = page.evaluate(BOXES)
        whole = boxes.pop(".pla")
        assert whole["bottom"] - whole["top"] <= height
        for name, box in boxes.items():
            assert whole["top"] <= box["top"] < box["bottom"] <= whole["bottom"] + 0.5, (width, name)
            assert whole["left"] <= box["left"] < box["right"] <= whole["right"] + 0.5, (width, name)
        assert boxes[".pla-verdict"]["bottom"] <= boxes[".pla-main svg"]["top"]
        assert boxes[".pla-main svg"]["bottom"] <= boxes[".pla-bar"]["top"] + 0.5
        assert boxes[".pla-main svg"]["bottom"] - boxes[".pla-main svg"]["top"] >= 200
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        context.close()
