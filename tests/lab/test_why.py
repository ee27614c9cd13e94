"""Reasons for moves: each kind's claim is said again by a program that shares nothing."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

import oracles
import plyscope as ps
from plyscope_fast.solving.why import Reason
from sizes import sized

GAMES = {
    "tictactoe": ((3, 3), 3, 0, range(9)),
    "4,3,3": ((4, 3), 3, 0, range(2, 11)),
    "4,4,3": ((4, 4), 3, 0, range(5, 14)),
    "4,4,4": ((4, 4), 4, 0, range(6, 15)),
    "5,3,3,gravity": ((5, 3), 3, 5, range(2, 14)),
    "4,4,3,gravity": ((4, 4), 3, 4, range(3, 15)),
    "5,4,4,gravity": ((5, 4), 4, 5, range(8, 19)),
    "4,5,4,gravity": ((4, 5), 4, 4, range(8, 19)),
}
SOLVED: dict[str, oracles.Reasons] = {}


def oracle_of(name: str) -> oracles.Reasons:
    sizes, k, columns, _ = GAMES[name]
    if name not in SOLVED:
        SOLVED[name] = oracles.Reasons(oracles.Solved(oracles.lines(sizes, k), columns))
    return SOLVED[name]


def boards(name: str, seed: int, count: int) -> list[oracles.Board]:
    sizes, k, columns, plies = GAMES[name]
    draw, found = random.Random(seed), []
    lines = oracles.lines(sizes, k)
    while len(found) < count:
        b = oracles.random_board(draw, sizes[0] * sizes[1], lines, columns, draw.choice(plies))
        if oracles.moves(b, lines, columns):
            found.append(b)
    return found


def position_of(name: str, b: oracles.Board) -> ps.Position:
    game = ps.parse_game(name)
    stones = [sum(1 << at for at, stone in enumerate(b) if stone == who) for who in "XO"]
    return game.position(*stones)


def hold_signs(truth: oracles.Reasons, b: oracles.Board, found: Reason, told: str) -> None:
    """Fail unless signs hold against every game, and the line and the replies obey them."""
    signs, who = found.signs, "XO"[found.position.side]
    assert signs is not None
    assert signs.side.upper() == who
    assert signs.at_least == found.value, told
    board = [stone if stone in ("X", "O") else "." for stone in b]
    every = "".join(signs.marks.get(at, "0") for at in range(len(board)))
    mover = oracles.to_move(b)
    held = oracles.signs_hold(board, truth.columns, truth.lines, who, mover, every, signs.at_least)
    assert held, told
    end = found.position.play(*found.line)
    assert end.is_over
    allowed = (found.position.side,) if found.value else (found.position.side, None)
    assert end.winner in allowed, told


def check(truth: oracles.Reasons, b: oracles.Board, found: Reason) -> None:
    """Fail unless the claim, the value and the plies of a reason are right."""
    game = found.position.game
    cells = [game.parse_move(found.position, found.move)]
    numbers = {game.format_cell(at): at for at in range(game.size)}
    line = cells + [numbers[name] for name in found.line[1:]]
    lit = [numbers[name] for name in found.cells]
    pairs = re.findall(r"(\w\d) by (\w\d)", found.sentence)
    named = {numbers[one]: numbers[to] for pair in pairs for one, to in (pair, pair[::-1])}
    told = f"{found.position!r} {found.kind} {found.line} {found.cells}: {found.sentence}"
    after = oracles.place(b, cells[0], oracles.to_move(b))
    value, plies = truth.solved.worth(after)
    assert found.value in (None, -value), told
    assert not value or plies is None or found.plies in (None, plies + 1), told
    if found.kind == "signs":
        hold_signs(truth, after, found, told)
    else:
        assert truth.is_true(found.kind, b, line, lit, named), told
    if "holds out longest" in found.sentence:
        assert truth.solved.worth(b) == (-1, (plies or 0) + 1), told
    if "as every move does" in found.sentence:
        assert {value, *truth.others(b, cells[0])} == {0}, told
    if "all other columns are full" in found.sentence and found.kind == "column":
        assert last_choices(truth, b, line) == 1, told
    if "'s threat at" in found.sentence and found.reply is None:
        stone = oracles.place(after, lit[0], oracles.to_move(b))
        assert oracles.has_line(stone, oracles.to_move(b), truth.lines), told
    if found.reply is not None:
        check(truth, after, found.reply)


def last_choices(truth: oracles.Reasons, b: oracles.Board, line: list[int]) -> int:
    for cell in line[:-2]:
        b = oracles.place(b, cell, oracles.to_move(b))
    return len(truth.legal(b))


@pytest.mark.parametrize("name", GAMES)
def test_claims_nothing_that_is_false(name: str) -> None:
    truth, kinds = oracle_of(name), Counter[str]()
    for b in boards(name, 53, sized(12, 625)):
        position = position_of(name, b)
        found = ps.why(position)
        assert found.move is not None
        assert found.value == truth.solved.worth(b)[0]
        for move in (None, *position.moves):
            found = ps.why(position, move)
            check(truth, b, found)
            kinds[found.kind] += 1
    print(name, kinds)


@pytest.mark.parametrize(
    ("source", "options", "wrong"),
    [
        ("tictactoe", {"move": "z9"}, "'z9'"),
        ("tictactoe", {"move": 99}, "no cell 99"),
        ("tictactoe a1", {"against": "a1"}, "'a1' is taken"),
        ("XXX/OO./...", {}, "the game goes on"),
        ("[[3,5],[2,9]]", {}, "won, drawn or lost"),
        ("tictactoe", {"effort": 0}, "effort 0"),
        ("tictactoe", {"move": "a1", "against": "b1"}, "'a1' with against 'b1'"),
    ],
)
def test_refuses_what_has_no_reason(source: str, options: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ps.PlyscopeError, match=wrong):
        ps.why(source, **options)
