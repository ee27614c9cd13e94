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
programs' notations are read as well: drawings (`rules.drawings`), files (`rules.gamefiles`), and

    columns    `44455`: Connect Four as Pascal Pons writes it, columns from 1
    cells      `h8i9g7`, `/h8i9g7`: Gomoku as Yixin and gomocalc write it, rows from the bottom
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from math import prod
from typing import Any, NamedTuple

from plyscope.errors import IllegalMoveError, NotationError, OptionError, PlyscopeError
from plyscope.rules import drawings, gamefiles
from plyscope.rules.cells import number_of
from plyscope.rules.drawings import Table
from plyscope.rules.game import SIDES, at_move, parse_side
from plyscope.rules.gamefile import is_game_file
from plyscope.rules.gamefiles import GOMOKU_SIZES, GameText, gomoku, gomoku_size
from plyscope.rules.games import GAMES, default_game, line_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.rules.words import format_spec

RUN = r"([A-Za-z]{1,2}[0-9]{1,2})+"
_COLUMNS = re.compile(r"\s*\d+\s*|\s*\d(\s+\d)+\s*")
_CELLS = re.compile(r"/?\s*([a-z]{1,2}[0-9]{1,2}[\s,;-]*)+", re.IGNORECASE)
_CELL = re.compile(r"([a-z]{1,2})([0-9]{1,2})", re.IGNORECASE)
CELLS = re.compile(r"[A-Za-z]+\d+([A-Za-z]+\d+)*[A-Za-z]?")
"""Names of cells in one word."""
MOVES = re.compile(r"([a-z][\w-]*) ([1-9]+|[a-z]\d{1,2}(?: [a-z]\d{1,2})*)")
"""The name of a game and moves, as plyscope writes them."""
ROWS = ("top", "bottom")
"""The end from which the rows of a board are written."""
_ROWS_BOTTOM = re.compile(r"(?<=\s)--rows[ =]bottom\s*$")


def parse(text: str, game: LineGame | str | None = None, rows: str = "top") -> Position:
    """Return the position of a text; `game` is its game if the text names none.

    >>> parse("connect4 44455").moves
    (35, 36, 37, 17, 25, 40, 41)

    Raises NotationError, UnknownNameError or IllegalMoveError, which quote the text and the place.
    """
    position: Position = read(text, game, rows).end
    return position


class Reading(NamedTuple):
    """A text or an object that was read: a position, a game, or a tree."""

    start: Any
    moves: tuple[int, ...]
    """The moves from `start` to `end`; empty for a board."""
    end: Any
    said: str
    """How it was read, empty for plyscope's own notation."""

    players: tuple[str, str] = ("", "")
    """The names of X and O, where the text has them."""
    result: int | None = None
    """1, 0 or −1 in X's view, None if the text gives no result."""

    @property
    def names(self) -> list[str]:
        """The texts of the moves."""
        return [self.start.game.format_cell(move) for move in self.moves]


def read(text: str, game: LineGame | str | None = None, rows: str = "top") -> Reading:
    """Return the position of a text, and its moves if it has them.

    `rows` is the end from which its rows are written, `top` or `bottom`; a text may end with
    `--rows bottom` itself. Raises what `parse` raises.
    """
    given = line_game(game) if isinstance(game, str) else game
    _check_length(text)
    if given is None and (own := MOVES.fullmatch(text)) is not None and own[1] in GAMES:
        named = GAMES[own[1]]  # nothing else can be meant
        if not own[2].isdecimal() or _are_only_columns(own[2], named):
            return _parse_moves(own[2], named)
    text, rows = without_rows(text, rows)
    asked = given
    foreign_text, given, rest = _recognised(text, given, rows)
    if foreign_text is not None and re.fullmatch(r"[\d\s,;]+", text):
        return _moves_or_rows(foreign_text, text, asked, rows)
    if foreign_text is not None:
        read = _read_moves(foreign_text.start, foreign_text.moves, text, foreign_text.said)
        return read._replace(players=foreign_text.players, result=foreign_text.result)
    if given is not None and (
        not rest.strip() or _are_cells(rest) or _are_only_columns(rest, given)
    ):
        return _parse_moves(rest, given)
    try:
        board = one_of(boards_of(rest, given, rows), rest)
    except PlyscopeError as error:
        if given is None or isinstance(error, Ambiguous) or "\n" in rest or "/" in rest:
            raise
        if given.height == 1 and re.fullmatch(r"[xoXO._\-#\d ]+", rest):
            raise
        return _parse_moves(rest, given)
    if given is not None and re.fullmatch(r"[\d\s,]+", rest):
        with suppress(PlyscopeError):
            return one_of([board, _parse_moves(rest, given)], rest)
    return board


def _moves_or_rows(found: GameText, text: str, game: LineGame | None, rows: str) -> Reading:
    """Return the reading of digits, which may be moves, such as columns of Connect Four, or cells
    0, 1 and 2."""
    boards: list[Reading] = []
    of_board: PlyscopeError | None = None
    if "\n" in text or not re.search(r"[3-9]", text):
        try:
            boards = boards_of(text, game, rows)
        except IllegalMoveError as error:
            of_board = error
        except NotationError as error:
            of_board = error if "\n" in text else None
    try:
        moves = _read_moves(found.start, found.moves, text, found.said)
    except PlyscopeError as error:
        if boards:
            return one_of(boards, text)
        raise (of_board or error) from None
    return one_of([moves, *boards], text)


def without_rows(text: str, rows: str) -> tuple[str, str]:
    """Return a text without its last words `--rows bottom`, and the end that holds then."""
    found = _ROWS_BOTTOM.search(text)
    return (text, rows) if found is None else (text[: found.start()].rstrip(), "bottom")


class Ambiguous(NotationError):
    """A text has two readings."""


class Misfit(NotationError):
    """The cells of a board have a meaning, and no game has its shape."""


def one_of(readings: Sequence[Reading], text: str) -> Reading:
    """Return the only position of `readings`; raise Ambiguous with the texts of two of them."""
    ends = list(dict.fromkeys(reading.end for reading in readings))
    if len(ends) > 1:
        first, second = (next(each for each in readings if each.end == end) for end in ends[:2])
        raise Ambiguous(
            f"{text.strip()[:80]!r} can be read as {first.said or 'a board'} or as "
            f"{second.said or 'moves'}; expected {written(first)!r} or {written(second)!r}"
        )
    return readings[0]


def written(reading: Reading) -> str:
    """Return plyscope's own text of a reading: a board, or a game and moves."""
    if not reading.moves:
        return str(reading.end)
    return " ".join([reading.start.game.name, *reading.names])


def named_game(text: str) -> LineGame | None:
    """Return the game that a position's text names, None if it names none.

    The text of the position itself is not parsed.
    """
    _check_length(text)
    return _recognised(text, None)[1]


def _check_length(text: str) -> None:
    if len(text) <= gamefiles.MAX_TEXT_CHARS:
        return
    rest = [*text.split(None, 1), "", ""][1]
    if len(text) > (most := max(gamefiles.most_chars(text), gamefiles.most_chars(rest))):
        raise NotationError(
            f"position of {len(text)} characters, {text[:20]!r}...; expected at most {most}"
        )


def _recognised(
    text: str, given: LineGame | None, rows: str = "top"
) -> tuple[GameText | None, LineGame | None, str]:
    """Return the reading of a foreign notation or None; the game; the rest of the text.

    The game is the one that `text` names, or `given`.
    """
    head, rest = [*text.split(None, 1), "", ""][:2]
    if drawings.OWN.fullmatch(text):
        return None, given, text
    is_own = drawings.OWN.fullmatch(rest) is not None
    found = None if is_own else _foreign(text, given)
    is_after_name = given is None and rest and not is_own and head[:1] != "/"
    if found is None and is_after_name and is_game(head):
        found = _foreign(rest, line_game(head))
    if found is not None:
        return found, found.start.game, ""
    text = text.replace("\r", "").strip("\n")
    for name in (given.of_file, given.name) if given is not None else ():
        begin, after = text.lstrip()[: len(name)], text.lstrip()[len(name) :]
        if name and begin.lower() == name.lower() and after[:1] in ("", " ", "\n"):
            return None, given, after[1:]
    word = re.match(r"\s*(\S+)[ \n]?", text)
    if word is None:
        return None, given, text
    name, after = word[1], text[word.end() :]
    if not is_game(name):
        is_word = re.search(r"[^\W\dxo_]", name.lower()) and "/" not in name
        if not is_word or "\n" in text or (given and "/" not in text):
            return None, given, text
        with suppress(PlyscopeError):
            boards_of(text, given, rows)
            return None, given, text
    game = line_game(name)
    if given is not None and game != given:
        raise NotationError(
            f"game {name[:64]!r} in {text[:80]!r} is not {given.name!r}; expected one game"
        )
    return None, game, after


def _foreign(text: str, game: LineGame | None = None) -> GameText | None:
    """Return the content of a text in one of these notations, None for any other text.

    `game` is the game named before the text. Raises NotationError, which quotes the place.
    """
    text = text.removeprefix(gamefiles.ORDER_MARK)
    reader = gamefiles.file_reader(text)
    if reader is not None:
        choice = gamefiles.CHOICE.search(text)
        return reader(
            text[: choice.start()] if choice else text, game, int(choice[1]) if choice else 1
        )
    if gamefiles.PAIRS.fullmatch(text) and (game is None or _has_pairs(game)):
        from plyscope.rules.gamefiles.piskvork import read_pairs

        return read_pairs(text, game)
    if game is not None and not text.lstrip().startswith("/"):
        return None
    if game is None and _COLUMNS.fullmatch(text):
        game, said = line_game("connect4"), "Connect Four, columns from the left"
        return GameText(game.start(), tuple(re.findall(r"\d", text)), said=said)
    text = _without_numbers(text)
    if not _CELLS.fullmatch(text.strip()):
        return None
    cells = _CELL.findall(text)
    if game is not None:
        names = tuple("".join(cell).lower() for cell in cells)
        return GameText(game.start(), names, said=f"moves of {game.name}")
    return _gomoku(cells, text)


def _has_pairs(game: LineGame) -> bool:
    """Return whether pairs of numbers are cells of a game, not columns or cells by number."""
    return len(game.shape) == 2 and not game.gravity and game.size > 9


def _without_numbers(text: str) -> str:
    """Return the text without move numbers, `1.` and `1...`."""
    return re.sub(r"(?<!\S)\d+\.+(?=\s|[a-zA-Z])", " ", text)


def _gomoku(cells: Sequence[tuple[str, str]], text: str) -> GameText:
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
    return GameText(gomoku(size, size).start(), names, said=said)


def is_game(word: str) -> bool:
    """Return whether a word is the name of a game, with its words after commas, or of its file."""
    text = word.lower()
    if re.fullmatch(r"[012]{3,}(,[012]{3,})+", text):
        return False  # rows of a board: no game has so many cells
    return is_game_file(word) or (
        "/" not in text
        and (
            text.partition(",")[0] in GAMES
            or re.fullmatch(r"\d+(,\d+|(x\d+)+),\d+(,[a-z].*)?|\d+x\d\S*", text) is not None
        )
    )


def _are_cells(text: str) -> bool:
    """Return whether a text consists of names of cells, and perhaps of the side to move."""
    words = text.replace(",", " ").split()
    words = words[:-1] if words and words[-1].lower() in SIDES else words
    return bool(words) and all(CELLS.fullmatch(word) for word in words)


def _are_only_columns(text: str, game: LineGame) -> bool:
    """Return whether a text consists of digits that cannot be a board of a game: neither a digit
    for each cell nor the number of all empty cells."""
    return (
        re.fullmatch("[0-9]+", text) is not None
        and game.height > 1
        and len(text) != game.size
        and text.lstrip("0") != str(game.size)
    )


def _parse_moves(text: str, game: LineGame) -> Reading:
    """Return the moves of a text, played from the empty board; a last word `x` or `o` names the
    side to move."""
    words = _without_numbers(text).replace(",", " ").split()
    if text.strip() and not words:
        raise NotationError(
            f"no move in {text.strip()[:80]!r}; expected moves of {game.name!r}, or nothing"
        )
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


def moves_of_lists(data: Sequence[Any], game: LineGame, rows: str = "top") -> list[Reading]:
    """Return the games that Python's lists may mean: names of cells, rows and columns of cells from
    0 or from 1, or under gravity columns."""
    found = []
    sign = drawings.sign_of
    items = [
        list(map(sign, each)) if isinstance(each, list | tuple) else sign(each) for each in data
    ]
    names = [item for item in items if isinstance(item, str)]
    if names == items and all(re.fullmatch(r"[A-Za-z]+\d+", name) for name in names):
        with suppress(PlyscopeError):
            return [_read_moves(game.start(), names, str(data), f"moves of {game.name}")]
    for least in (0, 1):
        try:
            cells: list[str] = [_cell_at(item, game, least, rows) for item in items]
            said = f"moves of {game.name}, "
            if game.gravity and isinstance(items[0], str):
                said += f"columns from {least}"
            else:
                said += "cells" if isinstance(items[0], str) else "row and column"
                said += f" from {least} at the {rows} left"
            found.append(_read_moves(game.start(), cells, str(data), said))
        except (ValueError, IndexError, PlyscopeError):
            continue
    return found


def _cell_at(item: str | list[str], game: LineGame, least: int, rows: str) -> str:
    """Return the name of the cell at a row and a column, or of a column, counted from `least`."""
    numbers = [int(part) - least for part in ([item] if isinstance(item, str) else item)]
    if any(number < 0 for number in numbers) or len(game.shape) != 2:
        raise ValueError
    if len(numbers) == 1:
        if game.gravity:
            return str(numbers[0] + 1)
        numbers = [*divmod(numbers[0], game.width)]
    row, column = numbers
    if not (row < game.height and column < game.width):
        raise ValueError
    row = game.height - 1 - row if rows == "bottom" else row
    return game.format_cell(row * game.width + column)


def boards_of(
    source: str | Sequence[Any], game: LineGame | None, rows: str = "top"
) -> list[Reading]:
    """Return the positions that a text or Python's lists may mean, by the first way to read cells
    that fits the game, or a game with their shape.

    Raises NotationError, the error of the best way if none fits.
    """
    if rows not in ROWS:
        raise OptionError(f"rows {rows!r}; expected {' or '.join(ROWS)}")
    is_list = not isinstance(source, str)
    read_tables: Any = drawings.tables_of_lists if is_list else drawings.tables_of_text
    problem: PlyscopeError | None = None
    is_of_signs = False
    unclear: list[Reading] = []
    side = ""
    shown = str(source).strip("\n").replace("\n", "/")
    for table in read_tables(source):
        fitted = _fitted(table, game)
        try:
            ways = drawings.meanings(fitted or table, shown, is_list)
        except NotationError as error:
            problem = problem or error
            continue
        if fitted is None:
            if not is_of_signs and not table.by_columns:
                problem, is_of_signs = _misfit(table, game, shown), True
            continue
        found = game or default_game(fitted.shape)
        assert found is not None
        readings: list[Reading] = []
        for marks, note in ways:
            try:
                readings.append(_board(fitted, marks, note, found, rows, shown))
            except PlyscopeError as error:
                if not is_of_signs or is_list:
                    problem, is_of_signs = error, True
        if unclear and (not table.has_unclear_ends or table.side != side):
            return unclear
        side = table.side
        if readings and not table.has_unclear_ends:
            return readings
        unclear += readings
    if unclear:
        return unclear
    raise problem or _unreadable(shown)


def _unreadable(text: str) -> NotationError:
    return NotationError(
        f"cannot read the position {text[:80]!r}; "
        "expected a board such as '.X./O../X.O' or a game and moves such as 'connect4 44455'"
    )


def _fitted(table: Table, game: LineGame | None) -> Table | None:
    """Return the table in the shape of the game, or of a game that has its shape; None if there is
    no such game."""
    if len(table.shape) == 1:
        shape = _shape_of_size(table.shape[0]) if game is None else game.shape
        if shape is None or prod(shape) != table.shape[0]:
            return None
        is_by_columns = {"b", "B"} & set(table.cells) and shape == (7, 6)
        is_plain = table.is_plain and shape[1:] in ((), (1,))
        by_columns = "bottom" if is_by_columns else ""
        return table._replace(shape=shape, by_columns=by_columns, is_plain=is_plain)
    known = default_game(table.shape) if game is None else game
    width, *heights = table.shape
    if known is not None and table.by_columns == "bottom" and known.shape[0] == width:
        missing = known.height - heights[0]
        columns = (table.cells[at * heights[0] :][: heights[0]] for at in range(width))
        cells = [cell for column in columns for cell in [*column, *[""] * missing]]
        table = table._replace(cells=cells, shape=(width, heights[0] + max(0, missing)))
    if known is None or (len(known.shape) > 1 and table.shape != known.shape):
        return None
    if table.by_columns and not known.gravity:
        return None
    return table if prod(table.shape) == known.size else None


def _shape_of_size(size: int) -> tuple[int, ...] | None:
    """Return the shape of the first game of the catalogue with so many cells."""
    shapes = (game.shape for game in GAMES.values() if game.size == size)
    return next((shape for shape in shapes if default_game(shape)), None)


def _misfit(table: Table, game: LineGame | None, text: str) -> NotationError:
    if game is not None:
        return Misfit(
            f"board {text[:80]!r} is {_size(table.shape)}; "
            f"expected {_size(game.shape)} for {game.name!r}"
        )
    if len(table.shape) == 1:
        return _unreadable(text)
    spec = format_spec(table.shape, min(table.shape))
    return Misfit(
        f"board {text[:80]!r} of {_size(table.shape)} belongs to no game by itself; "
        f"expected one before it, such as {f'{spec} {text}'[:80]!r}"
    )


def _board(table: Table, marks: str, note: str, game: LineGame, rows: str, text: str) -> Reading:
    """Return the reading of the cells of a board; raise NotationError or IllegalMoveError."""
    table = table._replace(cells=list(marks))
    order = f"rows from the {rows}"
    if table.by_columns:
        table, order = drawings.by_rows(table), f"columns from the {table.by_columns}"
    elif rows == "bottom":
        table = table.turned()
    first, second, holes = (
        sum(1 << at for at, cell in enumerate(table.cells) if cell == mark)
        for mark in (*SIDES, drawings.HOLE)
    )
    if holes != game.holes:
        cell = next(bits(holes ^ game.holes))
        is_one = "a" if game.holes >> cell & 1 else "no"
        raise NotationError(
            f"cell {game.format_cell(cell)} of {text[:80]!r} is {is_one} hole of {game.name!r}; "
            f"expected {drawings.HOLE!r} where it has holes, and nowhere else"
        )
    side = parse_side(table.side) if table.side else None
    is_own = table.is_plain and not note and rows == "top" and not table.by_columns
    parts = [f"a board of {_size(game.shape)}", *[note] * bool(note), order]
    if second.bit_count() == first.bit_count() + 1 and game.alternates and side is None:
        parts.append("O has one stone more, so X moves")
        is_own = is_own and not note
    parts += [f"{table.side.upper()} to move"] * bool(table.side)
    said = "" if is_own else ", ".join(parts)
    try:
        position = game.position(first, second, side)
    except IllegalMoveError as error:
        raise _with_hint(error, table, game, said) from None
    return Reading(position, (), position, said)


def _with_hint(
    error: IllegalMoveError, table: Table, game: LineGame, said: str
) -> IllegalMoveError:
    """Return the error with the way in which it was read, and with a better one if there is one."""
    about, _, expected = str(error).partition("; ")
    said = f" (read as {said})" if said else ""
    if game.gravity and not table.by_columns:
        cells = table.turned().cells
        stones = [sum(1 << at for at, c in enumerate(cells) if c == mark) for mark in SIDES]
        with suppress(IllegalMoveError):
            game.position(*stones)
            expected += ", or --rows bottom (rows='bottom'), where all stones rest"
    return IllegalMoveError(f"{about}{said}; {expected}")


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
