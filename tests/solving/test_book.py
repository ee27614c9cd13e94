"""The opening book of Connect Four: complete, right by the word of others, and used."""

from __future__ import annotations

import random
from importlib.resources import files

import pytest

from plyscope import AGENTS, parse, parse_game, solve
from plyscope.errors import OptionError
from plyscope.rules.linegame import Position
from plyscope.rules.symmetry import orbit
from plyscope.solving import book
from plyscope.solving.ask import Ask
from plyscope_fast.solving.connect import connect_solver
from sentences import refuses

LINES = [
    line.split() for line in files("plyscope.solving").joinpath(book.FILE).read_text().splitlines()
]


def test_contains_every_opening_once() -> None:
    found = book.openings()
    assert sorted(moves for moves, _ in LINES) == sorted(found.values())
    assert (
        sum(len(orbit(position)) for position in found) == 1120
    )  # positions of four plies: OEIS A212693
    assert all(
        parse(f"{book.GAME} {moves}") in orbit(position) for position, moves in found.items()
    )


def test_agrees_with_another_solver_and_its_book() -> None:
    bitbully = pytest.importorskip("bitbully")
    pytest.importorskip("bitbully_databases")
    agent = bitbully.BitBully()
    for moves, score in LINES:
        scores = agent.score_all_moves(bitbully.Board([int(column) - 1 for column in moves]))
        assert max(scores.values()) == int(score), moves


def test_agrees_with_openings_solved_anew() -> None:
    quick = sorted(LINES, key=lambda line: -abs(int(line[1])))[:30]
    solver = connect_solver(parse_game(book.GAME))
    for moves, score in random.Random(5).sample(quick, 3):
        assert solver.score(Ask(parse(f"{book.GAME} {moves}"))) == int(score), moves


def test_knows_the_published_values_of_the_first_moves() -> None:
    verdict = solve("connect4")
    assert (verdict.method, verdict.value, verdict.score, verdict.distance) == ("book", 1, 1, 41)
    assert verdict.moves is not None
    assert [(item.value, item.distance) for item in verdict.moves] == [
        (-1, 40),
        (-1, 42),
        (0, None),
        (1, 41),
        (0, None),
        (-1, 42),
        (-1, 40),
    ]
    assert [item.text for item in verdict.moves if item.move in verdict.best_moves] == ["d1"]


@pytest.mark.parametrize("moves", ["", "1", "71", "443"])
def test_finds_mirror_images_and_swapped_colours(moves: str) -> None:
    position = parse(f"connect4 {moves}" if moves else "connect4")
    mirrored = parse(
        f"connect4 {''.join(str(8 - int(column)) for column in moves)}" if moves else "connect4"
    )
    swapped = Position(position.game, position.second, position.first, 1 - position.side, None)
    score = solve(position, method="book").score
    assert solve(mirrored, method="book").score == solve(swapped, method="book").score == score


@pytest.mark.parametrize(
    "text",
    [
        "connect4 4444",
        "7,6,4,gravity,misere",
        "7,7,4,gravity",
        "connect4 ......./......./......./......./......./XX.....",
    ],
)
def test_finds_nothing_outside_of_the_book(text: str) -> None:
    with refuses(OptionError):
        solve(text, method="book")


def test_the_perfect_agent_opens_perfectly() -> None:
    perfect = AGENTS["perfect"]
    assert perfect.choices(parse("connect4")) == (38,)
    assert perfect.choices(parse("connect4 4")) == (31,)
