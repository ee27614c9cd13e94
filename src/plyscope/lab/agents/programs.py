"""Agents that are programs, spoken to over stdin and stdout in the Gomocup protocol (Piskvork's).

The program is started when it is first asked, told the board's size, and kept; while a game goes on
it is told each reply as a `TURN`, and any other position as a `BOARD`. The protocol knows five in a
row on a free board; the name of any other game goes along as `INFO game`, which a program that does
not know it skips.
"""

from __future__ import annotations

import shlex
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

from plyscope.errors import OptionError
from plyscope.lab.agents.agent import Agent, AllChoices, Choice
from plyscope.lab.apart import (
    DEFAULT_MEGABYTES,
    PATH_VARIABLES,
    Running,
    failed,
    sandbox_environment,
    sandbox_of,
)
from plyscope.lab.files import files_of_command
from plyscope.lab.sandbox import sandbox_command
from plyscope.processes import Child, Failed, Kind
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position

START_SECONDS = 30.0
"""What a program may take to start; one whose last start failed has the time of a move."""
MAX_FAILED_STARTS = 2
"""Failed starts in a row after which a program is asked no more."""
GRACE_SECONDS = 0.2
"""Seconds by which an answer may be late."""
FREESTYLE, EXACTLY = "0", "1"
"""The protocol's numbers of the rules that five or more in a row win, and that exactly five do."""
UNWATCHED = "is a program, which cannot be watched and may play otherwise next time"


@dataclass(frozen=True)
class ProgramAgent(Agent):
    """The program of a command line, which has `seconds` for each move and `memory` megabytes.

    A program that ends, answers with anything but a move, or with nothing in time is an AgentError;
    it is started anew when it is asked again. One whose start fails twice in a row is asked no more
    until its text is read again: it forfeits the games that are left. Limits count what it runs and
    sleeps, not scheduling delay.
    """

    name: str
    command: str
    seconds: float = 5.0
    memory: int = DEFAULT_MEGABYTES
    summary: str = "an external program (Gomocup protocol)"
    sandbox: bool = False
    """Whether it runs in a sandbox (`lab/sandbox.py`), where it can start no other program."""

    @property
    def files(self) -> tuple[str, ...]:
        """What it is made of."""
        return files_of_command(self.command)

    def start(self) -> None:
        """Forget the starts that failed before."""
        _failed_starts.pop(self, None)

    def all_choices(self, position: Position) -> AllChoices:
        """Return the move that the program gives here, and need not give another time."""
        return AllChoices((self._answer(position),), UNWATCHED, asked=1)

    def choose(self, position: Position, random: Random) -> Choice:
        """Return the move that the program gives."""
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
                    f"failed to start {failed_starts} times, and is asked no more: {reason}"
                )
            with _running.of(self, lambda: _Talk(self)) as talk:
                return talk.move(position)
        except Failed as failure:
            raise failed(self.name, failure, position) from None


class _Talk:
    """A running program, the game it was told, and the position that it knows."""

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
        """Whether it can be asked."""
        return self.child.is_running

    def move(self, position: Position) -> int:
        """Return the answer to `position`; the position after it is what the program knows next."""
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
        """End the program with whatever it has started: it is asked to, and then made to."""
        with suppress(Failed):
            self.child.say(b"END\r\n")
        self.child.end(GRACE_SECONDS)

    def _start(self, game: LineGame) -> None:
        self.game = game
        width, height = game.shape
        self._expect_ok(f"START {width}" if width == height else f"RECTSTART {width},{height}")
        turn = round(self.agent.seconds * 1000)
        settings = {
            "timeout_turn": turn,
            "timeout_match": 0,
            "time_left": 2**31 - 1,
            "max_memory": 0,
            "game_type": 1,
            "rule": EXACTLY if game.exactly else FREESTYLE,
        }
        infos = (f"INFO {key} {value}" for key, value in settings.items())
        self.child.say(_lines([*infos, f"INFO game {game.of_file or game.name}"]))

    def _expect_ok(self, question: str) -> None:
        seconds = self.agent.seconds if self.agent in _failed_starts else START_SECONDS
        answer = self._ask([question], seconds, "OK to the start")
        if answer.upper() != "OK":
            raise Failed(f"answered {answer[:60]!r} to the start; expected OK")

    def _ask(self, question: list[str], seconds: float, what: str) -> str:
        """Return the next line that is an answer; messages are skipped."""
        lines = self.child.converse(_lines(question), seconds, what, GRACE_SECONDS)
        texts = (line.decode(errors="replace").strip() for line in lines)
        skipped = "MESSAGE", "DEBUG", "UNKNOWN"
        return next(text for text in texts if text and not text.upper().startswith(skipped))


def _lines(texts: list[str]) -> bytes:
    return "".join(f"{text}\r\n" for text in texts).encode()


_running: Running[_Talk] = Running()
_failed_starts: dict[ProgramAgent, tuple[int, str]] = {}
"""How often in a row the start of a program failed, and why the last time."""


def _only_move(before: Position, after: Position) -> int | None:
    """Return the one move that leads from `before` to `after`, None where there is none."""
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
