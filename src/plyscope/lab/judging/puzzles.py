"""Puzzles: positions in which, proved by a solver, only one move wins or only one does not lose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import Any

from plyscope.errors import OptionError
from plyscope.extras import lacking_for_kernels, needs
from plyscope.jsonable import by_name
from plyscope.lab.judging.search_one import search_one
from plyscope.progress import Count
from plyscope.rules.linegame import LineGame
from plyscope.rules.notation import parse
from plyscope.rules.position import Position
from plyscope.rules.symmetry import canonical
from plyscope.solving.known import proof_of
from plyscope.solving.quiet import has_quiet_games, quiet_position
from plyscope.solving.solvers import plan_of

MIN_PLIES = {"win": 3, "draw": 4}
"""The least depth of a puzzle, by goal; it excludes immediate wins and simple blocks."""
MIN_MOVES = 4
"""The fewest legal moves of a puzzle."""
HEURISTICS = ("open-lines", "weighted-lines", "counted-lines", "diagonal-lines")
"""The heuristics tested on a puzzle."""
MAX_DRAWS = 2_000
"""The search ends after this number of consecutive random positions without a new puzzle."""
DAILY = "daily.txt"
"""One position for each day of a year: the first `puzzles` of Connect Four with seed 2026 and at
least 5 moves that win in 5 to 15 plies and fool a heuristic."""


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A position in which only one move reaches the goal."""

    position: Position
    goal: str
    """`win`, or `draw` if all other moves lose."""
    move: str
    depth: int
    """The plies to the end of the win; in a puzzle to draw, to the slowest loss after another
    move."""
    fooled: tuple[str, ...]
    """The heuristics that prefer another move in a search of one ply."""

    def as_dict(self) -> dict[str, Any]:
        """Return the puzzle as JSON-ready data."""
        return by_name(self, game=self.position.game.name)


def puzzles(
    game: LineGame,
    seed: int = 0,
    progress: Count | None = None,
    least_moves: int = MIN_MOVES,
) -> Iterator[Puzzle]:
    """Yield puzzles of a game, no two symmetric, until hardly any are left.

    Each has at least `least_moves` legal moves, and is not the empty board. `progress` is called
    with the number of positions tried. Raises OptionError for a game without a fast solver.
    """
    plan = plan_of(game)
    if not (plan.has_distances and has_quiet_games(game)):
        raise OptionError(
            f"no puzzles of '{game.name}', since no solver is quick for it;"
            " expected gravity, or at most 16 cells"
        )
    random, seen = Random(seed), set[Position]()
    tried = since = 0
    while since < MAX_DRAWS:
        position = quiet_position(game, random)
        tried, since = tried + 1, since + 1
        if progress is not None:
            progress(tried)
        is_empty = position == game.start()
        if is_empty or not plan.is_quick(position) or canonical(position) in seen:
            continue
        seen.add(canonical(position))
        puzzle = puzzle_in(position, least_moves)
        if puzzle is not None:
            since = 0
            yield puzzle


def daily_puzzle(day: str, group: str = "") -> Puzzle:
    """Return the puzzle of a day such as `2026-11-24`, the same for everybody, proved now.

    A `group`, such as a class, has a puzzle of its own: one of the year's others. Raises
    OptionError for a text that is no day.
    """
    try:
        number = date.fromisoformat(day).toordinal()
    except ValueError:
        raise OptionError(f"date {day[:40]!r}; expected a day such as '2026-11-24'") from None
    number += int.from_bytes(sha256(group.encode()).digest()[:8], "big") if group else 0
    listed = files("plyscope.lab.judging").joinpath(DAILY).read_text(encoding="utf-8").split()
    found = puzzle_in(parse(listed[number % len(listed)]))
    if found is None:
        if (lacking := lacking_for_kernels())[0]:
            raise needs(f"the puzzle of {day}", *lacking)
        raise OptionError(f"the puzzle of {day} could not be proved in time; try again")
    return found


def puzzle_in(position: Position, least_moves: int = 2) -> Puzzle | None:
    """Return the puzzle that a position is, or None if it is not one.

    It is not one if several moves or no move reach the goal, or if a short solver call does not
    find the value of every move."""
    if len(position.moves) < max(2, least_moves):
        return None
    verdict = proof_of(position)
    if verdict is None or verdict.moves is None or verdict.value == -1:
        return None
    keeping = [item for item in verdict.moves if item.value == verdict.value]
    if len(keeping) != 1:
        return None
    (answer,) = keeping
    goal = "win" if verdict.value else "draw"
    others = [item.distance or 0 for item in verdict.moves if item is not answer]
    depth = (answer.distance or 0) if goal == "win" else max(others)
    if depth < MIN_PLIES[goal]:
        return None
    played = {name: search_one(position, name, 1, root="open").best_moves for name in HEURISTICS}
    fooled = tuple(name for name, moves in played.items() if answer.move not in moves)
    return Puzzle(position=position, goal=goal, move=answer.text, depth=depth, fooled=fooled)
