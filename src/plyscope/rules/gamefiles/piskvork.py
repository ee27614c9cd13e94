"""Piskvork, the manager of Gomocup (P. Lastovicka): its files, and texts of its protocol.

PSQ        a line `Piskvorky 15x15, 11:11, 0`, then `8,8,1500` for each move: column and row
           from 1 at the top left, and milliseconds
protocol   `START 15`, then `BOARD`, lines `7,7,1` and `DONE`, or moves, `TURN 7,7`: column and
           row from 0 at the top left; 1 is the program's own stone, 2 the opponent's, 3 a cell
           that is blocked. `YXBOARD` is Yixin's. The lines of a board may stand alone.
pairs      `7,7 8,8`, if it is clear whether they count from 0 or from 1
"""

from __future__ import annotations

import re
from itertools import takewhile

from plyscope.errors import NotationError
from plyscope.rules.gamefiles import (
    PSQ,
    GameText,
    checked_shape,
    choice_of,
    gomoku,
    gomoku_size,
    rule_words,
)
from plyscope.rules.linegame import LineGame
from plyscope.rules.words import Variants

_PSQ_MOVE = re.compile(r"(\d{1,4})\s*,\s*(\d{1,4})(?:\s*,\s*\d+)?")
_PSQ_RULE = re.compile(r"\d+,\s*([A-Za-z]\w*)")
_STONE = re.compile(r"(?:(TURN|PLAY)\s+)?(\d{1,2})\s*,\s*(\d{1,2})(?:\s*,\s*([123]))?", re.I)
_START = re.compile(r"(?:START|RECTSTART)\s+(\d{1,2})(?:\s*[\s,]\s*(\d{1,2}))?", re.IGNORECASE)
_RULE = re.compile(r"INFO\s+rule\s+(\d)", re.IGNORECASE)
_SILENT = re.compile(
    r"(YX|SWAP2)?BOARD|DONE|BEGIN|END|ABOUT|OK|YXSHOWINFO|(INFO|MESSAGE|DEBUG)\b.*|(NAME|name)=.*",
    re.IGNORECASE,
)
RULES: dict[str, Variants] = {
    "0": {},
    "1": {"exactly": True},
    "4": {"renju": True},
    "8": {"caro": True},
    "9": {"caro": True, "exactly": True},
}
"""The protocol's codes of rules, with the words that they add to five in a row."""
OWN, THEIRS, BLOCKED = "1", "2", "3"
_Stone = tuple[int, int, str]
"""Column, row, and whose."""


def read_psq(text: str, game: LineGame | None, chosen: int = 1) -> GameText:
    """Return the game of a file of Piskvork; raise NotationError, which names the move."""
    head = PSQ.match(text)
    assert head is not None  # the caller has checked it
    choice_of(chosen, 1, "a file of Piskvork")
    width, height = int(head[1]), int(head[2])
    lines = [line.strip() for line in text[head.end() :].split("\n")]
    read = (_PSQ_MOVE.fullmatch(line) for line in lines)
    moves = [found for found in takewhile(lambda found: found is not None, read) if found]
    tail = lines[len(moves) :]
    for number, line in enumerate(tail, 2 + len(moves)):
        if line.count(",") == 2 and _PSQ_MOVE.fullmatch(line):
            raise NotationError(
                f"line {2 + len(moves)} {tail[0][:40]!r} of the game of Piskvork, before the move "
                f"{line!r} in line {number}; expected a move such as '8,8,1500'"
            )
    if game is None:
        rule = next((found[1] for line in tail if (found := _PSQ_RULE.match(line))), "freestyle")
        words = rule_words(rule)
        if words is None:
            raise NotationError(
                f"rule {rule[:40]!r} in the game of Piskvork; expected Freestyle, Standard, Renju "
                "or Caro, or a game of plyscope before the text"
            )
        game = gomoku(width, height, words)
    checked_shape(game, (width, height), "a game of Piskvork")
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
    said = f"a game of Piskvork, {game.name}"
    return GameText(game.start(), tuple(names), (players[0], players[1]), said)


def read_protocol(text: str, game: LineGame | None, chosen: int = 1) -> GameText:
    """Return the position of lines of Gomocup's protocol; raise NotationError, which names the
    line."""
    choice_of(chosen, 1, "a board of Gomocup")
    shape: tuple[int, int] | None = None
    rule, board, after = "", list[_Stone](), list[_Stone]()
    has_words = re.search("[A-Za-z]", text) is not None
    is_swap2 = re.search("SWAP2BOARD", text, re.IGNORECASE) is not None  # its stones have no owner
    for number, line in enumerate(map(str.strip, _lines(text)), 1):
        where = f"line {number} {line[:40]!r} of the board of Gomocup"
        if found := _START.fullmatch(line):
            if board or after or shape:
                raise NotationError(f"{where}; expected START once, before the stones")
            shape = int(found[1]), int(found[2] or found[1])
        elif found := _RULE.fullmatch(line):
            if found[1] not in RULES:
                raise NotationError(f"{where}; expected a rule of {', '.join(RULES)}")
            rule = ",".join(RULES[found[1]])
        elif (found := _STONE.fullmatch(line)) and (found[4] or has_words):
            x, y = int(found[2]), int(found[3])
            if not found[4]:
                is_theirs = len(after) % 2 if is_swap2 else (found[1] or "").upper() == "TURN"
                whose = THEIRS if is_theirs else OWN
                after.append((x, y, whose))
            elif after or found[1]:
                raise NotationError(f"{where}; expected the stones of the board before the moves")
            else:
                board.append((x, y, found[4]))
        elif line and not _SILENT.fullmatch(line):
            raise NotationError(
                f"{where}; expected START, INFO, BOARD, x,y,1 or x,y,2, DONE, or a move TURN x,y"
            )
    return _placed(board, after, shape, rule, game)


def _lines(text: str) -> list[str]:
    """Return the lines; a text of one line has its commands and stones one after the other."""
    text = re.sub(r"[ \t]*,[ \t]*", ",", text.strip())
    if "\n" in text:
        return text.split("\n")
    words = r"(YX|SWAP2)?BOARD|DONE|TURN|PLAY|BEGIN|(RECT)?START|INFO|END"
    gaps = rf"(?<!TURN|PLAY)(?<!START)[;\s]+(?=({words})\b|\d+,\d)"
    return re.sub(gaps, "\n", text, flags=re.IGNORECASE).split("\n")


def _placed(
    board: list[_Stone],
    after: list[_Stone],
    shape: tuple[int, int] | None,
    rule: str,
    game: LineGame | None,
) -> GameText:
    """Return the position with the stones of a board, and the moves after it."""
    notes = []
    everything = [*board, *after]
    if game is None:
        least = 1 + max((max(stone[:2]) for stone in everything), default=0)
        width, height = shape or (gomoku_size(least),) * 2
        notes += [] if shape else ["on the smallest usual board with its cells"]
        game = gomoku(width, height, rule)
    elif shape is not None:
        checked_shape(game, shape, "a board of Gomocup")
    if len(game.shape) != 2:
        raise NotationError(f"a board of Gomocup, {game.name!r}; expected rows and columns")
    names = {}
    for column, row, _ in everything:
        if not (column < game.width and row < game.height):
            raise NotationError(
                f"stone '{column},{row}' of the board of Gomocup; "
                f"expected a cell of {game.width}×{game.height}, from 0 at the top left"
            )
        names[column, row] = game.format_cell(row * game.width + column)
    blocked = [names[stone[:2]] for stone in board if stone[2] == BLOCKED]
    if blocked and game.renju:
        notes.append("without its blocked cells, since Renju's rules forbid them")
    elif blocked and not game.holes:
        game = gomoku(
            game.width, game.height, ",".join(filter(None, [rule, f"holes={'+'.join(blocked)}"]))
        )
    board = [stone for stone in board if stone[2] != BLOCKED]
    owners = [whose for *_, whose in board]
    own, theirs = owners.count(OWN), owners.count(THEIRS)
    if abs(own - theirs) > 1:
        raise NotationError(
            f"{own} own stones (1) and {theirs} of the opponent (2) on the board of Gomocup; "
            "expected a difference of at most 1"
        )
    first = THEIRS if theirs > own else OWN
    if not board and after:
        first = after[0][2]
    notes.insert(0, f"{'own stones (1)' if first == OWN else 'stones of the opponent (2)'} as X")
    order = (first, THEIRS if first == OWN else OWN)
    moves = [names[stone[:2]] for stone in after]
    due = [order[(len(board) + at) % 2] for at in range(len(after))]
    for at, (stone, whose) in enumerate(zip(after, due, strict=True)):
        if stone[2] != whose:
            raise NotationError(
                f"move {at + 1} '{stone[0]},{stone[1]}' after the board of Gomocup; "
                "expected the sides in turn"
            )
    stones = [0, 0]
    if owners == [order[at % 2] for at in range(len(owners))]:
        moves = [*(names[stone[:2]] for stone in board), *moves]
    else:
        for column, row, whose in board:
            stones[order.index(whose)] |= 1 << row * game.width + column
        if (stones[0] | stones[1]).bit_count() < len(board):
            raise NotationError("two stones on one cell of the board of Gomocup; expected one")
    said = f"a board of Gomocup, {game.name}, x,y from 0 at the top left, {', '.join(notes)}"
    start = game.position(*stones) if any(stones) else game.start()
    return GameText(start, tuple(moves), said=said)


def read_pairs(text: str, game: LineGame | None, chosen: int = 1) -> GameText:
    """Return the game of moves as pairs x,y from the top left.

    Raises NotationError where the pairs may count from 0 and from 1, with both games as cells.
    """
    choice_of(chosen, 1, "pairs")
    pairs = [(int(x), int(y)) for x, y in re.findall(r"(\d+)\s*,\s*(\d+)", text)]
    numbers = [number for pair in pairs for number in pair]
    readings = {}
    for base in (0, 1):
        rules = game
        if rules is None:
            size = gomoku_size(max(numbers) + 1 - base)
            rules = gomoku(size, size)
        if min(numbers) < base or any(
            x - base >= rules.width or y - base >= rules.height for x, y in pairs
        ):
            continue
        cells = [rules.format_cell((y - base) * rules.width + x - base) for x, y in pairs]
        readings[base] = rules, cells
    if len(readings) == 2:
        both = [f"'{rules.name} {' '.join(cells)[:200]}'" for rules, cells in readings.values()]
        raise NotationError(
            f"pairs {text.strip()[:40]!r} may count from 0 or from 1; "
            f"expected {both[0]} (from 0) or {both[1]} (from 1)"
        )
    if not readings:
        raise NotationError(
            f"pairs {text.strip()[:40]!r}; expected x,y of cells of "
            f"{game.name if game else 'a board'!r}"
        )
    ((base, (rules, cells)),) = readings.items()
    said = f"moves x,y of {rules.name}, from {base} at the top left"
    return GameText(rules.start(), tuple(cells), said=said)
