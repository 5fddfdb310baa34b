"""The tests' own writing of numbers follows the table that the library and the widgets' scripts follow."""

import json

import pytest

from tests import ROOT
from tests.widgets.drawn import as_text

CASES = json.loads((ROOT / "tests" / "library" / "wording_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("value", "text"), CASES["number"])
def test_number(value, text):
    assert as_text(float(value)) == text


@pytest.mark.parametrize(("value", "text"), CASES["signed"])
def test_signed(value, text):
    assert as_text(float(value), sign=True) == text
