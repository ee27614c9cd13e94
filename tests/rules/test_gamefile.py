"""Line games in files: what they say is what is played, and what is wrong is said with its place."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import oracles
from games import BruteForce
from plyscope import parse, parse_game, perft, play_match, solve
from plyscope.errors import NotationError, OptionError
from plyscope.faces.boards import draw_board
from plyscope.lab.matches.records import Records
from plyscope.rules.gamefile import images
from plyscope.rules.linegame import LineGame
from plyscope.rules.symmetry import symmetries
from plyscope.solving.verify import verify
from plyscope_fast.solving.proof import proof_of
from sentences import refuses, says
from sizes import sized

HEXAGON = """
    . . .
   . . . .
  . . . . .
   . . . .
    . . .
"""
FREE_ANIMALS = {
    "el": ("XX\nX.", 4),
    "tic": ("XXX", 2),
    "tippy": ("XX.\n.XX", 4),
    "skinny": ("XXXX", 2),
    "fatty": ("XX\nXX", 1),
    "knobby": ("XXX\n.X.", 4),
    "elly": ("XXX\nX..", 8),
    "snaky": ("XXXX..\n...XXX", 8),
}
"""Harary's names of animals, and in how many ways each lies on a board."""


def written(folder: Path, data: Any, name: str = "game.json") -> str:
    """The file of that content."""
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def drawn_file(draw: random.Random) -> tuple[dict[str, Any], oracles.LineRules]:
    """The content of a file, and the same rules for the oracle."""
    width, height = draw.choice([(3, 3), (4, 2), (2, 4), (3, 2)])
    places = list(product(range(width), range(height)))
    holes = draw.sample(places, draw.randint(max(0, width * height - 7), 3))
    rows = [
        draw.choice(("", " ")).join("#" if (x, y) in holes else "." for x in range(width))
        for y in range(height)
    ]
    wraps = draw.choice(([], [], [0], [1], [0, 1]))
    data: dict[str, Any] = {"board": rows if draw.random() < 0.5 else "\n".join(rows)}
    if wraps:
        data["torus"] = "".join("xy"[axis] for axis in wraps)
    for word in ("gravity", "misere", "exactly"):
        if draw.random() < 0.3:
            data[word] = True
    stones, first = draw.choice(((1, 1), (1, 1), (2, 1), (1, 2)))
    data |= {"stones": stones, "first": first}
    cells = [place for place in places if place not in holes]
    goals: list[set[tuple[int, int]]] = []
    if draw.random() < 0.7:
        lines = [draw.sample(cells, draw.randint(2, 3)) for _ in range(draw.randint(1, 3))]
        goals += map(set, lines)
        data["lines"] = [" ".join(f"{'abcd'[x]}{height - y}" for x, y in line) for line in lines]
    if draw.random() < 0.7:
        shape = draw.choice(("XX\nX.", "X.\n.X", "XX\n.X", "XX", "X.X"))
        spots = [
            (x, y)
            for y, row in enumerate(shape.split("\n"))
            for x, mark in enumerate(row)
            if mark == "X"
        ]
        data["shapes"] = [shape]
        for swap, left, up in product((False, True), (1, -1), (1, -1)):
            for at in places:
                goal = set()
                for x, y in spots:
                    there = [at[0] + left * (y if swap else x), at[1] + up * (x if swap else y)]
                    for axis in wraps:
                        there[axis] %= (width, height)[axis]
                    goal.add((there[0], there[1]))
                if goal <= set(cells) and len(goal) == len(spots):
                    goals.append(goal)
    k = (
        draw.choice((2, 3, 3))
        if draw.random() < 0.5 or not data.keys() & {"lines", "shapes"}
        else 9
    )
    if k < 9:
        data["k"] = k
    rules = oracles.LineRules(
        (width, height),
        k,
        round=wraps,
        holes=holes,
        goals=goals,
        stones=stones,
        first=first,
        **{word: word in data for word in ("gravity", "misere", "exactly")},
    )
    return data, rules


@pytest.mark.parametrize("seed", range(sized(40, 400)))
def test_plays_the_rules_of_a_file_as_by_hand(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    data, rules = drawn_file(draw)
    text = written(tmp_path, data)
    game = parse_game(text)
    counts = [
        (ply.sequences, ply.positions, ply.first_wins, ply.second_wins, ply.draws)
        for ply in perft(game, depth=4)
    ]
    assert counts == rules.perft(4), data
    assert BruteForce(game).value(game.start()) == rules.value((frozenset(), frozenset())), data
    position = game.start()
    while not position.is_over:
        assert parse(str(position)) == position == parse(str(position), game)
        position = position.play(draw.choice(position.moves))


def test_lets_a_listed_line_win_that_is_also_an_exact_line(tmp_path: Path) -> None:
    data = {"board": [7, 1], "k": 2, "exactly": True}
    assert parse(f"{written(tmp_path, data, 'exact.json')} a1 e1 c1 g1 b1").winner is None
    data["lines"] = ["b1 c1"]
    assert parse(f"{written(tmp_path, data, 'listed.json')} a1 e1 c1 g1 b1").winner == 0


def test_reads_the_same_from_toml_and_json(tmp_path: Path) -> None:
    toml = tmp_path / "hex.toml"
    toml.write_text(f'hexagonal = true\nk = 4\nboard = """{HEXAGON}"""\n', encoding="utf-8")
    text = written(tmp_path, {"hexagonal": True, "k": 4, "board": HEXAGON.split("\n")}, "hex.json")
    game = LineGame.read(toml)
    assert game == parse_game(text) == parse_game(str(toml))
    assert game.digest == parse_game(text).digest
    assert parse_game("5,5,4,hexagonal,holes=a5+b5+a4+e2+d1+e1").rules == game.rules


def test_gives_a_hexagon_lines_and_symmetries_in_three_directions(tmp_path: Path) -> None:
    game = parse_game(written(tmp_path, {"hexagonal": True, "k": 3, "board": HEXAGON}))
    assert isinstance(game, LineGame)
    # rows of 3, 4, 5, 4 and 3 cells have 1 + 2 + 3 + 2 + 1 lines of three; and so in each direction
    assert game.board.bit_count() == 19
    assert len(game.lines) == 27
    assert len(symmetries(game)) == 12
    mirrored = "\n".join(row[::-1].rjust(12) for row in HEXAGON.strip("\n").split("\n"))
    assert parse_game(written(tmp_path, {"hexagonal": True, "k": 3, "board": mirrored})) == game


def test_draws_a_hexagonal_board_in_offset_rows(tmp_path: Path) -> None:
    game = parse_game(written(tmp_path, {"hexagonal": True, "k": 3, "board": HEXAGON}))
    drawn = draw_board(parse("c5 d5 e3", game)).plain
    assert [line.rstrip() for line in drawn.splitlines()] == [
        "5      X   O   ·",
        "4    ·   ·   ·   ·",
        "3  ·   ·   ·   ·   X",
        "2    ·   ·   ·   ·   e",
        "1      ·   ·   ·   d",
        "         a   b   c",
    ]


@pytest.mark.parametrize("name", FREE_ANIMALS)
def test_places_an_animal_in_all_rotations_and_reflections(name: str, tmp_path: Path) -> None:
    drawing, ways = FREE_ANIMALS[name]
    spots = {
        (x, y)
        for y, row in enumerate(drawing.split("\n"))
        for x, mark in enumerate(row)
        if mark == "X"
    }
    assert len(images(spots)) == ways
    game = parse_game(written(tmp_path, {"board": [8, 9], "shapes": [drawing]}))
    assert isinstance(game, LineGame)
    width, height = (1 + max(spot[axis] for spot in spots) for axis in (0, 1))
    lying = [(9 - a) * (10 - b) for a, b in ((width, height), (height, width))]
    assert len(game.lines) == sum(lying) * ways // 2
    assert {len(line.cells()) for line in game.lines} == {len(spots)}


def test_gives_a_hexagonal_shape_up_to_twelve_images() -> None:
    assert len(images({(0, 0), (1, 0), (0, 1)}, hexagonal=True)) == 2  # a triangle
    assert len(images({(0, 0), (1, 0), (2, 0)}, hexagonal=True)) == 3  # a line
    assert len(images({(0, 0), (1, 0), (2, 0), (2, 1)}, hexagonal=True)) == 12


@pytest.mark.parametrize(
    ("name", "board", "moves"),
    [("el", 3, 3), ("tic", 4, 3), ("tippy", 3, 5), ("elly", 4, 4), ("knobby", 5, None)],
)
def test_achieves_animals_on_the_published_squares_and_no_smaller(
    name: str, board: int, moves: int | None, tmp_path: Path
) -> None:
    """Harary's board numbers and move numbers (Gardner, Scientific American, April 1979)."""
    drawing = FREE_ANIMALS[name][0]
    values = []
    for size in (board - 1, board):
        game = parse_game(written(tmp_path, {"board": [size, size], "shapes": [drawing]}))
        values.append(solve(game.start(), method="lines").value)
        if size == board == 3:
            assert solve(game.start(), method="tablebase").distance == 2 * (moves or 0) - 1
    assert values == [0, 1]


def test_draws_fatty_by_pairs_of_cells(tmp_path: Path) -> None:
    """Blass's pairing, in Gardner's column."""
    game = parse_game(written(tmp_path, {"board": [5, 5], "shapes": ["XX\nXX"]}))
    assert solve(game.start(), method="lines").value == 0


@pytest.mark.parametrize(
    "data",
    [
        {"board": [3, 3]},
        {"k": 3},
        {"size": [6, 6]},
        [1],
        {"board": [3, 3], "k": 0},
        {"board": "..\n...", "k": 2},
        {"board": ".x", "k": 2},
        {"board": "...\n\n..", "k": 2},
        {"board": "##", "k": 2},
        {"board": [40, 40], "k": 2},
        {"board": {}, "k": 2},
        {"board": ". .\n. .", "hexagonal": True, "k": 2},
        {"board": [3, 3], "k": 3, "stone": 1},
        {"board": [3, 3], "k": 3, "stones": "a"},
        {"board": [3, 3], "k": 3, "torus": "z"},
        {"board": [3, 3], "k": 3, "exactly": 1},
        {"board": [3, 3], "k": 3, "holes": ["d1"]},
        {"board": [3, 3], "k": 3, "directions": ["up"]},
        {"board": [3, 3], "shapes": ["X"], "directions": ["row"]},
        {"board": [3, 3], "shapes": ["XY"]},
        {"board": [3, 3], "shapes": [".."]},
        {"board": [3, 3, 3], "shapes": ["X"]},
        {"board": [3, 3], "lines": ["a1 a1"]},
        {"board": "#..", "lines": ["a1"]},
        {"board": [3, 3], "lines": [[]]},
        {"board": [3, 3], "lines": ["z1"]},
        {"board": [3, 3], "k": 3, "name": "a b"},
        {"board": [3, 3], "k": 3, "summary": 1},
        {"board": [32, 32], "shapes": ["X" * 9 + "\nX"] * 20},
    ],
)
def test_reports_a_fault_of_a_file_in_one_line_with_its_place(data: Any, tmp_path: Path) -> None:
    path = written(tmp_path, data)
    with pytest.raises(NotationError) as caught:
        parse_game(path)
    assert "\n" not in str(caught.value)
    says(str(caught.value))
    says(f"game file {data}", str(caught.value).replace(f"{tmp_path}/", ""))


def test_names_an_unreadable_file(tmp_path: Path) -> None:
    with refuses(NotationError):
        parse_game(str(tmp_path / "none.toml"))
    (tmp_path / "bad.toml").write_text("k = ", encoding="utf-8")
    with refuses(NotationError):
        parse(f"{tmp_path / 'bad.toml'} a1")


def test_reads_a_changed_file_again(tmp_path: Path) -> None:
    assert len(parse_game(written(tmp_path, {"board": [3, 3], "k": 3})).lines) == 8  # type: ignore[attr-defined]
    assert len(parse_game(written(tmp_path, {"board": [3, 3], "k": 30})).lines) == 0  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "data",
    [
        {"board": [4, 3], "k": 3, "torus": "x"},
        {"board": [3, 3], "shapes": ["XX.\n.XX"]},
        {"board": [3, 3], "lines": ["a1 b3", "c1 c2 c3"]},
        {"board": [3, 3], "k": 3, "hexagonal": True, "misere": True},
        {"board": [4, 3], "k": 3, "torus": "x", "exactly": True},
        {"board": ["...", ".#.", "..."], "k": 2, "exactly": True, "directions": ["row", "column"]},
    ],
)
def test_proves_lines_of_any_kind_and_checks_the_proof(data: Any, tmp_path: Path) -> None:
    game = parse_game(written(tmp_path, data))
    value = solve(game.start()).value
    claims = verify(proof_of(game.start()))["claims"]
    assert [(claim["side"], claim["at_least"]) for claim in claims] == (
        [("x", 1)] if value == 1 else [("o", 1)] if value == -1 else [("x", 0), ("o", 0)]
    )


def test_writes_no_proof_that_the_checker_could_not_read() -> None:
    with refuses(OptionError):
        proof_of(parse("3,3,3,stones=2 a1"))


def test_records_games_of_a_file_and_reads_them_again(tmp_path: Path) -> None:
    text = written(tmp_path, {"board": [4, 4], "k": 3, "stones": 2, "hexagonal": True})
    with Records(tmp_path / "lab.db") as records:
        found = play_match("alphabeta depth=1", "random", 2, text, records=records)
        kept = records.pairs(1)[0]
        assert {game.start.game for game in kept} == {parse_game(text)}
        for game in kept:
            assert game.start.play(*game.moves) == game.end
            assert game.end.winner == (None if game.winner is None else "xo".index(game.winner))
        assert play_match("alphabeta depth=1", "random", 2, text, records=records).pairs == (
            found.pairs
        )
        assert len(list(records.games())) == 2
