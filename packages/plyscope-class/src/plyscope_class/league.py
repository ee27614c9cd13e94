"""The league of a class: matches between submissions, which give no points.

Up to 16 submissions play a round robin. More play a Swiss tournament: each round pairs players with
equal scores who have not met (Müller, Zürich 1895). One set of ratings is fitted to all games;
players share a place unless the ratings show a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, log2
from random import Random
from typing import Any

from plyscope.jsonable import by_name
from plyscope.lab.agents.agent import Agent
from plyscope.lab.matches.ratings import RANK_DIGITS, Interval, fit_ratings
from plyscope.rules.game import SIDES
from plyscope_class.assignment import Assignment
from plyscope_class.ladder import openings_of, play_pair
from plyscope_class.submission_process import (
    Budget,
    SubmissionAgent,
    SubmissionHeuristic,
    SubmissionProcess,
    player_of,
    table_of,
)

MAX_ROUND_ROBIN = 16
MATCH_SECONDS = 30.0
"""Time budget of a submission in one match."""
EXTRA_ROUNDS = 2
"""Number of Swiss rounds beyond those that a knockout would need."""
Outcomes = list[int]
"""A match: wins, draws and losses of the first player as X, then as O."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A player's place in the league."""

    player: str
    place: int
    """One more than the number of players shown to be better (95 %)."""
    elo: Interval
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, kw_only=True)
class League:
    """The final standings of the matches between submissions."""

    system: str
    """The system: `all pairs`, or for example `Swiss, 8 rounds`."""
    standings: tuple[Standing, ...]
    """The players, best first."""

    def as_dict(self) -> dict[str, Any]:
        """Return the league as JSON-ready data."""
        return by_name(self)


def play_match_of(
    one: tuple[Mapping[str, bytes], str, int],
    other: tuple[Mapping[str, bytes], str, int],
    assignment: Assignment,
) -> Outcomes:
    """Play a match between two submissions, each given as its files, its main file and the factor
    for its values, 0 for none."""
    with _player(*one, assignment) as first, _player(*other, assignment) as second:
        outcomes = [0] * 6
        starts = openings_of(
            assignment, assignment.league.pairs, assignment.ladder.opening_plies, "league"
        )
        for at, opening in enumerate(starts):
            games = play_pair(first, second, opening, f"{assignment.seed} league {at}")
            for place, (side, game) in enumerate(zip(SIDES, games, strict=True)):
                result = 0 if game.winner == side else 1 if game.winner is None else 2
                outcomes[3 * place + result] += 1
    return outcomes


@contextmanager
def _player(
    files: Mapping[str, bytes], main: str, scale: int, assignment: Assignment
) -> Iterator[Agent]:
    """Provide a submission as an agent."""
    if assignment.interface == "table":
        yield player_of(table_of(files, main), assignment)
        return
    limits = assignment.limits
    seconds = min(MATCH_SECONDS, limits.total_seconds or MATCH_SECONDS)
    budget = Budget(replace(assignment, limits=replace(limits, total_seconds=seconds)), scale=scale)
    with SubmissionProcess(files, main, assignment, budget=budget) as submission:
        if assignment.interface == "agent":
            yield SubmissionAgent(submission)
        else:
            yield player_of(SubmissionHeuristic(submission), assignment)


def rounds_of(players: Sequence[str]) -> int:
    """Return the number of rounds: 1 if all pairs meet, else that of a Swiss tournament."""
    if len(players) <= MAX_ROUND_ROBIN:
        return 1
    return min(len(players) - 1, ceil(log2(len(players))) + EXTRA_ROUNDS)


def pairings(
    players: Sequence[str], played: Mapping[tuple[str, str], Outcomes], seed: int
) -> list[tuple[str, str]]:
    """Return the pairings of the next round."""
    if len(players) <= MAX_ROUND_ROBIN:
        return list(combinations(players, 2))
    drawn = list(players)
    Random(f"{seed} league").shuffle(drawn)
    scores = Counter(_scores(played))
    met = {frozenset(pair) for pair in played}
    games = Counter(name for pair in played for name in pair)
    ranked = sorted(drawn, key=lambda name: -scores[name])
    if len(ranked) % 2:
        # the bye goes to the lowest-ranked of the players with the most matches
        most = max(games[name] for name in ranked)
        resting = [name for name in ranked if games[name] == most][-1]
        ranked.remove(resting)
    return _paired(ranked, met) or list(zip(ranked[::2], ranked[1::2], strict=True))


def _paired(ranked: list[str], met: set[frozenset[str]]) -> list[tuple[str, str]] | None:
    """Pair each player, from the top, with the next one whom it has not met and who leaves pairs
    for the others; return None if that is impossible."""
    if not ranked:
        return []
    first, *rest = ranked
    for other in rest:
        if frozenset((first, other)) not in met:
            below = _paired([name for name in rest if name != other], met)
            if below is not None:
                return [(first, other), *below]
    return None


def _scores(played: Mapping[tuple[str, str], Outcomes]) -> dict[str, float]:
    """Return the match points by player: 1 for a won match, half for a tied one."""
    scores: dict[str, float] = {}
    for (one, other), (won, _, lost, won_as_o, _, lost_as_o) in played.items():
        more = (won + won_as_o) - (lost + lost_as_o)
        share = 0.5 + 0.5 * ((more > 0) - (more < 0))
        scores[one] = scores.get(one, 0.0) + share
        scores[other] = scores.get(other, 0.0) + 1 - share
    return scores


def standings(
    players: Sequence[str], played: Mapping[tuple[str, str], Outcomes], rounds: int
) -> League:
    """Return the league after all matches."""
    rows = [row for pair, outcomes in played.items() for row in _rows(*pair, outcomes)]
    ratings = fit_ratings(rows)
    totals = {name: [0, 0, 0] for name in players}
    for (one, other), (a, b, c, d, e, f) in played.items():
        for name, counts in ((one, (a + d, b + e, c + f)), (other, (c + f, b + e, a + d))):
            totals[name] = [sum(pair) for pair in zip(totals[name], counts, strict=True)]
    known = [name for name in players if name in ratings.players]
    found = [
        Standing(
            player=name,
            place=1 + sum(ratings.difference(other, name).low > 0 for other in known),
            elo=ratings.by_player[name],
            wins=totals[name][0],
            draws=totals[name][1],
            losses=totals[name][2],
        )
        for name in known
    ]
    system = "all pairs" if rounds == 1 else f"Swiss, {rounds} rounds"
    ranked = sorted(
        found, key=lambda each: (each.place, -round(each.elo.value, RANK_DIGITS), each.player)
    )
    return League(system=system, standings=tuple(ranked))


def extra_points(league: League | None, most: float) -> dict[str, tuple[float, int, int]]:
    """Return, for each player, its extra points, its place and the number of players.

    The first place has `most` points, the last one of as many places as players has none, and those
    between have points in proportion. Players who share a place have the same points.
    """
    standings = () if league is None else league.standings
    last = len(standings)
    return {
        each.player: (round(most * (last - each.place) / max(1, last - 1), 2), each.place, last)
        for each in standings
    }


def _rows(one: str, other: str, outcomes: Outcomes) -> Iterator[tuple[str, str, str, int]]:
    won, drew, lost, won_as_o, drew_as_o, lost_as_o = outcomes
    yield from (
        (one, other, "first", won),
        (one, other, "draw", drew),
        (one, other, "second", lost),
        (other, one, "second", won_as_o),
        (other, one, "draw", drew_as_o),
        (other, one, "first", lost_as_o),
    )
