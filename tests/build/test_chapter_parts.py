"""The parts that chapters are made of: a small book with each of them, its plain copy, and what fails the build."""

import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from claims import count_claims, summary
from docutils import nodes
from jump_links import read_jump
from sphinx.errors import ExtensionError

from tests.small_book import build, copy_book, write_book, write_chapter

CHAPTER = """---
kernelspec: {name: python3, display_name: Python 3, language: python}
---

# A chapter

**Time:** about 60 minutes. **Prerequisites:** {doc}`chapter 1 <01>`.

Why?

```{code-cell}
:tags: [widget-first]
from pla_lib import blobs, perceptron, stepper

run = perceptron(*blobs(6, seed=3))
stepper(run)
```

Then <span data-jump="1 step=2">jump
to visit 2</span>.
"""
PARTS = (
    CHAPTER
    + """
```{code-cell}
:tags: [claims]
assert run.converged
assert all(abs(label) == 1 for label in run.y)
```

## ★ A star

```{code-cell}
:tags: [claims]
assert len(run.y) == 6
```

```{exercise} Hard ●●○
:label: ex-hard

What is it?
```

```{solution} ex-hard
It is this.
```

## Summary

```{code-cell}
---
tags: [remove-input, summary-picture]
mystnb:
  image:
    alt: A line between three discs and three squares.
---
from pla_lib.plots import plot_run

plot_run(run);
```

:::{admonition} Summary card: a chapter
:class: summary-card

**Theorem.** It stops.
:::

:::{admonition} Source notes
:class: dropdown source-notes

They agree.
:::
"""
)


@pytest.fixture(scope="module")
def good_book(tmp_path_factory) -> Path:
    """A chapter with every part, built once; tests that change it take a copy."""
    book = write_book(tmp_path_factory.mktemp("parts"), {"01": PARTS})
    (book / "book" / "welcome.md").write_text("# Welcome\n\nSee [the star](../lectures/01.ipynb#a-star).\n")
    result = build(book)
    assert result.returncode == 0, result.stdout + result.stderr
    return book


def page(book: Path, name: str = "01") -> BeautifulSoup:
    return BeautifulSoup((book / "_build/html/lectures" / f"{name}.html").read_text(), "html.parser").article


def test_head_numbers_the_chapter_and_puts_the_widget_before_its_code(good_book):
    article = page(good_book)
    facts, question = (article.find(class_=name) for name in ("chapter-facts", "chapter-question"))
    assert facts.get_text() == "Chapter 1 of 1. Time: about 60 minutes. Prerequisites: chapter 1."
    assert question.get_text() == "Why?"
    widget, code = article.find(class_="pla-widget"), article.find("details")
    assert "pla-head" in widget["class"]
    assert code.summary.get_text() == "The code that makes this"
    assert "stepper(run)" in code.get_text()
    assert code in widget.find_all_next("details")


def test_every_chapter_says_how_many_there_are(good_book, tmp_path):
    book = copy_book(good_book, tmp_path)
    assert build(book).returncode == 0  # Sphinx has read the pages in this folder now
    write_chapter(book, "02", CHAPTER)
    toc = book / "_toc.yml"
    toc.write_text(toc.read_text().replace("  - file: lectures/01\n", "  - file: lectures/01\n  - file: lectures/02\n"))
    result = build(book)
    assert result.returncode == 0, result.stdout + result.stderr
    for number in (1, 2):
        facts = page(book, f"0{number}").find(class_="chapter-facts").get_text()
        assert facts.startswith(f"Chapter {number} of 2. ")


def test_claims_are_counted_and_folded(good_book):
    lines = page(good_book).find_all("details", class_="claims")
    assert [line.summary.get_text() for line in lines] == [
        "✓ 2 claims of this section are checked by code",
        "✓ 1 claim of this section is checked by code",
    ]
    assert "assert run.converged" in lines[0].get_text()
    assert not any(line.has_attr("open") for line in lines)


def test_marks_have_words(good_book):
    article = page(good_book)
    star = article.find("h2").find(role="img")
    assert (star.get_text(), star["aria-label"]) == ("★", "starred section")
    assert article.find("h2").find_next("p").get_text() == "May be skipped at first reading"
    exercise, solution = article.find(class_="admonition-title"), article.find("details", class_="solution").summary
    dots = exercise.find(role="img")
    assert (dots.get_text(), dots["aria-label"]) == ("●●○", "difficulty 2 of 3")
    assert exercise.get_text().split() == ["Exercise", "1.1", "(Hard)", "●●○"]
    assert solution.get_text() == "Solution to Exercise 1.1 (Hard)"


def test_star_is_no_part_of_an_address(good_book):
    assert page(good_book).find(id="a-star").h2
    assert 'href="../lectures/01.html#a-star"' in (good_book / "_build/html/book/welcome.html").read_text()


def test_picture_is_in_the_summary_card(good_book):
    card = page(good_book).find(class_="summary-card")
    assert card.img["alt"] == "A line between three discs and three squares."
    assert card.find("p", class_="admonition-title").find_next("img") is card.img


def test_jump_is_words_until_a_script_makes_it_a_link(good_book):
    jump = page(good_book).find("a", class_="jump")
    assert " ".join(jump.get_text().split()) == "jump to visit 2"
    assert (jump["data-widget"], jump["data-values"]) == ("1", '{"step": 2}')
    assert not jump.has_attr("href")


def test_plain_copy_says_every_part_in_markdown(good_book):
    cells = nbformat.read(good_book / "_build/html/notebooks/01.ipynb", 4).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert "**Time:** about 60 minutes. **Prerequisites:** chapter 1.\n\nWhy?" in text
    assert "Then jump\nto visit 2." in text
    assert "## ★ A star\n\n*May be skipped at first reading.*" in text
    assert "#### Exercise 1.1 (Hard ●●○)" in text
    assert "**Summary card: a chapter**\n\n**Theorem.** It stops." in text
    assert "<details>\n<summary>Source notes</summary>\n\nThey agree.\n\n</details>" in text
    assert not re.search("<span|:::", text)


FAULTS = {
    "claims that were not run": (
        ("execute_notebooks: cache", 'execute_notebooks: "off"'),
        "# A\n\n```{code-cell}\n:tags: [claims]\nassert True\n```",
        "lectures/01, a cell with the tag claims: it was not run to its end",
    ),
    "a jump to a widget that is not there": (
        ("", ""),
        '# A\n\nThen <span data-jump="1 step=2">jump</span>.',
        'lectures/01: data-jump="1 step=2" names no widget; the page has 0',
    ),
    "a picture without a card": (
        ("", ""),
        "# A\n\n```{code-cell}\n:tags: [summary-picture]\n1\n```\n\nHm.",
        "lectures/01: after a cell with the tag summary-picture comes the summary-card",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_fails_the_build(good_book, tmp_path, fault):
    (setting, changed), text, report = FAULTS[fault]
    book = copy_book(good_book, tmp_path)
    config = book / "_config.yml"
    config.write_text(config.read_text().replace(setting, changed, 1))
    write_chapter(book, "01", CHAPTER.partition("# A chapter")[0] + text)
    result = build(book)
    assert result.returncode != 0
    assert report in result.stdout + result.stderr


def cell_of_claims(source: str, count: int | None = 3, output: str = "output") -> nodes.container:
    code = nodes.container("", nodes.literal_block("", source), nb_element="cell_code_source")
    shown = nodes.container("", nodes.literal_block("", "words", classes=[output]), nb_element="cell_code_output")
    return nodes.container("", code, shown, exec_count=count)


def test_claims_are_said_to_be_checked_only_if_they_were():
    assert summary(cell_of_claims("assert 1 < 2")) == "✓ 1 claim of this section is checked by code"
    for unchecked in (cell_of_claims("assert 1 < 2", None), cell_of_claims("assert 1 < 2", output="traceback")):
        with pytest.raises(ValueError, match="not run to its end"):
            summary(unchecked)


@pytest.mark.parametrize(
    ("source", "report"),
    [
        ("print('assert')", "it has no assert"),
        ("for k in []:\n    assert k", "an assert inside a loop"),
        ("assert True\ndef later():\n    assert False", "an assert inside a loop"),
    ],
)
def test_claim_that_may_never_run_is_refused(source, report):
    with pytest.raises(ValueError, match=report):
        count_claims(source)


def test_jump_is_read_as_a_widget_and_its_values():
    widgets = [{"step": 0}, {"loss": "perceptron", "index": 0, "revealed": False}]
    assert read_jump("1 step=9", widgets, "page") == (1, {"step": 9})
    values = {"loss": "hinge", "index": 0.5, "revealed": True}
    assert read_jump("2 loss=hinge index=0.5 revealed=true", widgets, "page") == (2, values)
    for text, report in {
        "3 step=9": "names no widget; the page has 2",
        "0 step=9": "names no widget",
        "first": "names no widget",
        "2 step=9": "widget 2 has no step",
    }.items():
        with pytest.raises(ExtensionError, match=report):
            read_jump(text, widgets, "page")
