"""Reviews of moves that were played: what each gave away, what was better, and how it is answered.

A solver says so where it proves both positions, before the move and after it; elsewhere a search
does, and its word is an opinion. Solver and search are limited by nodes, so that a review says the
same again, on a busy machine too. Games of one's own are reviewed likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from plyscope.rules.game import move_text, position_after, state_of
from plyscope.rules.position import Position
from plyscope.searching.conventions import Scoring
from plyscope.searching.result import SearchResult, line_text
from plyscope.searching.score import MAX_EVALUATION
from plyscope.searching.search import search
from plyscope.solving.known import NOTHING, Proofs, proof_of, value_after
from plyscope.solving.verdict import Verdict

MAX_LINE_PLIES = 8
"""Plies of an answer."""
MIN_LOSS_POINTS = 25.0
"""What a search has to see given away, in points of the heuristic, before it is worth a word."""
Look = Callable[[Any], SearchResult]
"""A search of a position."""
ENGINE_NODES, OWN_NODES = 50_000, 5_000
"""Nodes of the search of a position that no solver knows: of the engine, and of iterative
deepening, which searches games of one's own."""


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
    """Whether that is proved, with the values before and after the move."""
    before: float | None
    """The value of the position: 1 won, 0 drawn, −1 lost; of a search its score. None where neither
    is known."""
    after: float | None
    """The same with the move."""
    plies: int | None
    """Plies to the end with the quickest of the better moves, where a solver knows."""
    line: tuple[str, ...]
    """What answers the move, best play of both sides; () where it gave nothing away."""
    quickest: tuple[str, ...] = ()
    """The better moves that end the game in `plies`, where that is known."""
    plies_after: int | None = None
    """Plies to the end with the move itself, where a solver knows."""
    half: Literal["before", "after"] | None = None
    """Which of the two values alone is proved; None where both are, or neither."""

    @property
    def gives_away(self) -> bool:
        """Whether another move was better."""
        return bool(self.better)


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """What a position of a game is worth: by a proof where there is one, else by a search."""

    position: Any
    verdict: Verdict | None = None
    """None where nothing is proved."""
    result: SearchResult | None = None
    """None where something is proved."""
    review: MoveReview | None = None
    """Of the move that led here, None at the start."""

    @property
    def is_proved(self) -> bool:
        """Whether what the position is worth is sure."""
        return self.verdict is not None


def review(start: Any, moves: Sequence[Any], proofs: Proofs = NOTHING) -> tuple[MoveReview, ...]:
    """Return the reviews of the moves of a game, as `review_game` has them in the end."""
    *_, game = review_game(start, moves, proofs)
    return tuple(at.review for at in game if at.review is not None)


def review_move(position: Any, move: Any, ply: int = 0, proofs: Proofs = NOTHING) -> MoveReview:
    """Return the review of one move."""
    before, after = assess_move(position, move, proofs)
    return review_step(ply, before, after, move, proofs)


def review_game(
    start: Any, moves: Sequence[Any], proofs: Proofs = NOTHING, effort: float = 1.0
) -> Iterator[tuple[Assessment, ...]]:
    """Yield what the positions of a game are worth, with the reviews of its moves, one position
    more each time; in the end all again, with what the later ones prove of earlier ones.

    Of each position `proofs` are asked, a short question to the solvers, and where these prove
    nothing a search. `effort` is how many times their usual nodes both may visit.
    """

    def look(position: Any) -> SearchResult:
        return search_briefly(position, effort)

    game = [assess(start, proofs, look, effort)]
    yield tuple(game)
    for ply, move in enumerate(moves):
        before = game[-1]
        after = assess(position_after(before.position, move), proofs, look, effort, (before, move))
        before, after = _inferred(before, move, after)
        found = review_step(ply, before, after, move, proofs)
        game[-1:] = replace(before, review=game[-1].review), replace(after, review=found)
        yield tuple(game)
    for ply in reversed(range(len(moves))):
        game[ply : ply + 2] = _inferred(game[ply], moves[ply], game[ply + 1])
    for ply, move in enumerate(moves):
        found = review_step(ply, game[ply], game[ply + 1], move, proofs)
        game[ply + 1] = replace(game[ply + 1], review=found)
    yield tuple(game)


def assess_move(
    position: Any, move: Any, proofs: Proofs = NOTHING, look: Look | None = None
) -> tuple[Assessment, Assessment]:
    """Return what a position is worth, and the one after a move, as far as each proves the
    other."""
    before = assess(position, proofs, look)
    after = assess(position_after(position, move), proofs, look, 1.0, (before, move))
    return _inferred(before, move, after)


def assess(
    position: Any,
    proofs: Proofs = NOTHING,
    look: Look | None = None,
    effort: float = 1.0,
    led_here: tuple[Assessment, Any] | None = None,
) -> Assessment:
    """Return what a position is worth: by `proofs`, a short question to the solvers of so much
    `effort`, or the position before it and the move that led here, else by a search, `look`."""
    here = Assessment(position=position, verdict=proof_of(position, proofs, effort))
    if led_here is not None and here.verdict is None:
        here = _inferred(*led_here, here)[1]
    if here.verdict is not None:
        return here
    result = (look or search_briefly)(position)
    verdict = verdict_of_search(result)
    return replace(here, verdict=verdict, result=None if verdict is not None else result)


def _inferred(before: Assessment, move: Any, after: Assessment) -> tuple[Assessment, Assessment]:
    """Return two positions with what the proof of either proves of the other."""
    known, known_after = before.verdict, after.verdict
    if before.position.game.scored:
        return before, after
    if known is not None and known_after is None:
        value = value_after(known, move)
        if value is not None:
            verdict = Verdict(
                position=after.position,
                value=_turned(value, before, after),
                distance=_distance_after(known, move),
                method=known.method,
                proof=known.proof,
            )
            after = replace(after, verdict=verdict, result=None)
    elif known is None and known_after is not None and _value_of_move(before, after) == 1:
        verdict = Verdict(
            position=before.position,
            value=1,
            best_moves=(move,),
            method=known_after.method,
            proof=known_after.proof,
        )
        before = replace(before, verdict=verdict, result=None)
    return before, after


def _distance_after(verdict: Verdict, move: Any) -> int | None:
    """Return the plies to the end after a move, where a verdict has them."""
    distances = [item.distance for item in verdict.moves or () if item.move == move]
    return next((each - 1 for each in distances if each is not None), None)


def verdict_of_search(result: SearchResult) -> Verdict | None:
    """Return what a search has proved, None where it has not: a win, or a game searched to its end.

    Its wins may come sooner than it has seen, so the verdict has no distance.
    """
    position, value = result.position, result.value
    is_won = abs(value) > MAX_EVALUATION and not position.game.scored
    is_result = result.conventions.scoring != "heuristic"
    if not (is_won or (result.complete and is_result)):
        return None
    return Verdict(
        position=position,
        value=(value > 0) - (value < 0),
        score=round(value) if position.game.scored else None,
        best_moves=result.best_moves,
        method="search",
        proof=f"{result.algorithm}, {result.depth} plies deep, in which no line that counts"
        " ended at the horizon",
    )


def review_step(
    ply: int, before: Assessment, after: Assessment, move: Any, proofs: Proofs
) -> MoveReview:
    """Return the review of the move between two positions, which were assessed together."""
    position = before.position
    common: dict[str, Any] = {
        "ply": ply,
        "position": position,
        "move": move_text(position, move),
    }
    if after.verdict is not None and after.verdict.value and after.verdict.distance is not None:
        common["plies_after"] = after.verdict.distance + 1
    nothing: dict[str, Any] = {"better": (), "is_proved": False, "plies": None, "line": ()}
    value, own, best = _value(before), _value_of_move(before, after), before.verdict
    if value is None and before.result is not None:
        if own is not None:
            return MoveReview(**common | nothing | _half_by_search(before.result, own))
        if after.result is not None:
            return MoveReview(**common | _by_search(before.result, move, after.result))
    if value is not None and value == own:
        return MoveReview(**common | nothing | {"is_proved": True}, before=value, after=own)
    better = _keeping(best, value)
    if own is None or not better:  # or which moves keep the value was not found
        return MoveReview(**common, **nothing, before=value, after=None, half="before")
    return MoveReview(
        **common,
        better=better,
        is_proved=True,
        before=value,
        after=own,
        plies=None if best is None else best.distance,
        quickest=() if best is None or best.distance is None else _names(best),
        line=tuple(line_text(after.position, solved_line(after.position, proofs))),
    )


def _turned(value: int, one: Assessment, other: Assessment) -> int:
    """Return the value to the side to move in `one` as that to the side to move in `other`."""
    return value if one.position.side == other.position.side else -value


def _value(here: Assessment) -> int | None:
    """Return what is proved of a position; of a scored game its score."""
    verdict = here.verdict
    if verdict is None:
        return None
    return _score(here) if here.position.game.scored else verdict.value


def _score(here: Assessment) -> int | None:
    position, verdict = here.position, here.verdict
    if position.is_over:
        payoff = int(position.game.payoff(state_of(position)))
        return -payoff if position.side else payoff
    return None if verdict is None else verdict.score


def _value_of_move(before: Assessment, after: Assessment) -> int | None:
    """Return what is proved of the move between two positions, to the side that made it."""
    value = _value(after)
    return None if value is None else _turned(value, after, before)


def _keeping(verdict: Verdict | None, value: int | None) -> tuple[str, ...]:
    """Return the moves that are proved to keep the value of a position."""
    if verdict is None:
        return ()
    is_scored = verdict.position.game.scored
    if verdict.moves:
        return tuple(
            item.text
            for item in verdict.moves
            if (item.score if is_scored else item.value) == value
        )
    return _names(verdict)


def _names(verdict: Verdict) -> tuple[str, ...]:
    return tuple(move_text(verdict.position, move) for move in verdict.best_moves)


def solved_line(
    position: Any, proofs: Proofs = NOTHING, most: int = MAX_LINE_PLIES
) -> tuple[Any, ...]:
    """Return best play of both sides from here on, as far as it is proved."""
    line: list[Any] = []
    while not position.is_over and len(line) < most:
        verdict = proof_of(position, proofs)
        if verdict is None or not verdict.best_moves:
            break
        line.append(verdict.best_moves[0])
        position = position_after(position, verdict.best_moves[0])
    return tuple(line)


def search_within(position: Any, seconds: float, keep_interrupted: bool = False) -> SearchResult:
    """Return what the engine finds in time; of a game of one's own, and where a turn is several
    stones, iterative deepening."""
    return _search(position, seconds=seconds, keep_interrupted=keep_interrupted)


def search_briefly(position: Any, effort: float = 1.0) -> SearchResult:
    """Return what the same finds in `effort` times the nodes of a review."""
    nodes = ENGINE_NODES if _has_engine(position) else OWN_NODES
    return _search(position, nodes=max(1, int(effort * nodes)))


def _search(position: Any, **limits: Any) -> SearchResult:
    if _has_engine(position):
        return search(position, "engine", **limits)
    scoring: Scoring = "result" if position.game.scored else "distance"
    return search(position, "iterative-deepening", scoring=scoring, **limits)


def _has_engine(position: Any) -> bool:
    return isinstance(position, Position) and position.game.alternates


def value_with_move(position: Any, answered: SearchResult) -> float:
    """Return the value to the side to move in `position` of the move whose position was searched:
    an end is a ply further away than seen from there."""
    value = answered.value if answered.position.side == position.side else -answered.value
    if abs(value) <= MAX_EVALUATION:
        return value
    return value - 1 if value > 0 else value + 1


def _by_search(best: SearchResult, move: Any, answered: SearchResult) -> dict[str, Any]:
    """Return what a search of the position, and one after the move, say of it."""
    position, value = best.position, value_with_move(best.position, answered)
    found = {"is_proved": False, "before": best.value, "after": value, "plies": None}
    if move in best.best_moves or not best.pv or best.value - value < MIN_LOSS_POINTS:
        return {**found, "better": (), "line": ()}
    line = tuple(line_text(answered.position, answered.pv[:MAX_LINE_PLIES]))
    return {**found, "better": (move_text(position, best.pv[0]),), "line": line}


def _half_by_search(best: SearchResult, own: int) -> dict[str, Any]:
    """Return what a search of the position says beside a move that is proved to draw or to lose."""
    is_worse = best.value >= MIN_LOSS_POINTS if own == 0 else best.value > -MIN_LOSS_POINTS
    better = (move_text(best.position, best.pv[0]),) if is_worse and best.pv else ()
    return {"before": best.value, "after": own, "half": "after", "better": better}
