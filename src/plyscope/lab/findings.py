"""Findings: what a file of records tells, game by game: the matches, the ratings that explain them
together, lengths, times and nodes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyscope.lab.ratings import Ratings, fit_ratings
from plyscope.lab.records import Records
from plyscope.lab.tally import MatchResult, tally_pairs

__all__ = ["AtPly", "Findings", "findings"]


class AtPly(NamedTuple):
    """What an agent's moves of one ply, counted from 0, cost on average; the nodes of searches
    alone, None where there are none."""

    ply: int
    moves: int
    seconds: float
    nodes: float | None


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What the records tell of one game. `lengths` counts the won games by their plies, by the side
    that won."""

    game: str
    matches: tuple[MatchResult, ...]
    ratings: Ratings
    lengths: dict[str, dict[int, int]]
    by_ply: dict[str, tuple[AtPly, ...]]

    def as_dict(self) -> dict[str, Any]:
        """Return the findings as JSON-ready data."""
        return {
            "game": self.game,
            "matches": [match.as_dict() for match in self.matches],
            "ratings": {
                name: vars(rating)
                for name, rating in zip(self.ratings.players, self.ratings.ratings, strict=True)
            },
            "first_move_elo": vars(self.ratings.first_move),
            "lengths": self.lengths,
            "by_ply": {
                agent: [item._asdict() for item in plies] for agent, plies in self.by_ply.items()
            },
        }


def findings(records: Records) -> list[Findings]:
    """Return the findings of every game that was played, in the order in which they were first
    played."""
    games: dict[str, list[Any]] = {}
    for experiment in records.experiments():
        if pairs := records.pairs(experiment.number):
            games.setdefault(experiment.question["game"], []).append((experiment.question, pairs))
    return [_of_game(game, played) for game, played in games.items()]


def _of_game(game: str, played: list[Any]) -> Findings:
    matches = tuple(
        tally_pairs(question["a"], question["b"], question["seed"], pairs)
        for question, pairs in played
    )
    lengths: dict[str, Counter[int]] = {"x": Counter(), "o": Counter()}
    costs: dict[str, dict[int, list[Any]]] = {}
    for _, pairs in played:
        for record in (record for pair in pairs.values() for record in pair):
            if record.ending == "line" and record.winner is not None:
                lengths[record.winner][len(record.plies)] += 1
            for number, ply in enumerate(record.plies):
                costs.setdefault(record.players[record.side(number)], {}).setdefault(
                    number, []
                ).append(ply)
    return Findings(
        game=game,
        matches=matches,
        ratings=fit_ratings([row for match in matches for row in match.outcomes]),
        lengths={side: dict(sorted(count.items())) for side, count in lengths.items()},
        by_ply={
            agent: tuple(_at_ply(ply, found) for ply, found in sorted(plies.items()))
            for agent, plies in costs.items()
        },
    )


def _at_ply(number: int, plies: list[Any]) -> AtPly:
    searched = [ply.nodes for ply in plies if ply.nodes is not None]
    seconds = sum(ply.seconds for ply in plies) / len(plies)
    return AtPly(number, len(plies), seconds, sum(searched) / len(searched) if searched else None)
