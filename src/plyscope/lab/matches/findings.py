"""`findings`: matches, ratings, and the lengths, times and nodes of games in a file of records."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyscope.jsonable import by_name
from plyscope.lab.matches.game import GameRecord, Ply
from plyscope.lab.matches.ratings import Ratings, fit_ratings
from plyscope.lab.matches.records import Records
from plyscope.lab.matches.tally import MatchResult, tally_pairs

Played = list[tuple[dict[str, Any], dict[int, list[GameRecord]]]]
"""A list of experiments: the options of the match, and its pairs by number."""


class AtPly(NamedTuple):
    """The mean cost of an agent's moves at one ply."""

    ply: int
    """The ply, from 0."""
    moves: int
    seconds: float
    nodes: float | None
    """Mean nodes of searches, None without any."""


@dataclass(frozen=True, kw_only=True)
class Findings:
    """The findings of one game."""

    game: str
    matches: tuple[MatchResult, ...]
    ratings: Ratings
    lengths: dict[str, dict[int, int]]
    """Number of games by winner and length in plies."""
    by_ply: dict[str, tuple[AtPly, ...]]
    """The mean cost of moves, by agent and ply."""

    def as_dict(self) -> dict[str, Any]:
        """Return the findings as JSON-ready data."""
        names = "game", "matches", "ratings", "first_move_elo", "lengths", "by_ply"
        ratings = self.ratings
        return by_name(self, *names, ratings=ratings.by_player, first_move_elo=ratings.first_move)


def findings(records: Records) -> list[Findings]:
    """Return the findings of all games, in the order of first play."""
    games: dict[str, Played] = {}
    for experiment in records.experiments():
        if pairs := records.pairs(experiment.number):
            games.setdefault(experiment.question["game"], []).append((experiment.question, pairs))
    return [_of_game(game, played) for game, played in games.items()]


def _of_game(game: str, played: Played) -> Findings:
    matches = tuple(
        tally_pairs(question["a"], question["b"], question["seed"], pairs)
        for question, pairs in played
    )
    lengths: dict[str, Counter[int]] = {"x": Counter(), "o": Counter()}
    plies: dict[str, dict[int, list[Ply]]] = defaultdict(lambda: defaultdict(list))
    for record in (record for _, pairs in played for pair in pairs.values() for record in pair):
        if record.is_won_by_rules:
            lengths[record.winner or ""][len(record.plies)] += 1
        for number, ply in enumerate(record.plies):
            plies[record.players[ply.side]][number].append(ply)
    return Findings(
        game=game,
        matches=matches,
        ratings=fit_ratings([row for match in matches for row in match.outcomes]),
        lengths={side: dict(sorted(count.items())) for side, count in lengths.items()},
        by_ply={
            agent: tuple(_at_ply(number, each) for number, each in sorted(by_number.items()))
            for agent, by_number in plies.items()
        },
    )


def _at_ply(number: int, plies: list[Ply]) -> AtPly:
    nodes = [ply.nodes for ply in plies if ply.nodes is not None]
    seconds = sum(ply.seconds for ply in plies) / len(plies)
    return AtPly(number, len(plies), seconds, sum(nodes) / len(nodes) if nodes else None)
