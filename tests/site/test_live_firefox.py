"""Chapter 02 in Firefox: cells run, answers are checked, and Stop stops."""

import re

import numpy as np
import pytest

from pla_lib import blobs, perceptron
from tests.firefox import CONTROL, ENTER, HOW_TO, SHIFT, Tab, executable, firefox
from tests.site.test_live import RIGHT_VISIT

pytestmark = pytest.mark.long

# The cell whose code, as it was printed, has a text in it.
CELL = """const until = async (holds) => { while (!holds()) await new Promise((later) => setTimeout(later, 20)); };
    const cells = [...document.querySelectorAll("div.cell")];
    const cell = cells.find((one) => one.dataset.printed === text) ??
        cells.find((one) => one.querySelector(".cell_input pre")?.textContent.includes(text));
    cell.dataset.printed = text;
    await until(() => cell.querySelector(".live-run"));"""
EDIT = f"""async (text) => {{
    {CELL}
    cell.querySelector(".live-edit").click();
    await until(() => cell.querySelector(".cm-content") === document.activeElement);
}}"""
SELECT = """(code) => {  // in a field of its own, from which it can be copied
    const field = document.body.appendChild(document.createElement("textarea"));
    field.value = code;
    field.select();
}"""
PRESS_RUN = f"async (text) => {{ {CELL} cell.querySelector('.live-run').click(); }}"
IS_RUNNING = f"""async (text) => {{
    {CELL}
    await until(() => cell.querySelector(".live-status").textContent.includes("Running"));
    await new Promise((later) => setTimeout(later, 500));
}}"""
OUTPUT = f"""async (text) => {{
    {CELL}
    await until(() => cell.dataset.runs && !cell.matches(".live-running"));
    const [output, image] = [cell.querySelector(".cell_output"), cell.querySelector("figure img")];
    if (cell.querySelector(".live-widget")) await until(() => cell.querySelector(".live-widget .pla-words"));
    await image?.decode();
    return {{
        text: output.textContent,
        verdict: cell.querySelector(".live-verdict")?.dataset.kind ?? null,
        picture: image && {{ drawn: image.src.startsWith("blob:"), width: image.naturalWidth }},
        widget: cell.querySelector(".live-widget .pla-words")?.textContent ?? null,
    }};
}}"""


@pytest.fixture(scope="module")
def live(site: str) -> Tab:
    assert executable(), HOW_TO
    with firefox() as tab:
        tab.open(f"{site}/lectures/02_pla.html")
        yield tab


def write(live: Tab, text: str, code: str) -> None:
    live.call(SELECT, code)
    live.press(CONTROL, "c")
    live.call(EDIT, text)
    live.press(CONTROL, "a")
    live.press(CONTROL, "v")


def run(live: Tab, text: str) -> dict:
    live.call(PRESS_RUN, text)
    return live.call(OUTPUT, text)


def test_first_cell_shows_its_widget(live):
    assert run(live, "stepper(run)")["widget"]


def test_algorithm_gives_what_the_library_gives(live):
    printed = re.findall(r"\[(.*?)\]", run(live, "while not done")["text"])
    assert len(printed) == 2
    for line in printed:
        assert np.array(line.split(), float) == pytest.approx(perceptron(*blobs(20, seed=3)).theta)


def test_figure_is_drawn(live):
    picture = run(live, "plot_run(run);")["picture"]
    assert picture["drawn"]
    assert picture["width"] > 300


@pytest.mark.parametrize(
    ("change", "verdict", "words"),
    [
        (("", ""), "right", "Right"),
        (("<= 0", "< 0"), "not yet", "Not yet"),
        (("return theta + y * x if y * (theta @ x) <= 0 else theta", "print(theta)"), "not yet", "None"),
        (("    return", "    while True:\n        pass\n    return"), "not yet", "10 seconds"),
    ],
    ids=["right", "wrong", "printed", "endless"],
)
def test_exercise_is_checked(live, change, verdict, words):
    write(live, 'check("02.1"', RIGHT_VISIT.replace(*change))
    found = run(live, 'check("02.1"')
    assert found["verdict"] == verdict
    assert words in found["text"]


def test_stop_keeps_the_names(live):
    text = "mistakes were on"
    write(live, text, "kept = 5\nwhile True:\n    pass")
    live.call(PRESS_RUN, text)
    live.call(IS_RUNNING, text)
    assert "Stopped" in run(live, text)["text"]  # the button is Stop now
    write(live, text, "print('kept is', kept)")
    assert "kept is 5" in run(live, text)["text"]


def test_typing_and_running_with_the_keyboard(live):
    text = "mistakes were on"
    live.call(EDIT, text)
    live.press(CONTROL, "a")
    for key in "print(6*7)":
        live.press(key)
    live.press(SHIFT, ENTER)
    live.call(IS_RUNNING.replace('"Running"', '""'), text)
    assert live.call(OUTPUT, text)["text"].strip() == "42"
