"""Agents that are programs of their own, spoken to over stdin and stdout in the Gomocup protocol (Piskvork's).

The program is started when it is first asked, told the board's size, and kept; while a game goes on it is told each reply as a `TURN`, and
any other position as a `BOARD`. The protocol knows five in a row on a free board; the name of any other game goes along as
`INFO game`, which a program that does not know it skips.
"""

from __future__ import annotations

import atexit
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from queue import Empty, Queue
from random import Random
from threading import Thread, get_ident
from time import perf_counter
from typing import IO

from plyscope.errors import AgentError, OptionError
from plyscope.lab.agent import Choice
from plyscope.rules.linegame import LineGame, Position, bits

__all__ = ["ProgramAgent"]

START_SECONDS = 30.0
"""What a program may take to start."""
GRACE = 0.2
"""Seconds by which an answer may be late."""
FREESTYLE = "0"
"""The protocol's number of the rule that five or more in a row win."""


@dataclass(frozen=True)
class ProgramAgent:
    """The program of a command line, which has `seconds` for each move.

    A program that ends, answers with anything but a move, or with nothing in time is an AgentError; it is started anew when it is asked
    again.
    """

    name: str
    command: str
    seconds: float = 5.0
    summary: str = "an external program (Gomocup protocol)"

    def choices(self, position: Position) -> Sequence[int]:
        """Return the move that the program gives when it is asked."""
        return (self._answer(position),)

    def choose(self, position: Position, random: Random) -> Choice:
        """Return the move that the program gives."""
        return Choice(self._answer(position))

    def _answer(self, position: Position) -> int:
        if len(position.game.shape) != 2:
            raise OptionError(f"agent {self.name!r} on {position.game.name!r}; expected a board of rows and columns")
        key = (self, get_ident())
        talk = _talks.get(key)
        if talk is None:
            talk = _talks[key] = _Talk(self)
        try:
            return talk.move(position)
        except BaseException:
            del _talks[key]
            talk.end()
            raise


class _Talk:
    """A running program and what it has been told."""

    def __init__(self, agent: ProgramAgent) -> None:
        self.agent = agent
        self.game: LineGame | None = None
        self.after: Position | None = None
        self.complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the program runs
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(shlex.split(agent.command), stdin=pipe, stdout=pipe, stderr=self.complaints)
        except (OSError, ValueError, IndexError) as error:
            self.complaints.close()
            raise OptionError(f"agent {agent.name!r}: cannot start {agent.command!r}: {error}") from None
        self.lines: Queue[str | None] = Queue()
        self.listener = Thread(target=self._listen, daemon=True)
        self.listener.start()

    def move(self, position: Position) -> int:
        """Return the answer to `position`; the position after it is what the program knows next."""
        game = position.game
        if self.game != game:
            self._start(game)
            self.after = None
        reply = None if self.after is None else _only_move(self.after, position)
        if reply is not None:
            self._say(f"TURN {_at(game, reply)}")
        elif not position.first | position.second:
            self._say("RESTART")
            self._expect_ok()
            self._say("BEGIN")
        else:
            own = position.stones(position.side)
            in_turn = zip_longest(bits(position.first), bits(position.second))
            stones = [f"{_at(game, cell)},{1 if own >> cell & 1 else 2}" for pair in in_turn for cell in pair if cell is not None]
            self._say("BOARD", *stones, "DONE")
        answer = self._hear(self.agent.seconds + GRACE, f"move on '{position}'")
        cell = _cell(game, answer)
        if cell is None or cell not in position.moves:
            raise AgentError(f"agent {self.agent.name!r} answered {answer[:60]!r} on '{position}'; expected a legal move x,y")
        self.after = position.play(cell)
        return cell

    def end(self) -> None:
        """End the program: it is asked to, and then made to."""
        if self.process.poll() is None:
            try:
                self._say("END")
                self.process.wait(GRACE)
            except (AgentError, subprocess.TimeoutExpired):
                self.process.kill()
                self.process.wait()
        self.listener.join()
        for stream in (self.process.stdin, self.process.stdout, self.complaints):
            with suppress(OSError):  # what it never read
                if stream is not None:
                    stream.close()

    def _start(self, game: LineGame) -> None:
        self.game = game
        width, height = game.shape
        self._say(f"START {width}" if width == height else f"RECTSTART {width},{height}")
        self._expect_ok()
        turn = round(self.agent.seconds * 1000)
        told = {"timeout_turn": turn, "timeout_match": 0, "time_left": 2**31 - 1, "max_memory": 0, "game_type": 1, "rule": FREESTYLE}
        self._say(*(f"INFO {key} {value}" for key, value in told.items()), f"INFO game {game.name}")

    def _expect_ok(self) -> None:
        answer = self._hear(START_SECONDS, "OK to the start")
        if answer.upper() != "OK":
            raise AgentError(f"agent {self.agent.name!r} answered {answer[:60]!r} to the start; expected OK")

    def _say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write("".join(f"{line}\r\n" for line in lines).encode())
            self.process.stdin.flush()
        except OSError:
            raise self._crash() from None

    def _hear(self, seconds: float, what: str) -> str:
        """Return the next line that is an answer; messages are skipped."""
        deadline = perf_counter() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - perf_counter()))
            except Empty:
                raise AgentError(f"agent {self.agent.name!r} gave no {what} within {seconds - GRACE:g} s") from None
            if line is None:
                raise self._crash()
            if line and not line.upper().startswith(("MESSAGE", "DEBUG", "UNKNOWN")):
                return line

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.decode(errors="replace").strip())
        self.lines.put(None)

    def _crash(self) -> AgentError:
        status = self.process.wait()
        self.complaints.seek(0)
        last = self.complaints.read()[-2000:].decode(errors="replace").strip().splitlines()[-1:]
        said = f": {last[0][:200]}" if last else ""
        return AgentError(f"agent {self.agent.name!r} ended with status {status}{said}")


_talks: dict[tuple[ProgramAgent, int], _Talk] = {}
"""The running programs, one for each thread that plays."""


@atexit.register
def _end_all() -> None:
    while _talks:
        _talks.popitem()[1].end()


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
