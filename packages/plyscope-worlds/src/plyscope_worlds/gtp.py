"""GTP, the Go Text Protocol, version 2 (G. Farnebäck 2002), for five in a row.

A vertex is a column letter without I and a row from the bottom: H8 is the centre of 15×15. Black
begins, and sides alternate. There are no passes, and the komi means nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plyscope.errors import NotationError, PlyscopeError
from plyscope.rules.game import FIRST, SECOND

if TYPE_CHECKING:
    from plyscope.rules.position import Position
    from plyscope_worlds.gomocup import _Brain

COMMANDS = (
    *("boardsize", "clear_board", "genmove", "known_command", "komi", "list_commands", "name"),
    *("play", "protocol_version", "quit", "showboard", "time_left", "time_settings", "undo"),
    "version",
)
DEFAULT_SIZE = 15
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
COLOURS = {"b": FIRST, "black": FIRST, "w": SECOND, "white": SECOND}
NAMES = ("black", "white")


def is_gtp(line: str) -> bool:
    """Return whether a first line is a command of GTP; `PLAY 7,7` is one of Gomocup."""
    words = re.sub(r"^\d+\s+", "", line.strip()).split()
    return bool(words) and words[0] in COMMANDS and (words[0] != "play" or len(words) == 3)


class Gtp:
    """A game by GTP."""

    def __init__(self, brain: _Brain) -> None:
        self.brain = brain
        self._boardsize([str(DEFAULT_SIZE)])

    def answer(self, line: str) -> str:
        """Return the response to a line, empty for a line without a command."""
        line = "".join(
            sign for sign in line.partition("#")[0] if sign.isprintable() or sign == "\t"
        )
        found = re.match(r"\s*(\d{1,18}(?=\s|$))?\s*(\S*)\s*(.*)", line)
        assert found is not None  # every part may be empty
        number, word, arguments = found[1] or "", found[2], found[3].split()
        if not word:
            return ""
        try:
            if word not in COMMANDS:
                raise PlyscopeError("unknown command")
            result = getattr(self, f"_{word}")(arguments)
        except PlyscopeError as error:
            return f"?{number} {error}\n"
        return f"={number} {result}".rstrip() + "\n"

    def _position(self) -> Position:
        assert self.brain.game is not None
        start = self.brain.game.start()
        return start.play(*self.brain.stones) if self.brain.stones else start

    def _side(self, arguments: list[str]) -> Position:
        """Return the position, in which the named side has to be to move."""
        colour = COLOURS.get(arguments[0].lower()) if arguments else None
        position = self._position()
        if colour != position.side or position.is_over:
            due = "no move: the game is over" if position.is_over else NAMES[position.side]
            raise PlyscopeError(f"{' '.join(arguments)[:40]!r}; expected {due}")
        return position

    def _protocol_version(self, arguments: list[str]) -> str:
        return "2"

    def _name(self, arguments: list[str]) -> str:
        return "plyscope"

    def _version(self, arguments: list[str]) -> str:
        from plyscope.version import __version__

        return __version__

    def _known_command(self, arguments: list[str]) -> str:
        return "true" if arguments[:1] and arguments[0] in COMMANDS else "false"

    def _list_commands(self, arguments: list[str]) -> str:
        return "\n".join(COMMANDS)

    def _boardsize(self, arguments: list[str]) -> str:
        (answer,) = self.brain.execute("START", " ".join(arguments[:1]), iter(()))
        if answer != "OK":
            raise PlyscopeError(f"unacceptable size: {answer.partition(' ')[2]}")
        return ""

    def _clear_board(self, arguments: list[str]) -> str:
        self.brain.execute("RESTART", "", iter(()))
        return ""

    def _komi(self, arguments: list[str]) -> str:
        return ""

    def _play(self, arguments: list[str]) -> str:
        position = self._side(arguments)
        found = re.fullmatch(r"([a-hj-z])(\d{1,2})", "".join(arguments[1:]).lower())
        if found is None:
            raise PlyscopeError(
                f"{' '.join(arguments)[:40]!r}; expected a vertex such as H8, without passes"
            )
        game = position.game
        row = game.height - int(found[2])
        try:
            cell = self.brain.cell(f"{COLUMNS.index(found[1].upper())},{row}")
        except NotationError:
            raise PlyscopeError(f"{arguments[1][:40]!r}; expected an empty vertex") from None
        position.play(cell)  # which raises an error for a forbidden move
        self.brain.stones.append(cell)
        return ""

    def _genmove(self, arguments: list[str]) -> str:
        position = self._side(arguments)
        self.brain.own = {*self.brain.stones[position.side :: 2]}
        answer = self.brain.execute("BEGIN", "", iter(()))[-1]
        column, row = map(int, answer.split(","))
        return f"{COLUMNS[column]}{position.game.height - row}"

    def _undo(self, arguments: list[str]) -> str:
        if not self.brain.stones:
            raise PlyscopeError("cannot undo: no move")
        self.brain.stones.pop()
        return ""

    def _showboard(self, arguments: list[str]) -> str:
        from plyscope.rules.drawings import draw

        return "\n" + draw(self._position())

    def _time_settings(self, arguments: list[str]) -> str:
        main, each, stones = _numbers(arguments, 3)
        self.brain.left = main or None
        self.brain.turn = each / stones if stones else None
        return ""

    def _time_left(self, arguments: list[str]) -> str:
        left, stones = _numbers(arguments[1:], 2)
        self.brain.left = None if stones else left
        self.brain.turn = left / stones if stones else None
        return ""

    def _quit(self, arguments: list[str]) -> str:
        return ""


def _numbers(words: list[str], count: int) -> list[int]:
    """Return whole numbers of seconds and stones; raise PlyscopeError."""
    if len(words) != count or not all(re.fullmatch(r"\d{1,9}", word, re.ASCII) for word in words):
        raise PlyscopeError(f"{' '.join(words)[:40]!r}; expected {count} whole numbers")
    return [*map(int, words)]
