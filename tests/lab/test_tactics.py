"""What positions ask for, held to a program that plays the definitions out word for word."""

from collections import Counter
from random import Random
from typing import Any, NamedTuple

import pytest

import oracles
from games import DotsAndBoxes, Nim
from plyscope import Game, LineGame, parse, parse_game
from plyscope.lab.judging.tactics import MAX_EMPTY_CELLS, TACTICS, tactic_of
from plyscope.rules.game import position_of, random_position
from plyscope.rules.lines import bits
from plyscope.solving.exhaustive import Values
from plyscope.solving.quiet import quiet_position
from sizes import sized

RULES: list[tuple[tuple[int, ...], int, dict[str, Any]]] = [
    ((3, 3), 3, {}),
    ((3, 3), 3, {"misere": True}),
    ((3, 3), 3, {"torus": True}),
    ((4, 3), 3, {}),
    ((4, 4), 4, {}),
    ((4, 3), 3, {"exactly": True}),
    ((5, 2), 2, {"exactly": True}),
    ((6, 2), 3, {"exactly": True, "gravity": True}),
    ((3, 3), 3, {"gravity": True}),
    ((4, 4), 3, {"gravity": True}),
    ((4, 4), 4, {"gravity": True}),
    ((4, 3), 3, {"gravity": True, "misere": True}),
    ((4, 3), 3, {"gravity": True, "torus": True}),
    ((2, 2, 2), 2, {"misere": True}),
    ((4, 3), 3, {"holes": 1 << 5}),
    ((4, 3), 3, {"gravity": True, "holes": 1 << 5}),
    ((3, 3), 3, {"stones": 2}),
    ((4, 3), 3, {"stones": 2, "first_stones": 2}),
    ((3, 3), 3, {"stones": 2, "misere": True}),
    ((4, 3), 3, {"stones": 2, "gravity": True}),
]


def both(shape: tuple[int, ...], k: int, rules: dict[str, Any]) -> tuple[LineGame, oracles.Asked]:
    game = LineGame.grid(*shape, k=k, **rules)
    options = dict(rules)
    if options.pop("torus", False):
        options["round"] = range(len(shape))
    options["holes"] = [places(game)[cell] for cell in bits(options.pop("holes", 0))]
    options["first"] = options.pop("first_stones", 1)
    return game, oracles.asked_of_lines(oracles.LineRules(shape, k, **options))


def places(game: LineGame) -> list[tuple[int, ...]]:
    found = []
    for cell in range(game.size):
        place = []
        for size in game.shape:
            place.append(cell % size)
            cell //= size
        found.append(tuple(place))
    return found


def state_of(position: Any) -> Any:
    where = places(position.game)
    stones = (position.first, position.second)
    return tuple(frozenset(where[cell] for cell in bits(own)) for own in stones), position.side


@pytest.mark.parametrize(("shape", "k", "rules"), RULES, ids=str)
def test_classifies_positions_by_the_definitions(
    shape: tuple[int, ...], k: int, rules: dict[str, Any]
) -> None:
    game, asked = both(shape, k, rules)
    draw, met = Random(f"{shape} {k} {rules}"), Counter[str]()
    while met.total() < sized(10, 40):
        position = random_position(game.start(), draw, game.size - draw.randrange(1, 8))
        if position.is_over:
            continue
        empty = position.empty.bit_count()
        never = not (game.gravity or game.misere or game.exactly)
        has_values = never or empty <= MAX_EMPTY_CELLS
        is_late = 2 * empty <= game.size
        plays = game.variants == {"gravity"} and len(shape) == 2
        expected = asked.of(state_of(position), with_zugzwang=is_late if plays else has_values)
        assert tactic_of(position) == expected, str(position)
        met[expected] += 1


def test_finds_every_class() -> None:
    met = set()
    for shape, k, rules in (RULES[0], RULES[10]):
        game, draw = LineGame.grid(*shape, k=k, **rules), Random(1)
        for _ in range(1_000):
            position = random_position(game.start(), draw, draw.randrange(game.size))
            if not position.is_over:
                met.add(tactic_of(position))
    assert met == set(TACTICS)


def test_classifies_positions_of_tic_tac_toe() -> None:
    game, asked = both((3, 3), 3, {})
    for position in all_positions(game)[:: sized(12, 1)]:
        assert tactic_of(position) == asked.of(state_of(position)), str(position)


def all_positions(game: LineGame) -> list[Any]:
    found = [game.start()]
    seen = set(found)
    for position in found:
        for move in position.moves:
            after = position.play(move)
            if after not in seen and not after.is_over:
                seen.add(after)
                found.append(after)
    return found


def test_finds_zugzwang_in_connect_four_as_plain_minimax() -> None:
    game, draw, met = parse_game("connect4"), Random(3), Counter[str]()
    values = Values(game)
    while met["zugzwang"] < 3 or met["none of these"] < 10:
        position = quiet_position(game, draw)
        is_late = position.empty.bit_count() < 9 and not position.is_over
        if not is_late or (found := tactic_of(position)) not in TACTICS[-2:]:
            continue
        sign = -1 if position.side else 1
        passed = position._replace(side=1 - position.side)
        stays, gains = (
            (value > 0) - (value < 0)
            for value in (sign * values.find(position), sign * values.find(passed))
        )
        assert (found == "zugzwang") == (gains > stays), str(position)
        met[found] += 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("XX./OO./...", "win at hand"),
        ("X.O/.O./..X", "forced block"),
        ("X../.O./..X", "prevents a double threat"),
        ("XO./.O./.X.", "makes a double threat"),
        (".../.../...", "none of these"),
        ("3,3,3,misere X.O/.XO/...", "lets the opponent win"),
    ],
)
def test_classifies_known_positions(text: str, expected: str) -> None:
    assert tactic_of(parse(text)) == expected


class Board(NamedTuple):
    stones: str
    side: int


class PlainTicTacToe(Game):
    """Tic-tac-toe by its moves alone: no line is known to anybody else."""

    def start(self) -> Board:
        return Board("." * 9, 0)

    def side(self, state: Board) -> int:
        return state.side

    def moves(self, state: Board) -> list[int]:
        return [cell for cell, stone in enumerate(state.stones) if stone == "."]

    def play(self, state: Board, move: int) -> Board:
        stones = state.stones
        return Board(stones[:move] + "XO"[state.side] + stones[move + 1 :], 1 - state.side)

    def payoff(self, state: Board) -> int | None:
        board = oracles.board(state.stones)
        for side, worth in (("X", 1), ("O", -1)):
            if oracles.has_line(board, side, oracles.LINES3):
                return worth
        return None if "." in state.stones else 0


@pytest.mark.parametrize("game", [PlainTicTacToe(), Nim(12), DotsAndBoxes(2, 1, scored=False)])
def test_classifies_games_without_lines_by_play(game: Any) -> None:
    def worth(state: Any) -> int | None:
        payoff = game.payoff(state)
        return None if payoff is None else (payoff > 0) - (payoff < 0)

    asked = oracles.Asked(game.moves, game.play, game.side, worth)
    draw, met = Random(5), Counter[str]()
    start = position_of(parse_game(game), game.start())
    for _ in range(100):
        position = random_position(start, draw, draw.randrange(9))
        if not position.is_over:
            found = tactic_of(position)
            assert found == asked.of(position.state), str(position)
            met[found] += 1
    assert len(met) >= 3


def test_finds_by_moves_the_threats_of_the_lines() -> None:
    """With enough empty cells the two readings of tic-tac-toe agree."""
    for position in all_positions(parse_game("tictactoe")):
        if position.empty.bit_count() >= 6:
            stones = "".join(str(position).split("/"))[:9]
            own = position_of(PlainTicTacToe(), Board(stones, position.side))
            assert tactic_of(own) == tactic_of(position), stones
