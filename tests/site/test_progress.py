"""What the reader's own browser remembers, and that it forgets: the published site in a real browser."""

import json
import re

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests import SITE
from tests.site_checks import LAPTOP, PHONE, RULES_OF_A_SECOND_LOOK, faults_in_browser

KEY = "perceptron-progress"
READ = 2**10 - 1  # a bit for each tenth of a page
PLA = "lectures/02_pla"
STEPPER, QUIZ = 1, 3  # their places on the page PLA
WRITTEN = """([key, page, name]) => {
    try {
        return JSON.parse(localStorage[key]).pages[page][name] !== undefined;
    } catch {
        return false;
    }
}"""

# Brings this part of the way down on the screen; done once the page has been told.
SCROLL = """part => new Promise((done) => {
    const before = scrollY;
    addEventListener("scroll", done, { once: true });
    scrollTo({ top: part * document.documentElement.scrollHeight, behavior: "instant" });
    if (scrollY === before) done();
})"""


def stored(page: Page) -> dict | None:
    """The pages that the browser remembers."""
    text = page.evaluate("key => localStorage[key] ?? null", KEY)
    return json.loads(text)["pages"] if text else None


def plant(page: Page, site: str, content: str | dict) -> None:
    """Put into the browser what an earlier visit left there: a text, or the pages."""
    page.goto(f"{site}/search.html")
    text = content if isinstance(content, str) else json.dumps({"version": 1, "pages": content})
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, text])


def start(page: Page, number: int) -> Locator:
    """The widget at this place, drawn."""
    place = page.locator(".pla-widget").nth(number)
    place.scroll_into_view_if_needed()
    place.locator(".pla").wait_for()
    return place


def press(widget: Locator, name: str, times: int = 1) -> None:
    for _ in range(times):
        widget.get_by_role("button", name=re.compile(rf"^{name}\W*$")).click()


def wait_until_written(page: Page, key: str, name: str = PLA) -> None:
    page.wait_for_function(WRITTEN, arg=[KEY, name, key])


def marks(page: Page, name: str) -> list[str]:
    """The names of the marks beside a page in the contents; its entry ends with this name."""
    link = page.locator(f'.bd-sidebar-primary nav.bd-links a[href$="{name}.html"]')
    return link.locator(".progress-mark").evaluate_all("all => all.map((one) => one.ariaLabel)")


def contrast(*colours: str) -> float:
    """The contrast of two css colours, as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    dark, light = sorted(map(luminance, colours))
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture
def complaints(page: Page, site: str) -> list[str]:
    """What the page complains of, and what it asks of other hosts."""
    found = []

    def is_foreign(address: str) -> bool:
        return not address.startswith((site, "blob:", "data:"))

    page.on("console", lambda message: message.type == "error" and found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", lambda request: is_foreign(request.url) and found.append(request.url))
    return found


class TestWidgets:
    def test_reload_restores_the_step(self, page, site):
        page.goto(f"{site}/{PLA}.html")
        press(start(page, STEPPER), "Next", 3)
        page.reload()  # at once: what waits to be written is written when the page is left
        expect(start(page, STEPPER).locator(".pla-words")).to_contain_text("Visit 3:")

    def test_self_test_keeps_its_answers_and_is_done_when_every_question_has_one(self, page, site):
        page.goto(f"{site}/{PLA}.html")
        quiz = start(page, QUIZ)
        questions = quiz.locator("fieldset").count()
        for k in range(questions):
            quiz.locator("fieldset").nth(k).locator(".pla-option").first.click()
            if k < questions - 1:
                wait_until_written(page, str(QUIZ + 1))
                assert "tested" not in stored(page)[PLA]
                press(quiz, "Next")
        wait_until_written(page, "tested")
        page.reload()
        quiz = start(page, QUIZ)
        expect(quiz.locator(".pla-option[aria-pressed=true]")).to_have_count(questions)
        press(quiz, "Start again")
        page.goto(f"{site}/book/glossary.html")
        assert marks(page, PLA) == ["self-test done"]

    def test_link_to_a_state_beats_memory(self, page, site):
        page.goto(f"{site}/book/welcome.html")
        playground = start(page, 0)
        press(playground, "Next")
        press(playground, "More")
        press(playground, "Copy link")
        page.wait_for_url("**/*#widget1=points:*")  # the link that was copied is the page's address
        shared = page.url
        press(playground, "More")
        press(playground, "Next", 2)
        wait_until_written(page, "1", "book/welcome")
        page.goto("about:blank")
        page.goto(shared)
        expect(start(page, 0).locator(".pla-words")).to_contain_text("Visit 1:")
        page.goto("about:blank")
        page.goto(shared.partition("#")[0])
        expect(start(page, 0).locator(".pla-words")).to_contain_text("Visit 3:")

    def test_state_is_not_given_to_another_widget(self, page, site):
        page.goto(f"{site}/{PLA}.html")
        press(start(page, STEPPER), "Next", 3)
        wait_until_written(page, "2")
        pages = stored(page)
        assert pages[PLA]["2"].keys() == {"widget", "step"}  # a fingerprint of the widget, and its values by name
        pages[PLA]["3"] = pages[PLA]["2"]  # as if the chapter had a new widget before it
        plant(page, site, pages)
        page.goto(f"{site}/{PLA}.html")
        expect(start(page, STEPPER).locator(".pla-words")).to_contain_text("Visit 3:")
        expect(start(page, STEPPER + 1).locator(".pla-words")).not_to_contain_text("Visit 3:")

    @pytest.mark.parametrize(("step", "way"), [(10**6, "Back"), ("three", "Next"), (None, "Next"), (-1, "Next")])
    def test_step_out_of_range_does_no_harm(self, page, site, complaints, step, way):
        page.goto(f"{site}/{PLA}.html")
        press(start(page, STEPPER), "Next")
        wait_until_written(page, "2")
        pages = stored(page)
        pages[PLA]["2"]["step"] = step
        plant(page, site, pages)
        page.goto(f"{site}/{PLA}.html")
        widget = start(page, STEPPER)
        press(widget, way)
        expect(widget.locator(".pla-words")).to_contain_text("Visit ")
        assert complaints == []

    def test_values_that_the_playground_cannot_read_leave_it_as_it_is(self, page, site, complaints):
        page.goto(f"{site}/book/welcome.html")
        playground = start(page, 0)
        begins = playground.locator(".pla-words").text_content()
        press(playground, "Next")
        wait_until_written(page, "1", "book/welcome")
        pages = stored(page)
        broken = {"points": [[1, 2], "x"], "order": "sideways", "tie": None, "seed": -1, "mine": [1, "b"], "step": 0.5}
        assert pages["book/welcome"]["1"].keys() == {"widget", *broken}
        pages["book/welcome"]["1"] |= broken
        plant(page, site, pages)
        page.goto(f"{site}/book/welcome.html")
        playground = start(page, 0)
        expect(playground.locator(".pla-words")).to_have_text(begins)
        press(playground, "Next")
        expect(playground.locator(".pla-words")).to_contain_text("Visit 1:")
        assert complaints == []


class TestWhatIsStored:
    @pytest.mark.parametrize(
        "content",
        ["", "{", "null", "[1]", '"text"', '{"version": 2, "pages": {"a": {}}}', '{"version": 1, "pages": [1]}']
        + [json.dumps({"version": 1, "pages": {PLA: value}}) for value in (None, 7, "text", {"seen": [], "2": None})],
    )
    def test_broken_content_is_ignored_and_overwritten(self, page, site, complaints, content):
        plant(page, site, content)
        page.goto(f"{site}/{PLA}.html")
        press(start(page, STEPPER), "Next", 2)
        wait_until_written(page, "2")
        page.reload()
        expect(start(page, STEPPER).locator(".pla-words")).to_contain_text("Visit 2:")
        assert json.loads(page.evaluate("key => localStorage[key]", KEY))["version"] == 1
        assert complaints == []

    @pytest.mark.parametrize("trouble", ["blocked", "full"])
    def test_without_storage_everything_works_and_nothing_is_said(self, page, site, complaints, trouble):
        page.add_init_script(
            {
                "blocked": """for (const name of ["localStorage", "sessionStorage"])
                Object.defineProperty(window, name, {
                    configurable: true, get() { throw new DOMException("blocked", "SecurityError") },
                })""",
                "full": f"""const setItem = Storage.prototype.setItem;
                Storage.prototype.setItem = function (key, value) {{
                    if (key === "{KEY}") throw new DOMException("full", "QuotaExceededError");
                    setItem.call(this, key, value);
                }}""",
            }[trouble]
        )
        page.goto(f"{site}/{PLA}.html")
        press(start(page, STEPPER), "Next")
        expect(start(page, STEPPER).locator(".pla-words")).to_contain_text("Visit 1:")
        page.locator(".bd-footer-content .progress-forget").click()
        expect(page.locator(".bd-footer-content [aria-live]")).to_contain_text("Forgotten.")
        page.locator(".bd-footer-content").get_by_role("button", name="Undo").click()
        page.reload()
        expect(start(page, STEPPER).locator(".pla-words")).not_to_contain_text("Visit 1:")
        if trouble == "blocked":  # the theme's own switch works too
            page.evaluate("scrollTo(0, 0)")
            page.get_by_role("button", name="Color mode").click()
        assert complaints == []

    def test_oldest_pages_lose_all_but_their_marks_when_there_is_no_room(self, page, site):
        old = {f"lectures/old{k}": {"1": "x" * 90_000, "seen": READ, "tested": True} for k in range(5)}
        plant(page, site, old)
        page.goto(f"{site}/{PLA}.html")
        page.evaluate("plaProgress.remember('lectures/old0', '2', 'y')")  # so that old1 is the oldest
        wait_until_written(page, "2", "lectures/old0")
        page.evaluate("plaProgress.remember('lectures/new', '1', 'z'.repeat(90_000))")
        wait_until_written(page, "1", "lectures/new")
        now = stored(page)
        assert now["lectures/old1"] == {"seen": READ, "tested": True}
        assert all(now[name]["1"] == old[name]["1"] for name in old if name != "lectures/old1")

    def test_tabs_do_not_erase_each_other_and_see_each_other(self, context: BrowserContext, site):
        one, other = context.new_page(), context.new_page()
        one.goto(f"{site}/{PLA}.html")
        other.goto(f"{site}/search.html")  # not a page to read: by itself it remembers nothing
        for page, name in ((one, PLA), (other, "lectures/03_gradient"), (one, "lectures/04_convergence")):
            page.evaluate("name => plaProgress.remember(name, '1', { tries: [[0]] })", name)
            wait_until_written(page, "tested", name)
        assert {PLA, "lectures/03_gradient", "lectures/04_convergence"} <= stored(one).keys()
        for page in (one, other):
            expect(page.locator(".progress-tested")).to_have_count(3)

    @pytest.mark.parametrize(
        "address", ["book/glossary.html", "lectures/02_pla.html#self-test", "search.html?q=margin"]
    )
    def test_page_has_one_name_on_a_host_and_in_a_folder(self, page, site, address):
        name = re.split(r"\.html", address)[0]
        for start_of_address in (site, SITE.as_uri()):
            page.goto(f"{start_of_address}/{address}")
            assert page.evaluate("plaProgress.page") == name

    def test_nothing_else_is_stored(self, page, site):
        page.goto(f"{site}/{PLA}.html")
        press(start(page, STEPPER), "Next")
        wait_until_written(page, "2")
        assert set(page.evaluate("Object.keys(localStorage)")) == {KEY, "mode", "theme"}
        assert page.evaluate("document.cookie") == ""


class TestReading:
    @pytest.fixture
    def reading(self, page: Page, site: str) -> Page:
        """A page to read, with a clock that the test moves on."""
        page.clock.install()
        page.goto(f"{site}/book/conventions.html")
        return page

    @staticmethod
    def scroll(page: Page, part: float) -> None:
        """Bring this part of the way down on the screen and stay there."""
        page.evaluate(SCROLL, part)
        page.clock.run_for(3000)

    def test_page_read_to_its_end_is_marked_on_every_page(self, reading, site):
        for tenth in range(10):
            self.scroll(reading, tenth / 10)
            expect(reading.locator(".progress-read")).to_have_count(0)
        self.scroll(reading, 1)
        expect(reading.locator(".bd-links .current > a .progress-read")).to_have_count(1)
        reading.goto(f"{site}/{PLA}.html")
        assert marks(reading, "book/conventions") == ["read"]

    def test_jump_to_the_end_is_not_reading(self, reading):
        self.scroll(reading, 1)
        assert stored(reading)["book/conventions"]["seen"] != READ
        expect(reading.locator(".progress-read")).to_have_count(0)

    def test_reading_can_take_several_visits(self, reading):
        for tenth in range(5):
            self.scroll(reading, tenth / 10)
        reading.reload()
        for tenth in range(5, 11):
            self.scroll(reading, tenth / 10)
        expect(reading.locator(".progress-read")).to_have_count(1)

    def test_line_is_as_long_as_what_was_read(self, page, site):
        page.goto(f"{site}/book/conventions.html")
        line = page.locator(".progress-line")
        lengths = []
        for part in (0, 0.3, 0.6, 1):
            page.evaluate(SCROLL, part)
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            lengths.append(line.bounding_box()["width"] / page.viewport_size["width"])
        assert lengths[0] == 0
        assert lengths == sorted(set(lengths))
        assert lengths[-1] == 1
        assert line.get_attribute("aria-hidden") == "true"
        page.emulate_media(media="print")
        expect(line).to_be_hidden()


MARKED = {PLA: {"seen": READ, "tested": True}, "lectures/08_online": {"seen": READ}, "book/glossary": {"seen": READ}}


class TestMarks:
    @pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
    @pytest.mark.parametrize("colours", ["light", "dark"])
    def test_marks_are_seen_and_heard(self, page, site, colours, size):
        page.emulate_media(color_scheme=colours)
        page.set_viewport_size(size)
        plant(page, site, MARKED)
        page.goto(f"{site}/book/how-to-use.html")
        if size == PHONE:
            page.locator("button.primary-toggle").click()
        expect(page.locator(".progress-mark:visible")).to_have_count(4)
        link = page.get_by_role("link", name="2. The perceptron learning algorithm")
        expect(link).to_have_accessible_name("2. The perceptron learning algorithm self-test done read")
        ink, ground = link.locator(".progress-read").evaluate(
            "mark => [mark, document.body].map((one) => getComputedStyle(one).backgroundColor)"
        )
        assert contrast(ink, ground) > 4.5

    @pytest.mark.parametrize(
        "look", [{"size": LAPTOP}, {"size": PHONE, "colours": "dark", "rules": RULES_OF_A_SECOND_LOOK}]
    )
    def test_page_with_marks_has_no_faults(self, browser, site, look):
        text = json.dumps({"version": 1, "pages": MARKED})
        kept = {"origins": [{"origin": site, "localStorage": [{"name": KEY, "value": text}]}]}
        assert faults_in_browser(browser, f"{site}/book/how-to-use.html", storage_state=kept, **look) == []

    def test_nothing_moves_when_a_mark_appears(self, page, site):
        page.goto(f"{site}/book/how-to-use.html")
        places = """() => [...document.querySelectorAll(".bd-links a")]
            .map((link) => JSON.stringify(link.getBoundingClientRect()))"""
        before = page.evaluate(places)
        for name in MARKED:
            page.evaluate(f"name => plaProgress.remember(name, 'seen', {READ})", name)
        expect(page.locator(".progress-read")).to_have_count(3)
        assert page.evaluate(places) == before


class TestForgetting:
    @pytest.fixture
    def read(self, page: Page, site: str) -> Page:
        plant(page, site, MARKED)
        page.goto(f"{site}/book/how-to-use.html")
        expect(page.locator(".progress-mark")).to_have_count(4)
        return page

    @pytest.mark.parametrize(("part", "name"), [("article", "Forget my progress"), (".bd-footer-content", "Forget it")])
    def test_button_forgets_says_so_and_can_undo(self, read, part, name):
        mode = read.evaluate("localStorage.getItem('mode')")
        button, status = read.locator(f"{part} .progress-forget"), read.locator(f"{part} [aria-live]")
        expect(button).to_have_text(name)
        button.focus()
        read.keyboard.press("Enter")
        expect(status).to_have_text("Forgotten. This browser no longer remembers anything about this book.")
        expect(read.locator(".progress-mark")).to_have_count(0)
        assert stored(read) is None
        assert read.evaluate("localStorage.getItem('mode')") == mode  # light or dark is the theme's own
        expect(button).to_have_text("Undo")
        expect(button).to_be_focused()
        read.keyboard.press("Enter")
        expect(status).to_have_text("Your progress is back.")
        expect(button).to_have_text(name)
        expect(read.locator(".progress-mark")).to_have_count(4)
        assert stored(read).items() >= MARKED.items()

    def test_double_click_does_not_undo_itself(self, read):
        read.get_by_role("button", name="Forget my progress").dblclick(position={"x": 12, "y": 12})
        expect(read.locator("article [aria-live]")).to_contain_text("Forgotten.")
        expect(read.locator(".progress-mark")).to_have_count(0)

    def test_undo_keeps_what_came_after(self, read):
        read.get_by_role("button", name="Forget my progress").click()
        read.evaluate("plaProgress.remember('lectures/03_gradient', '1', { tries: [[0]] })")
        wait_until_written(read, "tested", "lectures/03_gradient")
        read.get_by_role("button", name="Undo").click()
        expect(read.locator(".progress-mark")).to_have_count(5)

    def test_every_page_says_where_progress_is_kept(self, read, site):
        read.goto(f"{site}/{PLA}.html")
        expect(read.locator(".bd-footer-content")).to_contain_text("Your progress is kept in your own browser only.")

    def test_without_scripts_there_is_no_button(self, browser, site):
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(f"{site}/book/how-to-use.html")
        assert [one.is_visible() for one in page.locator(".progress-forget").all()] == [False, False]
        context.close()
