"""Solvers on boards with holes, under exact lines, and where a turn is several stones: what they
claim is so, by brute force."""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random

import pytest

from oracles import LineRules, Stones
from plyscope.errors import OptionError
from plyscope.rules.cells import coordinates
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.notation import parse
from plyscope.rules.position import Position
from plyscope.searching.limit import SearchStopped
from plyscope.solving.accelerated import LINES
from plyscope.solving.ask import Ask
from plyscope.solving.solve import solve
from plyscope_fast.solving.lines import lines_solver
from plyscope_fast.solving.threats import ThreatSolver
from sentences import says
from sizes import sized

SHAPES = [(4, 3), (4, 4), (5, 3), (6, 2), (8, 2), (12,), (3, 2, 2), (3, 3, 2)]
MOST_EMPTY = 7


def some_game(draw: Random) -> tuple[LineGame, LineRules]:
    """A random game with holes or exact lines, and the same by brute force."""
    while True:
        shape, k = draw.choice(SHAPES), draw.choice([3, 3, 4])
        holes = draw.sample(range(prod(shape)), draw.choice([0, 1, 2, 4]))
        exactly, torus = draw.random() < 0.6, draw.random() < 0.25
        game = LineGame.grid(
            *shape, k=k, holes=sum(1 << cell for cell in holes), exactly=exactly, torus=torus
        )
        if game.lines and game.variants & {"exactly", "holes"}:
            places = [coordinates(shape, cell)[: len(shape)] for cell in holes]
            axes = range(len(shape)) if torus else ()
            return game, LineRules(shape, k, holes=places, exactly=exactly, round=axes)


def stones_of(position: Position) -> Stones:
    shape = position.game.shape
    first, second = (
        frozenset(coordinates(shape, cell)[: len(shape)] for cell in bits(position.stones(side)))
        for side in (0, 1)
    )
    return first, second


def late_positions(game: LineGame, draw: Random) -> list[Position]:
    """Some running positions with few empty cells."""
    found = []
    for _ in range(12):
        position = game.start()
        for _ in range(draw.randrange(game.size)):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        if not position.is_over and position.empty.bit_count() <= MOST_EMPTY:
            found.append(position)
    return found[:4]


def value(rules: LineRules, position: Position) -> int:
    """The truth, for the side to move."""
    return rules.value(stones_of(position)) * (-1 if position.side else 1)


def test_proves_only_true_values() -> None:
    draw, seen = Random(11), Counter[tuple[str, int | None]]()
    for _ in range(sized(40, 120)):
        game, rules = some_game(draw)
        threats = ThreatSolver(game, megabytes=1)
        for position in late_positions(game, draw):
            truth = value(rules, position)
            try:
                verdict = threats.solve(Ask(position, limit=20_000))
                found = None if verdict is None else verdict.value
            except SearchStopped:
                verdict, found = None, None
            seen["exactly" if game.exactly else "threats", found] += 1
            assert found in (None, truth), str(position)
            best = [] if verdict is None else list(verdict.best_moves[:3])
            if LINES.plays(position):
                verdict = lines_solver(game).solve(Ask(position))
                assert verdict.value == truth, str(position)
                seen["lines", verdict.value] += 1
                best += verdict.best_moves
            for move in best:
                assert value(rules, position.play(move)) == -truth, (str(position), move)
    for name in ("exactly", "threats", "lines"):
        assert min(seen[name, 1], seen[name, -1]) > 1, seen
    assert min(seen["threats", 0], seen["lines", 0], seen["exactly", None]) > 1, seen
    assert seen["exactly", 0] == 0, seen


def test_the_zone_of_a_win_by_fours_holds_under_exact_lines() -> None:
    draw, won = Random(12), 0
    for _ in range(sized(25, 80)):
        game, rules = some_game(draw)
        solver = ThreatSolver(game, megabytes=1)
        for position in late_positions(game, draw):
            fours = solver.by_fours(position, position.side)
            if fours is None:
                continue
            won += 1
            assert value(rules, position) == 1, str(position)
            for cell in bits(position.empty & ~fours.zone):
                both = [position.first, position.second]
                both[1 - position.side] |= 1 << cell
                after = game.position(*both, position.side)
                if not after.is_over:
                    turned = stones_of(after)
                    if position.side != rules.mover(sum(map(len, turned))):
                        turned = turned[1], turned[0]  # brute force counts off whose turn it is
                    mover = rules.mover(sum(map(len, turned)))
                    assert rules.value(turned) == (-1 if mover else 1), (str(after), cell)
    assert won > 10


def test_does_not_win_by_an_overline_in_standard_gomoku() -> None:
    """X has d, e, f, g and i of a row: h makes six, c makes five."""
    moves = "d5 a1 e5 c1 f5 a3 g5 c3 i5 b9"
    free, exact = (parse(f"9,9,5{rule} {moves}") for rule in ("", ",exactly"))
    assert (free.play("h5").winner, exact.play("h5").winner) == (0, None)
    verdict = solve(exact, method="threats")
    assert (verdict.value, exact.game.format_cell(verdict.best_moves[0])) == (1, "c5")


def test_says_what_was_not_proved() -> None:
    verdict = solve("4,4,4,exactly", method="threats")
    says(str(verdict))
    with pytest.raises(OptionError, match="lines without gravity"):
        solve(parse_game("5,5,4,exactly,misere"), method="lines")


def test_solves_turns_of_several_stones() -> None:
    draw = Random(13)
    for _ in range(sized(8, 60)):
        shape, k = draw.choice([(4, 3), (5, 2), (3, 3), (3, 2, 2)]), draw.choice([3, 3, 4])
        stones, first, exactly = draw.randint(1, 3), draw.randint(1, 2), draw.random() < 0.5
        game = LineGame.grid(*shape, k=k, stones=stones, first_stones=first, exactly=exactly)
        rules = LineRules(shape, k, stones=stones, first=first, exactly=exactly)
        for position in late_positions(game, draw):
            verdict, truth = solve(position), value(rules, position)
            assert verdict.value == truth, str(position)
            after = position.play(verdict.best_moves[0])
            sign = 1 if after.side == position.side else -1
            assert sign * value(rules, after) == truth, str(position)
