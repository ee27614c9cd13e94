"""The rules of Renju and Caro, held to other programs: forbidden moves, and rows that count."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import oracles
from plyscope import parse, parse_game
from plyscope.errors import IllegalMoveError, NotationError
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from sizes import sized


def crowded(draw: random.Random, game: LineGame) -> Position:
    """A position, X to move, with many stones of X side by side, so that threes overlap."""
    width, height = game.shape
    near = draw.randint(5, 8)
    left, top = draw.randrange(width - near + 1), draw.randrange(height - near + 1)
    box = [(top + at // near) * width + left + at % near for at in range(near * near)]
    taken = draw.sample(box, draw.randint(near, near * near // 2))
    share = draw.choice((0.6, 0.75, 0.9))
    first = sum(1 << cell for cell in taken if draw.random() < share)
    return game.position(first, sum(1 << cell for cell in taken) & ~first, 0)


def as_board(position: Position) -> oracles.Board:
    game = position.game
    return tuple("XO."[2 if (o := position.owner(at)) is None else o] for at in range(game.size))


@pytest.mark.parametrize("spec", ["10,10,5,renju", "8,9,5,renju", "8,8,4,renju"])
def test_forbids_the_moves_of_the_federations_rules(spec: str) -> None:
    draw, game, seen = random.Random(spec), parse_game(spec), Counter[str]()
    assert isinstance(game, LineGame)
    for _ in range(sized(60, 5_000)):
        position = crowded(draw, game)
        fouls = oracles.renju_fouls(as_board(position), game.width, game.longest_line)
        seen.update(fouls.values())
        found = {cell: why for cell in range(game.size) if (why := foul(position, cell))}
        assert found == fouls, str(position)
        if position.winner is None and len(fouls) < position.empty.bit_count():
            assert set(position.moves) == set(found).symmetric_difference(empty(position))
    assert min(seen[why] for why in ("overline", "double four", "double three")) >= 5, seen


def foul(position: Position, cell: int) -> str:
    return position.game.foul(position, cell) if position.empty >> cell & 1 else ""


def empty(position: Position) -> set[int]:
    return {cell for cell in range(position.game.size) if position.empty >> cell & 1}


@pytest.mark.parametrize(
    ("stones", "cell", "why"),
    [
        ("f8 g8 h6 h7", "h8", "double three"),
        ("f8 g8 h6 h9", "h8", "double three"),  # one of the threes has a gap
        ("e8 f8 g8 h5 h6 h7", "h8", "double four"),
        ("e8 g8 i8", "h8", ""),  # X.XXX: one four
        ("d8 f8 g8 j8", "h8", "double four"),  # X.XXX.X: two fours in one line
        ("d8 e8 f8 h8 i8", "g8", "overline"),
        ("d8 e8 f8 g8", "h8", ""),  # five
        ("d8 e8 f8 g8 h6 h7 i9 j10", "h8", ""),  # five, and a double three
        ("e8 f8 g8 h6 h7", "h8", ""),  # a four and a three
    ],
)
def test_names_forbidden_moves(stones: str, cell: str, why: str) -> None:
    game = parse_game("15,15,5,renju")
    assert isinstance(game, LineGame)
    first = sum(1 << game.parse_move(game.start(), name) for name in stones.split())
    position = game.position(first, 0, 0)
    at = parse_game("15,15,5").parse_move(parse("15,15,5"), cell)
    assert foul(position, at) == why
    if why:
        with pytest.raises(IllegalMoveError, match=why):
            position.play(at)


def test_counts_no_three_whose_four_is_forbidden() -> None:
    """Its stone to a straight four would make an overline in the column."""
    game = parse_game("15,15,5,renju")
    assert isinstance(game, LineGame)

    def at(names: str) -> int:
        return sum(1 << game.parse_move(game.start(), name) for name in names.split())

    centre = at("h8").bit_length() - 1
    assert foul(game.position(at("f8 g8 h9 h10"), at("a1 a2"), 0), centre) == "double three"
    over_i = "i5 i6 i7 i9 i10 i11"  # i8 would make seven in its column
    over_e = "e5 e6 e7 e9 e10 e11"
    position = game.position(at(f"f8 g8 h9 h10 {over_i} {over_e}"), 0, 0)
    assert foul(position, centre) == ""


def test_restricts_only_x_in_renju() -> None:
    game = parse_game("15,15,5,renju")
    assert isinstance(game, LineGame)
    row = sum(1 << 15 * 7 + at for at in (3, 4, 5, 7, 8))
    hole = 15 * 7 + 6
    for side in (0, 1):
        position = game.position(*((row, 0) if side == 0 else (0, row)), side)
        assert (hole in position.moves) == (side == 1)
    assert game.position(0, row, 1).play(hole).winner == 1
    six = game.position(row | 1 << hole, 0, 1)
    assert (six.winner, six.winning_line()) == (None, None)


@pytest.mark.parametrize("spec", ["9,3,4,caro", "7,7,5,caro", "8,4,3,caro,exactly"])
def test_does_not_win_by_a_row_between_two_opposing_stones(spec: str) -> None:
    game = parse_game(spec)
    assert isinstance(game, LineGame)
    draw, seen, k = random.Random(spec), Counter[bool](), game.longest_line
    for _ in range(sized(150, 5_000)):
        first = draw.getrandbits(game.size)
        second = draw.getrandbits(game.size) & ~first
        board = as_board(Position(game, first, second, 0, None))
        for side, stones, others in (("X", first, second), ("O", second, first)):
            rows = oracles.rows_that_count(board, game.width, k, side, game.exactly)
            number = "XO".index(side)
            assert (game.completed(stones, others, number) is not None) == bool(rows)
            for cell in range(game.size):
                if board[cell] == side:
                    counts = any(cell in row for row in rows)
                    assert game.completes(stones, cell, others, number) == counts
                    seen[counts] += 1
    assert min(seen.values()) > 30


@pytest.mark.parametrize(
    "spec",
    [
        *("7,7,5,renju,exactly", "7,7,5,renju,caro", "7,6,4,gravity,renju", "9,9,5,caro,torus"),
        *("7,7,2,caro", "5x5x5,4,renju", "7,7,5,renju,stones=2"),
    ],
)
def test_rejects_incompatible_rules(spec: str) -> None:
    with pytest.raises(NotationError, match="renju|caro"):
        parse_game(spec)


def test_draws_when_x_has_no_move() -> None:
    game = parse_game("5,1,3,renju")
    assert isinstance(game, LineGame)
    position = game.position(0b11011, 0, 0)  # the cell between makes five of three
    assert (position.moves, position.payoff, position.is_over) == ((), 0, True)
    assert not game.position(0b11011, 0, 1).is_over
