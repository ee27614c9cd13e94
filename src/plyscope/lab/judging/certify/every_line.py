"""Every line of play against an agent; each position is visited once."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from plyscope.errors import OptionError
from plyscope.lab.agents.agent import Agent, all_choices
from plyscope.lab.agents.functions import CHANGES, MOVES_DIFFER
from plyscope.progress import Count
from plyscope.rules.game import Game, position_of, result_for, side_at
from plyscope.solving.exhaustive import FromTheEnds, Moves

MAX_LINE_PLIES = 2_000
"""Plies after which a user-defined game counts as endless."""


class TooMany(Exception):
    """Raised when there are too many lines of play; `stopped` is `seconds` at the deadline."""

    def __init__(self, stopped: str | None = None) -> None:
        super().__init__()
        self.stopped = stopped


class Games(NamedTuple):
    """The games below a position, counted as move sequences, from the agent's view."""

    wins: int
    draws: int
    losses: int
    loss: tuple[Any, ...] | None
    """The moves of a shortest loss."""


FINISHED = {1: Games(1, 0, 0, None), 0: Games(0, 1, 0, None), -1: Games(0, 0, 1, ())}
"""The one game below a finished position, by its result."""


class EveryLine(FromTheEnds[Games]):
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
        super().__init__(game)
        self.agent, self.side = agent, side
        self.most, self.deadline, self.progress = most, deadline, progress
        self.loss: tuple[Any, ...] | None = None
        """The first lost game found, which remains known even if not all lines can be played."""
        self.doubt: str | None = None
        """The reason why the agent may play other moves than those in its `AllChoices`."""
        self.played: dict[Any, tuple[Any, ...]] = {}
        """The agent's moves by state."""
        self.asked: dict[Any, tuple[Any, ...]] = {}
        """Moves of a function or a program by state; they are only a sample."""
        self.times: int | None = None
        """The least number of calls per state; None for an agent whose moves are known."""
        self.versions = set[str]()
        """The digests of an agent that is a function."""
        self.calls = 0
        """The number of calls in all."""

    @property
    def positions(self) -> int:
        """Number of positions visited."""
        return len(self.known)

    def play_out(self) -> Games:
        """Return all games from the start. Raises TooMany, and OptionError for an endless game."""
        games = self.find(self.game.start())
        self._ask_again()
        return games

    def _ask_again(self) -> None:
        """Call a function again on all its positions, in another order."""
        states = list(self.asked) if hasattr(self.agent, "again") else []
        Random(len(states)).shuffle(states)
        for state in states:
            if perf_counter() > self.deadline:
                self._doubt("ran out of time before all positions were tried again")
                return
            move = self.agent.again(position_of(self.game, state))
            if move is None:
                return
            self.calls += 1
            if move not in self.asked[state]:
                self._doubt(MOVES_DIFFER)
        self.times = None if self.times is None else self.times + bool(states)

    def _doubt(self, words: str) -> None:
        """Add a reason why the agent may play other moves."""
        known = self.doubt.split(", ") if self.doubt else []
        found = dict.fromkeys([*known, *words.split(", ")])
        self.doubt = ", ".join(sorted(found, key=lambda each: each != MOVES_DIFFER))

    def visit(self, count: int) -> None:
        """Check the limits. Raises TooMany; OptionError for an endless game."""
        if len(self.path) > MAX_LINE_PLIES:
            raise OptionError(
                f"{self.game.name!r} has lines of play of more than {MAX_LINE_PLIES:,} moves; "
                "expected a game that ends"
            )
        if count > self.most:
            raise TooMany
        if perf_counter() > self.deadline:
            raise TooMany("seconds")
        if self.progress is not None and count % 256 == 0:
            self.progress(count)

    def of_end(self, state: Any) -> Games | None:
        """Return the result of a finished position, None while the game goes on."""
        result = result_for(self.side, self.game, state)
        if result is None:
            return None
        if result < 0 and self.loss is None:
            line = zip(self.path.values(), [*self.path, state][1:], strict=True)
            self.loss = tuple(
                next(move for move, after in moves if after == state) for moves, state in line
            )
        return FINISHED[result]

    def moves(self, state: Any) -> Moves:
        """Return the agent's choices, or all legal moves of the opponent."""
        if side_at(self.game, state) != self.side:
            return super().moves(state)
        moves, doubt, asked, version = all_choices(self.agent, position_of(self.game, state))
        if doubt is not None:
            self._doubt(doubt)
        self.versions.add(version)
        if doubt is None and len(self.versions) > 1:
            self._doubt(CHANGES)
        self.played[state] = tuple(moves)
        if asked is not None:
            self.asked[state] = self.played[state]
            self.calls += asked
            self.times = asked if self.times is None else min(self.times, asked)
        return [(move, self.game.play(state, move)) for move in moves]

    def of_moves(self, state: Any, moves: Moves) -> Games:
        """Return the sum of the games below all moves."""
        below = [self.known[after] for _, after in moves]
        losses = [
            (move, *games.loss)
            for (move, _), games in zip(moves, below, strict=True)
            if games.loss is not None
        ]
        return Games(
            wins=sum(games.wins for games in below),
            draws=sum(games.draws for games in below),
            losses=sum(games.losses for games in below),
            loss=min(losses, key=len, default=None),
        )
