"""Which cells need which, by their names: cases by hand, and whole chapters against running them."""

import contextlib
import io

import nbformat
import pytest

from book.assets.live.cell_names import depends, names_of, needed
from pla_lib import check
from tests import ROOT

# What the last cell needs of those before it.
NEEDED = {
    "a name": (["a = 1", "b = 2", "a"], [0]),
    "a name of a name": (["a = 1", "b = a", "c = 3", "b"], [0, 1]),
    "the last cell that binds it": (["a = 1", "a = 2", "a"], [1]),
    "one that may bind it, and the one before": (["a = 1", "if 0 < 1: a = 2", "a"], [0, 1]),
    "nothing that the cell binds itself": (["a = 1", "a = 2\nprint(a)"], []),
    "what the cell reads before it binds it": (["a = 1", "a = a + 1"], [0]),
    "augmented assignment": (["a = 1", "a += 1", "a"], [0, 1]),
    "augmented assignment in a loop": (["a = 1", "for i in range(3):\n    a += i", "a"], [0, 1]),
    "a part that is set": (["a = [1]", "a[0] = 2", "b = a[0]", "a"], [0, 1]),
    "an attribute that is set": (["import m", "a = m.A()", "a.b = 2", "a"], [0, 1, 2]),
    "a part that is deleted": (["a = [1]", "del a[0]", "a"], [0, 1]),
    "a method that changes": (["a = []", "a.append(1)", "a"], [0, 1]),
    "a method whose result is used": (["a = [2, 1]", "b = a.index(2)", "a"], [0]),
    "a part's method": (["a = [[]]", "a[0].append(1)", "a"], [0, 1]),
    "a function of a module that changes": (
        ["import numpy as np", "a = x()", "np.fill_diagonal(a, 0)", "a"],
        [0, 1, 2],
    ),
    "a comparison that changes nothing": (["import numpy as np", "a = 1", "np.testing.assert_equal(a, 1)", "a"], [1]),
    "a function's free names": (["a = 1", "def f():\n    return a", "f()"], [0, 1]),
    "a name bound after the function that reads it": (["a = 1", "def f():\n    return a\na = 2\nf()"], []),
    "a parameter is not the page's": (["a = 1", "def f(a):\n    return a\nf(2)"], []),
    "a default is read at once": (["a = 1", "def f(b=a):\n    return b\na = 2\nf()"], [0]),
    "a function's own names are not the page's": (["a = 1", "def f():\n    a = 2\n    return a", "a"], [0]),
    "a function that binds a name of the page": (["a = 1", "def f():\n    global a\n    a = 2\nf()", "a"], [0, 1]),
    "augmented assignment to a function's own name": (["a = 1", "def f(a):\n    a += 1\n    return a\nf(2)"], []),
    "a function that adds to a name of the page": (["a = 1", "def f():\n    global a\n    a += 1\nf()", "a"], [0, 1]),
    "a method of a function's own list": (["a = []", "def f():\n    a = []\n    a.append(1)\n    return a\nf()"], []),
    "a method of a parameter": (["a = []", "def f(a):\n    a.append(1)\nf([])", "a"], [0]),
    "a method of the page's list in a function": (["a = []", "def f():\n    a.append(1)\nf()", "a"], [0, 1]),
    "a comprehension's variable is its own": (["i = 1", "a = 2", "[i for i in range(a)]"], [1]),
    "a comprehension reads at once": (["a = 1", "b = [a + i for i in range(3)]\na = 2"], [0]),
    "a comprehension binds nothing": (["i = 1", "[i for i in range(3)]", "i"], [0]),
    "a lambda": (["a = 1", "f = lambda b: a + b", "f(1)"], [0, 1]),
    "a class": (["a = 1", "class A:\n    b = a", "A"], [0, 1]),
    "a base class": (["class A: pass", "class B(A): pass", "B"], [0, 1]),
    "a decorator": (["def d(f): return f", "@d\ndef f(): pass", "f"], [0, 1]),
    "an import": (["import numpy as np", "from math import pi", "np.cos(1)"], [0]),
    "an import of a part": (["import os.path", "os"], [0]),
    "an import of everything": (["from pla_lib import *", "a = 1", "perceptron(a)"], [0, 1]),
    "everything, but nothing is wanted": (["from pla_lib import *", "print(len('a'))"], []),
    "a name that is deleted": (["a = 1", "del a", "a"], [0, 1]),
    "unpacking": (["a, (b, *c) = x", "c"], [0]),
    "a walrus": (["(a := 1)", "a"], [0]),
    "with": (["with open(n) as f: pass", "f"], [0]),
    "for": (["for a in range(3): pass", "a"], [0]),
    "a generator of random numbers": (["rng = np.random.default_rng(0)", "a = rng.normal()", "rng.normal()"], [0, 1]),
    "a generator that is passed on": (["rng = np.random.default_rng(0)", "a = noise(rng)", "rng.normal()"], [0, 1]),
    "a seed for all": (["import numpy as np", "np.random.seed(0)", "np.random.normal()"], [0, 1]),
    "a picture leaves nothing behind": (["import matplotlib.pyplot as plt", "plt.title('a')", "plt.plot([1])"], [0]),
    "settings of pictures": (["import matplotlib.pyplot as plt", "plt.rcParams['a'] = 1", "plt.plot([1])"], [0, 1]),
    "a cell that cannot be read gives nothing": (["a = (", "a = 1", "a"], [1]),
    "a cell that cannot be read needs nothing": (["a = 1", "a = a +"], []),
    "print is nobody's": (["a = 1", "print('a')"], []),
    "check comes with the page": (["from pla_lib import check\ncheck('1', 2)", "check('2', 3)"], []),
    "but the reader's own print is": (["def print(a): pass", "print('a')"], [0]),
}


@pytest.mark.parametrize("case", NEEDED)
def test_cells_above_that_a_cell_needs(case):
    cells, expected = NEEDED[case]
    assert needed(cells, len(cells) - 1) == expected


def test_an_answer_leaves_only_names_that_no_other_cell_has():
    cells = ["X = 1", "X = 2\ndef visit():\n    return X", "X", "visit()"]
    assert needed(cells, 2, answers=[1]) == [0]
    assert needed(cells, 3, answers=[1]) == [1]
    assert needed(cells, 2) == [1]
    assert depends(cells, 1, answers=[1]) == [3]


def test_cells_below_that_depend_on_a_cell():
    cells = ["a = 1", "b = 2", "c = a", "c + b", "a = 5", "a"]
    assert depends(cells, 0) == [2, 3]
    assert depends(cells, 1) == [3]
    assert depends(cells, 4) == [5]
    assert depends(cells, 5) == []


def test_what_a_cell_imports_is_the_same_after_a_change():
    cells = ["import numpy as np\na = 1", "np.e", "a"]
    assert needed(cells, 1) == [0]
    assert depends(cells, 0) == [2]
    assert depends(["a = (", "a"], 0) == []


def test_what_a_cell_does_with_names():
    names = names_of("a = b\nc.append(a)\nif a:\n    d = 1")
    assert names.reads == {"b", "c"}
    assert names.binds == {"a"}
    assert names.changes == {"a", "c", "d"}


@pytest.mark.parametrize("name", ["02_pla", "07_features"])
def test_a_chapters_cells_print_the_same_after_only_what_they_need(name):
    notebook = nbformat.read(ROOT / "lectures" / f"{name}.ipynb", 4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and "sklearn" not in cell.source]
    sources = [cell.source for cell in cells if not {"remove-input", "solution"} & set(cell.metadata.get("tags", []))]
    names = {}
    printed = [output(source, names) for source in sources]
    chosen = [k for k, text in enumerate(printed) if text and "time" not in sources[k]][::5]
    assert len(chosen) > 3
    for k in chosen:
        alone = {"check": check}
        for j in needed(sources, k):
            output(sources[j], alone)
        assert output(sources[k], alone) == printed[k], sources[k]


def output(source: str, names: dict) -> str:
    names.setdefault("__name__", "__main__")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(source, "cell", "exec"), names)
    return printed.getvalue()
