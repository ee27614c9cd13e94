"""Boards as programs print them: whatever prints a board, it is read as that board, or asked about."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import plyscope as ps
from plyscope.rules.drawings import marks_of
from plyscope.rules.notation import Ambiguous

Rows = list[str]


def by_sign(signs: dict[str, str], cells: str = "", rows: str = "\n") -> Callable[[Rows], str]:
    """Return a printer that writes signs for `X`, `O` and `.`, joined by `cells` and `rows`."""
    return lambda board: rows.join(cells.join(signs.get(c, c) for c in row) for row in board)


DIGITS, SIGNS, BLANK = {"X": "1", "O": "2", ".": "0"}, {"X": " 1", "O": "-1", ".": " 0"}, {".": " "}
PRINTERS: dict[str, Callable[[Rows], str]] = {
    "signs": by_sign({}),
    "spaces between": by_sign({}, " "),
    "digits": by_sign(DIGITS, " "),
    "small letters": by_sign({"X": "x", "O": "o"}, " "),
    "dashes": by_sign({".": "-"}, "|"),
    "underscores": by_sign({".": "_"}, " "),
    "e": by_sign({".": "E"}),
    "red and yellow": by_sign({"X": "R", "O": "Y"}, " "),
    "emoji": by_sign({"X": "❌", "O": "⭕", ".": "⬜"}),
    "discs": by_sign({"X": "🔴", "O": "🟡", ".": "⚪"}),
    "commas": by_sign({".": ""}, ","),
    "open bars": by_sign(BLANK, " | ", "\n---------\n"),
    "bars after": lambda board: "\n".join("".join(f"{BLANK.get(c, c)}|" for c in r) for r in board),
    "frame": lambda board: "\n".join(f"| {by_sign(DIGITS, ' | ')([row])} |" for row in board),
    "frame and columns": lambda board: "\n".join(
        [*(f"|{by_sign(BLANK, '|')([row])}|" for row in board), numbers(1, len(board[0]), " ")]
    ),
    "names from 0": lambda board: "\n".join(
        [numbers(0, len(board[0]), "  "), *(f"{n} {' '.join(r)}" for n, r in enumerate(board))]
    ),
    "array": lambda board: f"[[{by_sign(DIGITS, ' ', f']{chr(10)} [')(board)}]]",
    "array of signs": lambda board: f"[[{by_sign(SIGNS, ' ', f']{chr(10)} [')(board)}]]",
    "array of floats": lambda board: f"[[{by_sign(DIGITS, '. ', f'.]{chr(10)} [')(board)}.]]",
    "lists with None": lambda board: str([[None if c == "." else c for c in r] for r in board]),
    "lists with spaces": lambda board: str([[BLANK.get(c, c) for c in r] for r in board]),
    "brackets": lambda board: f"[{by_sign(BLANK, '][', f']{chr(10)}[')(board)}]",
    "names in brackets": lambda board: "\n".join(
        [*(f"{' '.join(r)} ({n})" for n, r in enumerate(board, 1)), "ABCDEFG"[: len(board[0])]]
    ),
    "bars before, names below": lambda board: "\n".join(
        [*(f"|{'|'.join(r)}".replace(".", "_") for r in board), numbers(0, len(board[0]), " ")]
    ),
    "debug": lambda board: f"[[{by_sign({'.': 'Empty'}, ', ', '], [')(board)}]]",
    "spreadsheet": lambda board: "\n".join(
        [by_sign(BLANK, "\t")([row]).replace(" ", "").rstrip("\t") or "\t" for row in board]
    ),
    "data frame": lambda board: "\n".join(
        [
            numbers(0, len(board[0]), "   "),
            *(f"{n}  {by_sign(DIGITS, ' ')([r])}" for n, r in enumerate(board)),
        ]
    ),
    "data frame of letters": lambda board: "\n".join(
        [
            "   " + " ".join("ABCDEFG"[: len(board[0])]),
            *(f"{n}  {' '.join(r)}" for n, r in enumerate(board, 1)),
        ]
    ),
    "quoted": lambda board: "\n".join(f"> {' '.join(row)}" for row in board),
    "items": lambda board: "\n".join(f"- {row}" for row in board),
    "numbered cells": lambda board: str(
        dict(enumerate([BLANK.get(c, c) for r in board for c in r]))
    ),
    "one list": lambda board: str([BLANK.get(c, c) for row in board for c in row]),
}


def numbers(least: int, count: int, before: str) -> str:
    return before + " ".join(map(str, range(least, least + count)))


@pytest.mark.parametrize("name", PRINTERS)
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "5,5,4"])
def test_reads_a_board_as_it_was_printed_or_asks(game: str, name: str) -> None:
    draw, rules, read = random.Random(name), ps.parse_game(game), 0
    for _ in range(6):
        position: Any = rules.start()
        for _ in range(draw.randint(1, rules.size - 2)):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        marks, width = marks_of(position), rules.width
        text = PRINTERS[name]([marks[at : at + width] for at in range(0, rules.size, width)])
        for given in (game, None):
            try:
                assert marks_of(ps.parse(text, given)) == marks
                read += 1
            except Ambiguous:  # a bar after each cell, or between the cells of a wider board
                assert name in ("bars after", "spreadsheet")
    assert read >= (4 if name in ("bars after", "spreadsheet") else 12)
