"""The text of positions, both ways.

    TEXT   = [GAME] (BOARD | MOVES) [x|o]
    GAME   = a name of the catalogue, m,n,k and words, or the name of a game's file; may be
             left out of a board whose shape has a game in the catalogue
    BOARD  = rows from top to bottom joined by `/`; levels of a cube joined by `//`,
             of a hypercube by `///`
    row    = `X` and `O` in either case; `.` (also `_`, `-`, a space) for an empty cell;
             a number for a run of empty cells; `#` for a hole
    MOVES  = cells (`h8 i9`), or columns under gravity (`44455`), from the empty board;
             none at all is the empty board

The side to move follows from the stones, X moves first; a last word `x` or `o` sets it. Other
programs' notations are read as well (`rules.drawings`, `rules.foreign`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from plyscope.errors import NotationError, PlyscopeError
from plyscope.rules import drawings, foreign
from plyscope.rules.drawings import HOLE
from plyscope.rules.game import SIDES, at_move, parse_side
from plyscope.rules.gamefile import is_game_file
from plyscope.rules.gamefiles import Foreign
from plyscope.rules.games import GAMES, default_game, line_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.rules.words import format_spec

EMPTY = "._- "
DIGITS = "0123456789"
RUN = r"([A-Za-z]{1,2}[0-9]{1,2})+"


def parse(text: str, game: LineGame | str | None = None) -> Position:
    """Return the position of a text; `game` is its game if the text names none.

    >>> parse("connect4 44455").moves
    (35, 36, 37, 17, 25, 40, 41)

    Raises NotationError, UnknownNameError or IllegalMoveError, which quote the text and the place.
    """
    return read(text, game).end


class Reading(NamedTuple):
    """A text that was read: a position, or a game."""

    start: Position
    moves: tuple[int, ...]
    """The moves from `start` to `end`; empty for a board."""
    end: Position
    said: str
    """The notation that was recognised, empty for plyscope's own."""

    players: tuple[str, str] = ("", "")
    """The names of X and O, where the text has them."""
    result: int | None = None
    """1, 0 or −1 in X's view, None if the text gives no result."""

    @property
    def names(self) -> list[str]:
        """The texts of the moves."""
        return [self.start.game.format_cell(move) for move in self.moves]


def read(text: str, game: LineGame | str | None = None) -> Reading:
    """Return the position of a text, and its moves if it has them.

    Raises what `parse` raises.
    """
    found, given, rest, said = _recognised(text, game)
    if found is not None:
        read = _read_moves(found.start(), found.moves, text, found.said)
        return read._replace(players=found.players, result=found.result)
    if "/" in rest or (
        given is not None
        and given.height == 1
        and re.fullmatch(r"[xoXO._\-#\d ]+", rest)
        and rest.strip()
    ):
        position = _parse_board(rest, given)
        return Reading(position, (), position, said)
    if given is None:
        raise NotationError(
            f"cannot read the position {rest[:80]!r}; "
            "expected a board such as '.X./O../X.O' or a game and moves such as 'connect4 44455'"
        )
    return _parse_moves(rest, given)


def named_game(text: str) -> LineGame | None:
    """Return the game that a position's text names, None if it names none.

    The text of the position itself is not parsed.
    """
    return _recognised(text, None)[1]


def _recognised(
    text: str, game: LineGame | str | None
) -> tuple[Foreign | None, LineGame | None, str, str]:
    """Return the reading of a foreign notation or None; the game; the rest of the text; a note.

    The game is the one that `text` names, or `game`. In the rest, rows are joined by '/'. The note
    describes how a drawing was read.
    """
    head, rest = [*text.split(None, 1), "", ""][:2]
    if len(text) > (most := max(foreign.most_chars(text), foreign.most_chars(rest))):
        raise NotationError(
            f"position of {len(text)} characters, {text[:20]!r}...; expected at most {most}"
        )
    given = line_game(game) if isinstance(game, str) else game
    found = foreign.recognise(text, given)
    if found is None and given is None and head[:1] != "/" and foreign.is_text_of_game(rest):
        named = line_game(head) if _is_game(head, text, None) else None
        found = None if named is None else foreign.recognise(rest, named)
    if found is not None:
        return found, found.game, "", ""
    text, said = drawings.plain_rows(text.replace("\r", "").strip("\n"), given)
    text = text.replace("\n", "/").replace("\t", " ")
    head, _, rest = text.lstrip().partition(" ")
    for name in (given.of_file, given.name) if given is not None else ():
        begin, after = text.lstrip()[: len(name)], text.lstrip()[len(name) :]
        if name and begin.lower() == name.lower() and after[:1] in ("", " "):
            return None, given, after[1:], said
    if not _is_game(head, text, given):
        return None, given, text, said
    named = line_game(head)
    if given is not None and named != given:
        raise NotationError(
            f"game {head[:64]!r} in {text[:80]!r} is not {given.name!r}; expected one game"
        )
    return None, named, rest, said


def _is_game(word: str, text: str, given: LineGame | None) -> bool:
    """Return whether the first word names a game: it is a known name, or contains a letter that
    does not occur in rows of a board."""
    if is_game_file(word):
        return True
    if "/" in word:
        return False
    if word.lower() in GAMES or re.match(r"\d+[,x]\d", word.lower()):
        return True
    return bool(re.search(r"[^\W\dxo_]", word.lower())) and (given is None or "/" in text)


def _parse_moves(text: str, game: LineGame) -> Reading:
    """Return the moves of a text, played from the empty board; a last word `x` or `o` names the
    side to move."""
    words = foreign.without_numbers(text).replace(",", " ").split()
    side = parse_side(words.pop()) if words and words[-1].lower() in SIDES else None
    if game.gravity and len(words) == 1 and words[0][0].isdigit() and game.size <= 9 * game.height:
        words = list(words[0])
    elif len(game.shape) == 2:
        words = (
            [cell for word in words for cell in re.findall(r"[A-Za-z]+[0-9]+", word) or [word]]
            if re.fullmatch(RUN, "".join(words))
            else words
        )
    start = game.start() if side is None or words else game.position(0, 0, side)
    reading = _read_moves(start, words, text)
    if side not in (None, reading.end.side):
        raise NotationError(
            f"side {SIDES[1 - reading.end.side]!r} at the end of {text.strip()[:80]!r}; "
            f"expected {SIDES[reading.end.side]!r} after {len(words)} moves"
        )
    return reading


def _read_moves(start: Position, words: Sequence[str], text: str, said: str = "") -> Reading:
    """Play the moves `words` from `start`; an error gives the number of the wrong move."""
    end, moves = start, []
    for number, word in enumerate(words, 1):
        try:
            moves.append(end.game.parse_move(end, word))
            end = end.play(moves[-1])
        except PlyscopeError as error:
            raise at_move(error, number, text) from None
    return Reading(start, tuple(moves), end, said)


def _parse_board(text: str, game: LineGame | None) -> Position:
    """Return the position of a text of rows; raise NotationError, which names the row or cell."""
    spaced = not re.search(
        r"[._\-\d]", text
    )  # a space is an empty cell only if no other sign for empty cells occurs
    body = text if spaced else text.strip()
    width = game.width if game is not None else _row_width(body.split("/")[0])
    side = None
    if re.search(r" [xoXO]$", body) and _row_width(re.split("/", body)[-1]) != width:
        body, side = body[:-2] if spaced else body[:-2].rstrip(), parse_side(body[-1])
    shape = _shape(body, width)
    if game is None:
        game = default_game(shape)
    if game is None:
        raise NotationError(
            f"board {text[:80]!r} of {_size(shape)} belongs to no game by itself; "
            f"expected one before it, such as {f'{format_spec(shape, min(shape))} {text}'[:80]!r}"
        )
    cells: list[str] = []
    for number, row in enumerate(re.split("/+", body), 1):
        marks = _parse_row(row, number, text)
        if len(marks) != width:
            raise NotationError(
                f"row {number} {row[:80]!r} of {text[:80]!r} has {len(marks)} cells; "
                f"expected {width}"
            )
        cells += marks
    if len(cells) != game.size or (len(game.shape) > 1 and shape != game.shape):
        raise NotationError(
            f"board {text[:80]!r} is {_size(shape)}; expected {_size(game.shape)} for {game.name!r}"
        )
    first, second, holes = (
        sum(1 << at for at, cell in enumerate(cells) if cell == mark) for mark in (*SIDES, HOLE)
    )
    if holes != game.holes:
        cell = next(bits(holes ^ game.holes))
        is_one = "a" if game.holes >> cell & 1 else "no"
        raise NotationError(
            f"cell {game.format_cell(cell)} of {text[:80]!r} is {is_one} "
            f"hole of {game.name!r}; expected {HOLE!r} where it has holes, and nowhere else"
        )
    return game.position(first, second, side)


def _row_width(row: str) -> int:
    """Return the number of cells of a row, in which a number is a run of empty cells."""
    return sum(
        int(part[:5]) if part[0] in DIGITS else 1 for part in re.findall(r"[0-9]+|[^0-9]", row)
    )


def _parse_row(row: str, number: int, text: str) -> str:
    """Return the cells of a row as a text of `x`, `o`, `.` and `#`."""
    cells = ""
    for match in re.finditer(r"[0-9]+|[^0-9]", row):
        mark = match[0].lower()
        if mark[0] in DIGITS and len(mark) < 5:
            cells += "." * int(mark)
        elif mark in EMPTY:
            cells += "."
        elif mark in (*SIDES, HOLE):
            cells += mark
        else:
            raise NotationError(
                f"character {match[0][:12]!r} at place {match.start() + 1} "
                f"of row {number} of {text[:80]!r}; "
                f"expected X, O, '.', a number of empty cells, or {HOLE!r} for a hole"
            )
    return cells


def _shape(body: str, width: int) -> tuple[int, ...]:
    """Return the shape that the separators imply, assuming that all rows and levels are equally
    large."""
    runs = [len(run) for run in re.findall("/+", body)]
    shape, end = [width], 0
    for depth in range(1, max(runs, default=1) + 1):
        while end < len(runs) and runs[end] <= depth:
            end += 1
        shape.append(runs[:end].count(depth) + 1)
    return tuple(shape)


def _size(shape: Sequence[int]) -> str:
    """Return a shape as text, such as 7×6, cut after 40 characters."""
    size = "×".join(map(str, shape))
    return size if len(size) <= 40 else f"{size[:40]}..."


def format_position(position: Position) -> str:
    """Return the text of `position`, with the game and the side if the board does not imply
    them."""
    game = position.game
    cells = drawings.marks_of(position)
    blocks = [cells[at : at + game.width] for at in range(0, game.size, game.width)]
    for axis, size in enumerate(game.shape[1:], 1):
        blocks = [("/" * axis).join(blocks[at : at + size]) for at in range(0, len(blocks), size)]
    text = (
        blocks[0]
        if default_game(game.shape) == game and game.height > 1
        else f"{game.of_file or game.name} {blocks[0]}"
    )
    usual = game.turn(position.first, position.second)
    return text if position.side == usual else f"{text} {SIDES[position.side]}"
