"""The book's two families of type, from their makers' npm packages, cut down to what a page can show."""

from io import BytesIO
from pathlib import Path

from npm_files import fetch

# Package -> the folder in it, and for each file there: its name on the site, and the part of its design space to keep.
# A page's bold italics are few enough for the browser to slant or thicken them itself.
FAMILIES = {
    "source-serif@4.5.1": {
        "VAR/SourceSerif4Variable-Roman.ttf": ("source-serif-4", {"opsz": 18, "wght": (400, 700)}),
        "VAR/SourceSerif4Variable-Italic.ttf": ("source-serif-4-italic", {"opsz": 18, "wght": 400}),
    },
    "source-sans@3.52.0": {"VF/SourceSans3VF-Upright.ttf": ("source-sans-3", {"wght": (400, 700)})},
}
LICENCE = "LICENSE.md"
# First and last of each block: Latin, Greek, quotes and dashes, raised and lowered digits, arrows, operators, marks.
# What a family lacks, such as a star, the system's own fonts draw.
CHARACTERS = [
    (0x20, 0x7E), (0xA0, 0xFF), (0x152, 0x153), (0x391, 0x3C9), (0x3D1, 0x3D5), (0x1D40, 0x1D40), (0x2010, 0x2027),
    (0x2032, 0x2033), (0x2070, 0x209C), (0x20AC, 0x20AC), (0x2190, 0x2199), (0x2200, 0x22FF), (0x25A0, 0x25CF),
    (0x2605, 0x2605), (0x2713, 0x2717),
]  # fmt: skip
FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk", "tnum"]


def add_fonts(app, config) -> None:
    """Add the fonts to the static files; book/assets/fonts.css says what each is for."""
    folder = Path(app.outdir).parent / "static" / "fonts"
    made, recipe = folder / "made-from", Path(__file__).read_text(encoding="utf-8")
    if made.exists() and made.read_text(encoding="utf-8") == recipe:
        return  # fetching and cutting take half a minute
    folder.mkdir(parents=True, exist_ok=True)
    for package, fonts in FAMILIES.items():
        files = fetch(package, [*fonts, LICENCE])
        for path, (name, design) in fonts.items():
            (folder / f"{name}.woff2").write_bytes(cut(files[path], design))
        (folder / f"{package.partition('@')[0]}-licence.md").write_bytes(files[LICENCE])
    made.write_text(recipe, encoding="utf-8")


def cut(font: bytes, design: dict) -> bytes:
    """The font with our characters and this part of its design space, compressed."""
    from fontTools.subset import Options, Subsetter  # only where fonts are made: loading it takes a second
    from fontTools.ttLib import TTFont, newTable
    from fontTools.ttLib.tables.ttProgram import Program
    from fontTools.varLib.instancer import instantiateVariableFont

    whole = TTFont(BytesIO(font), recalcTimestamp=False)
    subsetter = Subsetter(Options(layout_features=FEATURES, hinting=False, notdef_outline=True))
    subsetter.populate(unicodes=[code for first, last in CHARACTERS for code in range(first, last + 1)])
    subsetter.subset(whole)
    small, written = instantiateVariableFont(whole, design), BytesIO()
    # Where a font has no hints, Linux invents some and spaces the letters unevenly. These two say that none are wanted.
    small["gasp"], small["prep"] = newTable("gasp"), newTable("prep")
    small["gasp"].gaspRange = {0xFFFF: 0b1111}  # smooth at every size
    small["prep"].program = Program()
    small["prep"].program.fromBytecode(bytes.fromhex("b801ff85b0048d"))  # only: no pixel of a thin stroke drops out
    small.flavor = "woff2"
    small.save(written)
    return written.getvalue()


def setup(app) -> dict:
    app.connect("config-inited", add_fonts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
