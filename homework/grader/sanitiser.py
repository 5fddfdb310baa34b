"""Make what students write and draw safe to store and to show in a browser.

nbgrader's formgrader shows Markdown cells as they are, in a page that may run code as the instructor. So an answer is
stored as HTML with none but the elements and attributes listed here. Its mathematics is MathML, which browsers draw
without fonts or scripts, and its pictures are decoded and encoded anew.
"""

import base64
import html
import re
import secrets
from collections.abc import Callable
from io import BytesIO
from itertools import islice
from urllib.parse import unquote

import nh3
from markdown_it import MarkdownIt
from PIL import Image, ImageOps

from homework.grader.mathml import MACROS, Macros, formula_html

MAX_TEXT = 30_000  # characters of an answer, not counting its pictures
MAX_REFERENCES = 50  # in an answer, such as [1]: https://example.org; with thousands, reading them takes minutes
MAX_TABLE = 20_000  # cells
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
    formulas, macros, unshown = [], Macros(MACROS), []
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
            return written if as_source else formula_html(written, tex, display, macros)

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
