"""Threats of players: against wins that are looked for by playing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import oracles
import plyscope as ps
from plyscope.rules.lines import bits
from plyscope_web.threats import Threat, threats

NUMBER = 25
"""Positions of each game."""


GAMES: dict[str, dict[str, Any]] = {
    "tictactoe": {},
    "5,5,4": {},
    "9,9,5": {},
    "6,5,4,gravity": {"gravity": True},
    "connect4": {"gravity": True},
    "5,4,3,gravity,torus": {"gravity": True, "torus": True},
    "6,6,4,exactly": {"exactly": True},
    "9,9,5,exactly": {"exactly": True},
    "6,6,3,exactly": {"exactly": True},
    "7,5,3,gravity,exactly": {"gravity": True, "exactly": True},
    "5,5,4,torus": {"torus": True},
    "6,6,3,torus,exactly": {"torus": True, "exactly": True},
    "5,5,3,holes=c3+a1": {"holes": (12, 20)},
    "6,5,4,gravity,holes=c2": {"gravity": True, "holes": (20,)},
    "cube": {},
    "3x4x3,3,gravity": {"gravity": True},
    "4,4,2": {},
    "6x1,3": {},
}


def some_position(game: ps.LineGame, draw: Random) -> ps.Position:
    """A position of a game, or where stones need no order, any arrangement of them."""
    if not game.gravity and draw.random() < 0.4:
        free = [cell for cell in range(game.size) if game.board >> cell & 1]
        share = draw.random() / 2
        sides = [draw.choices((0, 1, None), (share, share, 1 - share))[0] for _ in free]
        first, second = (
            sum(1 << cell for cell, each in zip(free, sides, strict=True) if each == side)
            for side in (0, 1)
        )
        return game.position(first, second, draw.choice((0, 1)))
    position = game.start()
    for _ in range(draw.randrange(game.size)):
        if not position.is_over:
            position = position.play(draw.choice(position.moves))
    return position


@pytest.mark.parametrize("name", GAMES)
def test_finds_the_wins_and_forks_that_playing_finds(name: str) -> None:
    game, draw, kinds = ps.parse_game(name), Random(3), set()
    for _ in range(NUMBER):
        position = some_position(game, draw)
        found = threats(position)
        if position.is_over:
            assert found == ()
            continue
        stones = set(bits(position.first)), set(bits(position.second))
        k = min(game.longest_line, game.given) if isinstance(game.given, int) else 0
        expected = oracles.threats(game.shape, k, stones, **GAMES[name])
        assert {(each.side, each.kind, each.cell) for each in found} == expected, str(position)
        assert len(found) == len(expected)
        for each in found:
            holds_line(position, each)
        kinds |= {each.kind for each in found}
    assert {"line", "double"} <= kinds


def holds_line(position: ps.Position, threat: Threat) -> None:
    """Hold a threat's line to what it says: it lacks the cell, of a double one more, and counts."""
    game, stones = position.game, position.stones(threat.side)
    line = next(line for line in game.lines if line.mask == threat.line)
    missing = set(bits(line.mask & ~stones))
    assert threat.cell in missing
    assert len(missing) == (2 if threat.kind == "double" else 1)
    assert not line.mask & position.stones(1 - threat.side)
    if game.exactly:
        assert not stones & line.ends


def test_an_open_three_of_gomoku_is_two_cells_that_make_it_four() -> None:
    position = ps.parse("gomoku15 g8 a1 h8 a2 i8 o15")
    found = threats(position)
    names = {position.game.format_cell(at.cell) for at in found}
    assert {at.kind for at in found} == {"double"}
    assert names == {"f8", "j8"}


def test_finds_no_threats_to_lose_in_misere() -> None:
    assert threats(ps.parse("misere-tictactoe a1 b2 a2 c3")) == ()


def test_lists_no_fork_of_x_on_a_cell_that_renju_forbids() -> None:
    forks = "e8 a1 f8 a3 g8 a5 h5 a7 h6 a9 h7 a11"

    def found(text: str) -> set[tuple[int, str]]:
        position = ps.parse(text)
        names = position.game.format_cell
        return {(at.side, names(at.cell)) for at in threats(position) if at.kind == "double"}

    free = found(f"gomoku15 {forks}")
    assert (ps.FIRST, "h8") in free
    assert found(f"15,15,5,renju {forks}") == free - {(ps.FIRST, "h8")}
    assert (ps.SECOND, "h8") in found(f"15,15,5,renju o15 {forks}")
