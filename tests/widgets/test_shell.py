"""What the shell promises for every widget: one screen, motion that ends at the numbers, words, links, quiet play."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from pla_lib import blobs, perceptron
from tests.widgets import GALLERY
from tests.widgets.gestures import step

RUN = perceptron(*blobs(20, seed=3))  # as the gallery's stepper makes it
SHELLED = sorted({path.stem for path in GALLERY.glob("*.md")} - {"quiz", "together"})
# What a widget says may depend on more than the step.
STATES = [f"loss_landscape.html#widget1=step:0;;loss:{loss}" for loss in ("counting", "hinge")]
SIZES = {"laptop": (1280, 720), "desktop": (1440, 900), "phone": (390, 844)}
# At 200 % a laptop's window is half as wide and half as high.
ZOOMED = (640, 360)

MEASURE = """() => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    const widget = box(".pla"), parts = [".pla-verdict", ".pla-main .pla-picture > svg", ".pla-bar"].map(box);
    const visible = [...document.querySelectorAll(".pla *")].filter((one) => one.checkVisibility());
    const cut = visible.filter((one) => {
        const style = getComputedStyle(one), clipped = !["visible", "auto", "scroll"].includes(style.overflowX);
        return clipped && one.textContent && !one.matches(".pla-live, svg, svg *, .pla-picture") &&
            one.scrollWidth > one.clientWidth + 1;
    });
    return {
        height: widget.height,
        parts: parts.map(({ top, bottom }) => [top - widget.top, bottom - widget.top]),
        words: box(".pla-words").height / parseFloat(getComputedStyle(document.querySelector(".pla-words")).lineHeight),
        outside: visible.filter((one) => one.matches("button, input") && !one.closest(".pla-scroll, .pla-pane"))
            .filter((one) => {
                const { top, bottom } = one.getBoundingClientRect();
                return top < widget.top || bottom > widget.bottom + 0.5;
            }).map((one) => one.outerHTML),
        sideways: document.documentElement.scrollWidth - innerWidth,
        cut: cut.map((one) => one.className),
    };
}"""

# The first hundred steps and the last: the verdict that takes most lines, and how many heights the widget has had.
EVERY_STEP = """async () => {
    const root = document.querySelector(".pla"), words = root.querySelector(".pla-words");
    const next = root.querySelector(".pla-next"), slider = root.querySelector(".pla-scrubber input");
    const line = parseFloat(getComputedStyle(words).lineHeight), heights = new Set();
    let longest = { lines: 0 };
    function measure() {
        heights.add(root.offsetHeight);
        const lines = words.offsetHeight / line;
        if (lines > longest.lines) longest = { lines, text: words.textContent };
    }
    for (let k = 0; k < 100; k++) {
        next.click();
        await null;
        measure();
    }
    slider.value = slider.max;
    slider.dispatchEvent(new Event("input"));
    await null;
    measure();
    return { ...longest, heights: heights.size };
}"""


def open_widget(browser: Browser, address: str, size: tuple[int, int], **context) -> Page:
    """The widget's page of the gallery in a window of its own."""
    window = browser.new_context(viewport={"width": size[0], "height": size[1]}, **context)
    page = window.new_page()
    page.goto(address)
    page.locator(".pla-main .pla-picture > svg").first.wait_for()
    return page


@pytest.mark.parametrize("address", [*(f"{name}.html" for name in SHELLED), *STATES])
def test_verdict_picture_and_controls_are_in_one_screen(browser, gallery, address):
    for where, size in SIZES.items():
        page = open_widget(browser, f"{gallery}/lectures/{address}", size, reduced_motion="reduce")
        for _ in range(3):
            now = page.evaluate(MEASURE)
            assert now["height"] <= (560 if where == "phone" else 600) + 200 * ("pla-head" in page.content()), where
            assert now["height"] <= size[1] - 16, where
            assert all(0 <= top < bottom <= now["height"] for top, bottom in now["parts"]), (where, now)
            assert now["parts"][1][1] - now["parts"][1][0] > 180, (where, now)  # the picture is no strip
            assert now["words"] <= 2.2, (where, page.locator(".pla-words").inner_text())
            assert now["sideways"] <= 0, where
            assert now["cut"] == [], where
            assert now["outside"] == [], where
            page.locator(".pla-next").click(force=True)
        longest = page.evaluate(EVERY_STEP)
        assert longest["lines"] <= 2.2, (where, longest)
        assert longest["heights"] == 1, where
        page.context.close()


@pytest.mark.parametrize("name", SHELLED)
def test_nothing_is_cut_at_200_percent(browser, gallery, name):
    page = open_widget(browser, f"{gallery}/lectures/{name}.html", ZOOMED, reduced_motion="reduce")
    now = page.evaluate(MEASURE)
    assert now["sideways"] <= 0
    assert now["cut"] == []
    assert all(0 <= top < bottom <= now["height"] for top, bottom in now["parts"])
    page.context.close()


@pytest.mark.parametrize("name", SHELLED)
def test_every_widget_has_a_link_that_brings_its_state_back(browser, gallery, name):
    page = open_widget(browser, f"{gallery}/lectures/{name}.html", SIZES["laptop"], reduced_motion="reduce")
    for _ in range(2):
        step(page)
    words = page.locator(".pla-words").inner_text()
    step(page, "More")
    step(page, "Copy link")
    page.wait_for_url(re.compile("#widget1="))
    again = open_widget(browser, page.url, SIZES["laptop"], reduced_motion="reduce")
    expect(again.locator(".pla-words")).to_have_text(words)
    again.context.close()
    page.context.close()


def test_widgets_on_one_page_share_no_ids(browser, gallery):
    page = open_widget(browser, f"{gallery}/lectures/together.html", SIZES["laptop"])
    for place in page.locator(".pla-widget").all():
        place.scroll_into_view_if_needed()
        place.locator(".pla").wait_for()
    ids = page.locator(".pla [id]").evaluate_all("all => all.map((one) => one.id)")
    assert len(ids) > 3
    assert len(set(ids)) == len(ids)
    page.context.close()


def test_a_shift_of_the_page_is_not_felt(browser, gallery):
    """No blank reserves that fill up, and no jumps: stepping, and being asked, moves nothing on the page."""
    page = open_widget(browser, f"{gallery}/lectures/stepper.html", SIZES["laptop"])
    page.evaluate(
        """() => {
            window.shift = 0;
            new PerformanceObserver((list) => list.getEntries().forEach((one) => (window.shift += one.value)))
                .observe({ type: "layout-shift", buffered: true });
        }"""
    )
    text = page.get_by_text("The text after it.")
    before = text.bounding_box()["y"] + page.evaluate("scrollY")
    for _ in range(4):
        step(page)
    step(page, "More")
    page.get_by_label("Ask me first").check()
    page.keyboard.press("Escape")
    page.locator(".pla-answers button").first.click()
    page.wait_for_timeout(700)
    assert text.bounding_box()["y"] + page.evaluate("scrollY") == before
    assert page.evaluate("shift") < 0.02
    page.context.close()


class TestMotion:
    """An update is seen: the line swings, and ends exactly where the library says."""

    @pytest.fixture
    def stepper(self, page: Page, gallery: str) -> Page:
        page.emulate_media(reduced_motion="no-preference")
        page.goto(f"{gallery}/lectures/stepper.html")
        page.locator(".pla-point").first.wait_for()
        page.locator(".pla").scroll_into_view_if_needed()
        return page

    def line(self, page: Page) -> str:
        return page.locator(".pla-current-line").get_attribute("d")

    def at_rest(self, page: Page, k: int) -> str:
        """The line after k visits, as it is drawn without motion."""
        page.emulate_media(reduced_motion="reduce")
        page.locator(".pla-scrubber input").fill(str(k))
        drawn = self.line(page)
        page.emulate_media(reduced_motion="no-preference")
        return drawn

    def test_line_swings_and_ends_at_the_numbers_of_the_run(self, stepper):
        second = int(RUN.times[2]) + 1
        end, start = self.at_rest(stepper, second), self.at_rest(stepper, second - 1)
        seen = stepper.evaluate(
            """async () => {
                const line = document.querySelector(".pla-current-line"), seen = new Set();
                document.querySelector(".pla-next").click();
                for (const start = performance.now(); performance.now() - start < 1500; ) {
                    await new Promise(requestAnimationFrame);
                    seen.add(line.getAttribute("d"));
                }
                return [...seen];
            }"""
        )
        assert seen[0] == start
        assert seen[-1] == end
        assert len(seen) > 3  # it was on its way, not only at both ends

    def test_a_step_pressed_during_a_motion_is_not_lost(self, stepper):
        end = self.at_rest(stepper, 9)
        self.at_rest(stepper, 0)
        for _ in range(9):
            stepper.evaluate("document.querySelector('.pla-next').click()")
        expect(stepper.locator(".pla-scrubber input")).to_have_value("9")
        expect(stepper.locator(".pla-current-line")).to_have_attribute("d", end)

    def test_without_motion_the_end_and_the_line_before_it_are_there_at_once(self, stepper):
        stepper.emulate_media(reduced_motion="reduce")
        k = int(RUN.times[2])
        stepper.locator(".pla-scrubber input").fill(str(k))
        before = self.line(stepper)
        drawn = stepper.evaluate(
            """() => {
                document.querySelector(".pla-next").click();
                const drawn = (name) => document.querySelector(name).getAttribute("d");
                return [".pla-current-line", ".pla-previous"].map(drawn);
            }"""
        )
        assert drawn[1] == before != drawn[0]


class TestPoints:
    def test_hover_focus_and_words_say_what_the_library_computes(self, page, gallery):
        page.emulate_media(reduced_motion="reduce")
        page.goto(f"{gallery}/lectures/stepper.html")
        page.locator(".pla-point").first.wait_for()
        page.locator(".pla-scrubber input").fill("9")
        theta = RUN.thetas[int((RUN.times < 9).sum())]
        tip = page.locator(".pla-tip")
        for i in (0, 7, 13):
            score = theta @ [1, *RUN.X[i]]
            verdict = "right" if RUN.y[i] * score > 0 else "wrong"
            said = re.compile(rf"^Point\s{i}, class\s[+−]1, at\s\(.*\): score\s{number(score)}, {verdict}\.")
            page.locator(".pla-point").nth(i).hover()
            expect(tip).to_have_text(said)
            foot = RUN.X[i] - score * theta[1:] / (theta[1:] @ theta[1:])
            assert page.locator(".pla-perpendicular").get_attribute("d").startswith("M")
            assert abs(theta @ [1, *foot]) < 1e-9
            page.mouse.move(2, 2)
            expect(tip).not_to_be_visible()
            page.locator(".pla-point").nth(i).focus()
            expect(tip).to_have_text(said)
            expect(page.locator(".pla-point").nth(i)).to_have_attribute("aria-label", said)
        # The log's row, the words and the point light up together.
        mistake = int(RUN.mistakes[0])
        page.locator(".pla-log tbody tr").first.hover()
        expect(page.locator(f".pla-point[data-point='{mistake}']")).to_have_class(re.compile("pla-lit"))
        page.locator(".pla-mention").first.hover()
        named = page.locator(".pla-mention").first.inner_text().split()[-1]
        expect(page.locator(f".pla-point[data-point='{named}']")).to_have_class(re.compile("pla-lit"))

    @pytest.mark.parametrize(
        "name",
        [
            "stepper",
            "playground",
            "three_boundaries",
            "margin_explorer",
            "soft_margin_slider",
            "feature_lift",
            "proof_ledger",
        ],
    )
    def test_a_picture_that_was_drawn_anew_no_longer_listens(self, page, gallery, name):
        """When its size changes, a picture is made anew; the tooltips of the old one stay silent."""
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(f"{gallery}/lectures/{name}.html")
        page.locator(".pla-points .pla-point").first.wait_for()
        page.evaluate("window.old = [...document.querySelectorAll('.pla-tip')]")
        page.set_viewport_size({"width": 700, "height": 720})
        page.wait_for_function("old.every((tip) => !tip.isConnected)")
        page.locator(".pla-points .pla-point").first.dispatch_event("pointerenter")
        expect(page.locator(".pla-tip:visible").first).to_contain_text("Point")
        assert page.evaluate("old.map((tip) => tip.textContent)") == [""] * page.evaluate("old.length")

    def test_focus_is_framed_for_the_keyboard_only_and_round(self, page, gallery):
        page.goto(f"{gallery}/lectures/stepper.html")
        point = page.locator(".pla-point").nth(3)
        ring, outline = point.locator(".pla-focus-ring"), "one => getComputedStyle(one).outlineStyle"
        point.click()
        expect(point).to_be_focused()
        expect(ring).to_be_hidden()
        assert point.evaluate(outline) == "none"
        page.keyboard.press("PageDown")
        page.keyboard.press("PageUp")
        expect(point).to_be_focused()
        expect(ring).to_be_visible()
        assert ring.evaluate("one => one.tagName") == "circle"
        assert point.evaluate(outline) == "none"

    def test_tooltip_keeps_off_the_score_of_its_point(self, page, gallery):
        page.emulate_media(reduced_motion="reduce")
        page.goto(f"{gallery}/lectures/stepper.html")
        page.locator(".pla-point").first.wait_for()
        for k in [*RUN.times[1:], 30, 45]:
            page.locator(".pla-scrubber input").fill(str(k + 1))
            page.locator(".pla-point").nth(int(RUN.visits[k])).hover()
            boxes = [page.locator(f".pla-main .pla-{name}").bounding_box() for name in ("tip", "score")]
            (a, b, c, d), (left, top, right, bottom) = ((*box.values(),) for box in boxes)
            assert a + c <= left or left + right <= a or b + d <= top or top + bottom <= b, int(k)

    def test_only_one_point_is_in_the_tab_order(self, page, gallery):
        page.goto(f"{gallery}/lectures/stepper.html")
        page.locator(".pla-point").first.wait_for()
        assert page.locator(".pla-point[tabindex='0']").count() == 1
        page.locator(".pla-point[tabindex='0']").focus()
        page.keyboard.press("PageDown")
        expect(page.locator(".pla-point").nth(1)).to_be_focused()
        assert page.locator(".pla-point[tabindex='0']").count() == 1


def number(value: float) -> str:
    return re.escape(f"{value:+.3g}".replace("-", "−"))


def test_the_live_region_is_quiet_while_playing_and_speaks_when_paused(page, gallery):
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{gallery}/lectures/stepper.html")
    page.locator(".pla").scroll_into_view_if_needed()
    live = page.locator(".pla-live")
    expect(live).to_have_attribute("aria-live", "polite")
    step(page, "Play")
    expect(page.locator(".pla-words")).to_contain_text("Visit 3")
    assert live.inner_text() == ""
    step(page, "Pause")
    expect(live).to_contain_text(page.locator(".pla-words").inner_text())


def test_playing_stops_when_the_widget_leaves_the_screen(page, gallery):
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{gallery}/lectures/stepper.html")
    step(page, "Play")
    page.evaluate("document.body.style.paddingBottom = '3000px'; scrollTo(0, 2900)")
    expect(page.locator(".pla-play")).to_have_text("Play")


def test_sheet_lies_over_the_stage_and_closes_with_escape(page, gallery):
    page.goto(f"{gallery}/lectures/stepper.html")
    page.locator(".pla-point").first.wait_for()
    before = page.locator(".pla-bar").bounding_box()
    step(page, "More")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.locator(".pla-bar").bounding_box() == before
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).not_to_be_visible()
    expect(page.get_by_role("button", name="More")).to_be_focused()


@pytest.mark.parametrize("name", SHELLED)
def test_sheet_leaves_the_verdict_and_the_controls_in_view(browser, gallery, name):
    for size in SIZES.values():
        page = open_widget(browser, f"{gallery}/lectures/{name}.html", size, reduced_motion="reduce")
        page.locator(".pla").evaluate("one => one.scrollIntoView({ block: 'center' })")
        step(page, "More")
        sheet, verdict, bar = (page.locator(f".pla-{part}").bounding_box() for part in ("sheet", "verdict", "bar"))
        assert verdict["y"] + verdict["height"] <= sheet["y"]
        assert sheet["y"] + sheet["height"] <= bar["y"]
        page.context.close()


def test_ticks_say_what_they_are(page, gallery):
    page.goto(f"{gallery}/lectures/stepper.html")
    expect(page.locator(".pla-scrubber")).to_have_attribute("title", "Each tick is a mistake")


def test_pictures_are_saved_as_they_look(page, gallery):
    page.goto(f"{gallery}/lectures/stepper.html")
    page.locator(".pla-point").first.wait_for()
    step(page, "More")
    for kind, start in {"SVG": b"<svg", "PNG": b"\x89PNG"}.items():
        with page.expect_download() as download:
            step(page, f"Save {kind}")
        content = download.value.path().read_bytes()
        assert content.startswith(start)
        if kind == "SVG":
            assert content.count(b"<g") > 20
            assert b"rgb(0, 114, 178)" in content  # the colour of class +1 is written into it
