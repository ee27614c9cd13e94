"""Exports a heuristic as an agent for Kaggle's ConnectX: one file that needs no packages.

The file is `submission.py` in this folder, with its heuristic replaced. The module
`connectx_agents.py` does the opposite: it plays with agents written for Kaggle.
"""

from __future__ import annotations

import re
from importlib.resources import files

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import HeuristicLike
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import LineGame

BAKED = re.compile(r"^NAME = .*?^CLAMP\b.*?$", re.DOTALL | re.MULTILINE)
"""The part of `submission.py` that defines the heuristic."""


def connectx_submission(heuristic: HeuristicLike, game: LineGame | str = "connect4") -> str:
    """Return the source code of an agent for Kaggle's ConnectX that searches with `heuristic`.

    The agent plays on boards of all sizes, with the heuristic's values for the lines of `game`.
    Raises OptionError for a heuristic that is not a table of values by the stones on a line, or for
    a game other than k in a row with gravity on a two-dimensional board.

    >>> "def agent(" in connectx_submission("counted-lines")
    True
    """
    rules = parse_game(game) if isinstance(game, str) else game
    if not isinstance(rules, LineGame) or not rules.gravity or len(rules.shape) != 2:
        raise OptionError(f"ConnectX on {rules.name!r}; expected a game like connect4")
    if rules.variants != {"gravity"}:
        raise OptionError(f"ConnectX on {rules.name!r}; expected a game without further rules")
    table = find_heuristic(heuristic, rules)
    if not isinstance(table, LineTable) or not table.is_of_lines or table.kinds:
        raise OptionError(
            f"heuristic {table.name!r} in an agent for ConnectX; expected a table of values "
            "by the stones on a line"
        )
    values = {stones: value for stones, value in sorted(table.values.items()) if value}
    baked = (
        f"NAME = {table.name!r}\n"
        f"VALUES: Mapping[tuple[int, int], int] = {_spread(values)}\n"
        f"WEIGHTS: Mapping[str, int] = {dict(table.weights)!r}\n"
        f"CLAMP: int | None = {table.clamp!r}"
    )
    text = files("plyscope_worlds").joinpath("submission.py").read_text(encoding="utf-8")
    return BAKED.sub(lambda _: baked, text, count=1)


def _spread(values: dict[tuple[int, int], int]) -> str:
    """Return a dictionary as source code, with four entries on each line."""
    entries = [f"{stones}: {value}," for stones, value in values.items()]
    lines = [" ".join(entries[at : at + 4]) for at in range(0, len(entries), 4)]
    return "{\n    " + "\n    ".join(lines) + "\n}" if lines else "{}"
