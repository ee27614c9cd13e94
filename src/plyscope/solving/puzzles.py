"""Puzzles: positions in which one move alone wins, or one alone does not lose, which the solver
proves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from plyscope.errors import OptionError
from plyscope.jsonable import by_name
from plyscope.rules.linegame import LineGame, Position
from plyscope.rules.symmetry import canonical
from plyscope.searching.driver import search
from plyscope.solving.quiet import quiet_position
from plyscope.solving.solve import has_distances, is_quickly_solved, solve

__all__ = ["Puzzle", "puzzles"]

SHALLOWEST = {"win": 3, "draw": 4}
"""Plies to be seen by a puzzle worth the name: a win in one, and a block, are none."""
OPINIONS = ("open-lines", "weighted-lines", "counted-lines", "diagonal-lines")
"""The heuristics that may be fooled."""
TRIES = 2_000
"""Random positions in turn that are no new puzzle, before the search is given up."""


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A position and the one `move` that wins (`goal` is `win`), or that does not lose (`draw`).

    `depth` is how many plies have to be seen: to the end of the win, or of the slowest of the
    losses that the other moves lead to. `fooled` are the heuristics that choose another move when
    they look at each move's position alone.
    """

    position: Position
    goal: str
    move: str
    depth: int
    fooled: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the puzzle as JSON-ready data."""
        return by_name(self, game=self.position.game.name)


def puzzles(
    game: LineGame, seed: int = 0, progress: Callable[[int], None] | None = None
) -> Iterator[Puzzle]:
    """Yield puzzles of a game, no two of them mirror images, until hardly any are left. `progress`
    is called with the positions looked at.

    Raises OptionError for a game that no solver has values of at once.
    """
    if not has_distances(game):
        raise OptionError(
            f"puzzles of '{game.name}', which no solver has values of at once; expected gravity, or at most 16 cells"
        )
    random, seen = Random(seed), set()
    looked = since = 0
    while since < TRIES:
        position = quiet_position(game, random)
        looked, since = looked + 1, since + 1
        if progress is not None:
            progress(looked)
        if not is_quickly_solved(position) or canonical(position) in seen:
            continue
        seen.add(canonical(position))
        puzzle = _puzzle(position)
        if puzzle is not None:
            since = 0
            yield puzzle


def _puzzle(position: Position) -> Puzzle | None:
    verdict = solve(position)
    keeping = [item for item in verdict.moves or () if item.value == verdict.value]
    if len(keeping) != 1 or verdict.value == -1 or len(position.moves) < 2:
        return None
    (answer,) = keeping
    goal = "win" if verdict.value else "draw"
    others = [item.distance or 0 for item in verdict.moves or () if item is not answer]
    depth = (answer.distance or 0) if goal == "win" else max(others)
    if depth < SHALLOWEST[goal]:
        return None
    fooled = [
        name
        for name in OPINIONS
        if answer.move
        not in search(
            position, "alphabeta", name, depth=1, scoring="result", root="open"
        ).best_moves
    ]
    return Puzzle(position=position, goal=goal, move=answer.text, depth=depth, fooled=tuple(fooled))
