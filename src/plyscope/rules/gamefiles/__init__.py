"""Files of games that other programs write: one module for each family of formats.

The beginning of each format stands here, so that plyscope loads only the module of a format that
occurs. Of a file with several games the first is read, or another with its number after the text,
`#3`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from plyscope.errors import NotationError
from plyscope.rules.games import line_game
from plyscope.rules.linegame import LineGame

GOMOKU_SIZES = (15, 19, 20)
"""The sides of the usual Gomoku boards, the most common first."""
GOMOKU_K = 5
RENJU_SIZE = 15
"""The columns and rows of a board of Renju."""
MAX_TEXT_CHARS = 10_000
"""The greatest length of a position, or of a game in cells or columns."""
MAX_FILE_CHARS = 32_000_000
"""The greatest length of a RIF file; RenjuNet's database has some 7,000,000 characters."""
CHOICE = re.compile(r"\s*#(\d{1,9})\s*\Z")
"""The number of a game, after the text or the name of a file with several."""
MAX_SHEET_CHARS = 100_000
"""The greatest length of an SGF text, comments included."""
SHEET = re.compile(r"\(\s*;")
PSQ = re.compile(
    r"\s*Piskvorky\s+(\d{1,3})x(\d{1,3})\s*,\s*\d+:\d+\s*,\s*([01])\s*\n", re.IGNORECASE
)
PROTOCOL = re.compile(
    r"\s*((START|RECTSTART|TURN)\s+\d|(YX|SWAP2)?BOARD\s+(?=\d|DONE)|INFO\s+\w|BEGIN\s*\n)"
    r"|\s*(\d{1,2}\s*,\s*\d{1,2}\s*,\s*[123][\s;]+)+"
    r"(\d{1,2}\s*,\s*\d{1,2}\s*,\s*[123]\s*|DONE\s*)$",
    re.IGNORECASE,
)
PAIRS = re.compile(r"\s*(\d{1,2}\s*,\s*\d{1,2}[\s;]+)+\d{1,2}\s*,\s*\d{1,2}\s*")
RIF = re.compile(
    r"\ufeff?\s*((<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE\s+(database|games?)\b[^>\[]*(\[.*?\]\s*)?>)\s*)*"
    r"<(database\b|games?\b(?=.*?<move>\s*[a-z]\d))",
    re.DOTALL | re.IGNORECASE,
)
"""A game stands in <move>; other XML in <game> may be a tree."""
RENLIB = "\xffRenLib\xff"
ORDER_MARK = "\ufeff"
"""The mark of the order of bytes, with which some programs begin a text."""


class GameText(NamedTuple):
    """The text of a game that was read; its moves are not played yet."""

    start: Any
    """The position before the first move."""
    moves: tuple[str, ...] = ()
    """The names of the cells or columns played."""
    players: tuple[str, str] = ("", "")
    """The names of X and O, empty if the text has none."""
    said: str = ""
    """The notation, and the assumptions made to read the text; empty for plyscope's own."""
    result: int | None = None
    """1, 0 or −1 in X's view, None if the text gives no result."""


def file_reader(text: str) -> Reader | None:
    """Return the reader of a file of games, or of a text in the form of one, by its beginning.

    None for any other text.
    """
    text = text.removeprefix(ORDER_MARK)
    marks: tuple[tuple[object, str, str], ...] = (
        (SHEET.match(text.lstrip()), "sgf", "read_sgf"),
        (PSQ.match(text), "piskvork", "read_psq"),
        (PROTOCOL.match(text), "piskvork", "read_protocol"),
        (RIF.match(text), "renju", "read_rif"),
        (text.startswith(RENLIB), "renju", "read_renlib"),
        (is_pos(text), "renju", "read_pos"),
    )
    for mark, module, name in marks:
        if mark:
            reader: Reader = getattr(import_module(f"{__name__}.{module}"), name)
            return reader
    return None


def is_binary(text: str) -> bool:
    """Return whether a text, with a character for each byte, is a binary file of a game."""
    return text.startswith(RENLIB) or is_pos(text)


def most_chars(text: str) -> int:
    """Return the greatest length of a text of a position or a game."""
    if RIF.match(text) or text.startswith(RENLIB):
        return MAX_FILE_CHARS
    return MAX_SHEET_CHARS if SHEET.match(text.lstrip()) else MAX_TEXT_CHARS


def is_pos(text: str) -> bool:
    """Return whether a text is a POS file: as many different cells as its first byte says, some of
    them no signs of a text."""
    if not 2 <= len(text) <= RENJU_SIZE**2 + 1 or ord(text[0]) != len(text) - 1:
        return False
    cells = {ord(sign) for sign in text[1:]}
    is_binary = re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", text) is not None
    return len(cells) == len(text) - 1 and max(cells) < RENJU_SIZE**2 and is_binary


def gomoku(width: int, height: int, words: str = "") -> LineGame:
    """Return five in a row on a board, with `words` such as `renju`."""
    return line_game(f"{width},{height},{GOMOKU_K}{f',{words}' if words else ''}")


def gomoku_size(least: int) -> int:
    """Return the side of the first usual board with at least `least` columns and rows."""
    return next((size for size in GOMOKU_SIZES if size >= least), least)


def rule_words(rule: str) -> str | None:
    """Return the words of a game for the name of a rule in a file, None for an unknown name.

    Freestyle is five or more. The opening rules of the Renju International Federation are played
    with Renju's forbidden moves.
    """
    rule = rule.lower()
    return next((words for names, words in _RULES if any(name in rule for name in names)), None)


_RULES = (
    (("exactly", "standard"), "exactly"),
    (("caro",), "caro"),
    (("renju", "連珠", "连珠", "rif", "yamaguchi", "taraguchi", "tarannikov"), "renju"),
    (("sakata", "soosõrv", "soosorv", "soosyrv"), "renju"),
    (("freestyle", "free", "fastgame", "gomoku", "five or more", "swap"), ""),
)


def choice_of(chosen: int, count: int, what: str) -> str:
    """Return which of the games of a text is read, and how to choose another.

    Empty for the only game. Raises NotationError if there is no such game.
    """
    if not 1 <= chosen <= max(count, 1):
        raise NotationError(
            f"game #{chosen} of {what} with {count:,} games; expected #1 to #{count}"
        )
    if count < 2:
        return ""
    return f"game {chosen} of {count:,} (#{chosen % count + 1} after it chooses another)"


def checked_shape(game: LineGame, shape: tuple[int, int], what: str) -> None:
    """Raise NotationError unless a game's board has the columns and rows of a file."""
    if game.shape != shape:
        raise NotationError(
            f"{what} on {shape[0]}×{shape[1]}; "
            f"expected the board of {game.name!r}, {'×'.join(map(str, game.shape))}"
        )


Reader = Callable[[str, LineGame | None, int], GameText]
"""Reads a text: of its games the one with the number, from 1, perhaps by the rules of a game."""
