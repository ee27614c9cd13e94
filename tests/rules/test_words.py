"""Line games as data: the words of a game's text, held to rules played by hand."""

from __future__ import annotations

import hashlib
import pickle
import random
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest

import oracles
from games import BruteForce
from plyscope import parse, parse_game, perft, search, solve
from plyscope.errors import IllegalMoveError, NotationError, OptionError, PlyscopeError
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.symmetry import symmetries
from plyscope_fast.evaluation.tablebase import generate
from sentences import refuses, says
from sizes import sized

MOST_CELLS = 7
"""Of a board that is played out by hand."""


def drawn(draw: random.Random) -> tuple[LineGame, oracles.LineRules]:
    """A small game whose rules are drawn, and the same rules for the oracle."""
    shape = draw.choice(
        [(3, 3), (4, 2), (3, 2), (2, 4), (5, 1), (2, 2, 2), (4, 3), (7, 1), (3, 1, 3)]
    )
    k = draw.choice((2, 3, 3, 3, 4))
    axes = [axis for axis in range(len(shape)) if draw.random() < 0.3]
    places = list(product(*map(range, shape)))
    fewest = max(len(places) - MOST_CELLS, 0)
    holes = draw.sample(places, fewest + draw.choice((0, 0, 1, 2)))
    hexagonal = len(shape) == 2 and draw.random() < 0.2
    steps: Any = None
    if hexagonal:
        steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
    elif draw.random() < 0.3:
        vectors = [step for step in product((-1, 0, 1, 2), repeat=len(shape)) if any(step)]
        steps = draw.sample(vectors, min(len(vectors), draw.randint(1, 3)))
    flags = {name: draw.random() < 0.3 for name in ("misere", "exactly")}
    flags["gravity"] = len(shape) > 1 and draw.random() < 0.3
    stones, first = draw.choice(((1, 1), (1, 1), (2, 1), (2, 2), (1, 2), (3, 1), (2, 3)))

    def number(place: tuple[int, ...]) -> int:
        return sum(x * prod(shape[:axis]) for axis, x in enumerate(place))

    game = LineGame.grid(
        *shape,
        k=k,
        torus="".join("xyzw"[axis] for axis in axes),
        holes=sum(1 << number(place) for place in holes),
        directions=None if hexagonal else steps and tuple(steps),
        hexagonal=hexagonal,
        stones=stones,
        first_stones=first,
        **flags,  # type: ignore[arg-type]
    )
    rules = oracles.LineRules(
        shape, k, steps=steps, round=axes, holes=holes, stones=stones, first=first, **flags
    )
    return game, rules


def stones_of(position: Any) -> oracles.Stones:
    """The stones as the oracle has them."""
    shape = position.game.shape

    def place(cell: int) -> tuple[int, ...]:
        return tuple(cell // prod(shape[:axis]) % size for axis, size in enumerate(shape))

    return frozenset(map(place, bits(position.first))), frozenset(map(place, bits(position.second)))


@pytest.mark.parametrize("seed", range(sized(60, 300)))
def test_plays_random_rules_as_by_hand(seed: int) -> None:
    draw = random.Random(seed)
    game, rules = drawn(draw)
    depth = 5
    counts = [
        (ply.sequences, ply.positions, ply.first_wins, ply.second_wins, ply.draws)
        for ply in perft(game, depth=depth)
    ]
    assert counts == rules.perft(depth), game
    assert BruteForce(game).value(game.start()) == rules.value((frozenset(), frozenset())), game
    assert parse_game(game.name).rules == game.rules
    position, met = game.start(), [game.start()]
    while not position.is_over:
        position = position.play(draw.choice(position.moves))
        met.append(position)
    for position in met:
        stones = stones_of(position)
        assert position == game.position(position.first, position.second)
        assert parse(str(position)) == position == parse(f"{position}", game)
        assert position.side == rules.mover(sum(map(len, stones)))
        assert position.game.payoff(position) == rules.worth(stones)
        if position.is_over or (game.board & ~(position.first | position.second)).bit_count() > 5:
            continue
        for algorithm in ("minimax", "alphabeta"):
            found = search(
                position, algorithm, heuristic="null", scoring="result", form="reference"
            )
            sign = -1 if position.side else 1
            value = found.value
            assert sign * ((value > 0) - (value < 0)) == rules.value(stones), position


@pytest.mark.parametrize("seed", range(300, 300 + sized(20, 60)))
def test_finds_values_and_distances_of_random_rules_as_by_hand(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope_fast.evaluation.tablebase.home", lambda: tmp_path)
    draw = random.Random(seed)
    game, rules = drawn(draw)
    table = generate(game)
    position = game.start()
    while not position.is_over:
        value, plies = rules.outcome(stones_of(position))
        own = -value if position.side else value
        assert table.probe(position) == (own, plies), position
        verdict = solve(position, "tablebase")
        for item in verdict.moves or ():
            value, plies = rules.outcome(stones_of(position.play(item.move)))
            own = -value if position.side else value
            assert (item.value, item.distance) == (own, None if plies is None else plies + 1)
        assert all(
            (item.value, item.distance) == (verdict.value, verdict.distance)
            for item in verdict.moves or ()
            if item.move in verdict.best_moves
        )
        position = position.play(draw.choice(position.moves))
    value, plies = rules.outcome(stones_of(position))
    assert table.probe(position) == (-value if position.side else value, 0 if value else None)


def test_preserves_moves_and_winners_of_random_rules_by_symmetries() -> None:
    for seed in range(400, 440):
        draw = random.Random(seed)
        game, _ = drawn(draw)
        for of in ("board", "lines"):
            for image in draw.sample(symmetries(game, of), min(6, len(symmetries(game, of)))):
                position = game.start()
                while True:
                    first, second = (
                        sum(1 << image[cell] for cell in bits(stones))
                        for stones in (position.first, position.second)
                    )
                    carried = game.position(first, second)
                    assert carried.winner == position.winner, (game, image)
                    assert {image[cell] for cell in position.moves} == set(carried.moves)
                    if position.is_over:
                        break
                    position = position.play(draw.choice(position.moves))


def test_a_turn_of_several_stones_states_no_other_side() -> None:
    with refuses(NotationError):
        parse("5,5,4,stones=2 c3 x")
    with refuses(IllegalMoveError):
        parse("5,5,4,stones=2 5/5/2X2/5/5 x")
    assert parse("5,5,4,stones=2 c3 o") == parse("5,5,4,stones=2 c3")
    game = parse_game("5,5,4,stones=2,first=3")
    sides, position = "", game.start()
    while not position.is_over and len(sides) < 9:
        sides += "xo"[position.side]
        position = position.play(position.moves[0])
    assert sides == "xxxooxxoo"


def test_finds_the_ends_of_a_line_where_the_board_goes_on() -> None:
    ends = {line.cells(): line.ends for line in parse_game("5,1,3,holes=e1").lines}
    assert ends == {(0, 1, 2): 1 << 3, (1, 2, 3): 1 << 0}
    round_ = {line.cells(): line.ends for line in parse_game("5,1,3,torus").lines}
    assert round_[0, 1, 2] == 1 << 3 | 1 << 4
    assert {line.ends for line in parse_game("4,1,4,torus").lines} == {0}
    assert {line.ends.bit_count() for line in parse_game("4,1,3,torus").lines} == {1}


def test_does_not_count_six_in_a_row_as_five() -> None:
    begun = parse("9,1,5,exactly a1 i1 b1 h1 c1 g1 d1").game.position(0b000101111, 0b110000000, 0)
    assert begun.play("e1").winner is None
    begun = begun.game.position(0b001001111, 0b110000000, 0)
    assert begun.play("e1").winner == 0


@pytest.mark.parametrize(
    "text",
    [
        "7,7,5,exact",
        "7,7,5,holes=z9",
        "7,7,5,holes=",
        "7,7,5,stones=0",
        "7,7,5,first=50",
        "7,7,5,torus=z",
        "7,7,5,torus=",
        "7,7,5,gravity=2",
        "7,7,5,directions=up",
        "7,7,5,directions=0:0",
        "2,1,2,holes=a1+b1",
        "3x3x3,3,hexagonal",
        "7,7,5,misere,misere",
    ],
)
def test_reports_a_wrong_word_with_its_place(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_game(text)
    says(f"game {text}", str(caught.value))


def test_rejects_rules_that_no_text_can_express() -> None:
    for wrong in (
        {"torus": "q"},
        {"stones": 0},
        {"first_stones": 50},
        {"holes": 511},
        {"directions": ((1,),)},
    ):
        with pytest.raises(OptionError, match="expected"):
            LineGame.grid(3, 3, k=3, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", ["3,3,3", "7,6,4,gravity", "3,3,3,misere", "4x4x4,4,torus"])
def test_keeps_the_digests_of_earlier_games(spec: str) -> None:
    game = parse_game(spec)
    given = (game.shape, game.given, game.gravity, game.misere, game.torus)
    assert game.digest == hashlib.sha256(repr(given).encode()).hexdigest()
    old = LineGame(*(game.name, *given[:4], game.torus, game.summary))
    assert old == game == pickle.loads(pickle.dumps(game))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("tictactoe,misere", "misere-tictactoe"),
        ("tictactoe,misère", "misere-tictactoe"),
        ("4,4,3,misère", "4,4,3,misere"),
        ("gomoku15,exactly", "gomoku15-exactly"),
        ("connect4,torus=x", "7,6,4,torus=x,gravity"),
        ("Connect4, torus=x", "7,6,4,torus=x,gravity"),
        ("qubic,misere", "4x4x4,4,misere"),
        ("torus-tictactoe,torus=x", "3,3,3,torus=x"),
        ("connect6,stones=1", "19,19,6"),
        ("connect4,gravity=false", "7,6,4"),
    ],
)
def test_accepts_words_after_a_name_of_the_catalogue(text: str, name: str) -> None:
    game = parse_game(text)
    assert game.name == name
    assert parse_game(game.name) == game


def test_reads_back_positions_of_a_named_game_with_words() -> None:
    position = parse("connect4,torus=x 44")
    assert (position.game.name, position.first.bit_count()) == ("7,6,4,torus=x,gravity", 1)
    assert parse(str(position)) == position


@pytest.mark.parametrize(
    "text",
    [
        "tictactoe,mis2",
        "conect4,torus",
        "tictactoe,misere,misere",
        "4,4,3,stones=20",
        "nim.py:Nim(3)",
    ],
)
def test_quotes_a_wrong_game_text_as_typed(text: str) -> None:
    with pytest.raises(PlyscopeError) as caught:
        parse_game(text)
    says(f"game {text}", str(caught.value))
