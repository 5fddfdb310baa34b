"""The font of formulas, STIX Two Math from npm, cut down to what a page can show."""

from io import BytesIO
from pathlib import Path

from npm_files import fetch

PACKAGE = "@expo-google-fonts/stix-two-math@0.4.0"
FONT, LICENCE = "400Regular/STIXTwoMath_400Regular.ttf", "LICENSE_FONT"

# First and last of each block: Latin, accents, Greek, dashes and dots, primes, invisible signs, letters of sets and
# functions, arrows, signs, brackets, italics, script, double-struck.
CHARACTERS = [
    (0x20, 0x7E), (0xA0, 0xA0), (0xAC, 0xAC), (0xAF, 0xB1), (0xB4, 0xB7), (0xD7, 0xD7), (0xF7, 0xF7), (0x131, 0x131),
    (0x237, 0x237), (0x2C6, 0x2DD), (0x391, 0x3C9), (0x3D1, 0x3D6), (0x3F1, 0x3F5), (0x2013, 0x2016), (0x2026, 0x2026),
    (0x2032, 0x2034), (0x203E, 0x203E), (0x2061, 0x2064), (0x2102, 0x2102), (0x210B, 0x2115), (0x2118, 0x211D),
    (0x2124, 0x2124), (0x212C, 0x2134), (0x2190, 0x2194), (0x21A6, 0x21A6), (0x21D0, 0x21D4), (0x2200, 0x221E),
    (0x2223, 0x222B), (0x2234, 0x2235), (0x223C, 0x223C), (0x2243, 0x2248), (0x2254, 0x2254), (0x2260, 0x226B),
    (0x2282, 0x228B), (0x2295, 0x2299), (0x22A4, 0x22A5), (0x22C0, 0x22C6), (0x22EE, 0x22F1), (0x2308, 0x230B),
    (0x23DE, 0x23DF), (0x25A0, 0x25A1), (0x25CB, 0x25CF), (0x27E8, 0x27E9), (0x27F5, 0x27FC), (0x2A7D, 0x2A7E),
    (0x1D434, 0x1D467), (0x1D49C, 0x1D4B5), (0x1D538, 0x1D550), (0x1D6E2, 0x1D71B),
]  # fmt: skip
LARGE_PRIME = "ss04"  # the sign that a browser raises itself

# Thousandths of an em. Browsers read from the font how formulas are laid out, and apply it more widely than TeX does.
# These values give what TeX gives: indices at one height whether or not a letter has a descender or an ascender,
# accents just above their letters, fractions in a line of text as close to their bar as there is room for, and large
# signs of sums.
LAYOUT = {
    "SubscriptBaselineDropMin": 0,
    "SuperscriptBaselineDropMax": 460,
    "AccentBaseHeight": 380,
    "FractionNumeratorShiftUp": 405,
    "FractionDenominatorShiftDown": 350,
}
DISPLAY_OPERATOR_HEIGHT = 1300
# Chromium makes every root as wide as the widest root sign needs, so here they all have one width.
ROOT_WIDTH = 850


def add_font(app, config) -> None:
    """Add the font to the static files; book/assets/formulas.css says what it is for."""
    static = Path(app.outdir).parent / "static"
    config.html_static_path.append(str(static))
    folder = static / "math"
    made, recipe = static.with_name("math.made-from"), Path(__file__).read_text(encoding="utf-8")
    if made.exists() and made.read_text(encoding="utf-8") == recipe:
        return  # fetching and cutting take half a minute
    folder.mkdir(parents=True, exist_ok=True)
    files = fetch(PACKAGE, [FONT, LICENCE])
    (folder / "stix-two-math.woff2").write_bytes(cut(files[FONT]))
    (folder / "stix-two-math-italic.woff2").write_bytes(cut_italics(files[FONT]))
    (folder / "stix-two-math-licence.txt").write_bytes(files[LICENCE])
    made.write_text(recipe, encoding="utf-8")


def cut(font: bytes) -> bytes:
    """The font with our characters and our layout, compressed."""
    from fontTools.ttLib import TTFont  # only where the font is made: loading it takes a second

    whole = TTFont(BytesIO(font), recalcTimestamp=False)
    layout = whole["MATH"].table.MathConstants
    for name, value in LAYOUT.items():
        getattr(layout, name).Value = value
    layout.DisplayOperatorMinHeight = DISPLAY_OPERATOR_HEIGHT
    narrow_roots(whole)
    return small(whole, [code for first, last in CHARACTERS for code in range(first, last + 1)])


def narrow_roots(font) -> None:
    sizes = font["MATH"].table.MathVariants
    root = sizes.VertGlyphConstruction[sizes.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord("√")])]
    signs = [size.VariantGlyph for size in root.MathGlyphVariantRecord] + [
        part.glyph for part in root.GlyphAssembly.PartRecords
    ]
    for sign in set(signs):
        glyph, (width, _) = font["glyf"][sign], font["hmtx"][sign]
        glyph.coordinates.scale((ROOT_WIDTH / width, 1))
        glyph.coordinates.toInt()
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][sign] = ROOT_WIDTH, glyph.xMin


def cut_italics(font: bytes) -> bytes:
    """The italics of formulas in the place of plain letters, for the questions of a quiz, which are no MathML."""
    from fontTools.ttLib import TTFont

    whole = TTFont(BytesIO(font), recalcTimestamp=False)
    glyphs = whole.getBestCmap()
    italics = {}
    for plain, italic, count in (
        (ord("A"), 0x1D434, 26),
        (ord("a"), 0x1D44E, 26),
        (0x391, 0x1D6E2, 25),
        (0x3B1, 0x1D6FC, 25),
    ):
        italics |= {plain + k: glyphs[italic + k] for k in range(count) if italic + k in glyphs}
    italics[ord("h")] = glyphs[0x210E]
    for table in whole["cmap"].tables:
        table.cmap = italics if table.isUnicode() else {}
    del whole["MATH"]
    return small(whole, list(italics))


def small(font, characters: list[int]) -> bytes:
    from fontTools.subset import Options, Subsetter

    subsetter = Subsetter(Options(layout_features=[LARGE_PRIME], hinting=False, notdef_outline=True))
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor, written = "woff2", BytesIO()
    font.save(written)
    return written.getvalue()


def setup(app) -> dict:
    app.connect("config-inited", add_font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
