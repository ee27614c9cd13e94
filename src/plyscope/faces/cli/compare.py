"""`plyscope compare`: all algorithms on one position, side by side."""

from __future__ import annotations

from plyscope.faces.cli.analyze import compare as run
from plyscope.faces.cli.options import JSON, SEVERAL_HEURISTICS, position_rows, search_rows
from plyscope.faces.cli.rows import Option

__all__ = ["HELP", "OPTIONS", "run"]

HELP = "compare all algorithms on one position: nodes, cutoffs, time"
OPTIONS = (
    *position_rows("a board, a game and moves, or a tree such as [[3,5],[6,9]]"),
    *search_rows(algorithm="", heuristic=SEVERAL_HEURISTICS),
    Option("-A --algorithm A,B,...", "the algorithms to compare (default: all)", is_list=True),
    JSON,
)
