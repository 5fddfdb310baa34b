r"""A little mathematics in a widget's words: `$\theta^\top x_i \le 0$` as letters, subscripts and superscripts."""

import re

LETTERS = {
    **{r"\alpha": "α", r"\beta": "β", r"\gamma": "γ", r"\delta": "δ", r"\epsilon": "ε", r"\eta": "η", r"\theta": "θ"},
    **{r"\lambda": "λ", r"\mu": "μ", r"\xi": "ξ", r"\rho": "ρ", r"\sigma": "σ", r"\tau": "τ", r"\phi": "ϕ"},
}
# A line may break after one of these, never before it.
RELATIONS = {"=": "=", "<": "<", ">": ">", r"\le": "≤", r"\ge": "≥", r"\ne": "≠", r"\to": "→", r"\in": "∈"}
BETWEEN = {"+": "+", "-": "−", r"\cdot": "·", r"\pm": "±"}
SIGNS = {
    **{sign: sign for sign in "()[]|/!.:"},
    **{",": ", ", "'": "′", "*": "*", "||": "‖", r"\|": "‖", r"\lVert": "‖", r"\rVert": "‖", r"\,": "\u2009"},
    **{r"\top": "⊤", r"\sum": "∑", r"\dots": "…", r"\infty": "∞", r"\{": "{", r"\}": "}"},
    **{r"\max": "max", r"\min": "min"},
}
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\|\||\d+(?:\.\d+)?|\S")
LOWER = str.maketrans("0123456789+−ijkn", "₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙ")
UPPER = str.maketrans("0123456789+−n⊤*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ*")


def formatted(text: str) -> list:
    r"""The text as a list of strings and of `[tag, *parts]`, the nodes that a page builds from it.

    Examples
    --------
    >>> formatted(r"Is $w^2 \ge 0$?")
    ['Is ', ['span', ['i', 'w'], ['sup', '2'], '\xa0≥ ', '0'], '?']
    """
    pieces = text.split("$")
    if len(pieces) % 2 == 0:
        raise ValueError(f"a formula stands between two $ signs; one of them is missing in {text!r}")
    parts = [["span", *_formula(piece)] if k % 2 else piece for k, piece in enumerate(pieces)]
    return [part for part in parts if part]


def plain(parts: list) -> str:
    r"""The same in one line of text.

    Examples
    --------
    >>> plain(formatted(r"$\theta^\top x_i = ||w||^2$"))
    'θᵀxᵢ\xa0= ‖w‖²'
    """
    return "".join(part if isinstance(part, str) else _plain_node(*part) for part in parts)


def _plain_node(tag: str, *parts) -> str:
    text = plain(parts)
    if tag not in ("sub", "sup"):
        return text
    moved = text.translate(LOWER if tag == "sub" else UPPER)
    kept = set(moved) & set(text) - {"*"}
    return ("_" if tag == "sub" else "^") + (text if len(text) == 1 else f"({text})") if kept else moved


def _formula(source: str) -> list:
    tokens = TOKEN.findall(source)
    if not tokens:
        raise ValueError("there is nothing between two $ signs; a formula stands there, such as $x_1$")
    try:
        return _read(tokens)
    except IndexError:
        raise ValueError(f"the formula ${source}$ ends too early") from None
    except KeyError as unknown:
        known = " ".join([*LETTERS, *RELATIONS, *BETWEEN, *SIGNS])
        raise ValueError(
            f"the formula ${source}$ has {unknown.args[0]} where it cannot be written here; what can be written is "
            f"letters, numbers, _ and ^ with one sign or braces after them, and {known}"
        ) from None


def _read(tokens: list[str], script: bool = False) -> list:
    """What stands before the end, or in a script before its closing brace. Scripts have no room for spaces."""
    parts, operand = [], False
    while tokens or script:
        token = tokens.pop(0)
        if token == "}" and script:
            return parts
        if token in ("_", "^") and operand:
            parts.append(["sub" if token == "_" else "sup", *_script(tokens)])
        elif token in RELATIONS or token in BETWEEN:
            sign = (RELATIONS | BETWEEN)[token]
            after = " " if operand or token in RELATIONS else ""
            parts.append(sign if script else ("\u00a0" if operand else "") + sign + after)
            operand = False
        else:
            parts.append(_symbol(token))
            operand = token not in ("(", "[", r"\{", ",")
    return parts


def _script(tokens: list[str]) -> list:
    """One sign, or what is in braces."""
    token = tokens.pop(0)
    if token == "{":
        return _read(tokens, script=True)
    if token.isdigit() and len(token) > 1:
        raise KeyError(token)  # TeX would take the first digit only
    return [BETWEEN[token] if token in BETWEEN else _symbol(token)]


def _symbol(token: str) -> str | list:
    if token in LETTERS or re.fullmatch("[A-Za-z]", token):
        return ["i", LETTERS.get(token, token)]
    return token if token[0].isdigit() else SIGNS[token]
