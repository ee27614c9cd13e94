"""Every line of play against an agent, each position asked about once."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from plyscope.errors import OptionError
from plyscope.lab.agents.agent import Agent, all_choices
from plyscope.lab.agents.functions import UNLIKE
from plyscope.progress import Count
from plyscope.rules.game import (
    Game,
    comes_again,
    moves_at,
    position_of,
    result_for,
    side_at,
)

Moves = tuple[Any, ...]
LONGEST = 2_000
"""Moves of a line of play, beyond which a game of one's own is taken for one without an end."""


class TooMany(Exception):
    """Raised when not every line of play can be played; `stopped` is `seconds` where it was the
    time that ended."""

    def __init__(self, stopped: str | None = None) -> None:
        super().__init__()
        self.stopped = stopped


class Games(NamedTuple):
    """The games below a position, as counts of move sequences in the agent's view."""

    wins: int
    draws: int
    losses: int
    loss: Moves | None
    """The moves of a shortest loss."""


FINISHED = {1: Games(1, 0, 0, None), 0: Games(0, 1, 0, None), -1: Games(0, 0, 1, ())}
"""The one game below a finished position, by its result."""
OPEN = Games(0, 0, 0, None)
"""Stands for the games below a position as long as these are played."""


class EveryLine:
    """All games of an agent on one side."""

    def __init__(
        self,
        agent: Agent,
        game: Game,
        side: int,
        most: int,
        deadline: float,
        progress: Count | None,
    ) -> None:
        self.agent, self.game, self.side = agent, game, side
        self.most, self.deadline, self.progress = most, deadline, progress
        self.loss: Moves | None = None
        """The first loss met on the way, whether or not all lines can be played."""
        self.doubt: str | None = None
        """Why the agent may play other moves than it said (`AllChoices`)."""
        self.asked: dict[Any, tuple[Any, ...]] = {}
        """The moves of a function or a program by state, each of which is a sample."""
        self.times: int | None = None
        """How often it was asked about each of these at least, None for an agent that tells all."""
        self._known: dict[Any, Games] = {}
        """By state."""
        self._open: dict[Any, int] = {}
        """The plies at which states were met whose games are being played."""
        self._path: list[Any] = []

    @property
    def positions(self) -> int:
        """The positions visited."""
        return len(self._known)

    def play_out(self) -> Games:
        """Return the games from the start; raise TooMany, OptionError for a game without an end."""
        games = self._below(self.game.start())
        self._ask_again()
        return games

    def _ask_again(self) -> None:
        """Ask a function about all its positions once more, in another order."""
        states = list(self.asked) if hasattr(self.agent, "again") else []
        Random(len(states)).shuffle(states)
        for state in states:
            if perf_counter() > self.deadline:
                self._doubt("was not asked everywhere once more, for want of time")
                return
            move = self.agent.again(position_of(self.game, state))
            if move is None:
                return
            if move not in self.asked[state]:
                self._doubt(UNLIKE)
        self.times = None if self.times is None else self.times + bool(states)

    def _doubt(self, words: str) -> None:
        """Add to the reasons why the agent may play other moves."""
        told = self.doubt.split(", ") if self.doubt else []
        self.doubt = ", ".join(dict.fromkeys([*told, *words.split(", ")]))

    def _below(self, state: Any) -> Games:
        games = self._known.get(state)
        if games is OPEN:
            raise comes_again(self.game, state, len(self._path) - self._open[state])
        if len(self._path) > LONGEST:
            raise OptionError(
                f"{self.game.name!r} has lines of play of more than {LONGEST:,} moves; "
                "expected a game that ends"
            )
        if games is not None:
            return games
        if len(self._known) >= self.most:
            raise TooMany
        if perf_counter() > self.deadline:
            raise TooMany("seconds")
        result = result_for(self.side, self.game, state)
        if result is None:
            self._known[state], self._open[state] = OPEN, len(self._path)
            games = self._after_each_move(state)
        else:
            games = FINISHED[result]
            if result < 0 and self.loss is None:
                self.loss = tuple(self._path)
        self._known[state] = games
        if self.progress is not None and len(self._known) % 256 == 0:
            self.progress(len(self._known))
        return games

    def _after_each_move(self, state: Any) -> Games:
        """Return the sum of the games after the moves of the agent's choice, or all legal moves."""
        is_own = side_at(self.game, state) == self.side
        moves = moves_at(self.game, state)
        if is_own:
            moves, doubt, asked = all_choices(self.agent, position_of(self.game, state))
            if doubt is not None:
                self._doubt(doubt)
            if asked is not None:
                self.asked[state] = tuple(moves)
                self.times = asked if self.times is None else min(self.times, asked)
        below = []
        for move in moves:
            self._path.append(move)
            below.append(self._below(self.game.play(state, move)))
            self._path.pop()
        losses = [
            (move, *games.loss)
            for move, games in zip(moves, below, strict=True)
            if games.loss is not None
        ]
        return Games(
            wins=sum(games.wins for games in below),
            draws=sum(games.draws for games in below),
            losses=sum(games.losses for games in below),
            loss=min(losses, key=len, default=None),
        )
