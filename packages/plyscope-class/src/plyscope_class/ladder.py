"""The ladder: games of a submission against baselines.

The submission and the baseline play each opening from both sides; pairs with the same moves count
once. The score is the share of points in those games, with half a point for a draw. A rung gives no
points up to a score of MIN_SCORE and all points from FULL_SCORE, with a linear share
in between. A submission that makes no wrong move also gets all points, if all exact values are
known, since perfect play could not force more. The sign test (Arbuthnott 1710, exact, one-sided)
reports whether the submission is better; it gives no points.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from plyscope.jsonable import by_name
from plyscope.lab.agents.agent import Agent
from plyscope.lab.judging.reportcard.measures import at_least
from plyscope.lab.judging.whole import WholeGame
from plyscope.lab.matches.game import GameRecord, play_game
from plyscope.lab.matches.openings import Opening, opening_at, openings, random_opening
from plyscope.rules.game import SIDES, position_after, position_of, read_move, state_of
from plyscope.rules.linegame import LineGame
from plyscope_class.assignment import Assignment, baseline

MIN_SCORE, FULL_SCORE = 0.4, 0.6
"""The scores at which a rung gives no points and all points; equal players get half."""
MAX_CHANCE = 0.05
"""The p-value of the sign test up to which a player counts as better."""
MAX_PLIES = 500


@dataclass(frozen=True, kw_only=True)
class Rung:
    """The games of a submission against one baseline."""

    baseline: str
    wins: int
    draws: int
    losses: int
    pairs_won: int
    """Pairs of games in which the submission scored more; repeated pairs do not count, also in the
    fields that follow."""
    pairs_even: int
    pairs_lost: int
    score: float
    """The share of the points in pairs that differ."""
    is_perfect: bool | None
    """Whether the submission made no wrong move; None if exact values are unknown."""
    chance: float
    """The p-value of the sign test: the probability that, between equal players, the submission
    wins at least as many pairs."""
    forfeits: int
    """Games that the submission forfeited."""
    reason: str | None
    """The reason of the first forfeit."""
    lost_game: dict[str, Any] | None
    """The shortest lost game: the submission's side, the start, whether perfect play loses from
    there (None if unknown), and the moves. Games from a start that is not lost have priority."""

    @property
    def is_better(self) -> bool:
        """Whether the sign test shows the submission to be better."""
        return self.pairs_won > self.pairs_lost and self.chance <= MAX_CHANCE

    @property
    def share(self) -> float:
        """The share of the rung's points."""
        if self.is_perfect:
            return 1.0
        return min(1.0, max(0.0, (self.score - MIN_SCORE) / (FULL_SCORE - MIN_SCORE)))

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-ready data."""
        return by_name(self, is_better=self.is_better, share=self.share)


def climb(player: Agent, text: str, assignment: Assignment, whole: WholeGame | None = None) -> Rung:
    """Play a submission against the baseline `text`; `whole` has the exact values, if known."""
    other = baseline(text)
    wins = draws = losses = forfeits = 0
    reason, lost = None, list[tuple[str, GameRecord]]()
    scores: dict[Any, int] = {}
    is_perfect = None if whole is None else True
    ladder = assignment.ladder
    openings = openings_of(assignment, ladder.pairs, ladder.opening_plies, "ladder")
    for at, opening in enumerate(openings):
        games = play_pair(player, other, opening, f"{assignment.seed} {text} {at}")
        score = 0
        for side, game in zip(SIDES, games, strict=True):
            wins += game.winner == side
            draws += game.winner is None
            losses += game.winner not in (side, None)
            score += (game.winner == side) - (game.winner not in (side, None))
            if game.winner not in (side, None):
                lost.append((side, game))
                if game.is_forfeit:
                    forfeits += 1
                    reason = reason or game.ending
            if is_perfect and whole is not None:
                is_perfect = _loses_no_value(game, side, whole)
        scores[opening, *(game.moves for game in games)] = score
    won = sum(score > 0 for score in scores.values())
    beaten = sum(score < 0 for score in scores.values())
    told = [_lost_game(side, game, whole) for side, game in lost]
    told.sort(key=lambda each: (each["is_lost"] is True, len(each["moves"])))
    return Rung(
        baseline=text,
        wins=wins,
        draws=draws,
        losses=losses,
        pairs_won=won,
        pairs_even=len(scores) - won - beaten,
        pairs_lost=beaten,
        score=0.5 + sum(scores.values()) / (4 * len(scores)),
        is_perfect=is_perfect,
        chance=at_least(won, won + beaten),
        forfeits=forfeits,
        reason=reason,
        lost_game=told[0] if told else None,
    )


def _loses_no_value(game: GameRecord, side: str, whole: WholeGame) -> bool:
    """Return whether a side makes no wrong move."""
    if game.is_forfeit and game.winner not in (side, None):
        return False
    position, own = game.start, SIDES.index(side)
    for ply in game.plies:
        at, move = whole.number[state_of(position)], read_move(position, ply.move)
        if ply.side == own:
            value = whole.after(at, whole.exact_values)[list(position.moves).index(move)]
            if value < whole.exact_values[at]:
                return False
        position = position_after(position, move)
    return True


def play_pair(one: Agent, other: Agent, opening: Opening, seed: str) -> list[GameRecord]:
    """Play an opening twice and return both games: `one` is X in the first and O in the second."""
    random = Random(seed)
    start, text = opening
    return [
        play_game(players, start, random, opening=text, max_plies=MAX_PLIES)
        for players in ((one, other), (other, one))
    ]


def openings_of(assignment: Assignment, pairs: int, plies: int, what: str) -> list[Opening]:
    """Return an opening for each of `pairs` pairs, in an order drawn by the assignment's seed.

    Openings repeat if there are fewer of them."""
    rules, seed = assignment.rules, f"{assignment.seed} {what}"
    if not isinstance(rules, LineGame):
        if plies:
            return [random_opening(rules, plies, f"{seed} {at}") for at in range(pairs)]
        return [opening_at(position_of(rules, rules.start()))] * pairs
    starts = [opening_at(position) for position in openings(rules, plies)]
    Random(seed).shuffle(starts)
    return [starts[at % len(starts)] for at in range(pairs)]


def _lost_game(side: str, game: GameRecord, whole: WholeGame | None) -> dict[str, Any]:
    is_lost = None
    if whole is not None:
        at = whole.number[state_of(game.start)]
        sign = 1 if whole.sides[at] == SIDES.index(side) else -1
        is_lost = sign * whole.exact_values[at] < 0
    return {
        "side": side,
        "start": str(game.start) if game.opening is None else game.opening,
        "is_lost": is_lost,
        "moves": list(game.moves),
        "end": str(game.end),
        "ending": game.ending,
    }
