"""Games of other programs: which format a text has, by its content.

    files      SGF, Piskvork's PSQ and boards of its protocol, RIF, RenLib, POS (`gamefiles`)
    columns    `44455`: Connect Four as Pascal Pons writes it, columns from 1
    cells      `h8i9g7`, `/h8i9g7`: Gomoku as Yixin and gomocalc write it, rows from the bottom

Of a file with several games the first is read, or another with its number after the text, `#3`.
Drawings are read in `drawings`. The result of a reading lists the assumptions that were made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plyscope.errors import NotationError
from plyscope.rules import gamefiles
from plyscope.rules.cells import number_of
from plyscope.rules.gamefiles import GOMOKU_SIZES, Foreign, Reader, gomoku, gomoku_size
from plyscope.rules.games import line_game
from plyscope.rules.linegame import LineGame

MAX_TEXT_CHARS = 10_000
"""The greatest length of a position, or of a game in cells or columns."""
MAX_FILE_CHARS = 32_000_000
"""The greatest length of a RIF file; RenjuNet's database has some 7,000,000 characters."""
CHOICE = re.compile(r"\s*#(\d{1,9})\s*\Z")
"""The number of a game, after the text or the name of a file with several."""
COLUMNS = re.compile(r"\s*\d+\s*|\s*\d(\s+\d)+\s*")
CELLS = re.compile(r"/?\s*([a-z]{1,2}[0-9]{1,2}[\s,;-]*)+", re.IGNORECASE)
CELL = re.compile(r"([a-z]{1,2})([0-9]{1,2})", re.IGNORECASE)


def file_reader(text: str) -> Reader | None:
    """Return the reader of a file of games, or of a text in the form of one, by its beginning.

    None for any other text.
    """
    text = text.removeprefix("\ufeff")
    if gamefiles.SHEET.match(text.lstrip()):
        from plyscope.rules.gamefiles.sgf import read_sgf

        return read_sgf
    if gamefiles.PSQ.match(text) or gamefiles.PROTOCOL.match(text):
        from plyscope.rules.gamefiles import piskvork

        return piskvork.read_psq if gamefiles.PSQ.match(text) else piskvork.read_protocol
    if gamefiles.RIF.match(text) or is_binary(text):
        from plyscope.rules.gamefiles import renju

        if not is_binary(text):
            return renju.read_rif
        return renju.read_renlib if text.startswith(gamefiles.RENLIB) else renju.read_pos
    return None


def is_binary(text: str) -> bool:
    """Return whether a text, with a character for each byte, is a binary file of a game."""
    return text.startswith(gamefiles.RENLIB) or gamefiles.is_pos(text)


def most_chars(text: str) -> int:
    """Return the greatest length of a text of a position or a game."""
    if gamefiles.RIF.match(text) or text.startswith(gamefiles.RENLIB):
        return MAX_FILE_CHARS
    is_sheet = gamefiles.SHEET.match(text.lstrip()) is not None
    return gamefiles.MAX_SHEET_CHARS if is_sheet else MAX_TEXT_CHARS


def is_text_of_game(text: str) -> bool:
    """Return whether a text after the name of a game may be in one of these notations."""
    if file_reader(text) is not None or gamefiles.PAIRS.fullmatch(text):
        return True
    return text.lstrip()[:1] in ("(", "/")


def recognise(text: str, game: LineGame | None = None) -> Foreign | None:
    """Return the content of a text in one of these notations, None for any other text.

    `game` is the game named before the text. Raises NotationError, which quotes the place.
    """
    text = text.removeprefix("\ufeff")
    reader = file_reader(text)
    if reader is not None:
        choice = CHOICE.search(text)
        return reader(
            text[: choice.start()] if choice else text, game, int(choice[1]) if choice else 1
        )
    if gamefiles.PAIRS.fullmatch(text) and (game is None or _has_pairs(game)):
        from plyscope.rules.gamefiles.piskvork import read_pairs

        return read_pairs(text, game)
    if game is not None and not text.lstrip().startswith("/"):
        return None
    if game is None and COLUMNS.fullmatch(text):
        game, said = line_game("connect4"), "Connect Four, columns from the left"
        return Foreign(game=game, moves=tuple(re.findall(r"\d", text)), said=said)
    text = without_numbers(text)
    if not CELLS.fullmatch(text.strip()):
        return None
    cells = CELL.findall(text)
    if game is not None:
        names = tuple("".join(cell).lower() for cell in cells)
        return Foreign(game=game, moves=names, said=f"moves of {game.name}")
    return _gomoku(cells, text)


def _has_pairs(game: LineGame) -> bool:
    """Return whether pairs of numbers are cells of a game, not columns or cells by number."""
    return len(game.shape) == 2 and not game.gravity and game.size > 9


def without_numbers(text: str) -> str:
    """Return the text without move numbers, `1.` and `1...`."""
    return re.sub(r"(?<!\S)\d+\.+(?=\s|[a-zA-Z])", " ", text)


def _gomoku(cells: Sequence[tuple[str, str]], text: str) -> Foreign:
    """Return moves of Gomoku on the first of the usual boards that contains all cells."""
    sides = [max(number_of(column.lower()) + 1, int(row)) for column, row in cells]
    size = gomoku_size(max(sides))
    if size > GOMOKU_SIZES[-1]:
        at = next(number for number, side in enumerate(sides, 1) if side > GOMOKU_SIZES[-1])
        raise NotationError(
            f"cell {''.join(cells[at - 1])!r} at move {at} of {text.strip()[:80]!r}; expected one "
            f"of a board of at most {GOMOKU_SIZES[-1]}×{GOMOKU_SIZES[-1]}, or a game before it"
        )
    names = tuple("".join(cell).lower() for cell in cells)
    said = f"Gomoku on {size}×{size}, rows from the bottom"
    return Foreign(game=gomoku(size, size), moves=names, said=said)
