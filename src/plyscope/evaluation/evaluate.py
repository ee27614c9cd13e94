"""`evaluate` and `explain`: the static evaluation of one position, without search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from plyscope.catalogue import checks_keywords
from plyscope.evaluation.heuristic import Explanation, Heuristic, HeuristicLike
from plyscope.evaluation.heuristics import find_heuristic, in_units
from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.notes import notes_on
from plyscope.extras import load
from plyscope.rules.game import Game, GameLike, PositionLike, parse_side, state_of
from plyscope.rules.position import Position
from plyscope.rules.source import as_position
from plyscope.rules.tree import value_in

if TYPE_CHECKING:
    from plyscope_fast.evaluation.features import Whole


def evaluate_many(
    tables: Sequence[LineTable], positions: Sequence[Position], sides: Sequence[int]
) -> Whole:
    """Return the evaluations of positions of one game by NumPy, as an array [position, table].

    `sides` are the sides evaluated for; values are not clamped. Raises MissingPackageError.
    """
    module = load("plyscope_fast.evaluation.features", "the evaluation of many positions", "fast")
    return cast("Whole", module.evaluations(tables, positions, sides))


@checks_keywords
def evaluate(
    position: PositionLike,
    heuristic: HeuristicLike | None = None,
    side: str | int | None = None,
    game: GameLike | str | None = None,
) -> int:
    """Return the evaluation of a position by a heuristic, without search.

        position    a position, its text, a tree, or with `game` a state of it
        heuristic   a name, a table, a file, `file.py:name` or a function; by default the game's
                    usual one
        side        `x`, `o`, FIRST or SECOND: whose view; by default the side to move
        game        the game, if `position` is a state or a text that does not name it

    Raises HeuristicError for a function that raises or returns no whole number in range,
    UnknownNameError for an unknown name, and what `parse` raises.

    >>> evaluate("X../.O./..X", "open-lines", side="o")
    -1
    """
    chosen, found, seen_by = _resolved(position, heuristic, side, game)
    value: Any = value_in(found.game, chosen.evaluate(state_of(found), seen_by))
    return value  # type: ignore[no-any-return]  # exact in a tree of fractions


@checks_keywords
def explain(
    position: PositionLike,
    heuristic: HeuristicLike | None = None,
    side: str | int | None = None,
    game: GameLike | str | None = None,
) -> Explanation:
    """Return the evaluation that `evaluate` returns, with the share of each line and each term.

    The arguments and errors are those of `evaluate`. The result's `notes` name entries of a table
    that have no effect on this game.

    >>> [share.cells for share in explain("X../.../...", "open-lines").lines if share.value]
    [('a3', 'b3', 'c3'), ('a3', 'a2', 'a1'), ('a3', 'b2', 'c1')]
    """
    chosen, found, seen_by = _resolved(position, heuristic, side, game)
    explanation = chosen.explain(state_of(found), seen_by)
    total: Any = value_in(found.game, explanation.total)
    return replace(explanation, total=total, position=found, notes=notes_on(chosen, found.game))


def _resolved(
    source: Any,
    heuristic: HeuristicLike | None,
    side: str | int | None,
    game: GameLike | str | None,
) -> tuple[Heuristic, Any, int]:
    """Return the heuristic, the position and the side of the arguments."""
    position = as_position(source, game)
    seen_by = position.side if side is None else parse_side(side)
    found = find_heuristic(heuristic, position.game)
    return in_units(found, position.game), position, seen_by


def evaluate_moves(
    game: Game, position: Any, heuristic: Heuristic, side: int, moves: Iterable[Any]
) -> dict[Any, int]:
    """Return the evaluation after each move, in the view of `side`.

    A line table evaluates all moves together.
    """
    at_once = getattr(heuristic, "evaluate_moves", None)
    if at_once is not None and isinstance(position, Position) and not position.is_over:
        evaluations: dict[Any, int] = at_once(position, side)
        return evaluations
    return {move: heuristic.evaluate(game.play(position, move), side) for move in moves}
