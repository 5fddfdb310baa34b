"""Make what students write and draw safe to store and to show in a browser.

nbgrader's formgrader shows Markdown cells as they are, in a page that may run code as the instructor. So an answer is
stored as HTML with none but the elements and attributes listed here. Its mathematics is MathML, which browsers draw
without fonts or scripts, and its pictures are decoded and encoded anew.
"""

import base64
import html
import re
import secrets
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice, pairwise
from urllib.parse import unquote
from xml.etree.ElementTree import Element, tostring

import nh3
from latex2mathml.commands import FUNCTIONS
from latex2mathml.converter import MOVABLE_LIMIT_TEXTS, convert_to_element
from latex2mathml.symbols_parser import SYMBOLS
from markdown_it import MarkdownIt
from PIL import Image, ImageOps

MAX_TEXT = 30_000  # characters of an answer, not counting its pictures
MAX_REFERENCES = 50  # in an answer, such as [1]: https://example.org; with thousands, reading them takes minutes
MAX_TABLE = 20_000  # cells
MAX_FORMULA = 5_000  # characters
MAX_PICTURES = 20  # in an answer
MAX_PICTURE = 700_000  # characters in base64
MAX_PICTURES_LENGTH = 5_000_000  # characters in base64, all pictures of an answer together
MAX_FILE = 30_000_000  # bytes of a picture beside the notebook
MAX_ADDRESS = 200  # characters of an address or a file name
MAX_SIDE = 1600  # pixels
MAX_PIXELS = 64_000_000  # of a picture before it is made smaller: 256 MB of memory
MAX_NESTING = 100  # elements within elements

_TERMINAL_CODES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])")
_UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # control, and changes of direction
_SURROGATES = re.compile("[\ud800-\udfff]")


def clean_text(text: str, most: int = 2000) -> str:
    """Text without characters that cannot be stored or that change how others are shown, cut to a length."""
    try:
        text = str(text)
    except Exception:  # whatever a student's object does, it is shown as nothing
        return ""
    start = text[: 4 * most]  # so that a very long text takes no time
    cleaned = _shown(_TERMINAL_CODES.sub("", start))
    left_out = len(text) - len(start) + max(len(cleaned) - most, 0)
    return cleaned[:most] + (f" [... {left_out} more characters]" if left_out else "")


def quoted(text: str, most: int = 80) -> str:
    """Words of a student in one line and in quotation marks, so that nobody takes them for the grader's."""
    words = " ".join(clean_text(text, most).split())
    return f"“{words.replace('“', chr(34)).replace('”', chr(34))}”"


def _shown(text: str) -> str:
    return _UNSHOWN.sub("", _SURROGATES.sub("\ufffd", text))


def clean_picture(data: str, side: int = MAX_SIDE, most: int = MAX_PICTURE) -> tuple[str, str] | None:
    """The media type and the base64 text of the same picture, encoded anew and without metadata; None if it is none.

    A PNG stays one if it has at most `most` characters then; photographs become JPEG and as small as need be.
    """
    try:
        content = base64.b64decode("".join(data.split()), validate=True)
        image = Image.open(BytesIO(content), formats=["PNG", "JPEG", "GIF", "WEBP"])
        if image.width * image.height > MAX_PIXELS:
            return None
        kind = "jpeg" if image.format == "JPEG" else "png"
        image.draft("RGB", (side, side))  # reads a large photograph at a fraction of its size
        image = ImageOps.exif_transpose(image)
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
        while min(image.size) > 0:
            image.thumbnail((side, side))
            encoded = _encode(image, kind)
            if len(encoded) <= most:
                return f"image/{kind}", encoded
            side = side if kind == "png" else side * 3 // 4
            kind = "jpeg"
    except Exception:  # not a picture, however strange
        return None


def _encode(image: Image.Image, kind: str) -> str:
    file = BytesIO()
    if kind == "jpeg" and image.mode == "RGBA":
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    image.info.clear()
    image.save(file, kind, optimize=True)
    return base64.b64encode(file.getvalue()).decode()


_HTML = """a b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p
pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr tt u ul var"""
_MATHML = """math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace
msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover"""
HTML_TAGS, MATHML_TAGS = set(_HTML.split()), set(_MATHML.split())
_SWITCH, _LENGTH, _SPAN = "true|false", r"\d?(\.\d{1,4})?(em|ex|px|pt)?", r"[1-9]\d?"
_MATHML_ATTRIBUTES = {
    "accent": _SWITCH,
    "accentunder": _SWITCH,
    "display": "block|inline",
    "displaystyle": _SWITCH,
    "fence": _SWITCH,
    "form": "prefix|infix|postfix",
    "linethickness": _LENGTH,
    "lspace": _LENGTH,
    "mathvariant": "[a-z-]{1,30}",
    "maxsize": _LENGTH,
    "minsize": _LENGTH,
    "movablelimits": _SWITCH,
    "rspace": _LENGTH,
    "scriptlevel": r"[+-]?\d",
    "separator": _SWITCH,
    "stretchy": _SWITCH,
    "style": r"(border(-(top|right|bottom|left))?:1px solid;){1,4}",  # the rules of an array, the frame of \\boxed
    "symmetric": _SWITCH,
    "width": _LENGTH,
}
# What the value of each attribute may be. No name or id is among them: either could hide a variable of the page.
ATTRIBUTES = {
    "a": {"href": r"(?i:https?://|mailto:)\S{1,2000}"},
    "details": {"open": ""},
    "img": {"src": r"data:image/(png|jpeg);base64,[A-Za-z0-9+/]+=*", "alt": r"[\s\S]{1,1000}"},
    "ol": {"start": r"\d{1,4}"},
    "span": {"tabindex": "0"},
    "td": {"colspan": _SPAN, "rowspan": _SPAN},
    "th": {"colspan": _SPAN, "rowspan": _SPAN},
} | dict.fromkeys(MATHML_TAGS, _MATHML_ATTRIBUTES)
# Two keep MathJax 2 and 3 from looking for formulas in what was typeset; formgrader has styles for tables and columns.
_COLUMNS = {"text-left", "text-center", "text-right"}
CLASSES = {
    "div": {"answer", "tex2jax_ignore", "mathjax_ignore"},
    "span": {"formula"},
    "table": {"table"},
} | dict.fromkeys(["mtd", "td", "th"], _COLUMNS)
REL = "noopener noreferrer nofollow"


def _allowed(tag: str, name: str, value: str) -> str | None:
    """The value of an attribute if it may stay."""
    if name in ("class", "rel"):  # nh3 has seen to these
        return value
    pattern = ATTRIBUTES.get(tag, {}).get(name)
    return value if pattern is not None and re.fullmatch(pattern, value) else None


def _cleaner(attribute_filter: Callable[[str, str, str], str | None]) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=HTML_TAGS | MATHML_TAGS,
        attributes={"*": set()} | {tag: set(values) for tag, values in ATTRIBUTES.items()},  # of "*", nh3 has its own
        attribute_filter=attribute_filter,
        allowed_classes=CLASSES,
        url_schemes={"http", "https", "mailto", "data", "attachment", "file", "c", "d"},  # the filter says where
        link_rel=REL,
    )


_CLEANER = _cleaner(_allowed)


def sanitise_html(text: str) -> str:
    """HTML in one line, with only the elements, attributes and values allowed here. Twice gives the same as once."""
    return _sanitise(text) or _as_text(text)


def _sanitise(text: str) -> str | None:
    """None for HTML that a browser may read in another way than nh3, or that is nested too deep."""
    text = _shown(text)
    for _ in range(10):  # an element that goes may leave others where a browser would move them
        cleaned = _sanitise_once(text)
        if cleaned == text:
            return text if _nesting(text) <= MAX_NESTING else None
        text = cleaned
    return None


def _sanitise_once(text: str) -> str:
    text = _shown(_CLEANER.clean(text))
    text = re.sub(r"<(/?)h[1-6]>", r"<\1h3>", text)  # an answer stands below the headings of a page
    text = text.replace("<th></th>", "<td></td>").replace("<table>", '<table class="table">')
    text = re.sub(r"<pre>\n+", "<pre>", text)  # browsers leave out one of them
    # Markdown ends a block of HTML at an empty line. JupyterLab looks for formulas and code even in HTML.
    for character in "\n[$\\`":
        text = text.replace(character, f"&#{ord(character)};")
    return text


def _nesting(text: str) -> int:
    depth = most = 0
    for closing in re.findall(r"<(/?)(?!(?:br|hr|img)\b)[a-z]", text):
        depth += -1 if closing else 1
        most = max(depth, most)
    return most


def text_html(source: str, _: dict | None = None) -> str:
    """An answer as it was written, without its pictures, for one that cannot be typeset."""
    return _as_text(clean_text(source, MAX_TEXT))


def _as_text(text: str) -> str:
    return _sanitise_once(_as_answer(f"<pre>{html.escape(_shown(text))}</pre>"))


def _as_answer(text: str) -> str:
    return f'<div class="answer tex2jax_ignore mathjax_ignore">{text}</div>'


_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# Code and mathematics in Markdown as Jupyter finds them: before anything else, also in HTML and in tables.
_MATHEMATICS = re.compile(
    r"""
      ^[ ]{0,3}(?P<fence>`{3,}|~{3,})[^\n]*(?:\n.*?)??(?:\n[ ]{0,3}(?P=fence)|\Z)
    | (?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)
    | \$\$(?P<display>(?:\\.|[^\\$]|\$(?!\$))++)\$\$
    | \$(?P<inline>(?:\\text\{[^{}]*\}|\\.|[^\\$\n]|\n(?![ \t]*\n))++)\$
    | \\\\?\[(?P<in_brackets>.{1,5000}?)\\\\?\]
    | \\\\?\((?P<in_parentheses>.{1,5000}?)\\\\?\)
    | (?P<environment>\\begin\{(?P<name>[a-z]+\*?)\}.{,5000}?\\end\{(?P=name)\})
    | \\.  # a dollar sign that is one, for example
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_DATA_URI = re.compile(
    r"""(?P<quote>["'])\s*data:image/[^,\s"'<>()]{1,80},(?P<quoted>[A-Za-z0-9+/=\s]++)(?P=quote)
    | data:image/[^,\s"'<>()]{1,80},(?P<bare>[A-Za-z0-9+/=]++)""",
    re.IGNORECASE | re.VERBOSE,
)


def answer_html(
    source: str, attachments: dict | None = None, files: Callable[[str], bytes | None] | None = None
) -> str:
    """An answer in Markdown as one element of safe HTML, with its mathematics and with its pictures.

    `files` returns what a file beside the notebook contains. It is only asked for relative names, such as
    img/proof.png, that never lead out of the notebook's folder. The result is also Markdown that stands for itself:
    one line that begins with <div.
    """
    try:
        pictures = _Pictures(attachments, files)
        source = clean_text(pictures.take_from(source), MAX_TEXT)
        lines = source.splitlines() or [""]
        cells = len(lines) * max(line.count("|") for line in lines)  # Markdown fills up the rows of a table
        if source.count("]:") > MAX_REFERENCES or cells > MAX_TABLE:
            return _as_text(source)
        return _sanitise(_as_answer(_render(source, pictures))) or _as_text(source)
    except MemoryError:  # here is not enough of it to go on
        raise
    except Exception:  # the instructor still sees what was written
        return text_html(source)


def _render(source: str, pictures: "_Pictures") -> str:
    formulas, macros, unshown = [], _Macros(_MACROS), []
    mark = secrets.token_hex(8)  # no student can write it

    def take(match: re.Match) -> str:
        display = match["display"] or match["in_brackets"] or match["environment"]
        tex = display or match["inline"] or match["in_parentheses"]
        if not tex:
            return match[0]
        formulas.append((match[0], tex, bool(display)))
        return f"{mark}n{len(formulas) - 1}n"

    def put_back(text: str, as_source: bool = True) -> str:
        def formula(match: re.Match) -> str:
            written, tex, display = formulas[int(match[1])]
            return written if as_source else _mathml(written, tex, display, macros)

        return re.sub(rf"{mark}n(\d+)n", formula, text)

    def allowed(tag: str, name: str, value: str) -> str | None:
        if (tag, name) == ("img", "src"):
            address = put_back(value)
            unshown.append(pictures.name(address))
            return pictures.data_uri(address) or f"attachment:{mark}p{len(unshown) - 1}p"
        return _allowed(tag, name, put_back(value))

    tokens = _MARKDOWN.parse(_MATHEMATICS.sub(take, source))
    for token in tokens:
        for each in (token, *(token.children or [])):
            if each.tag == "code":
                each.content = put_back(each.content)
            if style := each.attrs.pop("style", None):  # of a column: text-align:right
                each.attrs["class"] = style.replace("text-align:", "text-")
    text = _cleaner(allowed).clean(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))

    def picture(match: re.Match) -> str:
        attributes = dict(re.findall('([a-z]+)="([^"]*)"', match[1]))
        source, alt = attributes.get("src", ""), html.unescape(attributes.get("alt", ""))
        if source.startswith("data:"):
            return f'<img src="{source}" alt="{html.escape(alt or "A picture in this answer")}">'
        number = re.fullmatch(rf"attachment:{mark}p(\d+)p", source)
        address = unshown[int(number[1])] if number else ""
        return f"<em>(a picture that cannot be shown{address and ': '}{html.escape(address)}) {html.escape(alt)}</em>"

    text = re.sub('<img((?: [a-z]+="[^"]*")*)>', picture, text)
    return put_back(text, as_source=False)


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
_MACROS = {
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


class _Macros(dict[str, tuple[int, str]]):
    """The macros that the formulas of an answer share, and how many characters they may still put in."""

    left = MAX_TEXT


def _mathml(written: str, tex: str, display: bool, macros: _Macros) -> str:
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


def _expanded(tex: str, macros: _Macros) -> str:
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


class _Pictures:
    """The pictures of an answer by name: attachments, data URIs in its Markdown, and files beside the notebook."""

    def __init__(self, attachments: dict | None, files: Callable[[str], bytes | None] | None = None):
        self.bundles = attachments if isinstance(attachments, dict) else {}
        self.files = files
        self.embedded: dict[str, dict] = {}
        self.cleaned: dict[str, str] = {}
        self.length = 0

    def take_from(self, source: str) -> str:
        """The Markdown with names instead of data URIs, which may have millions of characters."""

        def name(match: re.Match) -> str:
            name = f"data-uri-{len(self.embedded)}"
            self.embedded[name] = {"image": match["quoted"] or match["bare"]}
            quote = match["quote"] or ""
            return f"{quote}attachment:{name}{quote}"

        return _DATA_URI.sub(name, source)

    def name(self, address: str) -> str:
        """What to say about a picture that is not shown: the name of an attachment, or the whole address."""
        name = unquote(address).removeprefix("attachment:")
        if name in self.embedded or re.match(r"\s*data:", address, re.IGNORECASE):
            return ""
        return clean_text(name if address.startswith("attachment:") else address, MAX_ADDRESS)

    def data_uri(self, address: str) -> str | None:
        """What to show for an address in an answer. Other hosts are not asked: they would see who is grading."""
        name = unquote(address).removeprefix("attachment:")
        bundle = self.embedded.get(name) or self.bundles.get(name)
        if not isinstance(bundle, dict) and not (self.files and _is_beside(name)):
            return None
        if name not in self.cleaned and len(self.cleaned) < MAX_PICTURES:
            contents = islice(bundle.values(), 3) if isinstance(bundle, dict) else self._file(name)
            found = next(filter(None, map(clean_picture, contents)), None)
            self.cleaned[name] = f"data:{found[0]};base64,{found[1]}" if found else ""
        picture = self.cleaned.get(name, "")
        self.length += len(picture)
        return picture if picture and self.length <= MAX_PICTURES_LENGTH else None

    def _file(self, name: str) -> list[str]:
        try:
            content = self.files(name.removeprefix("./"))
        except Exception:  # such as a file that cannot be read
            return []
        return [base64.b64encode(content).decode()] if isinstance(content, bytes) and len(content) <= MAX_FILE else []


def _is_beside(name: str) -> bool:
    """Whether a name is that of a file in the notebook's folder or below, on any system."""
    parts = name.removeprefix("./").split("/")
    plain = len(name) <= MAX_ADDRESS and name == _shown(name) and not re.search(r"[\\:\n\t]", name)
    return plain and all(part.strip(" .") for part in parts)
