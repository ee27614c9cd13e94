"""Reviews of moves that were played: what each gave away, what was better, and how it is answered.

A solver says so where it knows the position in time; elsewhere a search does, and its word is an
opinion. Games of one's own are reviewed likewise, small ones by the solver of any game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plyscope.rules.game import move_text, position_after, result_for, state_of
from plyscope.rules.position import Position
from plyscope.searching.conventions import Scoring
from plyscope.searching.search import search
from plyscope.solving.solve import solve

SECONDS = 1.0
"""For a move."""
LONGEST_LINE = 8
"""Plies of an answer."""
LEAST_GIVEN = 25.0
"""What a search has to see given away, in points of the heuristic, before it is worth a word."""


@dataclass(frozen=True, kw_only=True)
class MoveReview:
    """What a move was worth to the side that made it."""

    ply: int
    """Its number in the game, from 0."""
    position: Any
    """That it was made in."""
    move: str
    better: tuple[str, ...]
    """The moves that would have kept what it gave away; () where it gave nothing."""
    is_proved: bool
    """Whether a solver says so."""
    before: float
    """The value of the position: 1 won, 0 drawn, −1 lost; of a search its score."""
    after: float
    """The same with the move."""
    plies: int | None
    """Plies to the end after a better move, where a solver knows."""
    line: tuple[str, ...]
    """What answers the move, best play of both sides; () where it gave nothing away."""

    @property
    def gives_away(self) -> bool:
        """Whether another move was better."""
        return bool(self.better)


def review(
    start: Any, moves: Sequence[Any], seconds: float = SECONDS, sides: Sequence[int] = (0, 1)
) -> Iterator[MoveReview]:
    """Yield the review of each move of a game that one of `sides` made, within `seconds` each."""
    position = start
    for ply, move in enumerate(moves):
        if position.side in sides:
            yield review_move(position, move, seconds, ply)
        position = position_after(position, move)


def review_move(position: Any, move: Any, seconds: float = SECONDS, ply: int = 0) -> MoveReview:
    """Return the review of one move, within `seconds` as far as a solver and a search can."""
    proved = _by_solver(position, move, seconds)
    name = move_text(position, move)
    answer: tuple[str, ...] = ()
    if proved is not None:
        better, before, after, plies = proved
        if better:
            answer = _solved_line(position_after(position, move), seconds)
    else:
        better, before, after, answer = _by_search(position, move, seconds)
        plies = None
    return MoveReview(
        ply=ply,
        position=position,
        move=name,
        better=better,
        is_proved=proved is not None,
        before=before,
        after=after,
        plies=plies,
        line=answer,
    )


Proved = tuple[tuple[str, ...], float, float, int | None]


def _by_solver(position: Any, move: Any, seconds: float) -> Proved | None:
    """Return better moves, both values and the plies, None where no solver knows in time."""
    verdict = solve(position, seconds=seconds)
    if verdict.value is None:
        return None
    is_scored = verdict.score is not None and position.game.scored
    before = verdict.score if is_scored else verdict.value
    name = move_text(position, move)
    if verdict.moves is not None:
        of_moves = {item.text: item.score if is_scored else item.value for item in verdict.moves}
    else:  # no time was left for every move
        after = position_after(position, move)
        told = solve(after, seconds=seconds, with_moves=False)
        if told.value is None:
            return None
        value = told.score if is_scored else told.value
        of_moves = {move_text(position, best): before for best in verdict.best_moves}
        of_moves[name] = value if after.side == position.side or value is None else -value
    own = of_moves[name]
    if before is None or own is None:
        return None
    if own == before:
        return (), before, own, None
    better = tuple(text for text, value in of_moves.items() if value == before)
    # a solver that was stopped may know what was given away, and not by which move it was kept
    return (better, before, own, verdict.distance) if better else None


def _solved_line(position: Any, seconds: float) -> tuple[str, ...]:
    """Return best play of both sides from here on, as far as a solver tells it in time."""
    line: list[str] = []
    while not position.is_over and len(line) < LONGEST_LINE:
        best = (
            solve(position, seconds=seconds, with_moves=False).best_moves
            or solve(position, seconds=seconds).best_moves
        )
        if not best:
            break
        line.append(move_text(position, best[0]))
        position = position_after(position, best[0])
    return tuple(line)


def _by_search(
    position: Any, move: Any, seconds: float
) -> tuple[tuple[str, ...], float, float, tuple[str, ...]]:
    """Return the move that a search finds better, both scores, and the answer it sees."""
    algorithm = "engine" if isinstance(position, Position) else "iterative-deepening"
    scoring: Scoring = "result" if position.game.scored else "distance"
    options: dict[str, Any] = {"seconds": seconds / 2}
    if algorithm != "engine":
        options["scoring"] = scoring
    best = search(position, algorithm, **options)
    if move in best.best_moves or not best.pv:
        return (), best.value, best.value, ()
    after = position_after(position, move)
    if after.is_over:
        result = result_for(position.side, position.game, state_of(after))
        return (), best.value, float(result or 0), ()
    answered = search(after, algorithm, **options)
    value = answered.value if after.side == position.side else -answered.value
    if best.value - value < LEAST_GIVEN:
        return (), best.value, value, ()
    line, here = [], after
    for step in answered.pv[:LONGEST_LINE]:
        line.append(move_text(here, step))
        here = position_after(here, step)
    return (move_text(position, best.pv[0]),), best.value, value, tuple(line)
