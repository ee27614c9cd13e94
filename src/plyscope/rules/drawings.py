"""Boards as people and programs write them: drawings, rows, lists, and what their signs mean.

`tables_of_text` and `tables_of_lists` split a text or Python's lists into cells, in each way that
may be meant, the most literal first. `meanings` says which signs are stones of X and of O. What
fits a game is decided in `notation`. A sign is never dropped without looking at its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import accumulate, pairwise, product, zip_longest
from math import isnan
from typing import Any, NamedTuple

from plyscope.errors import NotationError, OptionError
from plyscope.rules.game import SIDES
from plyscope.rules.games import default_game
from plyscope.rules.lines import bits
from plyscope.rules.position import Position

STONES = (
    ("Xx×✕✖❌❎⨯╳", "Oo○◯⭕🅾"),
    ("●⬤⚫", "○◯⚪"),
    ("🔴🟥", "🟡🟨🔵🟦🟢🟩⚫"),
    ("Bb", "Ww"),
    ("Rr", "Yy"),
)
"""Pairs of texts with signs for stones: of the side that moves first, and of the other side."""
WORDS = {"red": "R", "yellow": "Y", "black": "B", "white": "W", "cross": "X", "nought": "O"}
EMPTY = "._-·∙⋅・+*□☐⬜⬛🔲🔳◻▢┼├┤┬┴┌┐└┘"
BACKGROUND = "⚪🔵🟦⚫"
"""Signs of an empty cell beside two other kinds of stones."""
EMPTY_WORDS = ("", "none", "null", "nil", "undefined", "nan", "empty", "blank")
HOLE = "#"
MAX_LOST_COLUMNS = 3
"""The most empty columns that a spreadsheet may have lost at its right."""
MAX_AHEAD = 2
"""The most stones that a side may have more, where signs may be stones or empty cells."""
BLANK_LETTERS = "bBeE"
"""Letters of an empty cell beside X and O: b in the UCI data sets, e in others."""
OUTCOMES = ("positive", "negative", "win", "loss", "lose", "draw", "tie", "won", "lost")
"""Words that data sets write after the cells of a board."""
_BORDER = re.compile(r"[\s+=─━═┄╌┼╋╬┌┐└┘├┤┬┴╔╗╚╝╠╣╦╩╟╢╪╫╭╮╰╯:|_-]+")
_BARS = str.maketrans("│┃║｜¦\u3000\t", "|||||  ", "\ufe0f\u20e3")
_BULLET = re.compile(r"\s*(?:>\s|[-*]\s+(?=\S{2,}$))")
"""The mark of a quoted line, or of an item that is a row."""
_SIDE = re.compile(
    r"\s*(?:(?:turn|next|to move|to play|player)\s*:?\s+)?([xo])(?:'s)?"
    r"(?:\s+(?:to\s+(?:move|play)|turn|moves|plays))?\.?\s*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[+-]?\d+")
OWN = re.compile(r"([xoXO.]+(?:/+[xoXO.]+)+)(?: ([xoXO]))?")
"""Rows in plyscope's own notation, without numbers and holes, and perhaps the side to move."""
_OWN_SIGNS = frozenset("xoXO.")


class Table(NamedTuple):
    """The cells of a board, row by row from the top, before their signs are understood."""

    cells: list[str]
    shape: tuple[int, ...]
    """The sizes of the board; the first is the width. (n,) is a flat list of n cells."""
    is_plain: bool = False
    """Whether this is plyscope's own notation."""
    side: str = ""
    """The side to move, `x` or `o`, if the text names it."""
    by_columns: str = ""
    """`top` or `bottom` if the cells are listed column by column from there."""
    has_unclear_ends: bool = False
    """Whether the rows begin or end with bars beyond which there may be one more empty cell."""

    def turned(self) -> Table:
        """Return the table with the order of its rows reversed in each level."""
        width, height = self.shape[0], self.shape[1] if len(self.shape) > 1 else 1
        rows = [self.cells[at : at + width] for at in range(0, len(self.cells), width)]
        levels = [rows[at : at + height] for at in range(0, len(rows), height)]
        return self._replace(cells=[c for level in levels for row in level[::-1] for c in row])


class Ragged(NotationError):
    """Rows of a text have different numbers of cells."""


# Texts


def tables_of_text(text: str) -> Iterator[Table]:
    """Yield the tables that a text may mean, the most literal first.

    Raises NotationError if its rows have different lengths, and none of its readings has rows of
    one length.
    """
    if (own := OWN.fullmatch(text)) is not None:
        parts = re.split("(/+)", own[1])
        way = Way(list(map(list, parts[::2])), list(map(len, parts[1::2])), True)
        if len({*map(len, way.rows)}) == 1:  # nothing else can be meant
            yield _table(way, text)._replace(side=(own[2] or "").lower())
            return
    text = text.replace("\r", "")
    if "\t" in text and (sheets := _spreadsheets(text)):
        for sheet in sheets:
            for cells, _ in _without_names(sheet):
                yield _table(Way(cells, has_unclear_ends=len(sheets) > 1), text)
        return
    text = text.translate(_BARS)
    if "\n" not in text and "\\n" in text:
        text = text.replace("\\n", "\n")
    text = re.sub(r"\A(\s*\n)+", "", text).rstrip()
    lines = [line.rstrip() for line in text.split("\n")]
    if all(map(_BULLET.match, lines)):
        lines = [_BULLET.sub("", line, count=1) for line in lines]
    found, shown = False, "/".join(lines)
    ragged: Ragged | None = None
    for rows, side in _with_sides(lines):
        ways = _ways_of_lines(rows) if len(rows) > 1 else _ways_of_a_line(rows[0] if rows else "")
        for way in ways:
            try:
                table = _table(way, shown)
            except Ragged as error:
                ragged = ragged or error
                continue
            if table.cells:
                found = True
                is_plain = table.is_plain and not (side and len(lines) > 1)
                yield table._replace(side=side, is_plain=is_plain)
    if not found and ragged is not None:
        raise ragged


def _spreadsheets(text: str) -> list[list[list[str]]]:
    """Return the ways to read cells that tabs separate: several if rows lost their last, empty
    cells, since all of them may have; none for tabs that are only spaces."""
    rows = [[cell.strip() for cell in line.split("\t")] for line in text.strip("\n").split("\n")]
    widths = {*map(len, rows)}
    width = max(widths)
    if width < 3 or len(rows) < 2 or any(" " in cell for row in rows for cell in row):
        return []
    most = width + (MAX_LOST_COLUMNS if len(widths) > 1 else 0)
    return [[row + [""] * (count - len(row)) for row in rows] for count in range(width, most + 1)]


def _with_sides(lines: list[str]) -> Iterator[tuple[list[str], str]]:
    """Yield the lines and the side to move: as they stand, or without a line or a word that names
    the side."""
    yield lines, ""
    for at in (-1, 0):  # the last line, or the first, as on HackerRank
        if len(lines) > 1 and (found := _SIDE.fullmatch(lines[at])) is not None:
            rest = lines[:-1] if at else lines[1:]
            while rest and not rest[-1].strip():
                rest = rest[:-1]
            yield rest, found[1].lower()
    if lines and (word := re.fullmatch(r"(.*\S.*) ([xoXO])", lines[-1])) is not None:
        yield [*lines[:-1], word[1]], word[2].lower()


class Way(NamedTuple):
    """The rows of a text, split into cells in one of the ways that may be meant."""

    rows: list[list[str]]
    depths: Sequence[int] = ()
    """The depth of the separator after each row but the last; empty for one level."""
    is_plain: bool = False
    has_unclear_ends: bool = False


def _table(way: Way, text: str) -> Table:
    """Return the table of the rows of `text`; raise Ragged."""
    rows = way.rows
    depths = way.depths or [1] * (len(rows) - 1)
    width = len(rows[0]) if rows else 0
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            raise Ragged(
                f"row {number} {''.join(row)[:40]!r} of {text[:80]!r} has {len(row)} cells; "
                f"expected {width}"
            )
    if len(rows) == 1:
        return Table(rows[0], (width,), way.is_plain)
    shape, end = [width], 0
    for depth in range(1, max(depths, default=1) + 1):
        while end < len(depths) and depths[end] <= depth:
            end += 1
        shape.append(depths[:end].count(depth) + 1)
    cells = [cell for row in rows for cell in row]
    return Table(cells, tuple(shape), way.is_plain, has_unclear_ends=way.has_unclear_ends)


def _ways_of_a_line(line: str) -> Iterator[Way]:
    """Yield the ways to read one line: rows joined by a separator, or a flat row of signs."""
    if "/" in line:
        parts = re.split("(/+)", line)
        rows, depths = parts[::2], [len(run) for run in parts[1::2]]
        for cells, is_plain in _ways_of_rows(rows):
            yield Way(cells, depths, is_plain)
        return
    flat = ",".join(map(str.strip, re.split("[,;]", line)))
    words = flat.split(",") if "," in flat else flat.split()
    words = [word.strip().strip("'\"") for word in words]
    if len(words) > 1 and words[-1].lower() in OUTCOMES:
        words.pop()
    for rows in (line.split("|"), words):
        rows = [row for row in rows if row.strip()] if rows is not words else rows
        if len(rows) > 2 and len(rows[0]) > 1 and len({len(row) for row in rows}) == 1:
            yield Way([list(row) for row in rows])
    if len(words) > 1:
        yield Way([words])
    if line.count("|") > 1:
        yield Way([_parts(line.strip().strip("|"), False)])
    if words and len(words[-1]) > 1 and words[-1].lower() not in OUTCOMES:
        yield Way([list("".join(words))], is_plain="," not in flat)
    yield Way([list(line.rstrip("\n"))])
    if re.fullmatch(r"[xoXO._#\s\d-]+", line):
        yield Way([_expanded(line.replace(" ", ""))], is_plain=True)


def _ways_of_rows(rows: Sequence[str]) -> Iterator[tuple[list[list[str]], bool]]:
    """Yield the cells of rows without bars: by signs, words or numbers of empty cells."""
    joined = "".join(rows)
    has_empty = bool(re.search(rf"[{re.escape(EMPTY)}]", joined))
    tight = [re.sub(r"[\s\[\](),;]", "", row) for row in rows]
    for comma in ",;":
        if comma in joined and len({row.count(comma) for row in rows}) == 1:
            yield [[cell.strip("[]() '\"") for cell in row.split(comma)] for row in rows], False
    has_stones = any(sign in joined for one, two in STONES for sign in one + two)
    if re.search(r"\d", joined) and not re.search(r"\d\s+\d|[,;]", joined):
        is_of_digits = not has_stones and not re.search(r"[^012._-]", "".join(tight))
        if is_of_digits and ("0" in joined or has_empty):
            yield [list(row) for row in tight], False
            return
        yield [_expanded(row) for row in tight], True
    if " " in joined and not has_empty:
        width = max(map(len, rows))
        if not any(row[1::2].strip() for row in rows):  # a space after each cell, also an empty one
            yield [list(row.ljust(width | 1)[::2]) for row in rows], False
        yield [list(row.ljust(width)) for row in rows], True
    words = [re.sub(r"[\[\](),;]", " ", row).split() for row in rows]
    words = [[word.strip("'\"") for word in row] for row in words]
    if all(len(row) > 1 for row in words):
        yield words, has_stones and "," not in joined
    yield [list(row) for row in tight], True


def _expanded(row: str) -> list[str]:
    """Return the cells of a row in which a number is a run of empty cells."""
    cells: list[str] = []
    for part in re.findall(r"[0-9]+|[^0-9]", row):
        cells += ["."] * int(part) if part[0] in "0123456789" and len(part) < 5 else [part]
    return cells


def _ways_of_lines(lines: list[str]) -> Iterator[Way]:
    """Yield the ways to read a drawing: with or without lines and words that name its rows and
    columns, and with lines between cells taken for a frame or for cells."""
    has_bars = sum("|" in line for line in lines) > 1
    outer = [line for line in lines if not _is_border(line, has_bars)]
    extent = max(map(len, lines), default=0)
    if has_bars and (tall := _tall_rows(lines)) is not None:
        yield Way(tall)
    short = [line for line in outer if not re.fullmatch(r"\s*(-{2,}|_{2,})\s*", line)]
    variants = [outer] if len(short) == len(outer) else [outer, short]
    if not re.search("[-_]", "".join(short)):
        variants.reverse()
    for kept, (columns, rows) in product(variants, product((False, True), repeat=2)):
        bare = _without_column_names(kept) if columns else kept
        bare = _without_row_names(bare) if rows or _has_corner(kept, bare) else bare
        blocks: list[list[str]] = [[]]
        for line in bare:
            if line.strip():
                blocks[-1].append(line)
            else:
                blocks.append([])
        levels = [block for block in blocks if block]
        if not levels:
            continue
        flat = [line for level in levels for line in level]
        ends = {*accumulate(map(len, levels))}
        depths = [1 + (at in ends) for at in range(1, len(flat))]
        if has_bars:
            for cells, is_unclear in _barred(flat, extent):
                if len(cells) == len(flat):
                    yield Way(cells, depths, has_unclear_ends=is_unclear)
                elif len(levels) == 1:  # without a line that names columns
                    yield Way(cells, has_unclear_ends=is_unclear)
            continue
        width = max(map(len, bare))
        if len(flat) < len(bare) and width < 2 * len(bare):  # a line of spaces may be a row
            yield Way([list(line.ljust(width)) for line in bare])
        for cells, _ in _ways_of_rows(flat):
            yield Way(cells, depths)


def _is_border(line: str, has_bars: bool) -> bool:
    """Return whether a line is a border or separates rows; `has_bars` if some line has bars."""
    if not line.strip() or _BORDER.fullmatch(line) is None:
        return False
    inner = line.strip()
    if re.search(r"[=─━═┄╌╬╔╗╚╝╭╮╰╯]", inner) or re.search(r"-[-\s]*\+|\+[-\s]*-", inner):
        return True
    if "|" in inner:
        return "--" in inner
    return has_bars and re.fullmatch(r"[-_\s]+", inner) is not None


def _parts(line: str, is_framed: bool) -> list[str]:
    """Return the cells of a line with bars, whose outer bars may be a frame; brackets and stars
    that mark a stone are left out."""
    inner = line.strip()[1:-1] if is_framed else line
    cells = [part.strip(" []()'\"") for part in inner.split("|")]
    return [cell.strip(" []()*'\"") or cell for cell in cells]


def _barred(lines: list[str], extent: int) -> Iterator[tuple[list[list[str]], bool]]:
    """Yield the rows of lines with bars: with a frame, with bars on one side of each cell, or with
    bars between cells; and without names of rows and columns. The second item is whether another
    of these may be meant. `extent` is the length of the longest line, perhaps one between rows."""
    barred = [line for line in lines if "|" in line]
    if not all(_counts(line) for line in lines if "|" not in line):
        yield [_parts(line, False) if "|" in line else list(line.strip()) for line in lines], False
        return
    rows = [_parts(line, False) for line in barred]
    has_first, has_last = (all(len(row) > 1 and row[at] == "" for row in rows) for at in (0, -1))
    ends: list[tuple[int, int | None]] = []
    is_cell = False  # whether there may be a cell outside of the outer bars
    if has_first and has_last:
        ends = [(1, -1), (0, -1), (1, None)]  # the first column, or the last one, may be empty
        cell_widths = {len(part) for line in barred for part in line.split("|")[1:-1]}
        is_cell = all({len(line.partition("|")[0])} == cell_widths for line in barred)
        is_cell |= {extent - max(map(len, barred))} == cell_widths  # of the last column, trimmed
    elif has_first or has_last:
        ends = [(1, None) if has_first else (0, -1)]
    ends.append((0, None))
    if all(line[0] == "|" for line in barred):  # and before it is no cell
        ends = [(first, last) for first, last in ends if first]
    for first, last in ends:
        is_unclear = len(ends) > 1 and ((first, last) != (1, -1) or is_cell)
        for cells, is_named in _without_names([row[first:last] for row in rows]):
            yield cells, is_unclear and not is_named
    if has_first and has_last and all(line.count("|") == 2 for line in barred):
        for cells, _ in _ways_of_rows([line.strip()[1:-1] for line in barred]):
            yield cells, False  # a frame around rows without bars


def _without_names(rows: list[list[str]]) -> Iterator[tuple[list[list[str]], bool]]:
    """Yield rows of cells as they stand, and without cells that name rows and columns; each with
    whether there are names for both."""
    if not all(rows):
        return
    head, body = rows[0], rows[1:]
    columns = head[head[0] == "" :]
    is_named = len(rows) > 2 and _counts(" ".join(columns))
    if is_named and _run([row[0] for row in body]):
        yield [row[len(row) - len(columns) :] for row in body], True
    yield rows, False
    if is_named:
        yield body, False
    if len(rows) > 2 and _counts(" ".join(rows[-1])):
        yield rows[:-1], False
    if _run([row[0] for row in rows]):
        yield [row[1:] for row in rows], False


def _tall_rows(lines: list[str]) -> list[list[str]] | None:
    """Return the rows of a drawing in which a row of cells takes several lines, None for another.

    Lines of dashes separate the rows; the last line of a cell may be its border.
    """
    groups: list[list[str]] = [[]]
    for line in lines:
        if re.search(r"_{2,}|-{2,}|─|━|═", line):
            groups.append([])
        elif line.strip():
            groups[-1].append(line)
    groups = [group for group in groups if group and all("|" in line for line in group)]
    if len(groups) < 3 or max(map(len, groups)) == 1 or len({*map(len, groups[:-1])}) > 1:
        return None
    found = []
    is_framed = all(re.fullmatch(r"\s*\|.*\|\s*", line) for group in groups for line in group)
    for group in groups:
        cells = list(zip_longest(*(_parts(line, is_framed) for line in group), fillvalue=""))
        signs = [[part for part in cell if part] for cell in cells]
        if any(len(each) > 1 for each in signs):
            return None
        found.append([each[0] if each else "" for each in signs])
    return found


def _without_column_names(lines: list[str]) -> list[str]:
    for _ in ("top", "bottom"):
        while len(lines) > 2 and _counts(lines[0]):
            lines = lines[1:]
            while len(lines) > 2 and not lines[0].strip():
                lines = lines[1:]
        lines = lines[::-1]
    return lines


def _has_corner(lines: list[str], bare: list[str]) -> bool:
    """Return whether a line above rows names one column less than they have, so that the first one
    has the names of rows."""
    return bare != lines and len(lines[0].split()) + 1 == len(bare[0].split())


def _without_row_names(lines: list[str]) -> list[str]:
    name = r"(?P<name>\d{1,2}|[A-Za-z])"
    for pattern in (
        rf"\s*{name}(?:[ .:)]|(?=\|))(?P<row>.*)",
        rf"(?P<row>.*\S) *(?<![\w])\(?{name}\)?",
    ):
        found = [re.fullmatch(pattern, line) for line in lines if line.strip()]
        named = [each for each in found if each is not None]
        if named and len(named) == len(found) and _run([each["name"] for each in named]):
            rows = iter([each["row"] for each in named])
            lines = [next(rows) if line.strip() else line for line in lines]
    return lines


def _counts(line: str) -> bool:
    """Return whether a line names columns: a b c, or 1 2 3."""
    words = re.sub(r"[|.:\-]", " ", line).split()
    words = list(words[0]) if len(words) == 1 else words
    if len(words) < 2:
        return False
    return _run(words) and words[0] in ("0", "1", "a", "A")


def _run(names: Sequence[str]) -> bool:
    """Return whether names are consecutive, up or down; i may be left out of letters, as in Go."""
    if all(name.isdecimal() and len(name) < 3 for name in names):
        numbers = [int(name) for name in names]
    elif all(len(name) == 1 and name.isascii() and name.isalpha() for name in names):
        letters = [ord(name.lower()) for name in names]
        numbers = [number - (number > ord("i") and ord("i") not in letters) for number in letters]
    else:
        return False
    return {after - before for before, after in pairwise(numbers)} in ({1}, {-1})


# Lists


_TOKEN = re.compile(
    r"\s*(?:(?P<text>'[^'\n]*'|\"[^\"\n]*\")|(?P<open>[\[({])|(?P<close>[\])}])|(?P<mark>[,;])"
    r"|(?P<word>[^\s,;\[\](){}'\"]+))"
)
_ARRAY = r"(?<![\w.])(?:\w+\.)?(?:(?i:array|asarray|matrix|tensor|board|grid)"
_BEFORE = r")\s*(?=\(\s*[\[({])"
ARRAY = re.compile(_ARRAY + _BEFORE)
"""The name of an array or a board before its lists."""
CONTAINER = re.compile(rf"{_ARRAY}|list|tuple|deque|DataFrame{_BEFORE}")
"""The name of an array or of another container before its lists."""
_BEFORE_LISTS = re.compile(
    r"^\s*(?:[\w.\[\]<>\s:]*[^=!<>]=\s*|[\w:<>\[\]\s]*[>\w]\s*(?=\{\s*\{))?"
    r"(?:new\s+\w+\s*(?:\[\])*\s*)?"
)


def lists_of(text: str) -> list[Any] | None:
    """Return the lists in a text of Python, NumPy, JSON, Java, C or MATLAB, None for another text.

    Cells are texts. Lines that are lists are rows.
    """
    text = _BEFORE_LISTS.sub("", text.strip(), count=1).rstrip("; \n")
    text = CONTAINER.sub("", text)
    text = re.sub(r",?\s*dtype=[\w.'\"<>]+", "", text)
    try:
        values = _values(text)
        if len(values) > 1 and "\n" in text:
            values = []
            for line in filter(str.strip, text.split("\n")):
                row = _values(line.strip().rstrip(","))
                values.append(
                    row[0] if len(row) == 1 else [cell for each in row for cell in each or [""]]
                )
    except (ValueError, RecursionError):
        return None
    if not values or not all(isinstance(value, list) for value in values):
        return None
    if len(values) > 1 and text.startswith("(") and all(len(value) == 2 for value in values):
        return None  # pairs of coordinates: (7,7), (8,8)
    return values if len(values) > 1 else values[0]


def _values(text: str) -> list[Any]:
    """Return the values of a text; raise ValueError for a text that is not made of lists."""
    stack: list[list[Any]] = [[]]
    rows: list[list[list[Any]]] = [[]]
    at, before, text = 0, "", text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or len(stack) > 6:
            raise ValueError
        gap = text[at : found.start(found.lastgroup or 0)]
        at, kind = found.end(), found.lastgroup
        sign = found[kind or 0]
        if kind == "mark" and sign == "," and before in (",", "[") and len(stack) > 1:
            stack[-1].append("")
        if kind == "close" and before == "," and gap and "\n" not in gap:
            stack[-1].append("")
        if kind == "open":
            stack.append([])
            rows.append([])
        elif kind == "close":
            if len(stack) < 2:
                raise ValueError
            value, above = stack.pop(), rows.pop()
            value += [""] * (not value and gap != "")
            stack[-1].append([*above, value] if above else value)
        elif kind == "text":
            stack[-1].append(sign[1:-1])
        elif kind == "word":
            if re.search(r"[=:]", sign) or len(stack) < 2:
                raise ValueError
            stack[-1].append(sign)
        elif sign == ";" and len(stack) > 1:
            rows[-1].append(stack[-1][:])
            stack[-1].clear()
        before = "[" if kind == "open" else sign if kind == "mark" else ""
    if len(stack) != 1:
        raise ValueError
    return stack[0]


def plain_lists(thing: Any) -> Any:
    """Return an array of another library as lists; anything else is returned unchanged."""
    for name in ("tolist", "__array__"):
        make = getattr(type(thing), name, None)
        if callable(make) and not isinstance(thing, str | list | tuple):
            made = make(thing)
            return made if name == "tolist" else made.tolist()
    return thing


def sign_of(thing: Any) -> str:
    """Return the cell of a list as a sign; a member of an Enum by its name, else by its value."""
    if isinstance(thing, Enum):
        word = thing.name.lower()
        thing = thing.name if word in (*WORDS, *EMPTY_WORDS, *"xo") else thing.value
    if thing is None or (isinstance(thing, float) and isnan(thing)):
        return ""
    if isinstance(thing, bool):
        return str(int(thing))
    if isinstance(thing, float) and thing.is_integer():
        return str(int(thing))
    text = str(thing).strip()
    return text[: text.index(".")] if re.fullmatch(r"[+-]?\d+\.0*", text) else text


def tables_of_lists(data: Sequence[Any]) -> Iterator[Table]:
    """Yield the tables of Python's lists: a flat list, rows, rows as texts, levels or columns."""
    while len(data) == 1 and isinstance(data[0], list | tuple):
        data = data[0]
    if not data:
        return
    if all(isinstance(each, str) and len(each) > 1 for each in data):
        yield from _tables_of_rows([list(row) for row in data])
    if not any(isinstance(each, list | tuple | dict) for each in data):
        yield Table([sign_of(each) for each in data], (len(data),))
        return
    if not all(isinstance(each, list | tuple) for each in data):
        return
    if all(isinstance(row, list | tuple) for each in data for row in each):
        levels = [[[sign_of(c) for c in row] for row in level] for level in data]
        widths = {len(row) for level in levels for row in level}
        if len({*map(len, levels)}) == len(widths) == 1:
            cells = [cell for level in levels for row in level for cell in row]
            yield Table(cells, (*widths, len(levels[0]), len(levels)))
        return
    if any(isinstance(cell, list | tuple | dict) for row in data for cell in row):
        return
    rows = [[sign_of(cell) for cell in row] for row in data]
    if all(len(row) == 1 and len(row[0]) > 1 for row in rows):
        rows = [list(row[0]) for row in rows]
    yield from _tables_of_rows(rows)


def _tables_of_rows(rows: list[list[str]]) -> Iterator[Table]:
    widths = [len(row) for row in rows]
    if len({*widths}) == 1:
        yield Table([cell for row in rows for cell in row], (widths[0], len(rows)))
    height = max(map(len, rows))
    full = [row + [""] * (height - len(row)) for row in rows]
    for end in ("bottom", "top"):
        cells = [cell for column in full for cell in column]
        yield Table(cells, (len(rows), height), by_columns=end)
    if len({*widths}) > 1:
        raise Ragged(
            f"rows of {', '.join(map(str, widths))[:40]} cells; expected rows of one length"
        )


def by_rows(table: Table) -> Table:
    """Return a table whose cells are listed by columns with its cells listed by rows."""
    width, height = table.shape
    places = range(height - 1, -1, -1) if table.by_columns == "bottom" else range(height)
    return table._replace(
        cells=[table.cells[column * height + at] for at in places for column in range(width)]
    )


# Signs


def meanings(table: Table, text: str, is_list: bool = False) -> list[tuple[str, str]]:
    """Return the ways to read signs as cells `x`, `o`, `.` and `#`, each with a note that says so.

    There are two where 0 and 1 are the stones and nothing says which of them moves first. Raises
    NotationError, which names the place in `text` of a sign that has no meaning.
    """
    if _OWN_SIGNS.issuperset(table.cells):
        return [("".join(table.cells).lower(), "")]
    width, signs = table.shape[0], [_plain(cell) for cell in table.cells]

    def no_meaning(sign: str) -> NotationError:
        row, column = divmod(signs.index(sign), width)
        return NotationError(
            f"sign {sign[:20]!r} at place {column + 1} of row {row + 1} of {text[:80]!r}; "
            f"expected X, O, '.', a number of empty cells, or {HOLE!r} for a hole"
        )

    of_sign = {sign: "." for sign in signs if sign == "" or sign in EMPTY}
    of_sign |= {HOLE: "#"}
    has_empty = any(sign in of_sign and sign != HOLE for sign in signs)
    others = [sign for sign in dict.fromkeys(signs) if sign not in of_sign]
    numbers = [sign for sign in others if _NUMBER.fullmatch(sign)]
    letters = [sign for sign in others if sign not in numbers]
    note = ""
    if letters:
        first, second, empty, unknown = _stones(letters, [] if has_empty else signs)
        if unknown:
            raise no_meaning(unknown)
        of_sign |= dict.fromkeys(first, "x") | dict.fromkeys(second, "o")
        of_sign |= dict.fromkeys(empty, ".")
        if not numbers and not (first and second) and (ways := _with_star(signs, of_sign)):
            return ways
        if numbers == ["0"] and "o" not in {of_sign.get(sign) for sign in letters}:
            crosses = sum(of_sign.get(sign) == "x" for sign in signs)
            is_stone = has_empty or crosses - signs.count("0") in (0, 1)
            of_sign["0"] = "o" if is_stone else "."
            second = ["0"] if is_stone else second
            empty = empty if is_stone else ["0"]
        elif numbers == ["0"] and not has_empty:
            of_sign["0"], empty = ".", ["0"]
        elif numbers and not has_empty and _are_own_numbers(signs, width):
            of_sign |= dict.fromkeys(numbers, ".")
            note = "numbers = empty cells"
        elif numbers:
            raise no_meaning(numbers[0])
        return [_read(signs, of_sign, (first, second, empty), note)]
    if not numbers:
        return [_read(signs, of_sign, ([], [], []), "")]
    found = set(numbers)
    if found == {"0", "1"} and has_empty:
        counts = signs.count("0"), signs.count("1")
        if abs(counts[0] - counts[1]) > MAX_AHEAD:
            raise no_meaning("0")  # a stone, or an empty cell
        pairs = [("0", "1"), ("1", "0")]
        pairs = pairs if counts[0] == counts[1] else [pairs[counts[1] > counts[0]]]
    elif found <= {"1", "2"} or (found <= {"0", "1", "2"} and not has_empty):
        pairs = [("1", "2")]
    elif found <= {"1", "-1"} or (found <= {"0", "1", "-1"} and not has_empty):
        pairs = [("1", "-1")]
    elif not is_list and not has_empty and _are_own_numbers(signs, width):
        return [("." * len(signs), "numbers = empty cells")]
    else:
        raise no_meaning(max(numbers, key=lambda sign: (len(sign), sign)))
    return [
        _read(signs, {"0": ".", **of_sign, one: "x", two: "o"}, ([one], [two], []), "")
        for one, two in pairs
    ]


def _with_star(signs: list[str], of_sign: dict[str, str]) -> list[tuple[str, str]]:
    """Return the ways to read `*` as the stone beside those of one side and empty cells of another
    sign, as on a board of o and *; empty if it is an empty cell, such as a star point of Go."""
    ours = {sign for sign in signs if of_sign[sign] in ("x", "o")}
    counts = sum(sign in ours for sign in signs), signs.count("*")
    has_empty = any(of_sign[sign] == "." and sign != "*" for sign in signs)
    if len(ours) != 1 or not counts[1] or not has_empty or abs(counts[0] - counts[1]) > 1:
        return []
    pairs = [(*ours, "*"), ("*", *ours)]
    pairs = pairs if counts[0] == counts[1] else [pairs[counts[0] < counts[1]]]
    return [
        _read(signs, of_sign | {one: "x", two: "o"}, ([one], [two], []), "") for one, two in pairs
    ]


def _plain(cell: str) -> str:
    """Return a sign without spaces around it, words for stones and empty cells as one letter."""
    sign = cell.strip().replace("−", "-")
    word = sign.lower()
    if word in EMPTY_WORDS:
        return ""
    return WORDS.get(word, sign.removeprefix("+") if sign[1:].isdecimal() else sign)


def _stones(letters: list[str], signs: list[str]) -> tuple[list[str], list[str], list[str], str]:
    """Return the signs of X, of O and of empty cells, and a sign that is none of them.

    `signs` are those of all cells, [] if some have a usual sign of an empty cell. If one of two
    colours has many more cells than the other, or if all have the same letter, they are empty.
    """
    empty: list[str] = []
    if len({*signs}) == 1 or any(sign in STONES[0][0] + STONES[0][1] for sign in letters):
        empty = [sign for sign in letters if sign in BLANK_LETTERS]
    colours = [sign for sign in letters if any(sign in one + two for one, two in STONES[1:3])]
    counts = [*map(signs.count, colours), 0, 0]
    if len(colours) > 2 or abs(counts[0] - counts[1]) > MAX_AHEAD or {*colours} == {"🔴", "⚪"}:
        empty = [sign for sign in BACKGROUND if sign in colours][: max(1, len(colours) - 2)]
    rest = [sign for sign in letters if sign not in empty]
    for one, two in STONES:
        if all(sign in one + two for sign in rest):
            first = [sign for sign in rest if sign in one]
            return first, [sign for sign in rest if sign not in first], empty, ""
    known = "".join(one + two for one, two in STONES)
    unknown = [sign for sign in rest if len(sign) != 1 or sign not in known]
    odd = [sign for sign in rest if sign not in STONES[0][0] + STONES[0][1]]
    return [], [], [], [*(odd if len(unknown) > 1 else unknown), rest[-1]][0]


def _are_own_numbers(signs: Sequence[str], width: int) -> bool:
    """Return whether each number is the number of its own cell: from 1 or 0 at the top left, or as
    on a keypad."""
    given = {at: int(sign[:5]) for at, sign in enumerate(signs) if sign.isdecimal()}
    height = len(signs) // max(1, width)
    rows = [divmod(at, width) for at in range(len(signs))]
    ways = (
        range(1, len(signs) + 1),
        range(len(signs)),
        [(height - 1 - row) * width + column + 1 for row, column in rows],
    )
    return any(all(way[at] == number for at, number in given.items()) for way in ways)


def _read(
    signs: Sequence[str],
    of_sign: dict[str, str],
    kinds: tuple[Sequence[str], Sequence[str], Sequence[str]],
    note: str,
) -> tuple[str, str]:
    """Return the cells, and a note on signs other than X, O and the usual ones of empty cells."""
    notes = [
        f"{sign} = {name}"
        for kind, name in zip(kinds, ("X", "O", "empty"), strict=True)
        for sign in kind
        if sign in signs and sign.upper() != name
    ]
    if not notes and "0" in signs and of_sign["0"] == ".":
        notes = ["0 = empty"]
    return "".join(of_sign[sign] for sign in signs), ", ".join([*notes, *[note] * bool(note)])


# Writing


def marks_of(position: Position) -> str:
    """Return the cells of a position in order, each as `X`, `O`, `.` or `#`."""
    cells = ["."] * position.game.size
    for board, mark in ((position.first, "X"), (position.second, "O"), (position.game.holes, HOLE)):
        for cell in bits(board):
            cells[cell] = mark
    return "".join(cells)


def draw(position: Position) -> str:
    """Return a position as a drawing, which `notation.read` reads.

    Raises OptionError for a board of more than three dimensions.
    """
    game = position.game
    if len(game.shape) > 3:
        raise OptionError(f"drawing of {game.name!r}; expected at most three dimensions")
    cells = marks_of(position)
    rows = [" ".join(cells[at : at + game.width]) for at in range(0, game.size, game.width)]
    levels = [rows[at : at + game.height] for at in range(0, len(rows), game.height)]
    head = [] if default_game(game.shape) == game else [game.of_file or game.name]
    usual = game.turn(position.first, position.second)
    tail = [] if position.side == usual else [f"{SIDES[position.side]} to move"]
    return "\n".join([*head, "\n\n".join("\n".join(level) for level in levels), *tail])
