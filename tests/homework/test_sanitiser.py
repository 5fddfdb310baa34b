"""What students write and draw, however hostile, is safe to show; what they write honestly stays what it is."""

import base64
import json
import re
import time
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from PIL import Image

from homework.grader import mathml, sanitiser
from homework.grader.problem_set import find_problem_sets, read_notebook
from homework.grader.sanitiser import answer_html, clean_picture, clean_text, sanitise_html
from tests import ROOT

OPENING, CLOSING = '<div class="answer tex2jax_ignore mathjax_ignore">', "</div>"


def encoded(image: Image.Image, kind: str = "PNG", **options) -> str:
    file = BytesIO()
    image.save(file, kind, **options)
    return base64.b64encode(file.getvalue()).decode()


def decoded(picture: str) -> Image.Image:
    return Image.open(BytesIO(base64.b64decode(picture)))


DOT = encoded(Image.new("RGB", (1, 1)))
SVG = base64.b64encode(b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').decode()

HOSTILE = [
    "<script>alert(1)</script>",
    "<SCRIPT/x>alert(1)</SCRIPT >",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    '<script src="https://evil.example/x.js"></script>',
    '<script type="text/x-mathjax-config">alert(1)</script>',
    "<img src=x onerror=alert(1)>",
    '<img src="x" ONERROR = "alert(1)" alt="kept">',
    "<img src=x:x\nonerror\n=\nalert(1)//",
    '<img src="https://evil.example/seen.png" srcset="https://evil.example/2.png 2x">',
    "![seen](https://evil.example/seen.png)",
    "![seen](//evil.example/seen.png)",
    "![x][far]\n\n[far]: https://evil.example/seen.png",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    "<svg><animate onbegin=alert(1) attributeName=x></svg>",
    "<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    '<math><a xlink:href="javascript:alert(1)">x</a></math>',
    '<math href="javascript:alert(1)"><mi href="javascript:alert(1)" onclick="alert(1)" style="x">x</mi></math>',
    '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<math><mtext></p><script>alert(1)</script></mtext></math>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    '<maction actiontype="statusline#http://evil.example" xlink:href="javascript:alert(1)">x</maction>',
    '<iframe src="javascript:alert(1)"></iframe>',
    "<iframe srcdoc='<script>parent.pwned = 1</script>'></iframe>",
    '<object data="javascript:alert(1)"></object>',
    '<embed src="javascript:alert(1)">',
    '<form action="/api/kernels" method="post"><button>Next</button></form>',
    '<button formaction="javascript:alert(1)">x</button>',
    '<input autofocus onfocus="alert(1)" value="x">',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<link rel="stylesheet" href="https://evil.example/x.css">',
    "<style>@import 'https://evil.example/x.css'; body { display: none }</style>",
    '<div style="position:fixed;inset:0;background:url(https://evil.example)">over everything</div>',
    '<div class="score tex2jax_process btn" id="submission_id" data-link="x">x</div>',
    '<a name="submission_id" id="base_url" href="https://example.org" onclick="alert(1)" target="x">x</a>',
    '<body onload="alert(1)">',
    "<details ontoggle=alert(1) open>x</details>",
    "<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href="java&#115;cript&colon;alert(1)">x</a>',
    '<a href="java\tscript:alert(1)">x</a> <a href="java&NewLine;script:alert(1)">y</a>',
    '<a href="\x01javascript:alert(1)">x</a> <a href=" &#14; javascript:alert(1)">y</a>',
    '<a href="vbscript:msgbox(1)">x</a> <a href="data:text/html,<script>alert(1)</script>">y</a>',
    '<a href="/api/kernels">x</a> <a href="//evil.example">y</a> <a href="#z">z</a>',
    '<img src="data:image/svg+xml;base64,' + SVG + '">',
    '<img src="data:text/html;base64,' + SVG + '">',
    "[x](javascript:alert(1)) [y](<java&Tab;script:alert(1)>) [z](data:text/html,x)",
    "[x][1] and [1]\n\n[1]: javascript:alert(1) 'title\" onclick=alert(1)'",
    "<javascript:alert(1)> <vbscript:x> <data:text/html,x>",
    '[x](https://example.org "\\" onmouseover=alert(1)") ![\\" onerror=alert(1) x="](attachment:a.png)',
    "`` `</code><script>alert(1)</script>` ``",
    '```html" onclick=alert(1)\n</code></pre><script>alert(1)</script>\n```',
    "<!--><script>alert(1)</script>-->",
    "<!-- x --!><script>alert(1)</script>",
    "<![CDATA[><script>alert(1)</script>]]>",
    "<?php ><script>alert(1)</script> ?>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<title><p title='</title><img src=x onerror=alert(1)>'>",
    "<textarea><p title='</textarea><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<xmp><p title='</xmp><img src=x onerror=alert(1)>'><plaintext><listing>",
    "<select><option><style></select><img src=x onerror=alert(1)></style>",
    "<a href='https://example.org' title='unclosed <img src=x onerror=alert(1)>",
    "<b <script>alert(1)</script>",
    "<table><td background=javascript:alert(1)><form><button><div></table></p>",
    "</div></div></div><script>alert(1)</script>",
    r"$\href{javascript:alert(1)}{x}$ and $$\href{javascript:alert(1)}{x}$$",
    r"$\text{<img src=x onerror=alert(1)>}$ $\text{&lt;script&gt;alert(1)&lt;/script&gt;}$",
    r"$\style{position:fixed;inset:0}{x} \class{score}{y} \cssId{base_url}{z} \html{<script>alert(1)</script>}$",
    r"$\unicode{x3c}script\unicode{x3e}$ $\require{html} \htmlData{link=x}{y} \url{javascript:alert(1)}$",
    r"$\color{red\" onclick=\"alert(1)}{x} \hspace{-999em} \rule{999em}{999em}$",
    r"$\begin{array}{c\" onclick=\"x}a\end{array}$",
    "$x</math><script>alert(1)</script>$ \\\\(</span><script>alert(1)</script>\\\\)",
    "<b>$</b><script>$alert(1)$</script>$",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62;",
    "text\n\n\n[again](javascript:alert(1))\n\n<img src=x onerror=alert(1)>\n\n$$\\href{javascript:alert(1)}{x}$$",
    "<pre>\n\n\n[x](javascript:alert(1))\n\n&lt;script&gt;alert(1)&lt;/script&gt;\n\n</pre>",
    "\u202e\u2066 &#x202e; &#13;&#13; &#xD800; \ud83d \x00\x1b[31m \u2028\u2029\x85",
    "<div>" * 5000,
    "> " * 5000 + "<script>alert(1)</script>",
    "$" + "{" * 2000 + "}" * 2000 + "$",
    "<b><p><table><td><math><mtext>" * 500 + "<script>alert(1)</script>",
    "[" * 10_000,
    "[a]: javascript:x\n" * 1500,
]
HOSTILE_ATTACHMENTS = [
    {"a.png": {"image/png": DOT + '"><script>alert(1)</script>'}},
    {"a.png": {'image/png" onerror="alert(1)': DOT}},
    {"a.png": {"text/html": base64.b64encode(b"<script>alert(1)</script>").decode()}},
    {"a.png": {"image/svg+xml": SVG}},
    {"a.png": {"image/png": SVG}},
    {"a.png": {"image/png": ["x"], "image/jpeg": {"x": 1}, "image/gif": None}},
    {"a.png": ["x"], '"><script>alert(1)</script>': {"image/png": DOT}},
    {"a.png": "x", 1: 2},
    ["a.png"],
    "a.png",
]
ANSWERS = [answer_html(source) for source in HOSTILE]
ANSWERS += [answer_html("![x](attachment:a.png)", attachments) for attachments in HOSTILE_ATTACHMENTS]


def faults(tag: str, attributes: dict[str, str]) -> list[str]:
    """What the allow-list does not allow in an element."""
    if tag not in sanitiser.HTML_TAGS | sanitiser.MATHML_TAGS:
        return [f"<{tag}>"]
    allowed, found = sanitiser.ATTRIBUTES.get(tag, {}), []
    for name, value in attributes.items():
        if name == "class":
            good = set(value.split()) <= sanitiser.CLASSES.get(tag, set())
        elif name == "rel":
            good = tag == "a" and value == "noopener noreferrer nofollow"
        else:
            good = name in allowed and re.fullmatch(allowed[name], value)
        found += [] if good else [f"<{tag} {name}={value!r}>"]
    return found


def assert_safe(answer: str) -> None:
    soup = BeautifulSoup(answer, "html.parser", multi_valued_attributes=None)
    assert [fault for element in soup.find_all() for fault in faults(element.name, element.attrs)] == []
    assert answer.startswith(OPENING)
    assert answer.endswith(CLOSING)
    assert not re.search(r"[\n\r]", answer)
    assert sanitise_html(answer) == answer
    assert markdown2html_mistune(answer).strip() == answer
    answer.encode()


@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
def test_hostile_answer_is_safe(answer):
    assert_safe(answer)
    assert len(answer) < 1_000_000


def test_list_has_what_it_promises():
    assert len(HOSTILE) >= 60
    # The same list finds the faults of what is not sanitised.
    soup = BeautifulSoup(HOSTILE[5] + HOSTILE[42], "html.parser")
    found = [fault for element in soup.find_all() for fault in faults(element.name, element.attrs)]
    assert found == ["<img src='x'>", "<img onerror='alert(1)'>", "<a href='javascript:alert(1)'>"]


def test_browser_finds_nothing_else_in_hostile_answers(page):
    """A browser may see elements where BeautifulSoup sees text. It reads every answer as nbconvert passes it on."""
    elements = page.evaluate(
        """(answers) => answers.map((answer) =>
            [...new DOMParser().parseFromString(answer, "text/html").body.querySelectorAll("*")].map((element) =>
                [element.localName, Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]))]
            ))""",
        [markdown2html_mistune(answer) for answer in ANSWERS],
    )
    for source, found in zip(ANSWERS, elements, strict=True):
        assert found[0] == ["div", {"class": "answer tex2jax_ignore mathjax_ignore"}]
        assert [fault for tag, attributes in found for fault in faults(tag, attributes)] == [], source[:300]


def test_browser_asks_no_other_host_and_runs_nothing(page):
    requests, events = [], []
    page.on("request", lambda request: request.url.startswith("data:") or requests.append(request.url))
    page.on("dialog", lambda dialog: (events.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: events.append(message.text))
    page.set_content("<!doctype html>" + "".join(ANSWERS), wait_until="load")
    assert (requests, events) == ([], [])


FRAGMENTS = r"""< > </ <b> <p> <table> <td> <math> <mtext> <svg> <style> <button> <div <pre> <li> <h1> <a> <details>
</p> </table> </math> <!-- --> <script> <img src= href=" onclick=x javascript: https://x attachment:a
data:image/png;base64, " ' ``` ` $ $$ \( \) \[ \] \\ \frac \text{ \begin{align} \end{align} { } ^ _ &lt; &#10; & [ ]( )
![ [x]: |-| | > - *"""
PIECES = st.sampled_from([*FRAGMENTS.split(), " ", "    ", "\n", "\n\n", "\r", "\ud800"])


@given(st.lists(PIECES | st.text(max_size=5), max_size=30).map("".join) | st.text())
def test_any_answer_is_safe(source):
    assert_safe(answer_html(source, {"a": {"image/png": DOT}}, lambda name: base64.b64decode(DOT)))


@given(st.lists(PIECES, max_size=20).map("".join))
def test_any_html_is_the_same_when_sanitised_again(text):
    once = sanitise_html(text)
    assert sanitise_html(once) == once


@given(st.text(st.characters()), st.integers(1, 50))
def test_any_text_can_be_stored(text, most):
    cleaned = clean_text(text, most)
    cleaned.encode()
    assert len(cleaned) <= most + 40
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", cleaned)


def test_text_is_cleaned_and_cut():
    assert clean_text("a\tb\n\x1b[1;31mred\x1b[0m \x1b]0;title\x07\ud800\u202eend\r\x00") == "a\tb\nred \ufffdend"
    assert clean_text("0123456789", 4) == "0123 [... 6 more characters]"
    assert clean_text("x" * 20_000_000, 3) == "xxx [... 19999997 more characters]"
    assert clean_text(17) == "17"

    class Rude:
        def __str__(self):
            raise SystemError

    assert clean_text(Rude()) == ""


def inner(source: str, attachments: dict | None = None, files=None) -> BeautifulSoup:
    return BeautifulSoup(answer_html(source, attachments, files), "html.parser").div


def test_markdown_and_plain_html_stay():
    answer = inner(
        "# Answer\n\n**bold** *it* ~~no~~ `a < b` <b>b</b><sup>2</sup><br>[link](https://example.org/?a=1&b=2)\n\n"
        "| a | b |\n|---|--:|\n| 1 | $|x|$ |\n\n1. one\n2. two\n\n> quoted\n\n"
        "```python\nif a < b:\n\n    print()\n```\n\n<details><summary>more</summary>\n\n*inside*\n\n</details>\n\n"
        "<table><tr><td colspan=2>$x$</td></tr></table>"
    )
    assert answer.h3.text == "Answer"
    assert (answer.strong.text, answer.em.text, answer.code.text, answer.sup.text) == ("bold", "it", "a < b", "2")
    assert (answer.a["href"], answer.a["rel"]) == (
        "https://example.org/?a=1&b=2",
        ["noopener", "noreferrer", "nofollow"],
    )
    assert [cell.text for cell in answer.table.find_all(["th", "td"])] == ["a", "b", "1", "|x|"]
    assert answer.table.find_all("td")[1]["class"] == ["text-right"]
    assert [item.text for item in answer.ol.find_all("li")] == ["one", "two"]
    assert answer.pre.text == "if a < b:\n\n    print()\n"
    assert (answer.details.summary.text, answer.details.em.text) == ("more", "inside")
    assert answer.find("td", colspan="2").math.text == "x"


@pytest.mark.parametrize(
    ("source", "display"),
    [
        ("$a_1 * b_1 * c$", None),
        (r"\\(a * b\\)", None),
        (r"\(a * b\)", None),
        (r"$\text{if $a$}$", None),
        ("$$\na\n+ b\n\n- c\n$$", "block"),
        ("\\\\[\na\n+ b\n\\\\]", "block"),
        ("\\begin{align*}\na &= b \\\\\n&= c\n\\end{align*}", "block"),
        (r"\begin{equation} a \label{x} \nonumber \end{equation}", "block"),
        (r"$$\Big\lVert a \Big\rVert \bigl| b \bigr\rangle \arg\max \{-1, +1\}$$", "block"),
    ],
)
def test_mathematics_is_typeset(source, display):
    answer = inner(f"before {source} after")
    (formula,) = answer.find_all("math")
    assert formula["display"] == (display or "inline")
    assert (formula.parent.get("class") == ["formula"]) == bool(display)
    assert answer.text.startswith("before ")
    assert answer.text.strip().endswith(" after")
    assert not re.search(r"[$\\]", answer.text)


SCRIPTS = {
    **dict.fromkeys(["msub", "munder"], "{}_{{{}}}"),
    **dict.fromkeys(["msup", "mover"], "{}^{{{}}}"),
    **dict.fromkeys(["msubsup", "munderover"], "{}_{{{}}}^{{{}}}"),
    **{"mfrac": "{{{}}}/{{{}}}", "mroot": "√[{1}]{{{0}}}"},
}


def linear(element) -> str:
    """A formula in one line: scripts as in TeX, a table as [a & b / c & d]."""
    if element.name is None:
        return re.sub(r"\s", "", str(element))
    if element.name == "mtable":
        rows = [
            [linear(cell) for cell in row.find_all("mtd", recursive=False)]
            for row in element.find_all("mtr", recursive=False)
        ]
        return f"[{' / '.join(' & '.join(row) for row in rows)}]"
    children = [linear(child) for child in element.children]
    if element.name in SCRIPTS:
        return SCRIPTS[element.name].format(*children)
    return "" if element.name == "mphantom" else ("√{%s}" if element.name == "msqrt" else "%s") % "".join(children)


def shown_as(tex: str, display: bool = True) -> str:
    dollars = "$$" if display else "$"
    answer = inner(f"{dollars}{tex}{dollars}")
    if not answer.math:
        assert answer.text.strip() == f"{dollars}{tex}{dollars}"
        return "source"
    assert not answer.find(["menclose", "maction"])  # which browsers do not draw
    assert {element["mathvariant"] for element in answer.find_all(mathvariant=True)} <= {"normal"}
    return re.sub(" +", " ", linear(answer.math)).replace("[ ", "[").strip()


# What students write, and what they see: the source where latex2mathml would show other mathematics.
WRITTEN = r"""
\begin{align} a &= b \\ &= c \end{align} ⇒ [a & =b / & =c]
\begin{align*} a &= b \\[4pt] &\le c \tag{1} \end{align*} ⇒ [a & =b / & ≤c(1)]
\begin{align} x &= 1 \label{eq:1}\\ y &= 2 \end{align} ⇒ [x & =1 / y & =2]
\begin{equation} E = mc^2 \end{equation} ⇒ E=mc^{2}
\begin{equation*} \begin{split} a&=b\\&=c \end{split} \end{equation*} ⇒ [a & =b / & =c]
\begin{gather} a=b \\ c=d \end{gather} ⇒ [a=b / c=d]
\begin{multline} a+b\\ +c \end{multline} ⇒ [a+b / +c]
\begin{eqnarray} a&=&b \\ c&=&d \end{eqnarray} ⇒ [a & = & b / c & = & d]
\begin{aligned} a&=b \end{aligned} ⇒ [a & =b]
\begin{aligned} a&=b \\ c&=d\end{aligned} ⇒ [a & =b / c & =d]
f(x)=\begin{cases} 1 & \text{if } x>0 \\ 0 & \text{otherwise}\end{cases} ⇒ f(x)={[1 & ifx>0 / 0 & otherwise]
f(x)=\begin{cases} 1 & \text{if $x>0$} \\ 0 & \text{otherwise}\end{cases} ⇒ f(x)={[1 & ifx>0 / 0 & otherwise]
\begin{pmatrix}1&2\\3&4\end{pmatrix}\begin{bmatrix}x\\y\end{bmatrix} ⇒ ([1 & 2 / 3 & 4])[[x / y]]
\begin{vmatrix}a\end{vmatrix} ⇒ |[a]|
\left(\begin{array}{c|c} 1 & 2 \\ \hline 3 & 4\end{array}\right) ⇒ ([1 & 2 / 3 & 4])
\left\{ x \in \mathbb{R}^d : w^\top x + b = 0 \right\} ⇒ {x∈ℝ^{d}:w^{⊤}x+b=0}
\left. \frac{dy}{dx}\right|_{x=0} ⇒ {dy}/{dx}|_{x=0}
\left\{ x \;\middle|\; w^\top x>0 \right\} ⇒ {x|w^{⊤}x>0}
\underbrace{a+b}_{\ge 0} \overbrace{c}^{=1} ⇒ a+b_{⏟}_{≥0}c^{⏞}^{=1}
\overset{(1)}{=} \stackrel{!}{=} \underset{x}{\arg\min} ⇒ =^{(1)}=^{!}argmin_{x}
\operatorname*{arg\,max}_{x} f ⇒ argmax_{x}f
\boldsymbol{w}^T\mathbf{x} + \vec{b} \cdot \hat{y} ⇒ 𝒘^{T}𝐱+b^{→}·y^{^}
\bar{x} \tilde{z} \widehat{ab} \dot x ⇒ x^{¯}z^{~}ab^{^}x^{˙}
\mathbb{1}[y \neq \hat y] ⇒ 𝟙[y≠y^{^}]
\mathbf 1 ⇒ 𝟏
\mathbb 1 ⇒ 𝟙
\implies \iff \Rightarrow \Leftrightarrow \therefore \because ⇒ ⟹⟺⇒⇔∴∵
\to \mapsto \longrightarrow \xrightarrow{n\to\infty} ⇒ →↦⟶→^{n→∞}
\blacksquare \square \Box \qed ⇒ ∎◻◻◻
\color{red}{x} \textcolor{blue}{y} ⇒ xy
\cancel{x} \not= \ne \neq \not\in \notin ⇒ source
\sum_{i=1}^{n} \prod\limits_{k} \int_0^1 f(x)\,\mathrm{d}x ⇒ ∑_{i=1}^{n}∏_{k}∫_{0}^{1}f(x)dx
\dfrac{1}{2} \tfrac12 \frac12 \binom{n}{k} {n \choose k} ⇒ {1}/{2}{1}/{2}{1}/{2}({n}/{k})({n}/{k})
\lVert w \rVert_2 \|w\| ||w|| \lvert x\rvert |x| \langle w, x\rangle ⇒ ‖w‖_{2}‖w‖||w|||x||x|⟨w,x⟩
x' = x'' \quad w^{\prime} \ldots \cdots \vdots \ddots \dots ⇒ x^{′}=x^{″}w^{′}…⋯⋮⋱…
\sqrt{2} \sqrt[3]{x} ⇒ √{2}√[3]{x}
\newcommand{\norm}[1]{\lVert #1 \rVert} \norm{w} ⇒ ‖w‖
\def\R{\mathbb R} \R ⇒ ℝ
\text{sgn}(0) \mathrm{sgn} \mathit{abc} \mathsf{x} ⇒ sgn(0)sgnabc𝗑
\mathcal{L} \mathfrak{g} \mathscr{F} \texttt{code} \textbf{b} \textit{i} ⇒ ℒ𝔤ℱ𝚌𝚘𝚍𝚎𝐛i
\substack{i\\j} ⇒ [i / j]
\sum_{\substack{i<j\\ j<n}} ⇒ ∑_{[i<j / j<n]}
a \phantom{x} \hspace{1cm} \vspace{2mm} \, \; \! \quad b ⇒ ab
a \equiv b \pmod{2} \quad a \bmod b ⇒ a≡b(mod2)amodb
\forall x \exists y \nexists z \in \subset \subseteq \cup \cap \setminus \emptyset \varnothing ⇒ ∀x∃y∄z∈⊂⊆∪∩⧵∅∅
\partial \nabla \infty \propto \approx \sim \simeq \cong \ll \gg \leq \geqslant \perp \parallel \angle ⇒ ∂∇∞∝≈~≃≅≪≫≤⩾⟂∥∠
\theta_{k+1} := \theta_k + y_i x_i ⇒ θ_{k+1}:=θ_{k}+y_{i}x_{i}
\bigl( \Bigl[ \biggl\{ \bigg| \Bigr] \bigr) ⇒ ([{|])
\max\{0, 1-y\} \min_{x} \sup \inf \lim_{n\to\infty} ⇒ max{0,1−y}min_{x}supinflim_{n→∞}
\log \exp \ln \det \dim \ker ⇒ logexplndetdimker
w^⊤x + b ≥ 0, λ ∈ ℝ ⇒ w^{⊤}x+b≥0,λ∈ℝ
x_{1}\times x_{2} \pm \mp \cdot \circ \ast \star \oplus \otimes ⇒ x_{1}×x_{2}±∓·∘*⋆⊕⊗
\mathrm{span}\{a\} ^\perp \dagger ⇒ span{a}^{⟂}†
1\,000 ⇒ 1000
x = 1 ⇒ x=1
\begin{matrix} a \\ b \end{matrix} ⇒ [a / b]
\begin{smallmatrix} a & b \end{smallmatrix} ⇒ [a & b]
\begin{dcases} a & b\end{dcases} ⇒ {[a & b]
\boxed{x=1} ⇒ x=1
\ensuremath{x} ⇒ x
\mbox{if } x ⇒ ifx
\hbox{a} ⇒ a
f\colon A \to B ⇒ f:A→B
\lfloor x \rfloor \lceil y \rceil ⇒ ⌊x⌋⌈y⌉
\overline{x} \underline{y} \overrightarrow{AB} \overleftarrow{AB} ⇒ x^{―}y_{―}AB^{→}AB^{←}
\require{cancel} \bcancel{x} ⇒ source
\begin{alignat}{2} a&=b &c&=d\end{alignat} ⇒ [a & =b & c & =d]
\lt \gt \le x < y > z ⇒ <>≤x<y>z
\intertext{hello} ⇒ source
\shortintertext{x} ⇒ source
a\\b ⇒ [a / b]
\mathop{\mathrm{argmin}}_x ⇒ argmin_{x}
\mathrel{R} ⇒ R
\mathbin{+} ⇒ +
\ell(w) \hbar \Re \Im \aleph \top \bot ⇒ ℓ(w)ℏℜℑℵ⊤⊥
\iint \oint \coprod \bigcup_{i} \bigcap \bigoplus \bigwedge ⇒ ∬∮∐⋃_{i}⋂⨁⋀
\verb|x| ⇒ source
\left\lVert x \right\rVert^2 \left| x \right| \left\langle w,x \right\rangle \left\|x\right\| ⇒ ‖x‖^{2}|x|⟨w,x⟩‖x‖
\tau^2 ⇒ τ^{2}
\rho ⇒ ρ
\epsilon \varepsilon \phi \varphi ⇒ ϵεϕφ
x\in\{-1,+1\} ⇒ x∈{−1,+1}
\underline{\text{Claim}} ⇒ Claim_{―}
\textrm{a} ⇒ a
\textnormal{x} ⇒ x
\text{a_b} ⇒ a_b
\text{50\%} ⇒ 50%
\displaystyle\sum_i ⇒ ∑_{i}
\textstyle x ⇒ x
\scriptstyle x ⇒ x
\Big\lVert x\Big\rVert ⇒ ‖x‖
\big\| x \big\| ⇒ ‖x‖
\bigg\vert ⇒ |
\mathbf{X}^{\mathsf T} ⇒ 𝐗^{𝖳}
X^\intercal ⇒ X^{⊺}
A^{-1} ⇒ A^{−1}
A^{\dagger} ⇒ A^{†}
\eqref{eq:1} ⇒ source
\ref{a} ⇒ source
ŷ = θ^T x ⇒ ŷ=θ^{T}x
\lnot p \land q \lor r \vdash \models ⇒ ¬p∧q∨r⊢⊧
\bm{w} ⇒ 𝒘
\pmb{w} ⇒ 𝐰
\boldmath w ⇒ source
\begin{cases} a \\ b \end{cases} ⇒ {[a / b]
\hat{\theta}_{MLE} ⇒ θ^{^}_{MLE}
{}^t w ⇒ ^{t}w
\prescript{t}{}{w} ⇒ source
\mathring{a} \acute{a} \check{a} \breve a \ddot a ⇒ a^{˚}a^{´}a^{ˇ}a^{˘}a^{¨}
\vert x \vert \Vert x \Vert \mid ⇒ |x|‖x‖∣
\triangleq \doteq \coloneqq \eqqcolon \vcentcolon= ⇒ ≜≐≔=::=
\smash{x} \llap{x} \mathclap{x} ⇒ xxx
\nicefrac{1}{2} \sfrac12 \cfrac{1}{2} ⇒ {1}/{2}{1}/{2}{1}/{2}
\uparrow \downarrow \hookrightarrow \rightsquigarrow \leadsto ⇒ ↑↓↪⇝⤳
\QED \Halmos \rule{1em}{1em} ⇒ source
"""
# What was wrong before latex2mathml got its TeX rewritten, and what is wrong without an error.
MISREAD = r"""
\begin{gathered} a=b \\ c=d \end{gathered} ⇒ [a=b / c=d]
\begin{aligned}[t] a &= b \\[1ex] &= c \\* &= d \end{aligned} ⇒ [a & =b / & =c / & =d]
\begin{alignat*}{2} a&=b &\quad c&=d \\ e&=f &g&=h\end{alignat*} ⇒ [a & =b & c & =d / e & =f & g & =h]
\begin{pmatrix} 1 & 0 \\ 0 & \end{pmatrix} ⇒ ([1 & 0 / 0 & ])
\begin{pmatrix} 1 & 0 \\ 0 & 1 \\ \end{pmatrix} ⇒ ([1 & 0 / 0 & 1])
\begin{cases} {c} & x \\ [c] & e \end{cases} ⇒ {[c & x / [c] & e]
\begin{bmatrix}\begin{matrix}a\\b\end{matrix}&c\end{bmatrix} ⇒ [[[a / b] & c]]
\begin{pmatrix*}[r] a \end{pmatrix*} ⇒ source
\begin{array}{p{2cm}} a \end{array} ⇒ source
\begin{rcases} a \\ b \end{rcases} ⇒ source
\begin{foo} a \end{foo} ⇒ source
a &= b \\ &= c ⇒ source
a = b \\ c = d \\ ⇒ [a=b / c=d]
{a \\ b} ⇒ source
\bigl\{ a \bigr\} \Bigl\lfloor b \Bigr\rfloor \bigl. c \bigr\rangle ⇒ {a}⌊b⌋c⟩
\left< a \right> ⇒ ⟨a⟩
\operatorname*{argmin}\limits_x \operatorname{VC-dim} \mathop{\text{arg max}}_{y} ⇒ argmin_{x}VC-dimargmax_{y}
\operatorname{\mathbf{E}}[X] \mathop{\sum\sum}_{i} ⇒ 𝐄[X]∑∑_{i}
\mathbb R \mathbf{x+1} \boldsymbol w \bm{\theta} \boldsymbol\Sigma \mathfrak{C} \mathcal B ⇒ ℝ𝐱+𝟏𝒘𝜽𝜮ℭℬ
\mathcal{1} ⇒ source
\not\subset \not< \not\equiv ⇒ ⊄≮≢
\not\perp ⇒ source
2in + x^2em - 3mm ⇒ 2in+x^{2}em−3mm
50\% \text{ of 2 pt} ⇒ 50%of2pt
50% of x ⇒ source
\text{a {b} c} ⇒ source
\text{a & b} ⇒ source
\text{a \& b} \& c ⇒ a&b&c
\frac{a}{b ⇒ source
a} ⇒ source
\left( a ⇒ source
\sideset{}{'}\sum ⇒ source
\cancelto{0}{x} ⇒ source
\DeclareMathOperator*{\argmin}{arg\,min} \argmin_x ⇒ argmin_{x}
\renewcommand{\vec}[1]{\mathbf{#1}} \vec{x} \def\f#1#2{#2\alpha#1} \f ab ⇒ 𝐱bαa
\newcommand{\f}[2][a]{#1#2} \f{x} ⇒ source
\def\a{\a} \a ⇒ source
\def\a#1{#1#1} \a{\a{\a{\a{\a{\a{\a{\a{\a{\a{\a{\a{\a{x}}}}}}}}}}}}} ⇒ source
"""
LINES = [line.split(" ⇒ ") for line in (WRITTEN + MISREAD).splitlines() if line]


@pytest.mark.parametrize(("tex", "expected"), LINES)
def test_formula_is_shown_right_or_as_its_source(tex, expected):
    assert shown_as(tex) == expected
    assert shown_as(tex, display=False) == expected


@pytest.mark.parametrize("lost", ["mtr", "mtd", "mi", "mn", "mo", "mtable"])
def test_formula_that_loses_something_is_shown_as_its_source(monkeypatch, lost):
    """What latex2mathml leaves out for reasons that we do not know yet."""
    tex, convert = r"\begin{pmatrix} a & b \\ & 1 \end{pmatrix} + c", mathml.convert_to_element
    assert shown_as(tex) == "([a & b / & 1])+c"

    def careless(*arguments, **options):
        formula = convert(*arguments, **options)
        parent = next(element for element in formula.iter() if any(child.tag == lost for child in element))
        parent.remove([child for child in parent if child.tag == lost][-1])
        return formula

    monkeypatch.setattr(mathml, "convert_to_element", careless)
    assert shown_as(tex) == "source"


@pytest.mark.parametrize("joined", ["mtr", "mtd"])
def test_formula_whose_rows_or_cells_run_together_is_shown_as_its_source(monkeypatch, joined):
    convert = mathml.convert_to_element

    def careless(*arguments, **options):
        formula = convert(*arguments, **options)
        parent = next(element for element in formula.iter() if any(child.tag == joined for child in element))
        parent[0].extend(parent[1])
        parent.remove(parent[1])
        return formula

    monkeypatch.setattr(mathml, "convert_to_element", careless)
    assert shown_as(r"\begin{matrix} a & b \\ c & d \end{matrix}") == "source"


def test_source_is_the_exception():
    assert len(LINES) > 140
    assert sum(expected == "source" for _, expected in LINES) < 30


def test_rules_and_boxes_are_drawn():
    table = inner(r"$$\begin{array}{|c|cc} 1 & 2 & 3 \\ \hline 4 & 5 & 6 \\ \hline \end{array}$$").mtable
    edges = [
        [re.findall("border-([a-z]+)", cell.get("style", "")) for cell in row.find_all("mtd")]
        for row in table.find_all("mtr")
    ]
    assert edges == [
        [["left"], ["left"], []],
        [["top", "left", "bottom"], ["top", "left", "bottom"], ["top", "bottom"]],
    ]
    assert inner(r"$\boxed{x=1}$").find(style="border:1px solid;").text == "x=1"


def test_macros_are_shared_by_the_formulas_of_an_answer_within_limits():
    answer = inner(r"$\newcommand{\R}{\mathbb R} x \in \R$, so $\R^d$")
    assert [linear(formula) for formula in answer.find_all("math")] == ["x∈ℝ", "ℝ^{d}"]
    assert inner(r"$\R$").code  # in another answer
    bomb = inner(r"$\def\a{" + "x" * 4000 + r"}\a$ " + r"$\a$ " * 1000)
    assert (len(bomb.find_all("math")), len(bomb.find_all("code"))) == (7, 994)


TEX = r"""
\frac \sqrt[ \left( \right) \left\{ \right. \begin{align} \end{align} \begin{array}{c|c} \end{array}
\begin{cases} \end{cases} \substack{ \\ & { } ^ _ \text{ \text{a} \mathbf{ \mathbb \bm \hat \operatorname*{
\mathop{ \bigl\{ \not \hline \def\a{ \a \newcommand{\b}[1]{ \b #1 \color{ \tag{ \boxed{ \over \limits \sum x 1
2in ' | \| \& % [ ] ( ) + = < \alpha"""


@pytest.mark.parametrize(
    "tex",
    [
        "".join(rf"\def\{name}{{\{name}{name}\{name}{name}}}" for name in ("a", "aa", "aaaa", "aaaaaaaa")) + r"\a",
        r"\begin{array}{" + "c|" * 1500 + "}" + "a&" * 900 + r"\end{array}",
        r"\smash{" * 700 + "}" * 700,
        *(
            piece * (5000 // len(piece))
            for piece in (r"\begin{matrix}", r"\def\a{", r"\text{", "|", "'", "{", r"\\", "%\n")
        ),
    ],
    ids=lambda tex: tex[:12],
)
def test_no_formula_takes_long(tex):
    start = time.perf_counter()
    assert_safe(answer_html(f"$${tex[:5000]}$$"))
    assert time.perf_counter() - start < 5  # a tenth of a second and less, on a machine that does nothing else


@given(st.lists(st.sampled_from([*TEX.split(), " ", "\n"]), max_size=30).map("".join))
def test_any_formula_is_whole(tex):
    answer = inner(f"$${tex}$$")
    assert_safe(answer_html(f"$${tex}$$"))
    if answer.math:
        assert "\\" not in answer.text
        assert ("&" in answer.text) <= (r"\&" in tex)
        letters = re.sub(r"\\(?:begin|end)\{[a-z]+\}(?:\{c\|c\})?|\\[a-zA-Z]+", "", tex)
        if not re.search(r"def|newcommand|color", tex):
            assert answer.text.count("x") >= letters.count("x")


@pytest.mark.parametrize(
    "source", ["`$x$`", "```\n$x$\n```", "    $x$", r"\$x\$", r"$\unknown x$", r"$\frac{1}{$", r"$\cancel{x}$"]
)
def test_what_is_no_mathematics_is_shown_as_it_was_written(source):
    answer = inner(source)
    assert not answer.find("math")
    assert answer.text.strip() == source.strip("`\n ").replace(r"\$", "$")


@pytest.mark.parametrize("problem_set", find_problem_sets(ROOT / "homework" / "source"), ids=lambda path: path.stem)
def test_every_formula_of_our_sets_is_typeset(problem_set: Path):
    cells = [cell.source for cell in read_notebook(problem_set).cells if cell.cell_type == "markdown"]
    answers = [inner(cell) for cell in cells]
    for answer in answers:
        for code in answer.find_all("code"):
            assert code.text == "$...$" or not re.match(r"\s*[$\\]", code.text)  # a set says how to write formulas
            code.extract()
        assert "$" not in answer.text
        assert "\\" not in answer.text
    assert sum(len(answer.find_all("math")) for answer in answers) > 20
    assert json.dumps(cells).count("$") > 40


def photograph() -> Image.Image:
    """A picture of 12 megapixels with some detail everywhere, as from a phone."""
    noise = np.random.default_rng(0).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    return Image.fromarray(noise).resize((4000, 3000))


def test_photograph_is_turned_made_smaller_and_stripped():
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "SECRET"  # taken with the phone upright
    data = encoded(photograph(), "JPEG", exif=exif, comment=b"SECRET", quality=92)
    assert len(data) > 3_000_000
    lines = "\n".join(re.findall(".{1,76}", data))
    answer = inner("Proof:\n\n![page 1](attachment:my%20page.jpg)", {"my page.jpg": {"image/jpeg": lines}})
    assert answer.img["alt"] == "page 1"
    kind, _, picture = answer.img["src"].partition(";base64,")
    assert kind == "data:image/jpeg"
    width, height = decoded(picture).size
    assert 600 < width < height <= 1600
    assert len(picture) <= 700_000
    assert b"SECRET" not in base64.b64decode(picture)


def test_photograph_within_the_markdown_is_shown():
    data = encoded(photograph(), "JPEG", quality=92)
    colab = f"Text before.\n\n![IMG_1.jpg](data:image/jpeg;base64,{data})\n\nText after."
    html = f"<img alt='b' src='data:image/jpeg;base64,\n{data}'> <img src=\"data:image/png;base64,{DOT}\">"
    assert_safe(answer_html(f"{colab}\n\n{html}"))
    answer = inner(f"{colab}\n\n{html}")
    assert [image["alt"] for image in answer.find_all("img")] == ["IMG_1.jpg", "b", "A picture in this answer"]
    assert [image["src"][:15] for image in answer.find_all("img")] == ["data:image/jpeg"] * 2 + ["data:image/png;"]
    assert "Text after." in answer.text


def test_picture_that_is_not_shown_leaves_its_address_and_its_text():
    far = "https://drive.google.com/file/d/1_a-B/view?usp=sharing&x=1"
    answer = inner(f"![my page]({far}) <img src='{far}' alt='<b>other</b>'> <img alt='none'>", {})
    assert not answer.find(["img", "b", "a"])
    assert [each.text for each in answer.find_all("em")] == [
        f"(a picture that cannot be shown: {far}) my page",
        f"(a picture that cannot be shown: {far}) <b>other</b>",
        "(a picture that cannot be shown) none",
    ]
    assert len(inner(f"![x]({far}{'y' * 5000})").text) < 300
    assert "C:/Users/me/$x$.png" in inner("<img src='C:/Users/me/$x$.png'>").text


@pytest.mark.parametrize("name", ["IMG_1.HEIC", "page 1.pdf", "drawing.svg", "<b>&\"'.png"])
def test_attachment_that_is_no_picture_leaves_its_name(name):
    attachments = {name: {"image/svg+xml": SVG}}
    address = "".join(f"%{byte:02x}" for byte in name.encode())
    answer = answer_html(f"![proof](attachment:{address})", attachments)
    assert_safe(answer)
    assert BeautifulSoup(answer, "html.parser").em.text == f"(a picture that cannot be shown: {name}) proof"


def test_picture_beside_the_notebook_is_shown():
    asked = []

    def files(name: str) -> bytes | None:
        asked.append(name)
        return base64.b64decode(DOT) if name.endswith(".png") else b"<svg onload=alert(1)>" if name == "a.svg" else None

    source = "![one](img/my%20proof.png) <img src='./b.png'> ![three](a.svg) ![four](missing.jpg)"
    source += " ![five](img/my%20proof.png)"
    assert_safe(answer_html(source, None, files))
    asked.clear()
    answer = inner(source, None, files)
    assert [image["alt"] for image in answer.find_all("img")] == ["one", "A picture in this answer", "five"]
    assert asked == ["img/my proof.png", "b.png", "a.svg", "missing.jpg"]
    assert "(a picture that cannot be shown: missing.jpg) four" in answer.text
    assert inner("![x](a.png)", {"a.png": {"image/png": DOT}}, lambda name: 1 / 0).img  # an attachment comes first
    for broken in (lambda name: 1 / 0, lambda name: "text", lambda name: bytes(40_000_000)):
        assert "cannot be shown: a.png" in inner("![x](a.png)", None, broken).text


ELSEWHERE = r"""/etc/passwd //host/a.png ../a.png img/../../a.png img/%2e%2e/a.png ..%2fa.png ..\a.png %5c%5chost%5ca
C:/a.png file:///a.png https://example.org/a.png a%00.png a%0a.png img//a.png . %2e%2e ..%20/a.png"""


@pytest.mark.parametrize("address", [*ELSEWHERE.split(), "x" * 300, ""])
def test_file_elsewhere_is_not_asked_for(address):
    asked = []
    for source in (f"![x]({address})", f"![x](<{address}>)", f"<img src='{address}'>"):
        assert_safe(answer_html(source, None, asked.append))
    assert asked == []


def test_number_of_files_asked_for_is_limited():
    asked = []
    inner(" ".join(f"![{k}]({k}.png)" for k in range(1000)), None, asked.append)
    assert len(asked) == 20


def test_number_and_length_of_pictures_are_limited(monkeypatch):
    attachments = {f"{k}.png": {"image/png": DOT} for k in range(30)}
    source = " ".join(f"![{k}](attachment:{k}.png)" for k in range(30))
    assert len(inner(source, attachments).find_all("img")) == 20
    assert len(inner("![x](attachment:1.png)\n" * 30, attachments).find_all("img")) == 30  # of the same one
    monkeypatch.setattr(sanitiser, "MAX_PICTURES_LENGTH", 10 * len(DOT))
    assert 0 < len(inner("![x](attachment:1.png)\n" * 30, attachments).find_all("img")) <= 10


def test_pictures_stay_what_they_are():
    drawing = Image.new("RGBA", (640, 480), (255, 0, 0, 128))
    kind, data = clean_picture(encoded(drawing))
    assert kind == "image/png"
    assert decoded(data).size == (640, 480)
    assert decoded(data).getpixel((0, 0)) == (255, 0, 0, 128)
    assert clean_picture(encoded(drawing.convert("P"), "GIF"))[0] == "image/png"
    assert clean_picture(encoded(drawing, "WEBP"))[0] == "image/png"
    assert clean_picture(encoded(Image.new("CMYK", (9, 9)), "JPEG"))[0] == "image/jpeg"
    assert clean_picture(encoded(Image.new("I;16", (9, 9))))[0] == "image/png"
    kind, data = clean_picture(encoded(photograph()))  # as a notebook takes it from the clipboard
    assert kind == "image/jpeg"
    assert max(decoded(data).size) >= 800


@pytest.mark.parametrize(
    "data",
    ["", "AAAA", "%", '"><script>alert(1)</script>', None, 7, b"x", "é", SVG, DOT[:40], DOT + '"', DOT[:-8] + "<b>A"],
)
def test_what_is_no_picture_is_refused(data):
    assert clean_picture(data) is None


def test_decompression_bomb_and_other_formats_are_refused():
    assert clean_picture(encoded(Image.new("1", (9000, 9000)))) is None
    assert clean_picture(encoded(Image.new("RGB", (9, 9)), "BMP")) is None
    assert clean_picture(encoded(Image.new("RGB", (9, 9)), "TIFF")) is None


def test_renderer_that_fails_leaves_the_text(monkeypatch):
    monkeypatch.setattr(sanitiser, "_render", lambda *_: 1 / 0)
    answer = answer_html("*a*\n\n<script>alert(1)</script>")
    assert_safe(answer)
    assert inner("*a*\n\n<script>alert(1)</script>").pre.text == "*a*\n\n<script>alert(1)</script>"
