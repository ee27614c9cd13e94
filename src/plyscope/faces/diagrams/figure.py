"""Figures for papers: drawings as PDF or PNG, by typst, a typesetter in one wheel.

It draws SVG with its own fonts and those of the machine, so nothing else has to be installed. PDF
files contain vectors. On one machine the same drawing always gives the same bytes.
"""

from __future__ import annotations

from plyscope.extras import load

PIXELS_PER_INCH = 192
UNDATED = "#set document(date: none)\n"
"""Options that keep the time of creation out of a PDF."""
PICTURE = '#set page(width: auto, height: auto, margin: 6pt)\n#image("picture.svg")\n'


def figure(svg: str, suffix: str) -> bytes:
    """Return a drawing as a `.pdf` or `.png`; raise OptionError if typst is not installed."""
    return typeset(PICTURE, {"picture.svg": svg}, suffix)


def typeset(text: str, pictures: dict[str, str], suffix: str) -> bytes:
    """Return a typst text, with pictures by file name, as one `.pdf` or `.png`."""
    typst = load("typst", f"a {suffix}", "figures")
    files = {"main.typ": UNDATED + text, **pictures}
    drawn: bytes = typst.compile(
        {name: content.encode() for name, content in files.items()},
        format=suffix[1:],
        **({"ppi": PIXELS_PER_INCH} if suffix == ".png" else {}),
    )
    return drawn
