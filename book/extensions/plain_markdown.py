"""A lecture in plain Markdown, for VS Code and Colab, which do not read MyST.

Boxes become headings, proofs and notes bold labels, solutions `<details>`; references become words, and links to the
site where its address is known. A directive or role that has no plain form here fails the build.
"""

import re
from copy import deepcopy

from hidden_solutions import TAG
from jump_links import JUMP
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from sphinx.errors import ExtensionError
from spoken_marks import STAR, STAR_NOTE

BOXES = {"definition", "lemma", "theorem", "proposition", "corollary", "algorithm", "example", "remark"}
LABELS = {"note": "Note.", "tip": "Tip.", "warning": "Warning.", "important": "Important.", "prf:proof": "Proof."}
# What must not be left in the copy: a directive, or a link or an image that leads nowhere from there.
LEFT_OVER = re.compile(r"^ *(:::|~~~|```)[`:~]*\{.*|\]\((?!https?://|#)[^)]*\)|<project:[^>]*>", re.MULTILINE)
CODE = re.compile(r"(```+)[\w-]*\n.*?\n\1|`[^`\n]+`", re.DOTALL)


class Numbers:
    """What Sphinx numbered in the whole book: for each label its words, such as Theorem 4.1, and its address."""

    def __init__(self, env):
        self.words, self.place = {}, {}
        proofs = getattr(env, "proof_list", {})  # there only once a box has been read
        for page, kinds in env.toc_fignumbers.items():
            for kind, numbers in kinds.items():
                for anchor, number in numbers.items():
                    label, digits = anchor.removeprefix("equation-"), ".".join(map(str, number))
                    name = proofs[label]["realtype"] if label in proofs else kind
                    self.words[label] = f"({digits})" if kind == "displaymath" else f"{name.capitalize()} {digits}"
                    self.place[label] = f"{page}.html#{anchor}"
        self.cited = env.get_domain("cite").bibdata.data.entries
        self.titles = {page: title.astext() for page, title in env.titles.items()}

    def of(self, label: str) -> tuple[str, str]:
        """The words and the address of a label."""
        if label not in self.words:
            raise ExtensionError(f"plain_markdown.py has no number for {label!r}: refer to something that is numbered")
        return self.words[label], self.place[label]

    def author_and_year(self, key: str) -> tuple[str, str]:
        entry = self.cited[key]
        names = [" ".join(person.prelast_names + person.last_names).strip("{}") for person in entry.persons["author"]]
        authors = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        return authors, entry.fields["year"]


class Plain:
    """Turns the MyST of one page into plain Markdown."""

    def __init__(self, numbers: Numbers, site: str, solutions: bool):
        self.numbers, self.site, self.solutions = numbers, site, solutions

    def text(self, myst: str) -> str:
        lines, out = myst.split("\n"), []
        while lines:
            line = lines.pop(0)
            if opening := re.match(r"(:{3,}|`{3,})\{([\w:-]+)\} *(.*)$", line):
                out.append(self.directive(*opening.groups()[1:], *_body(lines, opening[1])))
            elif fence := re.match(r"`{3,}", line):
                out += [line, *_until(lines, fence[0]), fence[0]]
            elif not re.fullmatch(r"\([\w-]+\)= *", line):
                out.append(line)
                if line.startswith(f"## {STAR} "):
                    out += ["", f"*{STAR_NOTE}.*"]
        return self.inline("\n".join(out))

    def directive(self, name: str, argument: str, options: dict, body: str) -> str:
        kind = name.removeprefix("prf:")
        if kind in BOXES or kind == "exercise":
            title = f" ({argument})" if argument else ""
            return f"#### {self.numbers.of(options.get('label', ''))[0]}{title}\n\n{self.text(body)}"
        if kind == "solution":
            if not self.solutions:
                return ""
            return _details(f"Solution to {self.numbers.of(argument)[0]}", self.text(body))
        if name == "admonition":
            if "dropdown" in options.get("class", ""):
                return _details(argument, self.text(body))
            return f"**{argument}**\n\n{self.text(body)}"
        if name in LABELS:
            return f"**{LABELS[name]}** {self.text(body)}"
        raise ExtensionError(f"plain_markdown.py cannot say the directive {{{name}}} in plain Markdown; teach it how")

    def inline(self, text: str) -> str:
        """Number the formulas and replace the roles and jump links, but not within code."""
        text = re.sub(r"\n\$\$ \(([\w-]+)\)", lambda m: rf" \tag{{{self.numbers.of(m[1])[0][1:-1]}}}" + "\n$$", text)
        text = re.sub(rf"{JUMP.pattern}(.*?)</span>", r"\2", text, flags=re.DOTALL)
        return re.sub(rf"\{{([\w:]+)\}}`([^`]+)`|{CODE.pattern}", self.role, text, flags=re.DOTALL)

    def role(self, found: re.Match) -> str:
        name, content = found[1], found[2]
        if name is None:
            return found[0]
        if name in ("cite:t", "cite:p"):
            cites = [self.numbers.author_and_year(key.strip()) for key in content.split(",")]
            words = "; ".join(f"{who} ({year})" if name == "cite:t" else f"{who}, {year}" for who, year in cites)
            return self.link(words if name == "cite:t" else f"({words})", "book/bibliography.html")
        if name in ("prf:ref", "numref", "ref", "eq"):
            return self.link(*self.numbers.of(content))
        if name == "doc":
            words, target = re.fullmatch(r"(?:(.+?) *<)?([^<>]+)>?", content).groups()
            page = f"lectures/{target}" if "/" not in target else target.removeprefix("/")
            return self.link(words or self.numbers.titles[page], f"{page}.html")
        raise ExtensionError(f"plain_markdown.py cannot say the role {{{name}}} in plain Markdown; teach it how")

    def link(self, words: str, place: str) -> str:
        return f"[{words}]({self.site}{place})" if self.site else words


def plain_notebook(
    notebook: NotebookNode, numbers: Numbers, page: str, site: str, repository: str, solutions: bool
) -> NotebookNode:
    """A copy of a lecture that any notebook program shows as it is meant; without its solutions if they are hidden."""
    plain, copy = Plain(numbers, site, solutions), deepcopy(notebook)
    copy.cells = _about(page, site, repository)
    for cell in notebook.cells:
        if not solutions and TAG in cell.metadata.get("tags", []):
            continue
        cell = deepcopy(cell)
        copy.cells.append(cell)
        if cell.cell_type == "markdown":
            cell.source = plain.text(cell.source)
            if left := LEFT_OVER.search(CODE.sub("", cell.source)):
                raise ExtensionError(f"plain_markdown.py cannot say {left[0].strip()!r} of {page} in plain Markdown")
        else:
            figure = cell.metadata.pop("mystnb", {}).get("figure")
            if figure:
                caption = f"*{numbers.of(figure['name'])[0]}.* {plain.text(figure['caption'].strip())}"
                copy.cells.append(new_markdown_cell(caption, id=f"{cell.id}-caption"))
    return copy


def _about(page: str, site: str, repository: str) -> list[NotebookNode]:
    book = f"[The Perceptron, Step by Step]({site}{page}.html)" if site else "*The Perceptron, Step by Step*"
    about = f"This notebook is a chapter of {book}. It needs the book's library, `pla_lib`"
    if not repository:
        return [new_markdown_cell(f"{about}: run it in the environment that `make lab` sets up.", id="about")]
    install = (
        "try:\n    import pla_lib  # noqa: F401\nexcept ImportError:\n"
        f'    %pip install --quiet "pla_lib @ git+https://github.com/{repository}"'
    )
    return [new_markdown_cell(f"{about}; the next cell installs it.", id="about"), new_code_cell(install, id="install")]


def _body(lines: list[str], fence: str) -> tuple[dict, str]:
    """The options and the text of a directive, taken from the front of `lines`."""
    body = _until(lines, fence)
    options = {}
    while body and (option := re.match(r":([\w-]+): *(.*)$", body[0])):
        options[option[1]] = option[2]
        body.pop(0)
    return options, "\n".join(body).strip()


def _details(summary: str, text: str) -> str:
    return f"<details>\n<summary>{summary}</summary>\n\n{text}\n\n</details>"


def _until(lines: list[str], fence: str) -> list[str]:
    end = next((k for k, line in enumerate(lines) if line.rstrip() == fence), None)
    if end is None:
        raise ExtensionError(f"a fence {fence} is not closed")
    inside = lines[:end]
    del lines[: end + 1]
    return inside
