"""Agents that are external programs, which use the Gomocup (Piskvork) protocol on stdin and stdout.

The program is started for the first position, receives the size of the board, and then keeps
running. If a position follows from the previous one by a single reply, it is sent as `TURN`,
otherwise as `BOARD`. The protocol is for five in a row on a free board. The name of the game is
sent as `INFO game`, which programs that do not know it ignore.
"""

from __future__ import annotations

import shlex
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

from plyscope.errors import OptionError
from plyscope.lab.agents.agent import Agent, AllChoices, Choice
from plyscope.lab.people.apart import (
    DEFAULT_MEGABYTES,
    PATH_VARIABLES,
    Running,
    failed,
    sandbox_environment,
    sandbox_of,
)
from plyscope.lab.people.files import files_of_command
from plyscope.lab.people.sandbox import sandbox_command
from plyscope.processes import Child, Failed, Kind
from plyscope.rules.gamefiles.piskvork import RULES
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position

START_SECONDS = 30.0
"""The time limit for starting a program; after a failed start it is the limit of a move."""
MAX_FAILED_STARTS = 2
"""Failed starts in a row after which a program is not started again."""
GRACE_SECONDS = 0.2
"""The time by which an answer may be late."""
UNWATCHED = "is a program, which may play another move next time"


@dataclass(frozen=True)
class ProgramAgent(Agent):
    """A program, by its command line, with `seconds` for each move and `memory` megabytes.

    AgentError is raised if the program ends, gives no legal move, or is too slow. It is started
    again for the next position. After two failed starts in a row it is not started again until
    `start` is called, so it forfeits the remaining games. Time limits count CPU and sleep time, not
    scheduling delay.
    """

    name: str
    command: str
    seconds: float = 5.0
    memory: int = DEFAULT_MEGABYTES
    summary: str = "an external program (Gomocup protocol)"
    sandbox: bool = False
    """Whether it runs in a sandbox (`lab/people/sandbox.py`), where it can start no process."""

    @property
    def files(self) -> tuple[str, ...]:
        """The program, and the files among its arguments."""
        return files_of_command(self.command)

    def start(self) -> None:
        """Forget earlier failed starts."""
        _failed_starts.pop(self, None)

    def all_choices(self, position: Position) -> AllChoices:
        """Return the program's move, with the doubt that it may play another one next time."""
        return AllChoices((self._answer(position),), UNWATCHED, asked=1)

    def choose(self, position: Position, random: Random) -> Choice:
        """Return the program's move."""
        return Choice(self._answer(position))

    def _answer(self, position: Position) -> int:
        if not isinstance(position, Position) or len(position.game.shape) != 2:
            raise OptionError(
                f"agent {self.name!r} on {position.game.name!r}; "
                "expected a board of rows and columns"
            )
        failed_starts, reason = _failed_starts.get(self, (0, ""))
        try:
            if failed_starts >= MAX_FAILED_STARTS:
                raise Failed(
                    f"failed to start {failed_starts} times, and is not started again: {reason}"
                )
            with _running.of(self, lambda: _Connection(self)) as talk:
                return talk.move(position)
        except Failed as failure:
            raise failed(self.name, failure, position) from None


class _Connection:
    """A running program, with the last game and position sent to it."""

    def __init__(self, agent: ProgramAgent) -> None:
        self.agent = agent
        self.game: LineGame | None = None
        self.known: Position | None = None
        try:
            command, environment = shlex.split(agent.command), None
            if agent.sandbox:
                sandbox = sandbox_of(*files_of_command(agent.command))
                command = sandbox_command(sandbox, command)
                environment = sandbox_environment(*PATH_VARIABLES)
            kind: Kind = "sandbox" if agent.sandbox else "group"
            self.child = Child(command, agent.memory, None, environment, kind)
        except (OSError, ValueError, IndexError) as error:
            raise OptionError(
                f"agent {agent.name!r}: cannot start {agent.command!r}: {error}"
            ) from None

    @property
    def is_running(self) -> bool:
        """Whether the program is running."""
        return self.child.is_running

    def move(self, position: Position) -> int:
        """Return the program's move in `position`."""
        game = position.game
        if self.game != game:
            try:
                self._start(game)
            except Failed as failure:
                failed_before, _ = _failed_starts.get(self.agent, (0, ""))
                _failed_starts[self.agent] = failed_before + 1, failure.reason
                raise
            _failed_starts.pop(self.agent, None)
            self.known = None
        reply = None if self.known is None else _only_move(self.known, position)
        if reply is not None:
            question = [f"TURN {_at(game, reply)}"]
        elif not position.first | position.second:
            self._expect_ok("RESTART")
            question = ["BEGIN"]
        else:
            own = position.stones(position.side)
            in_turn = zip_longest(bits(position.first), bits(position.second))
            stones = [
                f"{_at(game, cell)},{1 if own >> cell & 1 else 2}"
                for pair in in_turn
                for cell in pair
                if cell is not None
            ]
            question = ["BOARD", *stones, "DONE"]
        answer = self._ask(question, self.agent.seconds, "move")
        cell = _cell(game, answer)
        if cell is None or cell not in position.moves:
            raise Failed(f"answered {answer[:60]!r} on '{position}'; expected a legal move x,y")
        self.known = position.play(cell)
        return cell

    def end(self) -> None:
        """End the program and the processes it has started: send `END`, then kill them."""
        with suppress(Failed):
            self.child.say(b"END\r\n")
        self.child.end(GRACE_SECONDS)

    def _start(self, game: LineGame) -> None:
        self.game = game
        width, height = game.shape
        self._expect_ok(f"START {width}" if width == height else f"RECTSTART {width},{height}")
        turn = round(self.agent.seconds * 1000)
        words = {name: True for name in ("exactly", "renju", "caro") if getattr(game, name)}
        settings = {
            "timeout_turn": turn,
            "timeout_match": 0,
            "time_left": 2**31 - 1,
            "max_memory": 0,
            "game_type": 1,
            "rule": next(code for code, rule in RULES.items() if rule == words),
        }
        infos = (f"INFO {key} {value}" for key, value in settings.items())
        self.child.say(_lines([*infos, f"INFO game {game.of_file or game.name}"]))

    def _expect_ok(self, question: str) -> None:
        seconds = self.agent.seconds if self.agent in _failed_starts else START_SECONDS
        answer = self._ask([question], seconds, "OK in reply to START")
        if answer.upper() != "OK":
            raise Failed(f"answered {answer[:60]!r} to the start; expected OK")

    def _ask(self, question: list[str], seconds: float, what: str) -> str:
        """Return the next answer line; empty lines and messages are skipped."""
        lines = self.child.converse(_lines(question), seconds, what, GRACE_SECONDS)
        texts = (line.decode(errors="replace").strip() for line in lines)
        skipped = "MESSAGE", "DEBUG", "UNKNOWN"
        return next(text for text in texts if text and not text.upper().startswith(skipped))


def _lines(texts: list[str]) -> bytes:
    return "".join(f"{text}\r\n" for text in texts).encode()


_running: Running[_Connection] = Running()
_failed_starts: dict[ProgramAgent, tuple[int, str]] = {}
"""For each program, the number of failed starts in a row and the reason of the last one."""


def _only_move(before: Position, after: Position) -> int | None:
    """Return the move that leads from `before` to `after`, None if no single move does."""
    new = (before.first | before.second) ^ (after.first | after.second)
    if new.bit_count() != 1 or before.is_over:
        return None
    cell = new.bit_length() - 1
    return cell if cell in before.moves and before.play(cell) == after else None


def _at(game: LineGame, cell: int) -> str:
    row, column = divmod(cell, game.width)
    return f"{column},{row}"


def _cell(game: LineGame, answer: str) -> int | None:
    x, comma, y = answer.partition(",")
    x, y = x.strip(), y.strip()
    if not (comma and x.isdecimal() and y.isdecimal()) or len(answer) > 20:
        return None
    column, row = int(x), int(y)
    return row * game.width + column if column < game.width and row < game.height else None
