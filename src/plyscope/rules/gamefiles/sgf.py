"""SGF, the Smart Game Format, for Gomoku, Renju and Connect6.

    (;GM[4]SZ[15];B[hh];W[ii])

FF[4] (A. Hollosi 1999): points as in Go, the column's letter, then the row's from the top. GM[4] is
Gomoku and Renju, GM[11] Hex. Programs for Connect6 write GM[511], and two stones in one move
(`W[ijki]`, `W[i10k11]`) or in two nodes. Of a game the main line is read, of several games one.
"""

from __future__ import annotations

import re

from plyscope.errors import NotationError
from plyscope.rules.cells import number_of
from plyscope.rules.game import FIRST, SECOND
from plyscope.rules.gamefiles import (
    MAX_SHEET_CHARS,
    GameText,
    choice_of,
    gomoku,
    gomoku_size,
    rule_words,
)
from plyscope.rules.games import line_game
from plyscope.rules.linegame import LineGame

GOMOKU, HEX, CONNECT6 = "4", "11", "511"
"""Numbers of games in SGF (GM); CONNECT6 is that of programs, not of the standard."""
GO_SIZE = 19
"""The board of Connect6, and the largest on which `tt` is a pass."""
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLOURS = {"B": FIRST, "W": SECOND}
RESULTS = {"B+": 1, "W+": -1, "0": 0, "DR": 0}
"""Results (RE) in black's view, by their first two letters."""
SETUP: dict[str, tuple[int, ...]] = {"AB": (FIRST,), "AW": (SECOND,), "AE": ()}
"""The sides that own the stones of each setup property."""
_NODE = re.compile(
    r"\s*(?P<mark>[();])|\s*(?P<name>[A-Za-z]+)\s*(?=\[)|\s*\[(?P<value>(?:[^\]\\]|\\.)*)\]",
    re.DOTALL,
)
_CELL = re.compile(r"([a-z]{1,2})([0-9]{1,2})", re.IGNORECASE)
Properties = dict[str, list[str]]


def read_sgf(text: str, game: LineGame | None, chosen: int = 1) -> GameText:
    """Return one game of an SGF text, without its variations; raise NotationError."""
    return _Sheet(text, game, chosen).read()


class _Sheet:
    """A game of an SGF text."""

    def __init__(self, text: str, game: LineGame | None, chosen: int) -> None:
        if len(text) > MAX_SHEET_CHARS:
            raise NotationError(
                f"SGF of {len(text):,} characters, {text[:20]!r}...; "
                f"expected at most {MAX_SHEET_CHARS:,}"
            )
        self.text = text
        self.nodes, self.has_variations, count = _main_line(text, chosen)
        self.choice = choice_of(chosen, count, f"SGF {text.strip()[:20]!r}")
        self.notes: list[str] = []
        self.game = game if game is not None else self._game()
        if len(self.game.shape) != 2:
            raise NotationError(f"SGF of {self.game.name!r}; expected a game of rows and columns")
        self.moves: list[str] = []
        self.first: int | None = None
        """The side that moves first, None if it follows from the stones."""

    def read(self) -> GameText:
        """Return the game; raise NotationError."""
        stones, colour, passed = [0, 0], None, ""
        for properties in self.nodes:
            for name in SETUP:
                for value in properties.get(name, ()):
                    if self.moves:
                        raise self._wrong(f"{name}[{value}]", "stones set up before the first move")
                    cells = self._rectangle(f"{name}[{value}]", value)
                    for side in (FIRST, SECOND):
                        stones[side] &= ~cells
                    for side in SETUP[name]:
                        stones[side] |= cells
            for value in properties.get("PL", ()):
                colour = COLOURS.get(value.strip()[:1].upper(), colour)
            for name in filter(COLOURS.__contains__, properties):
                for value in properties[name]:
                    if self._is_pass(value):
                        passed = passed or f"{name}[{value}]"
                        continue
                    if passed:
                        raise self._wrong(
                            passed, "no pass before the last move: plyscope's games have no passes"
                        )
                    for point in self._points(f"{name}[{value}]", value):
                        placed = stones[0].bit_count() + stones[1].bit_count() + len(self.moves)
                        colour = self._turn(name, value, placed, colour)
                        self.moves.append(self.game.format_cell(point))
        if not self.moves:
            self.first = colour
        if passed:
            self.notes.append("without the pass at its end")
        players = self._of_root("PB"), self._of_root("PW")
        result = RESULTS.get(self._of_root("RE")[:2].upper())
        is_free = not any(stones) and not self.first
        start = (
            self.game.start() if is_free else self.game.position(stones[0], stones[1], self.first)
        )
        return GameText(start, tuple(self.moves), players, self._said(), result)

    def _of_root(self, name: str) -> str:
        """Return the first value of a property of the root, empty if it has none."""
        return " ".join(self.nodes[0].get(name, [""])[0].split()) if self.nodes else ""

    def _is_pass(self, value: str) -> bool:
        """Return whether a move is a pass: empty, or `tt` on a board of at most 19×19."""
        value = value.strip()
        return not value or (value in ("tt", "TT") and max(self.game.shape) <= GO_SIZE)

    def _turn(self, name: str, value: str, placed: int, colour: int | None) -> int | None:
        """Check the side of a stone; return the side of the next one, None if turns have several
        stones. `placed` is the number of stones before it."""
        side = COLOURS[name]
        if self.game.alternates:
            if not self.moves:
                self.first = side if colour is None else colour
            due = self.first if not self.moves else colour
        else:
            due = self.game.turn_at(placed)
        if side != due:
            raise self._wrong(
                f"{name}[{value}]",
                f"{'BW'[1 - side]} at move {len(self.moves) + 1}, the sides in turn",
            )
        return 1 - side if self.game.alternates else None

    def _game(self) -> LineGame:
        """Return the game by the root's properties: its kind (GM), size (SZ) and rules (RU)."""
        number = self._of_root("GM") or GOMOKU
        rule = self._of_root("RU")
        words = rule_words(rule)
        if not self._of_root("GM"):
            self.notes.append("taken for Gomoku, since it has no GM")
        if number == HEX:  # some programs write it for Renju
            named = [self._of_root(name) for name in ("RU", "GN", "EV", "AP")]
            about = next((text for text in named if re.search("renju|gomoku", text, re.I)), None)
            if about is None:
                raise self._wrong(
                    "GM[11]",
                    "GM[4], Gomoku and Renju (11 is Hex), or a game of plyscope before the text, "
                    "such as gomoku15",
                )
            self.notes.append(f"Gomoku by {about[:40]!r}, though GM[11] is Hex")
            words = words if rule else rule_words(about)
        elif number not in (GOMOKU, CONNECT6):
            raise self._wrong(
                f"GM[{number}]",
                "GM[4], Gomoku, GM[511], Connect6, or a game of plyscope before the text",
            )
        width, height = self._size(number)
        if number == CONNECT6:
            return line_game(f"{width},{height},6,stones=2")
        if rule and words is None:
            self.notes.append(f"by the rules of Gomoku, since RU[{rule[:40]}] is not known")
        return gomoku(width, height, words or "")

    def _size(self, number: str) -> tuple[int, int]:
        given = self._of_root("SZ")
        if not given:
            values = [value for node in self.nodes for name in "BW" for value in node.get(name, ())]
            points = "".join(value for value in values if value not in ("tt", "TT"))
            folded = points.lower() if points.isupper() else points
            least = max((LETTERS.find(letter) + 1 for letter in folded), default=1)
            side = max(GO_SIZE, least) if number == CONNECT6 else gomoku_size(least)
            self.notes.append("its size taken from its moves")
            return side, side
        found = re.fullmatch(r"\s*(\d{1,2})\s*(?:[:x]\s*(\d{1,2})\s*)?", given)
        if found is None:
            raise self._wrong(f"SZ[{given}]", "a size such as SZ[15] or SZ[15:12]")
        return int(found[1]), int(found[2] or found[1])

    def _said(self) -> str:
        parts = [f"SGF of {self.game.name}, black as X"]
        parts += [self.choice] if self.choice else []
        parts += self.notes
        if self.has_variations:
            parts.append("without its variations")
        return ", ".join(parts)

    def _points(self, where: str, value: str) -> list[int]:
        """Return the cells of a move: one, or two or more where turns have several stones."""
        text, form = value.strip(), r"[A-Za-z]{1,2}\d{1,2}"
        if self.game.alternates or not re.fullmatch(rf"({form}){{2,}}|([A-Za-z]{{2}}){{2,}}", text):
            parts = [value]
        else:
            parts = re.findall(rf"{form}|[A-Za-z]{{2}}", text)
        places = [self._at(where, part) for part in parts]
        return [row * self.game.width + column for column, row in places]

    def _rectangle(self, where: str, value: str) -> int:
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
        if (found := _CELL.fullmatch(text)) is not None:  # some programs write h8 for hh
            place = number_of(found[1].lower()), height - int(found[2])
        elif len(text) == 2 and text.isascii() and text.isalpha():
            if max(width, height) <= 26:  # capital letters are columns and rows from 27
                text = text.lower()
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


def _main_line(text: str, chosen: int) -> tuple[list[Properties], bool, int]:
    """Return the nodes of a game's main line, whether the game has variations, and the number of
    games."""
    nodes: list[Properties] = []
    at, depth, count, is_done, has_variations = 0, 0, 0, False, False
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
            if depth == 0:
                count, is_done = count + 1, False
            has_variations |= is_done and count == chosen
            depth += 1
        elif mark == ")":
            depth, is_done = depth - 1, True
            if depth < 0:
                raise NotationError(f"unmatched ')' at character {at} of the SGF; expected '('")
        elif is_done or count != chosen:
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
    return nodes, has_variations, count
