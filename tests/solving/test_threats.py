"""Wins by threats: whatever is claimed is true, and the fours are found that there are."""

from __future__ import annotations

import time
from random import Random

import pytest

import oracles
import plyscope as ps
from plyscope.errors import OptionError
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import Position
from plyscope.solving.lines import lines_solver
from plyscope.solving.running import Stopped
from plyscope.solving.threats import ThreatSolver, threat_solver

GAMES = {"5,5,4": ((5, 5), 4), "4,4,3": ((4, 4), 3), "6,6,4": ((6, 6), 4), "3x3x3,3": ((3, 3, 3), 3), "7,7,5": ((7, 7), 5)}


def random_position(draw: Random, name: str) -> Position:
    position = parse_game(name).start()
    for _ in range(draw.randint(2, position.game.size // 2)):
        if not position.is_over:
            position = position.play(draw.choice(position.moves))
    return position


def board_of(position: Position, extra: int | None = None) -> oracles.Board:
    """The oracle's board, with one more stone of the side that is not to move."""
    other = "XO"[1 - position.side]
    stones = ["X" if position.first >> cell & 1 else "O" if position.second >> cell & 1 else "." for cell in range(position.game.size)]
    if extra is not None:
        stones[extra] = other
    return tuple(stones)


@pytest.mark.parametrize("name", GAMES)
def test_fours_are_found_where_there_are_some_and_their_zone_holds(name: str) -> None:
    shape, k = GAMES[name]
    lines = oracles.lines(shape, k)
    draw, solver, won = Random(7), ThreatSolver(parse_game(name)), 0
    for _ in range(150):
        position = random_position(draw, name)
        if position.is_over:
            continue
        side = "XO"[position.side]
        found = solver.by_fours(position.stones(position.side), position.stones(1 - position.side))
        assert (found is not None) == oracles.wins_by_fours(board_of(position), side, lines), position
        if found is None:
            continue
        won += 1
        assert position.play(*found.line).winner == position.side or len(found.line) % 2
        for cell in position.moves:
            if not found.zone >> cell & 1:
                assert oracles.wins_by_fours(board_of(position, cell), side, lines), (position, cell)
    assert won > 8


@pytest.mark.parametrize("name", ["5,5,4", "6,5,4", "6,6,4", "7,7,5", "4x3x3,3"])
def test_every_win_that_is_claimed_is_one(name: str) -> None:
    draw, solver, truth, won = Random(3), ThreatSolver(parse_game(name)), lines_solver(parse_game(name)), 0
    for _ in range(60):
        position = random_position(draw, name)
        if position.is_over:
            continue
        verdict = solver.solve(position, most=5_000)
        if verdict is None:
            continue
        won += 1
        try:
            value = truth.solve(position, False, time.perf_counter() + 5).value
        except Stopped:
            continue
        assert value == 1, position
        after = position.play(*verdict.best_moves)
        assert after.winner == position.side or truth.solve(after, False).value == -1, position
    assert won > 5


def test_a_long_win_on_a_large_board() -> None:
    for _ in range(2):  # what is known tells the same
        verdict = ps.solve("gomoku15 h8 o1 i7 a15 g7 o15")
        assert (verdict.value, verdict.method) == (1, "threats")
        assert "fours and at most 3 threes in a row" in verdict.proof
    assert ps.solve("gomoku15 h8 a1 i8 a3 j8 a5", "threats").proof.startswith("threat-space search: fours alone")


def test_what_is_not_found_is_not_claimed() -> None:
    verdict = ps.solve("gomoku15 h8", "threats", seconds=5)
    assert (verdict.value, verdict.stopped) == (None, "no win by threats was found")
    assert ps.solve("15,15,5 h8 h9 i9 g7 i7", "threats", seconds=0.5).value in (None, 1)


def test_the_defender_s_own_four_comes_first() -> None:
    position = ps.parse("gomoku15 h8 a1 i8 b1 j8 c1 a15 d1")  # O has four in a row with one end open
    assert position.side == 0
    assert threat_solver(position.game).by_fours(position.first, position.second) is None
    assert threat_solver(position.game).solve(position, most=2_000) is None


def test_games_without_threats_are_refused() -> None:
    with pytest.raises(OptionError, match="method 'threats' on 'connect4'; expected a game without gravity that lines win"):
        ps.solve("connect4", "threats")
