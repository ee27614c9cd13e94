"""Reviews of played moves: the loss of each move, the better moves, and the best reply.

The loss is proved if a solver proves the positions before and after the move. Otherwise it is the
estimate of a search, and the review of a game calls no move worse than another. Solver and search
are limited by nodes, so a review is reproducible even on a busy machine; a time limit only decides
how many moves are judged. User-defined games are reviewed in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Literal

from plyscope.errors import OptionError
from plyscope.rules.game import move_text, position_after, state_of
from plyscope.searching.conventions import Scoring
from plyscope.searching.engine import has_engine
from plyscope.searching.result import SearchResult, line_text
from plyscope.searching.score import MAX_EVALUATION
from plyscope.searching.search import search
from plyscope.solving.known import NOTHING, Proofs, proof_of, value_after
from plyscope.solving.solve import solve
from plyscope.solving.verdict import Verdict

MAX_LINE_PLIES = 8
"""Plies shown of the reply to a move."""
MIN_LOSS_POINTS = 25.0
"""The least loss that a search reports, in points of the heuristic."""
SearchFunction = Callable[[Any], SearchResult]
"""A search of a position."""
ENGINE_NODES, OWN_NODES = 50_000, 5_000
"""The node limit of a search if no solver proves a position: of the engine, and of iterative
deepening, which searches user-defined games."""


@dataclass(frozen=True, kw_only=True)
class MoveReview:
    """The review of a move, with values from the view of the side that played it."""

    ply: int
    """The move's number in the game, from 0."""
    position: Any
    """The position before the move."""
    move: str
    better: tuple[str, ...]
    """The better moves; () if the move lost nothing."""
    is_proved: bool
    """Whether the values before and after the move are proved."""
    before: float | None
    """The value of the position: 1 won, 0 drawn, −1 lost if proved, else a search score; None
    if neither is known."""
    after: float | None
    """The value of the move, in the same units."""
    plies: int | None
    """Plies to the end with the quickest best move, if a solver knows them."""
    line: tuple[str, ...]
    """The best reply and the play that follows; () if the move lost nothing."""
    quickest: tuple[str, ...] = ()
    """The best moves that end the game in `plies`, or that lose as late as that."""
    plies_after: int | None = None
    """Plies to the end with the played move, if a solver knows them."""
    half: Literal["before", "after"] | None = None
    """The one of the two values that is proved, if only one is; else None."""

    def __str__(self) -> str:
        better = f"; better: {', '.join(self.better)}" if self.better else ""
        sooner = f"; sooner: {', '.join(self.quickest)}" if self.is_slow_win else ""
        return f"move {self.ply + 1}, {self.move}{better}{sooner}"

    @property
    def is_blunder(self) -> bool:
        """Whether the move was a blunder: another move was better."""
        return bool(self.better)

    @property
    def is_slow_win(self) -> bool:
        """Whether the move keeps a proved win, and another one wins sooner."""
        is_kept = self.is_proved and not self.better and (self.after or 0) > 0
        return is_kept and None not in (own := self.plies_after, self.plies) and own != self.plies


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """The value of a position in a game: proved if possible, else estimated by a search."""

    position: Any
    verdict: Verdict | None = None
    """The proof; None if there is none."""
    result: SearchResult | None = None
    """The search; None if the value is proved."""
    review: MoveReview | None = None
    """The review of the move that led here, None at the start."""

    @property
    def is_proved(self) -> bool:
        """Whether the value is proved."""
        return self.verdict is not None


def review_move(position: Any, move: Any, ply: int = 0, proofs: Proofs = NOTHING) -> MoveReview:
    """Return the review of one move."""
    before, after = assess_move(position, move, proofs)
    return review_step(ply, before, after, move, proofs)


def review_game(
    start: Any,
    moves: Sequence[Any],
    proofs: Proofs = NOTHING,
    effort: float = 1.0,
    seconds: float = 0.0,
) -> Iterator[tuple[Assessment, ...]]:
    """Yield the list of assessments of a game's positions, one position longer each time.

    Each position is solved if possible, with the known `proofs`, else searched. `effort` multiplies
    the node limits of both. The next list includes proofs inferred from later positions. In up to
    `seconds` more, the moves that are not judged yet are proved from the end of the game, with a
    list after each proof. No move is called a blunder without a proof.
    """

    def search(position: Any) -> SearchResult:
        return search_briefly(position, effort)

    game = [assess(start, proofs, search, effort)]
    yield tuple(game)
    for ply, move in enumerate(moves):
        before = game[-1]
        after = assess(
            position_after(before.position, move), proofs, search, effort, (before, move)
        )
        before, after = _inferred(before, move, after)
        found = _without_doubt(review_step(ply, before, after, move, proofs))
        game[-1:] = replace(before, review=game[-1].review), replace(after, review=found)
        yield tuple(game)
    yield tuple(_judge_again(game, moves, proofs))
    deadline = perf_counter() + seconds
    for with_moves in (False, True):  # values take less time than those of all moves
        for at in reversed(range(len(game))):
            left = deadline - perf_counter()
            if left <= 0 or not _is_open(game, at, with_moves):
                continue
            verdict = _solved_in(game[at].position, left / 2 if at else left, with_moves)
            if verdict is not None:
                game[at] = replace(game[at], verdict=verdict, result=None)
                yield tuple(_judge_again(game, moves, proofs))


def _judge_again(game: list[Assessment], moves: Sequence[Any], proofs: Proofs) -> list[Assessment]:
    """Return `game`, modified in place: its proofs are used for the positions around them, and its
    moves are judged by them."""
    for ply in reversed(range(len(moves))):
        game[ply : ply + 2] = _inferred(game[ply], moves[ply], game[ply + 1])
    for ply, move in enumerate(moves):
        found = _without_doubt(review_step(ply, game[ply], game[ply + 1], move, proofs))
        game[ply + 1] = replace(game[ply + 1], review=found)
    return game


def _without_doubt(item: MoveReview) -> MoveReview:
    """Return a review that calls a move worse than another only if that is proved."""
    return item if item.is_proved else replace(item, better=(), line=())


def _is_open(game: list[Assessment], at: int, with_moves: bool) -> bool:
    """Return whether the proof of a position is missing, or with `with_moves` which of its moves
    are better than the one played."""
    if not with_moves or at + 1 == len(game):
        return game[at].verdict is None
    after = game[at + 1]
    is_judged = after.review is not None and after.review.is_proved
    return game[at].verdict is not None and after.verdict is not None and not is_judged


def _solved_in(position: Any, seconds: float, with_moves: bool) -> Verdict | None:
    """Return the proof of a position, None if there is none in time."""
    try:
        verdict = solve(position, seconds=seconds, with_moves=with_moves)
    except OptionError:  # no solver takes it
        return None
    return None if verdict.value is None else verdict


def assess_move(
    position: Any, move: Any, proofs: Proofs = NOTHING, search: SearchFunction | None = None
) -> tuple[Assessment, Assessment]:
    """Return the assessments of a position and of the one after a move.

    A proof of one is used for the other."""
    before = assess(position, proofs, search)
    after = assess(position_after(position, move), proofs, search, 1.0, (before, move))
    return _inferred(before, move, after)


def assess(
    position: Any,
    proofs: Proofs = NOTHING,
    search: SearchFunction | None = None,
    effort: float = 1.0,
    led_here: tuple[Assessment, Any] | None = None,
) -> Assessment:
    """Return the assessment of a position.

    A proof of the value may come from `proofs`, from a short solver call with `effort` times the
    usual nodes, or from `led_here`: the assessment of the previous position, and the move played
    there. Without a proof, the function `search` searches the position; the default is
    `search_briefly`.
    """
    here = Assessment(position=position, verdict=proof_of(position, proofs, effort))
    if led_here is not None and here.verdict is None:
        here = _inferred(*led_here, here)[1]
    if here.verdict is not None:
        return here
    result = (search or search_briefly)(position)
    verdict = verdict_of_search(result)
    return replace(here, verdict=verdict, result=None if verdict is not None else result)


def _inferred(before: Assessment, move: Any, after: Assessment) -> tuple[Assessment, Assessment]:
    """Return two successive positions, with proofs inferred from one to the other."""
    known, known_after = before.verdict, after.verdict
    if before.position.game.scored:
        return before, after
    if known is not None and known_after is None:
        value = value_after(known, move)
        if value is not None:
            distances = [item.distance for item in known.moves or () if item.move == move]
            verdict = Verdict(
                position=after.position,
                value=_turned(value, before, after),
                distance=next((each - 1 for each in distances if each is not None), None),
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


def verdict_of_search(result: SearchResult) -> Verdict | None:
    """Return the verdict that a search result proves: a win, or the value of a game that was
    searched to the end; None otherwise.

    The search may miss a quicker win, so the verdict has no distance.
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
        proof=f"{result.algorithm}, {result.depth} plies deep: every line that affects the value"
        " reaches the end of the game",
    )


def review_step(
    ply: int, before: Assessment, after: Assessment, move: Any, proofs: Proofs
) -> MoveReview:
    """Return the review of the move between two positions that were assessed together."""
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
    quickest: dict[str, Any] = {}
    if best is not None and best.distance is not None and best.best_moves:
        quickest = {"plies": best.distance, "quickest": _names(best)}
    if value is not None and value == own:
        kept = nothing | {"is_proved": True} | quickest
        return MoveReview(**common | kept, before=value, after=own)
    better = _keeping(best, value)
    if own is None or not better:  # or which moves keep the value was not found
        return MoveReview(**common, **nothing, before=value, after=None, half="before")
    return MoveReview(
        **common,
        better=better,
        is_proved=True,
        before=value,
        after=own,
        line=tuple(line_text(after.position, solved_line(after.position, proofs))),
        **{"plies": None} | quickest,
    )


def _turned(value: int, one: Assessment, other: Assessment) -> int:
    """Return a value in the view of the side to move in `other`; it is given in the view of the
    side to move in `one`."""
    return value if one.position.side == other.position.side else -value


def _value(here: Assessment) -> int | None:
    """Return the proved value of a position; in a game with payoffs, its payoff."""
    verdict = here.verdict
    if verdict is None:
        return None
    return _score(here) if here.position.game.scored else verdict.value


def _score(here: Assessment) -> int | None:
    position, verdict = here.position, here.verdict
    if position.is_over:
        payoff = int(position.game.payoff(state_of(position)))
        return -payoff if position.side else payoff
    return None if verdict is None or verdict.score is None else int(verdict.score)


def _value_of_move(before: Assessment, after: Assessment) -> int | None:
    """Return the proved value of the move between two positions, for its mover."""
    value = _value(after)
    return None if value is None else _turned(value, after, before)


def _keeping(verdict: Verdict | None, value: int | None) -> tuple[str, ...]:
    """Return the moves that are proved to keep the value."""
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
    """Return the proved beginning of the best line of play."""
    line: list[Any] = []
    while not position.is_over and len(line) < most:
        verdict = proof_of(position, proofs)
        if verdict is None or not verdict.best_moves:
            break
        line.append(verdict.best_moves[0])
        position = position_after(position, verdict.best_moves[0])
    return tuple(line)


def search_within(position: Any, seconds: float, keep_interrupted: bool = False) -> SearchResult:
    """Return a search by the engine within `seconds`.

    Where there is no engine (`has_engine`), it is iterative deepening.
    """
    return _search(position, seconds=seconds, keep_interrupted=keep_interrupted)


def search_briefly(position: Any, effort: float = 1.0) -> SearchResult:
    """Search a position with `effort` times the nodes of a review."""
    nodes = ENGINE_NODES if has_engine(position) else OWN_NODES
    return _search(position, nodes=max(1, int(effort * nodes)))


def _search(position: Any, **limits: Any) -> SearchResult:
    if has_engine(position):
        return search(position, "engine", **limits)
    scoring: Scoring = "result" if position.game.scored else "distance"
    return search(position, "iterative-deepening", scoring=scoring, **limits)


def value_with_move(position: Any, answered: SearchResult) -> float:
    """Return the value of a move for the side to move in `position`, from the search of the
    position after it.

    The end of the game is one ply further away than from the child.
    """
    value = answered.value if answered.position.side == position.side else -answered.value
    if abs(value) <= MAX_EVALUATION:
        return value
    return value - 1 if value > 0 else value + 1


def _by_search(best: SearchResult, move: Any, answered: SearchResult) -> dict[str, Any]:
    """Return the review from a search of the position and one after the move."""
    position, value = best.position, value_with_move(best.position, answered)
    found = {"is_proved": False, "before": best.value, "after": value, "plies": None}
    if move in best.best_moves or not best.pv or best.value - value < MIN_LOSS_POINTS:
        return {**found, "better": (), "line": ()}
    line = tuple(line_text(answered.position, answered.pv[:MAX_LINE_PLIES]))
    return {**found, "better": (move_text(position, best.pv[0]),), "line": line}


def _half_by_search(best: SearchResult, own: int) -> dict[str, Any]:
    """Return the review from a search of the position, if the move is proved to draw or lose."""
    is_worse = best.value >= MIN_LOSS_POINTS if own == 0 else best.value > -MIN_LOSS_POINTS
    better = (move_text(best.position, best.pv[0]),) if is_worse and best.pv else ()
    return {"before": best.value, "after": own, "half": "after", "better": better}
