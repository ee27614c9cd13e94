"""The pseudocode of every algorithm that reports events."""

from __future__ import annotations

from plyscope.faces.pseudocode import (
    accumulating,
    alphabeta,
    dfpn,
    iterative_deepening,
    minimax,
    mtdf,
    negamax,
    pn,
    pvs,
    sss,
    uct,
)
from plyscope.faces.pseudocode.code import Pseudocode, read
from plyscope.faces.pseudocode.remarks import REMARKS
from plyscope.searching.conventions import Conventions

TEXTS = {
    "minimax": minimax.TEXT,
    "negamax": negamax.TEXT,
    "alphabeta": alphabeta.TEXT,
    "pvs": pvs.TEXT,
    "mtdf": mtdf.TEXT,
    "sss": sss.TEXT,
    "pn": pn.TEXT,
    "dfpn": dfpn.TEXT,
    "iterative-deepening": iterative_deepening.TEXT,
    "uct": uct.TEXT,
    "accumulating": accumulating.TEXT,
}


def pseudocode_of(algorithm: str, conventions: Conventions) -> Pseudocode:
    """Return the pseudocode of an algorithm, adapted to the conventions."""
    return read(TEXTS[algorithm], conventions, REMARKS[algorithm].strip())
