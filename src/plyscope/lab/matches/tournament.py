"""Tournaments: matches between several agents, with one set of ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Unpack

from plyscope.catalogue import checks_keywords
from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn, printed
from plyscope.errors import OptionError
from plyscope.jsonable import by_name, jsonable
from plyscope.lab.agents.agent import Agent
from plyscope.lab.agents.catalogue import parse_agent
from plyscope.lab.matches.game import name_of
from plyscope.lab.matches.match import MatchOptions, automatic_plies, play_match
from plyscope.lab.matches.ratings import Ratings, fit_ratings
from plyscope.lab.matches.tally import MatchResult
from plyscope.rules.game import as_game
from plyscope.rules.source import game_of


@dataclass(frozen=True, kw_only=True)
class TournamentResult:
    """The matches of a tournament in playing order, and the ratings of its players."""

    players: tuple[str, ...]
    game: str
    matches: tuple[MatchResult, ...]
    ratings: Ratings
    stopped: str | None
    """`interrupted` after Ctrl-C, else None."""

    def score(self, one: str, other: str) -> tuple[int, int, int] | None:
        """Return the wins, draws and losses of `one` against `other`, None if they did not meet."""
        for match in self.matches:
            if (match.a, match.b) == (one, other):
                return match.a_wins, match.draws, match.b_wins
            if (match.a, match.b) == (other, one):
                return match.b_wins, match.draws, match.a_wins
        return None

    def forfeits(self, name: str) -> int:
        """Return the number of games that a player forfeited."""
        return sum(
            match.a_forfeits * (match.a == name) + match.b_forfeits * (match.b == name)
            for match in self.matches
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the tournament as JSON-ready data."""
        names = "players", "game", "ratings", "forfeits", "first_move_elo", "matches", "stopped"
        return by_name(
            self,
            *names,
            ratings=self.ratings.by_player,
            forfeits={name: self.forfeits(name) for name in self.players},
            first_move_elo=self.ratings.first_move,
        )

    def to_frame(self) -> DataFrame:
        """Return the players with their ratings as a pandas DataFrame, a row for each."""
        return frame({"player": name} | jsonable(elo) for name, elo in self.ratings.ranked)

    __str__ = printed
    _repr_html_ = drawn


@checks_keywords
def tournament(
    agents: Sequence[Agent | str],
    games: int = 100,
    *,
    gauntlet: bool = False,
    **options: Unpack[MatchOptions],
) -> TournamentResult:
    """Play a match between any two of the agents and return all results with the ratings.

        agents     two or more agents with different names
        games      games of each match
        gauntlet   only the first agent plays all others
        options    those of `play_match` from `game` to `sandbox` (`MatchOptions`)

    All matches have the same openings. Ctrl-C returns the matches played so far, or raises
    KeyboardInterrupt before the first pair. Raises OptionError for fewer than two agents or one
    that is named twice, and what `play_match` raises.

    >>> import plyscope as ps
    >>> found = ps.tournament(["two-ply", "random", "greedy"], games=2)
    >>> [(match.a, match.b) for match in found.matches]
    [('two-ply', 'random'), ('two-ply', 'greedy'), ('random', 'greedy')]
    """
    if isinstance(agents, str):
        raise OptionError(f"agents {agents[:40]!r}; expected a list, such as ['two-ply', 'random']")
    players = [parse_agent(agent, options.get("sandbox", False)) for agent in agents]
    names = [player.name for player in players]
    if len(names) < 2 or len(set(names)) < len(names):
        raise OptionError(
            f"a tournament of {', '.join(map(repr, names)) or 'no agents'}; "
            "expected at least two agents, each once"
        )
    if options.get("opening_plies") is None and options.get("opening") is None:
        rules = game_of(options.get("game", "tictactoe"))
        options["opening_plies"] = automatic_plies(players, rules, games)
    matches: list[MatchResult] = []
    stopped = None
    for one, other in combinations(players, 2):
        if gauntlet and one is not players[0]:
            break
        try:
            match = play_match(one, other, games, keep_interrupted=True, **options)
        except KeyboardInterrupt:  # before the first pair of this match
            if not matches:
                raise
            stopped = "interrupted"
            break
        matches.append(match)
        if match.stopped == "interrupted":
            stopped = match.stopped
            break
    game = options.get("game", "tictactoe")
    return TournamentResult(
        players=tuple(names),
        game=game if isinstance(game, str) else name_of(as_game(game)),
        matches=tuple(matches),
        ratings=fit_ratings([row for match in matches for row in match.outcomes]),
        stopped=stopped,
    )
