"""Reviews of moves that were played: what each gave away, what was better, and how it is answered.

A solver says so where it knows the position in time; elsewhere a search does, and its word is an
opinion. Games of one's own are reviewed likewise, small ones by the solver of any game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from plyscope.rules.game import move_text, position_after, result_for, state_of
from plyscope.rules.position import Position
from plyscope.searching.conventions import Scoring
from plyscope.searching.result import SearchResult, line_text
from plyscope.searching.score import MAX_EVALUATION, WIN
from plyscope.searching.search import search
from plyscope.solving.book import BOOK
from plyscope.solving.solve import solve
from plyscope.solving.solvers import plan_of
from plyscope.solving.verdict import Verdict

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
    after = position_after(position, move)
    found = _by_solver(
        solve(position, seconds=seconds),
        move,
        lambda: solve(after, seconds=seconds, with_moves=False).value,
        seconds,
    ) or _by_search(
        search_within(position, seconds / 2), move, lambda: search_within(after, seconds / 2)
    )
    return _review(ply, position, move, found)


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """What a position of a game is worth: by a solver where one knows soon, else by a search."""

    position: Any
    verdict: Verdict | None = None
    """None where no solver knew in time, or the game is over."""
    result: SearchResult | None = None
    """None where a solver knew, or the game is over."""
    review: MoveReview | None = None
    """Of the move that led here; None at the start, and where the two positions were not judged
    alike: one by a solver that does not know its moves, the other by a search."""

    @property
    def is_proved(self) -> bool:
        """Whether what the position is worth is sure."""
        result = self.result
        return result is None or result.complete or abs(result.value) > MAX_EVALUATION


def review_game(
    start: Position, moves: Sequence[int], seconds: float, proof_seconds: float
) -> Iterator[Assessment]:
    """Yield what each position of a game is worth, and the review of the move that led there.

    Each position is asked about once: of a solver, within `proof_seconds`, where one knows soon as
    a rule, else of the engine, within `seconds`.
    """
    before = _assess(start, seconds, proof_seconds)
    yield before
    for ply, move in enumerate(moves):
        after = _assess(position_after(before.position, move), seconds, proof_seconds)
        found = _compared(before, move, after, seconds)
        review = None if found is None else _review(ply, before.position, move, found)
        before = replace(after, review=review)
        yield before


def _assess(position: Position, seconds: float, proof_seconds: float) -> Assessment:
    if position.is_over:
        return Assessment(position=position)
    if is_soon_solved(position):
        verdict = solve(position, seconds=proof_seconds)
        if verdict.value is not None:
            return Assessment(position=position, verdict=verdict)
    return Assessment(position=position, result=search_within(position, seconds))


def is_soon_solved(position: Position) -> bool:
    """Whether a solver knows a position within a second or so, as a rule."""
    return plan_of(position.game).is_quick(position) or BOOK.plays(position)


class _Found(NamedTuple):
    """What was found of a move; the fields are those of `MoveReview`."""

    better: tuple[str, ...]
    is_proved: bool
    before: float
    after: float
    plies: int | None = None
    line: tuple[str, ...] = ()


def _review(ply: int, position: Any, move: Any, found: _Found) -> MoveReview:
    name = move_text(position, move)
    return MoveReview(ply=ply, position=position, move=name, **found._asdict())


def _compared(before: Assessment, move: int, after: Assessment, seconds: float) -> _Found | None:
    """Return what a move was by what its two positions are worth."""
    if before.verdict is not None:
        value = None if after.verdict is None else after.verdict.value
        return _by_solver(before.verdict, move, lambda: value, seconds)
    if before.result is None or (after.result is None and not after.position.is_over):
        return None
    return _by_search(before.result, move, lambda: after.result)


def _by_solver(
    verdict: Verdict, move: Any, value_after: Callable[[], int | None], seconds: float
) -> _Found | None:
    """Return what a solver knows of a move, None where it does not know in time."""
    position = verdict.position
    if verdict.value is None:
        return None
    is_scored = verdict.score is not None and position.game.scored
    before = verdict.score if is_scored else verdict.value
    name, after = move_text(position, move), position_after(position, move)
    if verdict.moves is not None:
        of_moves = {item.text: item.score if is_scored else item.value for item in verdict.moves}
    else:  # no time was left for every move
        value = value_after()
        if value is None:
            return None
        of_moves = {move_text(position, best): before for best in verdict.best_moves}
        of_moves[name] = value if after.side == position.side else -value
    own = of_moves[name]
    if before is None or own is None:
        return None
    if own == before:
        return _Found((), True, before, own)
    better = tuple(text for text, value in of_moves.items() if value == before)
    if not better:  # it was stopped, and may know what was given away, and not how it was kept
        return None
    return _Found(better, True, before, own, verdict.distance, solved_line(after, seconds))


def _at_the_end(position: Any, after: Any) -> int:
    """Return the score of a move that ends the game, as a search of `position` would say it."""
    if position.game.scored:
        payoff = int(position.game.payoff(state_of(after)))
        return -payoff if position.side else payoff
    return (WIN - 1) * (result_for(position.side, position.game, state_of(after)) or 0)


def solved_line(position: Any, seconds: float) -> tuple[str, ...]:
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


def search_within(position: Any, seconds: float, keep_interrupted: bool = False) -> SearchResult:
    """Return what the engine finds in time; of a game of one's own, and where a turn is several
    stones, iterative deepening."""
    limits: dict[str, Any] = {"seconds": seconds, "keep_interrupted": keep_interrupted}
    if isinstance(position, Position) and position.game.alternates:
        return search(position, "engine", **limits)
    scoring: Scoring = "result" if position.game.scored else "distance"
    return search(position, "iterative-deepening", scoring=scoring, **limits)


def value_with_move(position: Any, answered: SearchResult) -> float:
    """Return the value to the side to move in `position` of the move whose position was searched:
    an end is a ply further away than seen from there."""
    value = answered.value if answered.position.side == position.side else -answered.value
    if abs(value) <= MAX_EVALUATION:
        return value
    return value - 1 if value > 0 else value + 1


def _by_search(
    best: SearchResult, move: Any, search_after: Callable[[], SearchResult | None]
) -> _Found:
    """Return what a search of the position, and one after the move, say of it."""
    position = best.position
    if move in best.best_moves or not best.pv:
        return _Found((), False, best.value, best.value)
    after = position_after(position, move)
    answered = None if after.is_over else search_after()
    if answered is None:
        value: float = _at_the_end(position, after)
    else:
        value = value_with_move(position, answered)
    is_exact = best.complete and (answered is None or answered.complete)
    if best.value - value < (1 if position.game.scored and is_exact else LEAST_GIVEN):
        return _Found((), False, best.value, value)
    line = () if answered is None else line_text(after, answered.pv[:LONGEST_LINE])
    better = (move_text(position, best.pv[0]),)
    return _Found(better, False, best.value, value, line=tuple(line))
