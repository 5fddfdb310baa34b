"""Mathematics in TeX as MathML, which browsers draw without fonts or scripts; by latex2mathml, with care."""

import html
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from xml.etree.ElementTree import Element, tostring

from latex2mathml.commands import FUNCTIONS
from latex2mathml.converter import MOVABLE_LIMIT_TEXTS, convert_to_element
from latex2mathml.symbols_parser import SYMBOLS

MAX_FORMULA = 5_000  # characters
MAX_EXPANSION = 30_000  # characters that the macros of an answer may put in

# latex2mathml passes over what it does not know, without an error. So TeX is first rewritten into what it knows, and
# a formula that uses anything else, or that loses something on the way, is shown as its source.
_ENVIRONMENTS = {
    **dict.fromkeys(
        ["align", "align*", "aligned", "alignat", "alignat*", "alignedat", "flalign", "flalign*"], "align*"
    ),
    **dict.fromkeys(["gather", "gather*", "gathered", "multline", "multline*"], "displaylines"),
    **{"split": "align*", "eqnarray": "array", "eqnarray*": "array", "dcases": "cases"},
    **{name: name for name in ("array", "cases", "matrix", "smallmatrix")},
    **{f"{fence}matrix": f"{fence}matrix" for fence in "pbBvV"},
}
_COMMANDS = r"""
acute bar breve check ddot dddot dot grave hat mathring overbrace overleftarrow overleftrightarrow overline
overrightarrow tilde underbrace underline vec widehat widetilde overset stackrel underset xleftarrow xrightarrow
xLeftarrow xRightarrow xleftrightarrow xLeftrightarrow xmapsto atop binom cfrac choose dbinom dfrac frac over tbinom
tfrac sqrt left middle right limits nolimits boldsymbol bm pmb mathbb mathbf mathcal mathfrak mathit mathrm mathscr
mathsf mathtt Bbb bf it rm cal operatorname operatornamewithlimits lim sup inf max min mod pmod bmod boxed phantom
hphantom vphantom displaystyle textstyle scriptstyle scriptscriptstyle begin end hline substack strut mathstrut
qquad quad enspace thinspace thickspace negthinspace space nobreakspace , ; : ! > { } | % # _ $ & \ """
_KNOWN = {*_COMMANDS.split(), " ", *(name[1:] for name in (*FUNCTIONS, *MOVABLE_LIMIT_TEXTS))}
_KNOWN |= {big + side for big in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "m", "r")}
_KNOWN |= {  # names of signs, but not of accents
    name[1:] for name, code in SYMBOLS.items() if name[0] == "\\" and not unicodedata.combining(chr(int(code, 16)))
}
# Further commands: how many arguments each takes, and what it stands for. A student's own macros join them.
MACROS = {
    **dict.fromkeys(["nonumber", "notag", "displaylimits", "allowbreak"], (0, "")),
    **dict.fromkeys(["label", "require", "color", "textcolor", "vspace"], (1, "")),
    **dict.fromkeys(
        ["ensuremath", "mathbin", "mathclose", "mathinner", "mathopen", "mathord", "mathpunct"], (1, "{#1}")
    ),
    **dict.fromkeys(["mathrel", "smash", "mathclap", "mathllap", "mathrlap"], (1, "{#1}")),
    **dict.fromkeys(["hbox", "mbox", "textnormal", "textup", "llap", "rlap", "clap"], (0, r"\text")),
    **dict.fromkeys(["nicefrac", "sfrac"], (2, r"\tfrac{#1}{#2}")),
    "hspace": (1, r"\quad"),
    "tag": (1, r"\qquad\text{(#1)}"),
    "arg": (0, r"\operatorname{arg}"),
    "qed": (0, r"\square"),
    "QED": (0, r"\blacksquare"),
    "eqqcolon": (0, "=:"),
    "vcentcolon": (0, ":"),
    "bold": (0, r"\mathbf"),
}
_COMMAND = re.compile(r"\\([a-zA-Z]+|.)", re.DOTALL)
_DEFINITION = re.compile(
    r"\\(?:(?:re)?newcommand\s*(?:\{\s*\\([a-zA-Z]+)\s*\}|\\([a-zA-Z]+))\s*(?:\[(\d)\])?|def\s*\\([a-zA-Z]+)((?:#\d)*))\s*(?=\{)"
)
_OPERATOR = re.compile(r"\\DeclareMathOperator(limits)?\s*(?:\{\s*\\([a-zA-Z]+)\s*\}|\\([a-zA-Z]+))\s*(?=\{)")
_TEXT = re.compile(r"\\(?:text(?:bf|it|rm|sf|tt)?|emph)\s*\{([^{}]*)\}")
_BEGIN = re.compile(
    r"\\begin\{([a-zA-Z]+\*?)\}(?:\[[tcb]\])?(?:(?<=array\})\{([lcr|\s]*)\}|(?<=at\})\{\d+\}|(?<=at\*\})\{\d+\})?"
)
_UNIT = "in|mm|cm|pt|em|ex|pc|bp|dd|cc|sp|mu"
_STRUCTURE = re.compile(
    r"\\begin\{(?P<begin>[a-zA-Z*]+)\}(?:\{(?P<columns>[lcr|\s]*)\})?|\\end\{(?P<end>[a-zA-Z*]+)\}"
    r"|(?P<substack>\\substack\s*\{)|\\[a-zA-Z]+|\\.|[{}&]",
    re.DOTALL,
)
_CLOSING = tuple(")]}|‖⟩!")
_ANGLES = {"<": r"\langle ", ">": r"\rangle "}
_NAMES_WITH_LIMITS = {"max", "min", "sup", "inf", "lim"}


class Macros(dict[str, tuple[int, str]]):
    """The macros that the formulas of an answer share, and how many characters they may still put in."""

    left = MAX_EXPANSION


def formula_html(written: str, tex: str, display: bool, macros: Macros) -> str:
    """A formula as MathML, or as it was written if latex2mathml would not show it right."""
    try:
        if len(tex) > MAX_FORMULA:
            raise ValueError
        tex = _rewritten(_expanded(_without_variants(tex), macros))
        tables = _tables(tex)
        if len(tables[0].rows) > 1:  # lines without an environment
            tex = rf"\begin{{displaylines}}{{}}{tex}\end{{displaylines}}"
        else:
            tables = tables[1:]
        formula = convert_to_element(_with_big_delimiters(tex), display="block" if display else "inline")
        _complete(formula)
        _check(tex, tables, formula)
        text = tostring(formula, encoding="unicode", method="html")
    except Exception:  # latex2mathml has many kinds of its own
        return f"<code>{html.escape(written)}</code>"
    # On a phone, a wide formula scrolls by itself; with tabindex, the keyboard can scroll it too.
    return f'<span class="formula" tabindex="0">{text}</span>' if display else text


def _without_variants(tex: str) -> str:
    """TeX with one spelling for what has several."""
    if re.search(r"(?<!\\)(?:\\\\)*%[^\n]*\S", tex):
        raise ValueError  # a comment: perhaps the student meant per cent
    tex = unicodedata.normalize("NFC", tex).replace("%\n", "\n")
    tex = re.sub(r"\\(operatorname|DeclareMathOperator)\s*\*", r"\\\1*", tex)
    tex = tex.replace(r"\operatorname*", r"\operatornamewithlimits")
    tex = tex.replace(r"\DeclareMathOperator*", r"\DeclareMathOperatorlimits")
    tex = re.sub(r"\\(hspace|vspace|tag|newcommand|renewcommand)\s*\*", r"\\\1", tex)
    tex = re.sub(r"(\\\\)(?:\*|\[\s*-?[\d.]+\s*[a-z]{2}\s*\])+", r"\1", tex)  # how far apart two lines are
    tex = re.sub(r"\\(begin|end)\s*\{\s*([a-zA-Z]+\*?)\s*\}\s*", r"\\\1{\2}", tex)
    tex = re.sub(r"\\(?:begin|end)\{(?:equation\*?|displaymath|math)\}", " ", tex)
    tex = re.sub(r"(\\(?:left|middle|right|[Bb]igg?[lrm]?))\s*([<>])", lambda m: m[1] + _ANGLES[m[2]], tex)
    tex = re.sub(r"\\[Bb]igg?[lrm]?\s*\.", "", tex)
    tex = re.sub(r"\\\s", r"\\ ", tex)
    return re.sub(r"(?<!\\)\$([^$]+)\$", r"}\1\\text{", tex)  # within a text, such as the condition of a case


def _argument(tex: str, position: int) -> tuple[str, int]:
    """The argument that begins at a position, and where it ends."""
    match = re.compile(r"\s*(?:(\{)|(\\(?:[a-zA-Z]+|.)|[^\s}]))", re.DOTALL).match(tex, position)
    if not match:
        raise ValueError
    if not match[1]:
        return match[2], match.end()
    depth = 0
    for brace in re.compile(r"\\.|[{}]", re.DOTALL).finditer(tex, match.start(1)):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if not depth:
            return tex[match.end() : brace.start()], brace.end()
    raise ValueError


def _expanded(tex: str, macros: Macros) -> str:
    """TeX without macros. What it defines is added to them."""
    position = 0
    for _ in range(MAX_FORMULA):  # a macro may use itself
        command = _COMMAND.search(tex, position)
        if not command:
            return tex
        name, start, end = command[1], command.start(), command.end()
        if definition := _DEFINITION.match(tex, start) or _OPERATOR.match(tex, start):
            body, end = _argument(tex, definition.end())
            if definition.re is _OPERATOR:
                limits = "withlimits" if definition[1] else ""
                macros[definition[2] or definition[3]] = 0, rf"\operatorname{limits}{{{body}}}"
            else:
                count = int(definition[3] or len(definition[5] or "") // 2)
                macros[definition[1] or definition[2] or definition[4]] = count, body
            tex, position = tex[:start] + tex[end:], start
        elif name in macros:
            count, body = macros[name]
            arguments = []
            for _ in range(count):
                argument, end = _argument(tex, end)
                arguments.append(argument)
            body = re.sub(
                r"(\\[a-zA-Z]+)?#(\d)", lambda m, a=arguments: (m[1] + " " if m[1] else "") + a[int(m[2]) - 1], body
            )
            space = " " if re.search(r"\\[a-zA-Z]+$", body) else ""
            tex, position = tex[:start] + body + space + tex[end:], start
            macros.left -= len(body)
        elif name in ("mathop", "operatorname", "operatornamewithlimits"):
            argument, end = _argument(tex, end)
            operator = _operator(name, argument)
            tex, position = tex[:start] + operator + tex[end:], start + len(operator.partition("{")[0]) + 1
        else:
            position = end
        if len(tex) > MAX_FORMULA or macros.left < 0:
            break
    raise ValueError


def _operator(command: str, name: str) -> str:
    letters = re.sub(r"\\(?:mathrm|textrm|text|rm)(?![a-zA-Z])|[{}]", "", name).strip()
    letters = re.sub(r"(?:\\[,;: ]|~|\s)+", "\u2009", letters)
    if re.fullmatch("[a-zA-Z\u2009]+", letters):
        return rf"\operatorname{'' if command == 'operatorname' else 'withlimits'}{{{letters}}}"
    if re.fullmatch("[\\w\u2009-]+", letters):
        return rf"\text{{{letters}}}"
    return f"{{{name}}}" if command == "mathop" else rf"\mathrm{{{name}}}"


def _rewritten(tex: str) -> str:
    """TeX with the environments and negations that latex2mathml knows. It fails if there are others."""

    def begin(match: re.Match) -> str:
        name = _ENVIRONMENTS[match[1]]
        if name != "array":
            return rf"\begin{{{name}}}{{}}"  # without {}, it would take a {c} that follows for columns
        return rf"\begin{{array}}{{{'rcl' if match[1] != 'array' else match[2].replace(' ', '')}}}"

    def negated(match: re.Match) -> str:
        sign = chr(int(SYMBOLS[match[1]], 16)) if match[1] in SYMBOLS else match[1]
        sign = unicodedata.normalize("NFC", sign + "\u0338")
        if len(sign) > 1:
            raise ValueError
        return sign

    tex = _BEGIN.sub(begin, tex)
    tex = re.sub(r"(?<!\\)&\s*\\end\{", r"&{}\\end{", tex)  # without {}, a row that ends in an empty cell would go
    tex = re.sub(r"\\end\{([a-zA-Z]+\*?)\}", lambda m: rf"\end{{{_ENVIRONMENTS[m[1]]}}}", tex)
    tex = re.sub(r"\\not(?![a-zA-Z])\s*(\\[a-zA-Z]+|.)", negated, tex, flags=re.DOTALL)
    tex = re.sub(r"(\\math[a-z]+)\{", r"\1 {", tex)  # it shows \mathrm{d} in italics, but not \mathrm {d}
    outside = _TEXT.sub(lambda m: re.sub(r"[^{}\\&]|\\[%&#_$ ,;]", "", m[1]), tex)
    if set(_COMMAND.findall(outside)) - _KNOWN:
        raise ValueError
    # It takes 2in for a length.
    return re.sub(rf"{_TEXT.pattern}|(\d)(?=\s*(?:{_UNIT}))", lambda m: f"{m[2]}{{}}" if m[2] else m[0], tex)


def _with_big_delimiters(tex: str) -> str:
    r"""TeX with a sign after each \big, where latex2mathml takes no name."""

    def delimiter(match: re.Match) -> str:
        return match[1] + chr(int(SYMBOLS[match[2]], 16))

    return re.sub(r"(\\[Bb]igg?[lrm]?(?![a-zA-Z]))\s*(\\(?:[a-zA-Z]+|[{}|]))", delimiter, tex)


@dataclass
class _Table:
    """What TeX says about a table: the number of cells in each row, and before which rows and columns it has rules."""

    closing: str
    row_start: int
    columns: str = ""
    rows: list[int] = field(default_factory=lambda: [1])
    rules: set[int] = field(default_factory=set)

    def bars(self) -> set[int]:
        before = [self.columns[:k] for k, letter in enumerate(self.columns) if letter == "|"]
        return {len(columns.replace("|", "")) for columns in before}


def _tables(tex: str) -> list[_Table]:
    """The tables of TeX in the order in which they begin. The first is the formula itself."""
    tables = [_Table("", 0)]
    open_groups: list[_Table | str] = [tables[0]]  # a table, or how a group of another kind ends
    for token in _STRUCTURE.finditer(tex):
        group = open_groups[-1]
        closing = group.closing if isinstance(group, _Table) else group
        if token["begin"] or token["substack"]:
            closing = rf"\end{{{token['begin']}}}" if token["begin"] else "}"
            tables.append(_Table(closing, token.end(), token["columns"] or ""))
            open_groups.append(tables[-1])
        elif token[0] in ("{", r"\left"):
            open_groups.append({"{": "}", r"\left": r"\right"}[token[0]])
        elif token["end"] or token[0] in ("}", r"\right"):
            if token[0] != closing:
                raise ValueError
            if isinstance(group, _Table):
                _end_row(group, tex[group.row_start : token.start()])
            open_groups.pop()
        elif token[0] in ("&", r"\\", r"\hline"):
            if not isinstance(group, _Table):
                raise ValueError
            if token[0] == "&":
                group.rows[-1] += 1
            elif token[0] == r"\hline":
                group.rules.add(len(group.rows) - 1)
            else:
                group.rows.append(1)
                group.row_start = token.end()
    if len(open_groups) > 1 or max(tables[0].rows) > 1 or tables[0].rules:
        raise ValueError
    _end_row(tables[0], tex[tables[0].row_start :])
    return tables


def _end_row(table: _Table, row: str) -> None:
    if len(table.rows) > 1 and not row.replace(r"\hline", "").strip():
        table.rows.pop()  # a table may end with \\


def _complete(formula: Element) -> None:
    """Replace what MathML in browsers does not have, and what latex2mathml does not do as TeX does."""
    for element in formula.iter():
        element.text = html.unescape(element.text or "")
        if element.tag == "mtext":
            element.text = re.sub(r"\\([%&#_$ ,;])", lambda m: m[1].translate({44: " ", 59: " "}), element.text)
        if re.match(r"\\", element.text):
            raise ValueError  # a command that it does not know
        if (variant := element.get("mathvariant", "normal")) != "normal":
            del element.attrib["mathvariant"]
            element.text = "".join(_letter(letter, variant) for letter in element.text)
        if align := element.attrib.pop("columnalign", None):
            element.set("class", f"text-{align}")
        if element.tag == "mi" and len(element.text) == 1 and unicodedata.category(element.text) == "Sm":
            element.tag = "mo"
        if element.tag == "menclose":
            element.tag = "mrow"
            element.set("style", "border:1px solid;")
        if element.tag == "mo" and element.text in ("|", "‖") and "form" not in element.attrib:
            element.attrib |= {"lspace": "0em", "rspace": "0em", "stretchy": "false"}  # as in TeX
    for row in formula.iter():
        if row.tag in ("msub", "msubsup") and _takes_limits(row[0]):
            row[0].set("movablelimits", "true")
            row.tag = "munder" if row.tag == "msub" else "munderover"
        for before, sign in pairwise(row):
            if sign.tag == before.tag == "mo" and sign.text in ("+", "−") and before.text not in _CLOSING:
                sign.set("form", "prefix")  # the sign of a number


def _takes_limits(base: Element) -> bool:
    named = base.text in _NAMES_WITH_LIMITS or base.get("movablelimits") == "true"
    return base.tag == "mo" and (named or base.text in tuple("⋃⋂⋁⋀⨁⨂⨀⨆⨅∐"))


def _letter(letter: str, variant: str) -> str:
    """A letter or digit of another alphabet, such as ℝ. Browsers do not draw a variant that is only an attribute."""
    if variant == "italic" or not letter.isalnum():
        return letter
    style = variant.upper().replace("-", " ").replace("DOUBLE ", "DOUBLE-").replace("SANS ", "SANS-")
    style = "BOLD" if letter.isdigit() and style == "BOLD ITALIC" else style
    name = re.sub("^(LATIN|GREEK) |LETTER |LUNATE ", "", unicodedata.name(letter))
    for prefix in (f"MATHEMATICAL {style}", style, "BLACK-LETTER" if style == "FRAKTUR" else style):
        try:
            return unicodedata.lookup(f"{prefix} {name}")
        except KeyError:
            continue
    raise ValueError


def _check(tex: str, tables: list[_Table], formula: Element) -> None:
    """Fail if the formula lacks a row, a cell or a character, and draw the rules of its tables."""
    found = list(formula.iter("mtable"))
    if [[len(row) for row in table] for table in found] != [table.rows for table in tables]:
        raise ValueError
    for table, element in zip(tables, found, strict=True):
        bars = table.bars()
        for i, row in enumerate(element):
            for j, cell in enumerate(row):
                edges = {"top": i in table.rules, "left": j in bars}
                edges["bottom"] = i == len(element) - 1 and i + 1 in table.rules
                edges["right"] = j == len(row) - 1 and j + 1 in bars
                if style := "".join(f"border-{edge}:1px solid;" for edge, drawn in edges.items() if drawn):
                    cell.set("style", style)
    shown = "".join(formula.itertext())
    if "&" in shown and r"\&" not in tex:
        raise ValueError
    tex = re.sub(r"\\(?:begin|end)\{[a-zA-Z]+\*?\}(?:\{[lcr|]*\})?|\\(?:[a-zA-Z]+|.)", " ", tex, flags=re.DOTALL)
    expected, shown = (unicodedata.normalize("NFKC", text) for text in (tex, shown))
    if Counter(c for c in expected if c.isalnum() or c in "+=<>()/!,;?|") - Counter(shown):
        raise ValueError
