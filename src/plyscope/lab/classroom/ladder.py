"""The ladder: whether a submission is shown to be better than a baseline.

Both play each opening from both sides. A pair of games is won, even or lost; by the sign test
(Arbuthnott 1710, exact and one-sided) so many won pairs, or more, of those that are not even have a
chance of at most 5 % if the two were alike. Pairs that repeat another move by move count once.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from plyscope.jsonable import by_name
from plyscope.lab.agent import Agent
from plyscope.lab.classroom.assignment import Assignment, baseline
from plyscope.lab.game import GameRecord, play_game
from plyscope.lab.openings import Opening, opening_at, openings, random_opening
from plyscope.lab.reportcard.measures import at_least
from plyscope.rules.game import SIDES, position_of
from plyscope.rules.linegame import LineGame

SHOWN = 0.05
"""The greatest chance of such a result between equals, for one to be called better."""
MOST_PLIES = 500


@dataclass(frozen=True, kw_only=True)
class Rung:
    """A submission against a baseline."""

    baseline: str
    wins: int
    draws: int
    losses: int
    pairs_won: int
    """Of the different pairs of games."""
    pairs_even: int
    pairs_lost: int
    chance: float
    """Of so many won pairs, or more, between equals."""
    forfeits: int
    """Games that it lost by being stopped."""
    reason: str | None
    """Why, the first time."""
    lost_game: dict[str, Any] | None
    """The shortest game that it lost: its side, the start and the moves."""

    @property
    def is_better(self) -> bool:
        """Whether the submission is shown to be better."""
        return self.pairs_won > self.pairs_lost and self.chance <= SHOWN

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-ready data."""
        return by_name(self, is_better=self.is_better)


def climb(player: Agent, text: str, assignment: Assignment) -> Rung:
    """Play a submission against the baseline that `text` names."""
    other = baseline(text)
    wins = draws = losses = forfeits = 0
    reason, lost = None, list[tuple[str, GameRecord]]()
    scores: dict[Any, int] = {}
    for at, opening in enumerate(_openings(assignment)):
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
        scores[opening, *(game.moves for game in games)] = score
    won = sum(score > 0 for score in scores.values())
    beaten = sum(score < 0 for score in scores.values())
    shortest = min(lost, key=lambda each: len(each[1].plies), default=None)
    return Rung(
        baseline=text,
        wins=wins,
        draws=draws,
        losses=losses,
        pairs_won=won,
        pairs_even=len(scores) - won - beaten,
        pairs_lost=beaten,
        chance=at_least(won, won + beaten),
        forfeits=forfeits,
        reason=reason,
        lost_game=None if shortest is None else _told(*shortest),
    )


def play_pair(one: Agent, other: Agent, opening: Opening, seed: str) -> list[GameRecord]:
    """Return the games of a pair: `one` is X in the first, O in the second."""
    random = Random(seed)
    start, text = opening
    return [
        play_game(players, start, random, opening=text, max_plies=MOST_PLIES)
        for players in ((one, other), (other, one))
    ]


def _openings(assignment: Assignment) -> list[Opening]:
    return openings_of(
        assignment, assignment.ladder.pairs, assignment.ladder.opening_plies, "ladder"
    )


def openings_of(assignment: Assignment, pairs: int, plies: int, what: str) -> list[Opening]:
    """Return the openings of so many pairs, in an order drawn from the assignment's seed; they
    begin again where there are fewer."""
    rules, seed = assignment.rules, f"{assignment.seed} {what}"
    if not isinstance(rules, LineGame):
        if plies:
            return [random_opening(rules, plies, f"{seed} {at}") for at in range(pairs)]
        return [opening_at(position_of(rules, rules.start()))] * pairs
    starts = [opening_at(position) for position in openings(rules, plies)]
    Random(seed).shuffle(starts)
    return [starts[at % len(starts)] for at in range(pairs)]


def _told(side: str, game: GameRecord) -> dict[str, Any]:
    start = str(game.start) if game.opening is None else game.opening
    return {
        "side": side,
        "start": start,
        "moves": list(game.moves),
        "end": str(game.end),
        "ending": game.ending,
    }
