"""Journals: files to which a long solve adds every answer of its jobs, to go on from there."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from plyscope.errors import OptionError
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position

FORMAT = "plyscope journal 2"


class JobResult(NamedTuple):
    """What a job found out about one attacker."""

    wins: bool | None
    """Whether the attacker wins; None where the job's nodes were not enough."""
    zone: int
    """Cells outside which stones of the loser would change nothing."""
    move: int | None
    """A best move."""
    nodes: int
    """The nodes that took."""


class Journal:
    """The answers of jobs by position and attacker, and the file to which they are added.

    Every line begins with a checksum of itself and of the first line, so that an answer that was
    damaged, or given in another game, is forgotten: `damaged` counts these. Raises OptionError for
    a file of something else, and where it cannot be written.
    """

    def __init__(self, path: Path | None, game: LineGame, weak: bool, nodes: int) -> None:
        self.path, self.known, self.damaged = path, dict[tuple[int, int, int, int], JobResult](), 0
        self._head = json.dumps([FORMAT, game.digest, weak, nodes]).encode() + b"\n"
        if path is None:
            return
        try:
            lines = self._read(path)
        except OSError as error:
            raise _unwritable(path, error) from None
        for line in lines:
            checksum, _, answer = line.partition(b" ")
            if checksum == self._checksum(answer):
                first, second, side, attacker, *result = json.loads(answer)
                self.known[first, second, side, attacker] = JobResult(*result)
            else:
                self.damaged += 1

    def _read(self, path: Path) -> list[bytes]:
        """Return the lines after the first, and cut off half a line at the end."""
        with path.open("a+b") as file:
            file.seek(0)
            text = file.read()
            if self._head.startswith(text):  # it is new, or was stopped here
                file.truncate(0)
                file.write(self._head)
                return []
            if not text.startswith(self._head):
                raise OptionError(
                    f"journal {str(path)!r} is not of this game and these jobs;"
                    " expected its own, or a new file"
                )
            end = text.rfind(b"\n") + 1
            if end < len(text):  # or the next line would be added to half a line
                file.truncate(end)
        return text[len(self._head) : end].split(b"\n")[:-1]

    def note(self, position: Position, attacker: int, result: JobResult) -> None:
        """Add an answer. Raises OptionError where it cannot be written."""
        key = _key(position, attacker)
        self.known[key] = result
        if self.path is None:
            return
        answer = json.dumps([*key, *result]).encode()
        try:
            with self.path.open("ab") as file:
                file.write(self._checksum(answer) + b" " + answer + b"\n")
        except OSError as error:
            raise _unwritable(self.path, error) from None

    def get(self, position: Position, attacker: int) -> JobResult | None:
        """Return what is known."""
        return self.known.get(_key(position, attacker))

    def _checksum(self, answer: bytes) -> bytes:
        return hashlib.sha256(self._head + answer).hexdigest()[:16].encode()


def _key(position: Position, attacker: int) -> tuple[int, int, int, int]:
    return position.first, position.second, position.side, attacker


def _unwritable(path: Path, error: OSError) -> OptionError:
    return OptionError(
        f"journal {str(path)!r}: {error.strerror}; expected a file that can be written"
    )
