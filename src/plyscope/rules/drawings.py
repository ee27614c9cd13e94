"""Drawings of positions: boards in several lines, in the signs that people and programs use.

Stones and empty points in the usual signs, with or without borders, bars between cells, and names
of rows and columns. The result of a reading lists the assumptions that were made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from plyscope.errors import OptionError, PlyscopeError
from plyscope.rules.game import SIDES
from plyscope.rules.games import default_game, line_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position

STONES = (
    ("Xx×✕✖❌⨯╳", "Oo0○◯⭕"),
    ("●⬤⚫", "○◯⚪"),
    ("🔴", "🟡🔵"),
    ("Bb", "Ww"),
    ("Rr", "Yy"),
)
"""Pairs of texts with signs for stones: of the side that moves first, and of the other side."""
NO_STONE = "._-·∙⋅+*□☐⬜┼├┤┬┴┌┐└┘"
HOLE = "#"
_BORDER = re.compile(r"[\s+=─━═┄╌┼╋╬┌┐└┘├┤┬┴╔╗╚╝╠╣╦╩╟╢│|_-]+")
_BARS = str.maketrans({"│": "|", "┃": "|", "║": "|", "｜": "|", "\ufe0f": "", "\u3000": " "})
_SIDE = re.compile(r"\s*([xo])(\s+to\s+(move|play))?\.?\s*", re.IGNORECASE)


def plain_rows(text: str, game: LineGame | None = None) -> tuple[str, str]:
    """Return a drawing of several lines as rows joined by `/`, and a note on how it was read.

    Any other text is returned unchanged, with an empty note. `game` is the game named before it.
    """
    lines = [line.rstrip().translate(_BARS) for line in text.replace("\t", " ").split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    head = ""
    if game is None and len(lines) > 1 and _names_game(lines[0]):
        head, game = f"{lines[0].strip()} ", line_game(lines[0].strip())
        lines.pop(0)
    fewest = 1 if head else 2
    if len(lines) < fewest:
        return text, ""
    has_more = len(lines) > fewest and len(lines[-1].strip()) > 1
    side = _SIDE.fullmatch(lines[-1]) if has_more else None
    if side is not None:
        lines.pop()
    levels, signs = _levels(lines, game)
    if not levels:
        return text, ""
    body = "//".join("/".join(rows) for rows in levels)
    said = f"a drawing of {sum(map(len, levels))} rows" + (f", {signs}" if signs else "")
    return f"{head}{body}{f' {side[1].lower()}' if side is not None else ''}", said


def _names_game(line: str) -> bool:
    try:
        line_game(line.strip())
    except PlyscopeError:
        return False
    return True


def _levels(lines: list[str], game: LineGame | None) -> tuple[list[list[str]], str]:
    """Return the rows of each level in X, O and '.', and the signs that were read as X and O."""
    has_bars = any("|" in line for line in lines)
    lines = _without_names([line for line in lines if not _is_border(line, has_bars)])
    pair = _pair("".join(lines))
    of_sign = {sign: mark for signs, mark in zip(pair, "XO", strict=True) for sign in signs}
    of_sign |= dict.fromkeys(NO_STONE, ".") | {HOLE: HOLE}
    has_empty = any(sign in NO_STONE for line in lines for sign in line)
    readings = [
        _blocks(lines, of_sign, spaces_are_cells)
        for spaces_are_cells in ((False,) if has_empty else (True, False))
    ]
    fitting = (rows for rows in readings if rows and _fits(rows, game))
    levels = next(fitting, next((rows for rows in readings if rows), []))
    used = [next((sign for sign in "".join(lines) if sign in signs), "") for signs in pair]
    odd = [f"{sign} read as {mark}" for sign, mark in zip(used, "XO", strict=True) if sign]
    return levels, "" if pair == STONES[0] else " and ".join(odd)


def _is_border(line: str, has_bars: bool) -> bool:
    """Return whether a line is a border or separates rows; `has_bars` if some line has bars."""
    if not line.strip() or _BORDER.fullmatch(line) is None:
        return False
    inner = line.strip()
    if re.search(r"[=─━═┄╌╬╔╗╚╝]", inner) or re.search(r"-[-\s]*\+|\+[-\s]*-", inner):
        return True
    if "--" in inner and "|" in inner:
        return True
    return has_bars and "|" not in inner and re.fullmatch(r"[-_\s]+", inner) is not None


def _without_names(lines: list[str]) -> list[str]:
    """Return the lines without the names of columns and rows."""
    while len(lines) > 2 and _counts(lines[0]):
        lines = lines[1:]
    while len(lines) > 2 and _counts(lines[-1]):
        lines = lines[:-1]
    for pattern in (r"\s*(?P<name>\d{1,2})[ .:)](?P<row>.*)", r"(?P<row>.*\S) +(?P<name>\d{1,2})"):
        found = [re.fullmatch(pattern, line) for line in lines]
        named = [each for each in found if each is not None]
        if len(named) == len(lines) and _is_run([int(each["name"]) for each in named]):
            lines = [each["row"] for each in named]
    return lines


def _counts(line: str) -> bool:
    """Return whether a line names columns: a b c, or 1 2 3."""
    words = line.split()
    words = list(words[0]) if len(words) == 1 else words
    if len(words) < 2:
        return False
    if all(word.isdecimal() and len(word) < 3 for word in words):
        return _is_run([int(word) for word in words]) and int(words[0]) in (0, 1)
    names = [ord(word.lower()) for word in words if len(word) == 1 and word.isalpha()]
    skipped = [number - (number > ord("i") and ord("i") not in names) for number in names]
    return len(names) == len(words) and chr(names[0]) == "a" and _is_run(skipped)


def _is_run(numbers: Sequence[int]) -> bool:
    """Return whether the numbers are consecutive, up or down."""
    steps = {after - before for before, after in pairwise(numbers)}
    return steps in ({1}, {-1})


def _pair(text: str) -> tuple[str, str]:
    """Return the signs of X and O: the first pair of STONES that occurs in the text."""
    found = [pair for pair in STONES if any(sign in text for sign in "".join(pair))]
    circles = STONES[1]
    if circles in found and any(sign in text for sign in circles[0]):
        return circles
    return found[0] if found else STONES[0]


def _blocks(lines: list[str], of_sign: dict[str, str], spaces_are_cells: bool) -> list[list[str]]:
    """Return the rows of each level; an empty line separates levels."""
    width = max(map(len, lines), default=0)
    is_framed = all(line.strip()[:1] + line.strip()[-1:] == "||" for line in lines if line.strip())
    blocks: list[list[str]] = [[]]
    for line in lines:
        if not line.strip() and not (spaces_are_cells and width < 2 * len(lines)):
            blocks.append([])
            continue
        blocks[-1].append(_row(line.ljust(width), of_sign, spaces_are_cells, is_framed))
    return [block for block in blocks if block]


def _row(line: str, of_sign: dict[str, str], spaces_are_cells: bool, is_framed: bool) -> str:
    """Return the cells of a line, whose outer bars are a frame; unknown signs are unchanged."""
    if "|" in line:
        parts = line.strip()[1:-1].split("|") if is_framed else line.split("|")
        cells = [part.strip(" []()*") or "." for part in parts]
        cells = ["." if cell.isdigit() else cell for cell in cells]
        signs = cells if all(len(cell) == 1 for cell in cells) else list("".join(cells))
    elif spaces_are_cells:
        signs = ["." if sign == " " else sign for sign in line]
    else:
        words = re.sub(r"[\[\]()*]", " ", line).split()
        are_numbered = len(words) > 1 and all(len(word) == 1 for word in words)
        signs = ["." if are_numbered and sign.isdigit() else sign for sign in "".join(words)]
    return "".join(of_sign.get(sign, sign) for sign in signs)


def _fits(levels: list[list[str]], game: LineGame | None) -> bool:
    """Return whether the rows have the shape of the game, or of a default game."""
    rows = [row for level in levels for row in level]
    shape = (len(rows[0]), len(levels[0]), *((len(levels),) if len(levels) > 1 else ()))
    return shape == game.shape if game is not None else default_game(shape) is not None


def marks_of(position: Position) -> str:
    """Return the cells of a position in order, each as `X`, `O`, `.` or `#`."""
    cells = ["."] * position.game.size
    for board, mark in ((position.first, "X"), (position.second, "O"), (position.game.holes, HOLE)):
        for cell in bits(board):
            cells[cell] = mark
    return "".join(cells)


def draw(position: Position) -> str:
    """Return a position as a drawing, which `plain_rows` reads.

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
