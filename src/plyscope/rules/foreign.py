"""Positions and games in other notations: reading and writing.

    SGF        `(;GM[4]SZ[15];B[hh];W[ii])`: Gomoku and Renju in the Smart Game Format, FF[4]
               (A. Hollosi 1999): points as in Go, the column's letter, then the row's from the
               top; the main line of the first game
    PSQ        the files of Piskvork, the manager of Gomocup (P. Lastovicka): a line
               `Piskvorky 15x15, 11:11, 0`, then `8,8,1500` for each move: column and row from 1 at
               the top left, and milliseconds
    columns    `44455`: Connect Four as Pascal Pons writes it, columns from 1
    cells      `h8i9g7`, `/h8i9g7`: Gomoku as Yixin and gomocalc write it, rows from the bottom

Drawings are read in `drawings`. The result of a reading lists the assumptions that were made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from plyscope.errors import NotationError, OptionError
from plyscope.rules.cells import number_of
from plyscope.rules.game import FIRST, SECOND
from plyscope.rules.games import line_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position

MAX_SHEET_CHARS = 100_000
"""The greatest length of an SGF text, comments included."""
GOMOKU = "4"
"""The number of Gomoku and Renju in SGF (GM)."""
GOMOKU_SIZES = (15, 19, 20)
"""The sides of the usual Gomoku boards, the most common first."""
GOMOKU_K = 5
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
SHEET = re.compile(r"\(\s*;")
PSQ = re.compile(
    r"\s*Piskvorky\s+(\d{1,3})x(\d{1,3})\s*,\s*\d+:\d+\s*,\s*([01])\s*\n", re.IGNORECASE
)
COLUMNS = re.compile(r"\s*\d+\s*|\s*\d(\s+\d)+\s*")
CELLS = re.compile(r"/?\s*([a-z]{1,2}[0-9]{1,2}[\s,;-]*)+", re.IGNORECASE)
CELL = re.compile(r"([a-z]{1,2})([0-9]{1,2})", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Foreign:
    """A text in another notation, parsed; its moves are not played yet."""

    game: LineGame
    stones: tuple[int, int] = (0, 0)
    """The bitboards of both sides before the first move."""
    side: int | None = None
    """The side that moves first, None if it follows from the stones."""
    moves: tuple[str, ...] = ()
    """The names of the cells or columns played."""
    said: str
    """The name of the notation, and the assumptions made to read the text."""
    players: tuple[str, str] = ("", "")
    """The names of X and O, empty if the text has none."""
    result: int | None = None
    """1, 0 or −1 in X's view, None if the text gives no result."""

    def start(self) -> Position:
        """Return the position before the first move."""
        if self.stones == (0, 0) and self.side in (None, FIRST):
            return self.game.start()
        return self.game.position(*self.stones, self.side)


def recognise(text: str, game: LineGame | None = None) -> Foreign | None:
    """Return the content of a text in one of these notations, None for any other text.

    `game` is the game named before the text. Raises
    NotationError, which quotes the place.
    """
    if SHEET.match(text.lstrip()):
        return _Sheet(text, game).read()
    if PSQ.match(text):
        return _read_psq(text, game)
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


def without_numbers(text: str) -> str:
    """Return the text without move numbers, `1.` and `1...`."""
    return re.sub(r"(?<!\S)\d+\.+(?=\s|[a-zA-Z])", " ", text)


def _gomoku(cells: Sequence[tuple[str, str]], text: str) -> Foreign:
    """Return moves of Gomoku on the first of the usual boards that contains all cells."""
    sides = [max(number_of(column.lower()) + 1, int(row)) for column, row in cells]
    size = next((size for size in GOMOKU_SIZES if size >= max(sides)), None)
    if size is None:
        at = next(number for number, side in enumerate(sides, 1) if side > GOMOKU_SIZES[-1])
        raise NotationError(
            f"cell {''.join(cells[at - 1])!r} at move {at} of {text.strip()[:80]!r}; expected one "
            f"of a board of at most {GOMOKU_SIZES[-1]}×{GOMOKU_SIZES[-1]}, or a game before it"
        )
    names = tuple("".join(cell).lower() for cell in cells)
    said = f"Gomoku on {size}×{size}, rows from the bottom"
    return Foreign(game=line_game(f"{size},{size},{GOMOKU_K}"), moves=names, said=said)


# SGF


_NODE = re.compile(
    r"\s*(?P<mark>[();])|\s*(?P<name>[A-Za-z]+)\s*(?=\[)|\s*\[(?P<value>(?:[^\]\\]|\\.)*)\]",
    re.DOTALL,
)
_SETUP = ("AB", "AW", "AE")
Properties = dict[str, list[str]]


class _Sheet:
    """The first game of an SGF text, without its variations."""

    def __init__(self, text: str, game: LineGame | None) -> None:
        if len(text) > MAX_SHEET_CHARS:
            raise NotationError(
                f"SGF of {len(text):,} characters, {text[:20]!r}...; "
                f"expected at most {MAX_SHEET_CHARS:,}"
            )
        self.text = text
        self.nodes, self.left_out = _main_line(text)
        self.game = game if game is not None else self._game()
        if len(self.game.shape) != 2:
            raise NotationError(f"SGF of {self.game.name!r}; expected a game of rows and columns")

    def read(self) -> Foreign:
        """Return the game; raise NotationError."""
        stones, colour = [0, 0], None
        moves: list[str] = []
        for properties in self.nodes:
            for name in _SETUP:
                for value in properties.get(name, ()):
                    if moves:
                        raise self._wrong(f"{name}[{value}]", "stones set up before the first move")
                    cells = self._cells(f"{name}[{value}]", value)
                    for side in (FIRST, SECOND):
                        stones[side] &= ~cells
                    for side in SIDES_OF[name]:
                        stones[side] |= cells
            for value in properties.get("PL", ()):
                colour = COLOURS.get(value.strip()[:1].upper(), colour)
            for name in filter(COLOURS.__contains__, properties):
                for value in properties[name]:
                    colour = self._turn(name, value, len(moves), colour)
                    column, row = self._at(f"{name}[{value}]", value)
                    moves.append(self.game.format_cell(row * self.game.width + column))
        if not moves:
            self.first = colour
        return Foreign(
            game=self.game,
            stones=(stones[0], stones[1]),
            side=self.first,
            moves=tuple(moves),
            said=self._said(),
            players=(self._of_root("PB"), self._of_root("PW")),
            result=RESULTS.get(self._of_root("RE")[:2].upper()),
        )

    def _of_root(self, name: str) -> str:
        """Return the first value of a property of the root, empty if it has none."""
        return " ".join(self.nodes[0].get(name, [""])[0].split()) if self.nodes else ""

    first: int | None = None
    """The side that moves first, None if it follows from the stones."""

    def _turn(self, name: str, value: str, played: int, colour: int | None) -> int | None:
        """Check the side of a move; return the side of the next one, None if turns have several
        stones."""
        side = COLOURS[name]
        if not played:
            self.first = side if colour is None else colour
        if not self.game.alternates:
            return None
        due = self.first if not played else colour
        if side != due:
            raise self._wrong(
                f"{name}[{value}]", f"{'BW'[1 - side]} at move {played + 1}, the sides in turn"
            )
        return 1 - side

    def _game(self) -> LineGame:
        """Return the game by the root's properties: its kind (GM), size (SZ) and rules (RU)."""
        root = self.nodes[0] if self.nodes else {}
        number = root.get("GM", [GOMOKU])[0].strip()
        if number != GOMOKU:
            raise self._wrong(
                f"GM[{number}]", "GM[4], Gomoku, or a game of plyscope before the text"
            )
        given = root.get("SZ")
        if given is None:
            points = [value for node in self.nodes for name in "BW" for value in node.get(name, ())]
            most = max((LETTERS.find(letter) + 1 for letter in "".join(points)), default=1)
            size = next((size for size in GOMOKU_SIZES if size >= most), most)
            sizes = (size, size)
        else:
            found = re.fullmatch(r"\s*(\d{1,2})\s*(?::\s*(\d{1,2})\s*)?", given[0])
            if found is None:
                raise self._wrong(f"SZ[{given[0]}]", "a size such as SZ[15] or SZ[15:12]")
            sizes = (int(found[1]), int(found[2] or found[1]))
        is_exact = "exactly" in "".join(root.get("RU", ())).lower()
        return line_game(f"{sizes[0]},{sizes[1]},{GOMOKU_K}{',exactly' if is_exact else ''}")

    def _said(self) -> str:
        parts = [f"SGF of {self.game.name}, black as X"]
        root = self.nodes[0] if self.nodes else {}
        if "GM" not in root:
            parts.append("taken for Gomoku, since it has no GM")
        if "SZ" not in root:
            parts.append("its size taken from its moves")
        if self.left_out:
            parts.append("without its variations")
        return ", ".join(parts)

    def _cells(self, where: str, value: str) -> int:
        """Return the bitboard of a point, or of a rectangle `aa:cc`."""
        corners = [self._at(where, part) for part in value.split(":")[:2]]
        (left, right), (top, bottom) = (
            sorted(ends) for ends in zip(corners[0], corners[-1], strict=True)
        )
        width = self.game.width
        row = (1 << right + 1) - (1 << left)
        return sum(row << at * width for at in range(top, bottom + 1))

    def _at(self, where: str, value: str) -> tuple[int, int]:
        """Return column and row, from 0 at the top left."""
        text = value.strip()
        width, height = self.game.shape
        if (found := CELL.fullmatch(text)) is not None:  # some programs write h8 for hh
            place = number_of(found[1].lower()), height - int(found[2])
        elif len(text) == 2 and text.isascii() and text.isalpha():
            place = LETTERS.index(text[0]), LETTERS.index(text[1])
        else:
            raise self._wrong(where, "a point such as hh")
        if not (0 <= place[0] < width and 0 <= place[1] < height):
            raise self._wrong(where, f"a point of a board of {width}×{height}")
        return place

    def _wrong(self, where: str, expected: str) -> NotationError:
        return NotationError(
            f"{where[:40]!r} in SGF {self.text.strip()[:40]!r}; expected {expected}"
        )


COLOURS = {"B": FIRST, "W": SECOND}
RESULTS = {"B+": 1, "W+": -1, "0": 0, "DR": 0}
"""Results (RE) in black's view, by their first two letters."""
SIDES_OF: dict[str, tuple[int, ...]] = {"AB": (FIRST,), "AW": (SECOND,), "AE": ()}


def _main_line(text: str) -> tuple[list[Properties], bool]:
    """Return the nodes of the first game's main line, and whether anything was skipped."""
    nodes: list[Properties] = []
    at, depth, is_done, left_out = 0, 0, False, False
    name: str | None = None
    text = text.rstrip()
    while at < len(text):
        found = _NODE.match(text, at)
        if found is None:
            place = text[at : at + 40].strip()[:20]
            raise NotationError(
                f"cannot read {place!r} at character {at + 1} of the SGF; "
                "expected nodes such as ;B[hh] in brackets"
            )
        at = found.end()
        mark, value = found["mark"], found["value"]
        if mark:
            name = None
        if mark == "(":
            left_out |= is_done
            depth += 1
        elif mark == ")":
            depth, is_done = depth - 1, True
            if depth < 0:
                raise NotationError(f"unmatched ')' at character {at} of the SGF; expected '('")
        elif is_done:
            continue
        elif mark == ";":
            nodes.append({})
        elif found["name"]:
            name = "".join(letter for letter in found["name"] if letter.isupper())
        elif name is None:
            raise NotationError(
                f"{found[0].strip()[:20]!r} at character {found.end('value') - len(value)} of the "
                "SGF has no name; expected one before it, such as B[hh]"
            )
        elif nodes:
            nodes[-1].setdefault(name, []).append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))
    if depth:
        raise NotationError(
            f"the SGF {text.strip()[:40]!r} ends with {depth} open brackets; expected ')' for each"
        )
    return nodes, left_out


def write_sgf(start: Position, moves: Iterable[int], players: Sequence[str] = ("", "")) -> str:
    """Return a game in SGF; raise OptionError for a game that is not like Gomoku."""
    game = start.game
    if not is_like_gomoku(game):
        raise OptionError(f"SGF of {game.name!r}; expected five in a row on a plain board")
    width, height = game.shape
    size = f"{width}" if width == height else f"{width}:{height}"
    parts = [f"(;FF[4]GM[{GOMOKU}]CA[UTF-8]SZ[{size}]{'RU[exactly five]' if game.exactly else ''}"]
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
        and game.variants <= {"exactly"}
        and not game.hexagonal
    )


def _sgf_point(game: LineGame, cell: int) -> str:
    row, column = divmod(cell, game.width)
    return LETTERS[column] + LETTERS[row]


# PSQ


def _read_psq(text: str, game: LineGame | None) -> Foreign:
    """Return the game of a file of Piskvork; raise NotationError, which names the move."""
    head = PSQ.match(text)
    assert head is not None  # the caller has checked it
    width, height = int(head[1]), int(head[2])
    lines = [line.strip() for line in text[head.end() :].split("\n")]
    read = (_PSQ_MOVE.fullmatch(line) for line in lines)
    moves = [found for found in takewhile(lambda found: found is not None, read) if found]
    tail = lines[len(moves) :]
    if game is None:
        rule = next((found[1] for line in tail if (found := _PSQ_RULE.match(line))), "freestyle")
        if not rule.lower().startswith(("freestyle", "standard", "fastgame")):
            raise NotationError(
                f"rule {rule[:40]!r} in the game of Piskvork; expected Freestyle or Standard, "
                "or a game of plyscope before the text"
            )
        is_exact = rule.lower().startswith("standard")
        game = line_game(f"{width},{height},{GOMOKU_K}{',exactly' if is_exact else ''}")
    if game.shape != (width, height):
        raise NotationError(
            f"a game of Piskvork on {width}×{height}; "
            f"expected the board of {game.name!r}, {'×'.join(map(str, game.shape))}"
        )
    names = []
    for number, found in enumerate(moves, 1):
        column, row = int(found[1]) - 1, int(found[2]) - 1
        if not (0 <= column < width and 0 <= row < height):
            raise NotationError(
                f"move {number} {found[0][:40]!r} of the game of Piskvork; "
                f"expected a column from 1 to {width} and a row from 1 to {height}"
            )
        names.append(game.format_cell(row * width + column))
    players = [line for line in tail if line and not re.match(r"-?\d+(,|$)", line)][:2]
    if len(players) < 2:
        players = ["", ""]
    if head[3] == "1":  # the second player began
        players.reverse()
    return Foreign(
        game=game,
        moves=tuple(names),
        said=f"a game of Piskvork, {game.name}",
        players=(players[0], players[1]),
    )


_PSQ_MOVE = re.compile(r"(\d{1,4})\s*,\s*(\d{1,4})(?:\s*,\s*\d+)?")
_PSQ_RULE = re.compile(r"\d+,\s*([A-Za-z]\w*)")


# Columns and cells


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
