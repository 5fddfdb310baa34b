"""The build fails when it should and runs again what has changed: small books with this one's settings."""

import json
import re
from pathlib import Path

import pytest

from book.serve import serving
from tests.site_checks import LAPTOP, PHONE, faults_in_browser
from tests.small_book import CHAPTER, build, copy_book, notebooks_run, write_book, write_chapter

# Says when it was run, and by which library.
CODE = """import time
from pla_lib.datasets import blobs
print(time.time_ns(), 'the library says', blobs.__doc__[:9])"""


@pytest.fixture(scope="module")
def good_book(tmp_path_factory) -> Path:
    """A book without a fault, built once; every test changes a copy of it."""
    book = write_book(tmp_path_factory.mktemp("good"), {"01": CHAPTER.format(text="Some words.", code=CODE)})
    result = build(book)
    assert result.returncode == 0, result.stdout + result.stderr
    assert notebooks_run(result) == ["01.ipynb"]
    return book


@pytest.fixture
def book(good_book, tmp_path) -> Path:
    return copy_book(good_book, tmp_path)


def rewrite(book: Path, text: str = "Some words.", code: str = CODE) -> Path:
    write_chapter(book, "01", CHAPTER.format(text=text, code=code))
    return book


def chapter(folder: Path) -> str:
    return (folder / "_build" / "html" / "lectures" / "01.html").read_text()


# These end the build at once.
FATAL = {
    "a cell that raises": ({"code": 'raise RuntimeError("planted")'}, "planted"),
    "a formula that cannot be read": ({"text": r"$\nonsense{x}$"}, r"Unsupported function name: \nonsense"),
    "a directive that has no plain form": ({"text": "```{epigraph}\nHm.\n```"}, "cannot say the directive {epigraph}"),
    "a link that leads nowhere in the plain copy": ({"text": "[see](../book/welcome.md)"}, "cannot say"),
    "a box without a number": ({"text": ":::{prf:remark}\nHm.\n:::"}, "has no number for"),
    "a widget without a picture": ({"code": "import ipywidgets; ipywidgets.IntSlider()"}, "let it subclass"),
}


@pytest.mark.parametrize("fault", FATAL)
def test_fault_fails_the_build(book, fault):
    parts, report = FATAL[fault]
    result = build(rewrite(book, **parts))
    assert result.returncode != 0
    assert report in result.stdout + result.stderr


def test_every_warning_is_reported_and_fails_the_build(book):
    text = "{prf:ref}`thm-nowhere` [there](nowhere.md) {cite:t}`nobody1900`"
    # A figure is drawn after its cell has ended, so that a failure there does not fail the cell.
    code = "import sys\nimport matplotlib.pyplot as plt\nprint('planted', file=sys.stderr)\nplt.figure().draw = None"
    result = build(rewrite(book, text=text, code=code))
    assert result.returncode != 0
    for report in ("thm-nowhere", "nowhere.md", "nobody1900", "stderr was found", "a cell shows a traceback"):
        assert report in result.stdout + result.stderr


def test_change_in_the_library_is_seen_by_the_next_build(book):
    assert "the library says Two round" in chapter(book)
    library = book / "pla_lib" / "datasets.py"
    library.write_text(library.read_text().replace('"""Two round clouds', '"""Changed clouds'))
    assert build(book).returncode == 0
    assert "the library says Changed c" in chapter(book)


def test_line_that_is_printed_in_pieces_stays_one_line(book):
    code = 'for piece in ("one", " two", " three"):\n    print(piece, end="", flush=True)'
    assert build(rewrite(book, code=code)).returncode == 0
    assert "one two three" in chapter(book)


def test_page_taken_out_of_the_book_leaves_the_site(book):
    assert "Some words." in chapter(book)
    (book / "lectures" / "01.ipynb").rename(book / "lectures" / "02.ipynb")
    toc = book / "_toc.yml"
    toc.write_text(toc.read_text().replace("lectures/01", "lectures/02"))
    assert build(book).returncode == 0
    site = book / "_build" / "html"
    assert [path.name for path in (site / "lectures").iterdir()] == ["02.html"]
    assert [path.name for path in (site / "notebooks").iterdir()] == ["02.ipynb"]


def test_second_build_runs_no_notebook_and_takes_up_a_changed_style(book):
    (book / ".cache").mkdir()
    (book / ".cache" / "README.md").write_text("# Not a page of the book")
    first = chapter(book)
    with (book / "book" / "assets" / "book.css").open("a") as style:
        style.write("h1 { color: rebeccapurple; }")
    assert build(book).returncode == 0
    assert chapter(book) == first
    assert "rebeccapurple" in (book / "_build" / "html" / "_static" / "all.css").read_text()
    with (book / "constraints.txt").open("a") as versions:
        versions.write("something==1.0\n")
    assert build(book).returncode == 0
    assert chapter(book) != first, "new versions must run the notebook again"


def test_changed_chapter_runs_one_notebook(book):
    first = chapter(book)
    write_chapter(book, "02", CHAPTER.format(text="More words.", code="print('run', 1)"))
    toc = book / "_toc.yml"
    toc.write_text(toc.read_text().replace("  - file: lectures/01\n", "  - file: lectures/01\n  - file: lectures/02\n"))
    assert notebooks_run(build(book)) == ["02.ipynb"]
    write_chapter(book, "02", CHAPTER.format(text="More words.", code="print('run', 2)"))
    result = build(book)
    assert notebooks_run(result) == ["02.ipynb"]
    assert "lectures/01" not in result.stdout, "the other chapter is not even read again"
    write_chapter(book, "02", CHAPTER.format(text="Other words.", code="print('run', 2)"))
    result = build(book)
    assert notebooks_run(result) == []
    assert result.returncode == 0
    said = re.compile(r"\d{16,} the library says Two round")
    assert said.search(chapter(book))[0] == said.search(first)[0], "chapter 01 was run once in all"


def test_buttons_follow_the_repository_address(book, browser):
    assert "mybinder" not in chapter(book)
    assert "colab" not in chapter(book)
    assert json.loads((book / "_build/html/notebooks/01.ipynb").read_text())["cells"][0]["id"] == "about"
    assert build(book, GITHUB_REPOSITORY="Ada/perceptron").returncode == 0
    assert "https://mybinder.org/v2/gh/Ada/perceptron/main?urlpath=lab/tree/lectures/01.ipynb" in chapter(book)
    assert "https://colab.research.google.com/github/Ada/perceptron/blob/notebooks/01.ipynb" in chapter(book)
    assert "https://github.com/Ada/perceptron/blob/main/lectures/01.ipynb" in chapter(book)
    with serving(book / "_build" / "html") as address:
        for size in (PHONE, LAPTOP):
            assert faults_in_browser(browser, f"{address}/lectures/01.html", size=size) == []
        assert faults_in_browser(browser, f"{address}/404.html") == [], "also where the site is at the root of its host"
    assert '<base href="/perceptron/">' in (book / "_build/html/404.html").read_text()
    plain = (book / "_build/html/notebooks/01.ipynb").read_text()
    assert "git+https://github.com/Ada/perceptron" in plain
    assert "https://ada.github.io/perceptron/lectures/01.html" in plain


EXERCISE = """```{exercise} Hard
:label: ex-hard

What is it?
```

```{solution} ex-hard
:class: dropdown

It is supercalifragilistic.
```
"""


@pytest.mark.parametrize("hidden", [False, True])
def test_solutions_are_left_out_where_the_switch_says_so(book, hidden):
    secret = "```\n\n```{code-cell}\n:tags: [solution]\nprint('supercali' + 'docious'[:0] + 'fragilistic')"
    rewrite(book, text=EXERCISE, code=f"1 + 1\n{secret}")
    config = book / "_config.yml"
    config.write_text(config.read_text().replace("hide_solutions: false", f"hide_solutions: {str(hidden).lower()}"))
    assert build(book, GITHUB_REPOSITORY="Ada/perceptron").returncode == 0
    site = book / "_build" / "html"
    found = {path.name for path in site.rglob("*") if path.is_file() and b"supercali" in path.read_bytes()}
    assert found == (set() if hidden else {"01.html", "01.ipynb", "searchindex.js"})
    assert "What is it?" in chapter(book)
    # Where the repository would show them, the way there is left out.
    assert ("mybinder" in chapter(book)) != hidden
