"""Games written in the notations of other programs: SGF, cells and columns.

`plyscope.rules.gamefiles` reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plyscope.errors import OptionError
from plyscope.rules.game import FIRST
from plyscope.rules.gamefiles import GOMOKU_K
from plyscope.rules.gamefiles.sgf import GOMOKU, LETTERS
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position

RULES = {"": "", "exactly": "exactly five", "renju": "Renju"}
"""The rules (RU) of games that can be written, by the word of the game."""


def write_sgf(start: Position, moves: Iterable[int], players: Sequence[str] = ("", "")) -> str:
    """Return a game in SGF; raise OptionError for a game that is not like Gomoku."""
    game = start.game
    if not is_like_gomoku(game):
        raise OptionError(f"SGF of {game.name!r}; expected five in a row on a plain board")
    width, height = game.shape
    size = f"{width}" if width == height else f"{width}:{height}"
    rule = RULES["".join(game.variants)]
    parts = [f"(;FF[4]GM[{GOMOKU}]CA[UTF-8]SZ[{size}]{f'RU[{rule}]' if rule else ''}"]
    escapes = str.maketrans({sign: f"\\{sign}" for sign in "]\\:"})
    for name, player in zip(("PB", "PW"), players, strict=True):
        parts += [f"{name}[{player.translate(escapes)}]"] if player else []
    for name, stones in (("AB", start.first), ("AW", start.second)):
        if stones:
            parts.append(name + "".join(f"[{_sgf_point(game, cell)}]" for cell in bits(stones)))
    if start.side != FIRST or start.first | start.second:
        parts.append(f"PL[{'BW'[start.side]}]")
    side = start.side
    for move in moves:
        parts.append(f";{'BW'[side]}[{_sgf_point(game, move)}]")
        side = 1 - side
    return "".join(parts) + ")"


def is_like_gomoku(game: LineGame) -> bool:
    """Return whether SGF can express a game: five in a row on a plain board, one stone a turn."""
    return (
        isinstance(game.given, int)
        and game.given == GOMOKU_K
        and len(game.shape) == 2
        and max(game.shape) <= len(LETTERS)
        and game.alternates
        and "".join(sorted(game.variants)) in RULES
        and not game.hexagonal
    )


def _sgf_point(game: LineGame, cell: int) -> str:
    row, column = divmod(cell, game.width)
    return LETTERS[column] + LETTERS[row]


def write_columns(start: Position, moves: Iterable[int]) -> str:
    """Return the moves of a game as columns, `44455`.

    Raises OptionError for a game whose moves are not named by columns, or that does not begin at
    the start.
    """
    game = start.game
    if not game.speaks_of_columns or start != game.start():
        raise OptionError(f"columns of {game.name!r}; expected a game under gravity from its start")
    return "".join(str(move % game.width + 1) for move in moves)


def write_cells(start: Position, moves: Iterable[int]) -> str:
    """Return the moves of a game as cells, `h8i9g7`.

    Raises OptionError for a game that does not begin at the start, or is not in two dimensions.
    """
    game = start.game
    if len(game.shape) != 2 or start != game.start():
        raise OptionError(f"cells of {game.name!r}; expected rows and columns from the start")
    return "".join(game.format_cell(move) for move in moves)
