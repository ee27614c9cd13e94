"""`plyscope gomocup`: an agent for five-in-a-row tournament managers such as Piskvork, which speaks
the Gomocup protocol on stdin and stdout."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from plyscope.errors import NotationError, PlyscopeError
from plyscope.faces.cli.options import print_json, seed_row
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import DONE

if TYPE_CHECKING:
    from plyscope.lab.agents.agent import Agent
    from plyscope.rules.linegame import LineGame
    from plyscope.rules.position import Position

LEAST, MOST = 5, 20
"""The sides of a board."""
SLACK = 0.05
"""Seconds kept back of what a move may take."""
DAY = 86_400.0
"""Seconds than which no time is longer."""
OWN, THEIRS = "1", "2"
FREESTYLE, EXACTLY = "0", "1"
"""The protocol's numbers of the rules that are played: five or more win, exactly five do."""


HELP = "run an agent that speaks the Gomocup protocol on stdin and stdout"
OPTIONS = (
    Option("--agent AGENT = engine", "the agent (default: engine, within the manager's time)"),
    seed_row(),
    Option("--json", "print the agent, its board sizes and rules as JSON, and exit"),
)


def run(arguments: argparse.Namespace) -> int:
    """Answer until END or the end of input."""
    from plyscope.lab.agents.catalogue import parse_agent

    agent = parse_agent(arguments.agent)
    if arguments.json:
        print_json(
            {"agent": agent.name, "sides": [LEAST, MOST], "rules": [int(FREESTYLE), int(EXACTLY)]}
        )
        return DONE
    brain = _Brain(agent, Random(arguments.seed), arguments.agent == "engine")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a manager names its folders in any encoding
    lines = iter(sys.stdin)
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word.upper() == "END":
            break
        for answer in brain.obey(word.upper(), rest.strip(), lines):
            print(answer, flush=True)
    return DONE


class _Brain:
    """The game that is being played, and what the manager has said of it."""

    def __init__(self, agent: Agent, random: Random, is_clocked: bool) -> None:
        self.agent, self.random, self.is_clocked = agent, random, is_clocked
        self.game: LineGame | None = None
        self.stones: list[int] = []
        self.own: set[int] = set()
        self.turn = self.left = 0.0
        self.exactly = False

    def obey(self, word: str, rest: str, lines: Iterator[str]) -> list[str]:
        """Return the answers to a command; `lines` give what follows it."""
        try:
            if word in ("START", "RECTSTART"):
                return self._start(rest if word == "RECTSTART" else f"{rest},{rest}")
            if word == "INFO":
                return self._learn(*rest.partition(" ")[::2])
            if word == "ABOUT":
                from plyscope.version import __version__

                return [f'name="plyscope", version="{__version__}"']
            if not word:
                return []
            if self.game is None:
                return [f"ERROR {word[:40]!r} before START; expected START size"]
            if word == "BOARD":
                return self._board(lines)
            if word == "RESTART":
                self._set([], set())
                return ["OK"]
            if word in ("BEGIN", "TURN", "TAKEBACK"):
                return getattr(self, f"_{word.lower()}")(rest)  # type: ignore[no-any-return]
        except PlyscopeError as error:
            return [f"ERROR {error}"]
        known = "START, BEGIN, TURN, BOARD, INFO, RESTART, TAKEBACK, ABOUT or END"
        return [f"UNKNOWN {word[:40]!r}; expected {known}"]

    def _start(self, size: str) -> list[str]:
        from plyscope.searching.search import search

        sides = [
            int(side) if side.isdecimal() and len(side) < 6 else 0
            for side in map(str.strip, size.split(","))
        ]
        if len(sides) != 2 or not all(0 < side <= MOST for side in sides):
            return [f"ERROR board {size[:20]!r}; expected sides of at most {MOST}"]
        self.game = self._five_in_a_row(*sides)
        self._set([], set())
        if self.is_clocked:
            # what has to be compiled does not come off the time of a move
            search(self.game.start(), "engine", nodes=1)
        return ["OK"]

    def _five_in_a_row(self, width: int, height: int) -> LineGame:
        from plyscope.rules.linegame import LineGame

        return LineGame.grid(width, height, k=min(5, max(width, height)), exactly=self.exactly)

    def _learn(self, key: str, value: str) -> list[str]:
        from plyscope.rules.games import line_game

        value = value.strip()
        number = min(DAY, float(value) / 1000) if value.isdecimal() else 0.0
        if key == "timeout_turn":
            self.turn = number
        elif key == "time_left":
            self.left = number
        elif key == "rule":
            self.exactly = value == EXACTLY
            if self.game is not None:
                self.game = self._five_in_a_row(*self.game.shape)
            if value not in (FREESTYLE, EXACTLY, ""):
                known = "0 (five or more win) and 1 (exactly five win) are; playing 0"
                return [f"MESSAGE rule {value[:20]!r} is not known here; {known}"]
        elif key == "game" and self.game is not None:
            game = line_game(value)
            if game.shape == self.game.shape:
                self.game = game
        return []

    def _set(self, stones: list[int], own: set[int]) -> None:
        self.stones, self.own = stones, own

    def _cell(self, text: str, is_taken: bool = False) -> int:
        assert self.game is not None
        x, _, y = (part.strip() for part in text.partition(","))
        if not (x.isdecimal() and y.isdecimal() and len(text) < 20):
            raise NotationError(f"cell {text[:40]!r}; expected x,y")
        column, row = int(x), int(y)
        cell = row * self.game.width + column
        if (
            column >= self.game.width
            or row >= self.game.height
            or (cell in self.stones) != is_taken
        ):
            wanted = (
                "a stone to take back"
                if is_taken
                else f"an empty one of the {self.game.width}×{self.game.height} board"
            )
            raise NotationError(f"cell {text[:40]!r}; expected {wanted}")
        return cell

    def _board(self, lines: Iterator[str]) -> list[str]:
        self._set([], set())
        wrong: NotationError | None = None
        for line in lines:
            if line.strip().upper() == "DONE":
                break
            place, _, whose = line.strip().rpartition(",")
            try:
                cell = self._cell(place)
                if whose not in (OWN, THEIRS):
                    raise NotationError(f"stone {line.strip()[:40]!r}; expected x,y,1 or x,y,2")
                self.stones.append(cell)
                if whose == OWN:
                    self.own.add(cell)
            except NotationError as error:
                wrong = wrong or error
        if wrong is not None:
            raise wrong
        return self._move()

    def _begin(self, rest: str) -> list[str]:
        return self._move()

    def _turn(self, rest: str) -> list[str]:
        self.stones.append(self._cell(rest))
        return self._move()

    def _takeback(self, rest: str) -> list[str]:
        cell = self._cell(rest, is_taken=True)
        self.stones.remove(cell)
        self.own.discard(cell)
        return ["OK"]

    def _move(self) -> list[str]:
        from plyscope.lab.agents.agent import ask

        assert self.game is not None
        position = self._position()
        if position.is_over:
            return ["ERROR the game is over"]
        choice, _ = ask(self._clocked(position), position, self.random)
        self.stones.append(choice.move)
        self.own.add(choice.move)
        row, column = divmod(choice.move, self.game.width)
        answer = f"{column},{row}"
        if choice.value is None:
            return [answer]
        value = f"value {choice.value:g} depth {choice.depth} nodes {choice.nodes}"
        return [f"MESSAGE {value}", answer]

    def _position(self) -> Position:
        """Return the position with the agent to move, as X where both have as many stones."""
        assert self.game is not None
        own, theirs = (
            sum(1 << cell for cell in self.stones if (cell in self.own) == mine)
            for mine in (True, False)
        )
        is_first = own.bit_count() == theirs.bit_count()
        if not self.game.alternates:
            is_first = self.game.turn_at(len(self.stones)) == 0
        return self.game.position(*((own, theirs, 0) if is_first else (theirs, own, 1)))

    def _clocked(self, position: Position) -> Agent:
        """Return the agent, the engine with the time that the manager gives it."""
        from plyscope.lab.agents.searches import SearchAgent
        from plyscope.searching.limit import share_of

        if not self.is_clocked or not isinstance(self.agent, SearchAgent):
            return self.agent
        share = share_of(self.left, position) if self.left else 0.0
        limits = [limit for limit in (self.turn, share) if limit]
        seconds = max(SLACK, min(limits) - SLACK) if limits else 1.0
        return replace(self.agent, options=(("seconds", seconds),))
