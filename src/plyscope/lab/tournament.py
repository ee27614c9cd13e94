"""Tournaments: matches of several agents, each against each or the first against all others, and
the ratings that explain them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from plyscope.errors import OptionError
from plyscope.lab.agent import Agent
from plyscope.lab.agents import parse_agent
from plyscope.lab.match import MatchResult, play_match
from plyscope.lab.ratings import Ratings, fit_ratings
from plyscope.rules.linegame import LineGame

if TYPE_CHECKING:
    from plyscope.lab.records import Records

__all__ = ["TournamentResult", "play_tournament"]


@dataclass(frozen=True, kw_only=True)
class TournamentResult:
    """What came of a tournament: the `matches` in the order they were played, and the `ratings` of
    all players together.

    `stopped` is `interrupted` when it was.
    """

    players: tuple[str, ...]
    game: str
    matches: tuple[MatchResult, ...]
    ratings: Ratings
    stopped: str | None

    def score(self, one: str, other: str) -> tuple[int, int, int] | None:
        """Return the games that `one` won, drew and lost against `other`, None where they did not
        meet."""
        for match in self.matches:
            if (match.a, match.b) == (one, other):
                return match.a_wins, match.draws, match.b_wins
            if (match.a, match.b) == (other, one):
                return match.b_wins, match.draws, match.a_wins
        return None

    def forfeits(self, name: str) -> int:
        """Return the games in which an agent was stopped and lost."""
        return sum(
            match.a_forfeits * (match.a == name) + match.b_forfeits * (match.b == name)
            for match in self.matches
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the tournament as JSON-ready data."""
        rated = {
            name: vars(rating)
            for name, rating in zip(self.ratings.players, self.ratings.ratings, strict=True)
        }
        return {
            "players": self.players,
            "game": self.game,
            "ratings": rated,
            "forfeits": {name: self.forfeits(name) for name in self.players},
            "first_move_elo": vars(self.ratings.first_move),
            "matches": [match.as_dict() for match in self.matches],
            "stopped": self.stopped,
        }


def play_tournament(
    agents: Sequence[Agent | str],
    games: int = 100,
    game: LineGame | str = "tictactoe",
    seed: int = 0,
    opening_plies: int = 0,
    gauntlet: bool = False,
    progress: Callable[[MatchResult], None] | None = None,
    executor: Executor | None = None,
    records: Records | None = None,
    decide_at: int = 0,
    is_balanced: bool = False,
) -> TournamentResult:
    """Play `games` games between any two of the `agents`, or with `gauntlet` between the first and
    each other one; `play_match` says how.

    Ctrl-C ends the tournament with the matches played so far. Raises OptionError for fewer than two
    agents, or one that is there twice.
    """
    players = [parse_agent(agent) for agent in agents]
    names = [player.name for player in players]
    if len(names) < 2 or len(set(names)) < len(names):
        raise OptionError(
            f"a tournament of {', '.join(map(repr, names)) or 'nobody'}; expected at least two agents, each once"
        )
    pairings = (
        [(players[0], other) for other in players[1:]]
        if gauntlet
        else list(combinations(players, 2))
    )
    matches: list[MatchResult] = []
    stopped = None
    for one, other in pairings:
        try:
            match = play_match(
                one,
                other,
                games,
                game,
                seed,
                opening_plies=opening_plies,
                progress=progress,
                keep_interrupted=True,
                executor=executor,
                records=records,
                decide_at=decide_at,
                is_balanced=is_balanced,
            )
        except KeyboardInterrupt:  # before the first pair of this match
            if not matches:
                raise
            stopped = "interrupted"
            break
        matches.append(match)
        if match.stopped == "interrupted":
            stopped = match.stopped
            break
    return TournamentResult(
        players=tuple(names),
        game=game if isinstance(game, str) else game.name,
        matches=tuple(matches),
        ratings=fit_ratings([row for match in matches for row in match.outcomes]),
        stopped=stopped,
    )
