"""What the rules allow, counted: published numbers, and symmetries."""

from __future__ import annotations

import random

import pytest

import oracles
from plyscope.errors import OptionError
from plyscope.rules.games import GAMES, parse_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.perft import perft
from plyscope.rules.symmetry import canonical, orbit, quick_symmetries, symmetries
from sentences import refuses


def test_3x3_by_ply() -> None:
    rows = list(perft(GAMES["tictactoe"], classes=True))
    assert [row.sequences for row in rows] == [
        1,
        9,
        72,
        504,
        3024,
        15120,
        54720,
        148176,
        200448,
        127872,
    ]
    assert [row.positions for row in rows] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert [row.classes for row in rows] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert sum(row.sequences for row in rows) == 549_946
    assert [
        sum(getattr(row, name) for row in rows)
        for name in ("games", "first_wins", "second_wins", "draws")
    ] == [
        255_168,
        131_184,
        77_904,
        46_080,
    ]


def test_4x3_in_all() -> None:
    rows = list(perft(GAMES["4,3,3"], classes=True))
    assert sum(row.positions for row in rows) == 111_973
    assert sum(row.classes or 0 for row in rows) == 28_275
    assert sum(row.sequences for row in rows) == 276_911_233
    assert [
        sum(getattr(row, name) for row in rows)
        for name in ("games", "first_wins", "second_wins", "draws")
    ] == [
        151_188_768,
        79_797_600,
        56_875_968,
        14_515_200,
    ]


def test_connect_four_to_ply_8() -> None:
    """Positions by ply: OEIS A212693; sequences: Connect Four perft."""
    rows = list(perft(GAMES["connect4"], depth=8))
    assert [row.positions for row in rows] == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]
    assert [row.sequences for row in rows[1:]] == [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


ORDERS = {
    "tictactoe": 8,
    "4,3,3": 4,
    "connect4": 2,
    "4,4,4": 8,
    "cube": 48,
    "qubic": 48,
    "gomoku9": 8,
    "torus-tictactoe": 72,
}


@pytest.mark.parametrize(("name", "order"), ORDERS.items())
def test_finds_the_visible_symmetries_of_boards(name: str, order: int) -> None:
    assert len(symmetries(GAMES[name])) == order


@pytest.mark.parametrize(
    ("name", "order"),
    [("qubic", 192), ("torus-tictactoe", 432), ("4,4,4", 32), ("tictactoe", 8), ("connect4", 2)],
)
def test_finds_further_symmetries_of_the_lines(name: str, order: int) -> None:
    """192 for Qubic: Silver 1967. The 3×3 torus is the affine plane of order 3, whose group has 432
    elements."""
    assert len(symmetries(GAMES[name], of="lines")) == order


@pytest.mark.parametrize("name", ["tictactoe", "4,3,3", "5,5,4"])
def test_finds_the_rotations_and_reflections_of_rectangles(name: str) -> None:
    game = GAMES[name]
    assert sorted(map(list, symmetries(game))) == sorted(
        oracles.turns_and_mirrors(game.width, game.height)
    )


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "torus-tictactoe", "cube"])
def test_symmetries_are_a_group_that_keeps_the_lines(name: str) -> None:
    game = GAMES[name]
    group = set(symmetries(game))
    assert tuple(range(game.size)) in group
    some = random.Random(1).sample(sorted(group), min(8, len(group)))
    for one in some:
        for other in some:
            assert tuple(one[other[cell]] for cell in range(game.size)) in group
        assert {frozenset(one[cell] for cell in line.cells()) for line in game.lines} == {
            frozenset(line.cells()) for line in game.lines
        }


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "4,3,3", "torus-tictactoe"])
def test_gives_an_orbit_one_canonical_form_and_one_outcome(name: str) -> None:
    draw, game = random.Random(5), GAMES[name]
    for _ in range(30):
        position = game.start()
        for _ in range(draw.randrange(game.size)):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        turned = orbit(position)
        assert position in turned
        assert {canonical(other) for other in turned} == {canonical(position)}
        assert {game.payoff(game.position(other.first, other.second)) for other in turned} == {
            game.payoff(position)
        }


def test_rejects_too_many_symmetries() -> None:
    with refuses(OptionError):
        symmetries(parse_game("4,3,4"), of="lines")
    assert len(symmetries(parse_game("4,3,4"))) == 4


def test_finds_symmetries_of_custom_lines() -> None:
    fano = ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))
    from plyscope.rules.linegame import Line

    game = LineGame(
        "fano", (7,), tuple(Line(sum(1 << cell for cell in cells), "line") for cells in fano)
    )
    assert len(symmetries(game, of="lines")) == 168


def test_perft_takes_a_position_and_a_depth() -> None:
    counts = [row.sequences for row in perft("tictactoe", 3)]
    assert counts == [1, 9, 72, 504]
    assert counts == [row.sequences for row in perft("tictactoe", ".../.../...", 3)]
    assert [row.sequences for row in perft(GAMES["tictactoe"].start().play("b2"), 1)] == [1, 8]
    assert [row.sequences for row in perft(position="tictactoe b2", depth=0)] == [1]


@pytest.mark.parametrize("depth", [-1, True, 1.5])
def test_perft_rejects_an_impossible_depth(depth: object) -> None:
    with pytest.raises(OptionError, match="depth"):
        perft("tictactoe", depth=depth)  # type: ignore[arg-type]


def test_perft_converts_to_json() -> None:
    counts = perft("tictactoe", 9)
    assert next(counts).sequences == 1
    data = counts.as_dict()
    assert (data["game"], len(data["plies"])) == ("tictactoe", 10)
    assert sum(ply["games"] for ply in data["plies"]) == 255_168
    assert data == counts.as_dict()


def test_finds_symmetries_of_large_boards_with_few_lines() -> None:
    game = LineGame.grid(12, 12, k=12)
    assert quick_symmetries(game, 10**6) == symmetries(game)
    assert len(quick_symmetries(LineGame.grid(4, 4, 4, k=4), 10**6)) == 192
    assert len(quick_symmetries(LineGame.grid(4, 4, 4, k=4), 64 * 191)) == 48
