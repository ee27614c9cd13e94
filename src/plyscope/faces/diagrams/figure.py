"""Figures for papers: drawings as PDF or PNG, by typst, a typesetter in one wheel.

It draws SVG with the fonts of the machine and brings some of its own, so that nothing beside it has
to be installed; PDF stays vectors. The same drawing gives the same bytes on a machine.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from plyscope.errors import OptionError

PIXELS_AN_INCH = 192
UNDATED = "#set document(date: none)\n"
"""A PDF tells when it was made unless it is told not to."""
PICTURE = '#set page(width: auto, height: auto, margin: 6pt)\n#image("picture.svg")\n'


def figure(svg: str, suffix: str) -> bytes:
    """Return a drawing as a `.pdf` or a `.png`; raise OptionError where typst is not installed."""
    return typeset(PICTURE, {"picture.svg": svg}, suffix)


def typeset(text: str, pictures: dict[str, str], suffix: str) -> bytes:
    """Return a text of typst's, with pictures by their names, as one `.pdf` or `.png`."""
    try:
        typst: Any = import_module("typst")
    except ImportError:
        raise OptionError(
            f"a {suffix} is drawn by typst; expected `pip install 'plyscope[figures]'`"
        ) from None
    files = {"main.typ": UNDATED + text, **pictures}
    drawn: bytes = typst.compile(
        {name: content.encode() for name, content in files.items()},
        format=suffix[1:],
        **({"ppi": PIXELS_AN_INCH} if suffix == ".png" else {}),
    )
    return drawn
