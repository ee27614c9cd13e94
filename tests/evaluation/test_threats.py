"""Threats of players: against wins that are looked for by playing."""

from __future__ import annotations

from random import Random

import pytest

import plyscope as ps
from plyscope.evaluation.threats import threats


def winning(game: ps.LineGame, stones: list[int], side: int) -> set[int]:
    """The empty cells with which a side has a line, whether it can reach them now or not."""
    free = [cell for cell in range(game.size) if not (stones[0] | stones[1]) >> cell & 1]
    return {cell for cell in free if game.completes(stones[side] | 1 << cell, cell)}


def reachable(game: ps.LineGame, stones: list[int]) -> set[int]:
    taken = stones[0] | stones[1]
    free = {cell for cell in range(game.size) if not taken >> cell & 1}
    if not game.gravity:
        return free
    below = game.width
    return {cell for cell in free if cell + below >= game.size or taken >> cell + below & 1}


@pytest.mark.parametrize("name", ["tictactoe", "5,5,4", "6,5,4,gravity", "6,6,4,exactly"])
def test_threats_are_the_wins_and_forks_that_playing_finds(name: str) -> None:
    game, draw = ps.parse_game(name), Random(3)
    kinds = set()
    for _ in range(40):
        position = game.start()
        for _ in range(draw.randrange(game.size)):
            if position.is_over:
                break
            position = position.play(draw.choice(position.moves))
        if position.is_over:
            assert threats(position) == ()
            continue
        found = threats(position)
        kinds |= {threat.kind for threat in found}
        for side in (0, 1):
            stones = [position.first, position.second]
            now, later = winning(game, stones, side), reachable(game, stones)
            of_side = [threat for threat in found if threat.side == side]
            assert {at.cell for at in of_side if at.kind == "line"} == now & later
            assert {at.cell for at in of_side if at.kind in ("odd", "even")} == now - later
            for threat in of_side:
                assert threat.line >> threat.cell & 1
                if threat.kind in ("odd", "even"):
                    row = int(game.format_cell(threat.cell)[1:])
                    assert (threat.kind == "odd") == (row % 2 == 1)
            forks = set()
            for cell in later - now:
                after = stones.copy()
                after[side] |= 1 << cell
                open_ = winning(game, after, side) & reachable(game, after)
                if len(open_) > 1 and open_ - now:
                    forks.add(cell)
            assert {at.cell for at in of_side if at.kind == "double"} == forks
    assert {"line", "double"} <= kinds


def test_an_open_three_of_gomoku_is_two_cells_that_make_it_four() -> None:
    position = ps.parse("gomoku15 g8 a1 h8 a2 i8 o15")
    found = threats(position)
    names = {position.game.format_cell(at.cell) for at in found}
    assert {at.kind for at in found} == {"double"}
    assert names == {"f8", "j8"}


def test_in_misere_nobody_threatens_to_lose() -> None:
    assert threats(ps.parse("misere-tictactoe a1 b2 a2 c3")) == ()
