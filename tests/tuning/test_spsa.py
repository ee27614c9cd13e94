"""SPSA on functions whose minimum is known, and the constants that it finds against exact values."""

from __future__ import annotations

import json
import math
import os
import signal
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from plyscope import parse_game
from plyscope.errors import HeuristicError, OptionError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.lab.judging.population import Population, Positions
from plyscope.lab.judging.sample import Sample
from plyscope.lab.judging.whole import WholeGame
from plyscope.tuning.constants import Constants, find_constants
from plyscope.tuning.fit_constants import fit_constants
from plyscope.tuning.spsa import Spsa
from sentences import refuses

GAME = parse_game("tictactoe")
LINES = '''
def f(mine, theirs, *, own=(0, 1, 3, 8), other=(0, 1, 3, 8)):
    """As counted-lines, with a table for each side."""
    return 0 if mine and theirs else own[mine] - other[theirs]

def g(board, player, *, own=(0, 1, 3, 8), other=(0, 1, 3, 8), centre=-3):
    """The same without a table, and the centre."""
    opponent, total = 3 - player, 0
    cells = [cell for row in board for cell in row]
    for line in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)):
        marks = [cells[at] for at in line]
        total += f(marks.count(player), marks.count(opponent), own=own, other=other)
    return total + centre * ((cells[4] == player) - (cells[4] == opponent))
'''


@pytest.fixture(scope="module")
def whole() -> WholeGame:
    return WholeGame(GAME)


def constants_of(folder: Path, text: str, name: str = "f", game: Any = GAME) -> Constants:
    path = folder / "mine.py"
    path.write_text(text)
    return find_constants(f"{path}:{name}", game)


def every(whole: WholeGame, number: int) -> Positions:
    """Every so many-th critical position."""
    return Positions(whole, whole.critical.at[::number])


# Functions whose minimum is known


def quadratic(size: int, condition: float, seed: int) -> tuple[list[float], Any]:
    """Return a start, and the loss of an ill-conditioned quadratic in units of its size."""
    draw = Random(f"quadratic {size} {seed}")
    start = [draw.choice((-1, 1)) * draw.uniform(1, 10) ** 2 for _ in range(size)]
    best = [value * draw.uniform(0.3, 2) for value in start]
    bends = [condition ** (at / max(1, size - 1)) for at in range(size)]

    def loss(values: Any) -> float:
        rows = zip(bends, values, best, start, strict=True)
        return sum(bend * ((value - least) / unit) ** 2 for bend, value, least, unit in rows)

    return start, loss


@pytest.mark.parametrize("size", [1, 3, 8, 20])
@pytest.mark.parametrize("condition", [1, 30])
def test_finds_the_minimum_of_a_quadratic_that_newtons_method_finds(
    size: int, condition: float
) -> None:
    for seed in range(3):
        start, loss = quadratic(size, condition, seed)
        found = Spsa(lambda values, draw, loss=loss: loss(values), start, seed=seed).run()
        exact = minimize(loss, start, method="BFGS", options={"gtol": 1e-6})
        assert loss(found.values) < 1e-3 * loss(start)
        for value, best, unit in zip(found.values, exact.x, start, strict=True):
            assert abs(value - best) < 0.2 * abs(unit)


@pytest.mark.parametrize("size", [3, 8, 20])
def test_finds_it_in_noise_better_than_the_best_sample(size: int) -> None:
    """The noise is a quarter of all that is to be gained, and what is asked for is the sum."""
    ends, lucky = [], []
    for seed in range(6):
        start, loss = quadratic(size, 30, seed)
        asked: list[tuple[float, float]] = []
        noisy = in_noise(loss, loss(start) / 4, asked)
        ends.append(loss(Spsa(noisy, start, seed=seed).run().values) / loss(start))
        lucky.append(min(asked)[1] / loss(start))
    assert fmean(ends) < 0.05
    assert fmean(ends) < fmean(lucky) / 2


def in_noise(loss: Any, noise: float, asked: list[tuple[float, float]]) -> Any:
    """Return the loss with noise, which notes what it has said and what is true."""

    def noisy(values: Any, draw: int) -> float:
        true = loss(values)
        said: float = true + Random(f"{draw} {values}").gauss(0, noise)
        asked.append((said, true))
        return said

    return noisy


def test_goes_down_a_curved_valley() -> None:
    def rosenbrock(values: Any) -> float:
        x, y = values
        return float((1 - x) ** 2 + 10 * (y - x * x) ** 2)

    for seed in range(3):
        noisy = in_noise(rosenbrock, 0.05, [])
        found = Spsa(noisy, (2.0, 1.0), seed=seed).run()
        assert rosenbrock(found.values) < 0.005 * rosenbrock((2.0, 1.0))


def test_evaluates_whole_numbers_only_and_finds_them() -> None:
    def loss(values: Any, draw: int) -> float:
        assert all(isinstance(value, int) for value in values)
        return abs(values[0] - 7) + abs(values[1] + 3) / 2

    found = Spsa(loss, (1, 2), [True, True], seed=1).run()
    assert [round(value) for value in found.values] == [7, -3]


def test_gives_both_sides_the_same_chance_by_the_same_seed() -> None:
    asked: list[tuple[Any, int]] = []

    def loss(values: Any, draw: int) -> float:
        asked.append((tuple(values), draw))
        return sum((value - 2) ** 2 for value in values)

    first = Spsa(loss, (1.0, 5.0), steps=30, seed=4).run()
    steps, before = [draw for _, draw in asked], list(asked)
    assert all(len(set(steps[at : at + 2])) == 1 for at in range(len(steps) - 20, len(steps), 2))
    asked.clear()
    assert Spsa(loss, (1.0, 5.0), steps=30, seed=4).run() == first
    assert asked == before
    assert Spsa(loss, (1.0, 5.0), steps=30, seed=5).run().values != first.values


def test_resumes_where_it_was_stopped() -> None:
    count = 0

    def loss(values: Any, draw: int) -> float:
        nonlocal count
        count += 1
        if count == 500:
            raise KeyboardInterrupt
        return (values[0] - 3) ** 2 + Random(f"{draw} {values}").gauss(0, 0.1)

    whole = Spsa(lambda values, draw: loss(values, draw), (1.0,), seed=2)
    stopped = whole.run()
    assert (stopped.stopped, 0 < stopped.steps < whole.steps) == ("interrupted", True)
    state = json.loads(json.dumps(stopped.state))
    rest = Spsa(loss, (1.0,), seed=2, state=state).run()
    count = 1000
    at_once = Spsa(loss, (1.0,), seed=2).run()
    assert rest.values == at_once.values
    assert rest.stopped is None


def test_keeps_the_start_without_a_slope() -> None:
    assert Spsa(lambda values, draw: 1.0, (4.0, -2.0)).run().values == (4.0, -2.0)


# Constants


def test_finds_constants_of_a_table_on_a_whole_game(whole: WholeGame, tmp_path: Path) -> None:
    constants = constants_of(tmp_path, LINES)
    found = fit_constants(constants, whole.critical, seed=1)
    assert found.before == pytest.approx(0.0377, abs=1e-4)
    assert found.after is not None
    assert found.after < 0.022
    assert all(isinstance(weight, int) for weight in found.weights)
    critical = whole.critical
    played = critical.played(constants.heuristic(found.weights), 1)
    assert critical.wrong_by(played).mean() == found.after
    # a finished line is worth what the result says, so that nothing depends on these two
    at = [constants.parameters.index(name) for name in ("own[3]", "other[3]")]
    assert [found.weights[each] for each in at] == [8, 8]
    assert all(found.may_be_dropped[each] for each in at)
    assert all(math.isnan(found.low[each]) and math.isnan(found.high[each]) for each in at)


def test_finds_the_same_by_the_same_seed(whole: WholeGame, tmp_path: Path) -> None:
    constants, asked = constants_of(tmp_path, LINES), every(whole, 9)
    found = fit_constants(constants, asked, seed=1, steps=150)
    again = fit_constants(constants, asked, seed=1, steps=150)
    assert str(found) == str(again)  # two that are not numbers are not equal
    assert fit_constants(constants, asked, seed=2, steps=60).state != found.state


def test_finds_constants_of_a_function_without_a_table(whole: WholeGame, tmp_path: Path) -> None:
    constants = constants_of(tmp_path, LINES, "g")
    asked = every(whole, 12)
    found = fit_constants(constants, asked, seed=1, steps=150)
    assert isinstance(constants.heuristic(found.weights), FunctionHeuristic)
    assert found.before is not None
    assert found.after is not None
    assert found.after < found.before / 1.5


def test_finds_planted_constants_again(tmp_path: Path) -> None:
    """On 4,3,3, from equal numbers: a heuristic that orders siblings like the planted one, where
    the best move is the one that this rates best."""
    text = LINES.replace("(0, 1, 3, 8)", "(0, 4, 4, 4)")
    game = parse_game("4,3,3")
    constants = constants_of(tmp_path, text, "f", game)
    planted = constants.heuristic((0, 20, 70, 400, 0, 30, 50, 400))
    whole, draw = WholeGame(game), Random(1)
    drawn = draw.sample([at for at, after in enumerate(whole.children) if after], 600)
    going_on = [at for at in drawn if np.isnan(whole.results[whole.children[at]]).all()]
    asked = Positions(whole, sorted(going_on))
    asked.lost = 1.0 - asked.played(planted, 1)
    assert len(asked) > 100
    assert asked.wrong_by(asked.played(planted, 1)).sum() == 0

    def loss(values: Any, draw: int) -> float:
        return float(
            asked.wrong_by(asked.played(constants.heuristic(constants.rounded(values)), 1)).mean()
        )

    start = constants.weights_of_start
    found = Spsa(loss, start, [True] * len(start), seed=3).run()
    assert loss(start, 0) > 0.3
    assert loss(constants.rounded(found.values), 0) < 0.03


def test_learns_from_a_sample_of_a_large_game(tmp_path: Path) -> None:
    game = parse_game("connect4")
    population: Population = Sample(game, 400, 1)
    text = LINES.replace("(0, 1, 3, 8)", "(0, 1, 3, 8, 21)")
    constants = constants_of(tmp_path, text, "f", game)
    found = fit_constants(constants, population.critical, steps=150)
    assert found.before is not None
    assert found.after is not None
    assert found.after <= found.before
    assert len(found.low) == len(found.high) == len(constants.parameters) == 10


def test_learns_from_games_against_the_start(tmp_path: Path) -> None:
    """START shuns the centre and rows of two, which loses."""
    text = "def f(mine, theirs, *, two=-9, one=-1):\n    " + (
        "return two * (mine == 2 and not theirs) + one * (mine == 1 and not theirs)"
    )
    constants = constants_of(tmp_path, text)
    found = fit_constants(constants, games=3000, depth=1, seed=1)
    assert (found.before, found.after, found.stopped) == (None, None, None)
    assert all(math.isnan(each) for each in (*found.low, *found.high))
    names = dict(zip(constants.parameters, found.weights, strict=True))
    assert names["two"] > -9
    with refuses(OptionError):
        fit_constants(constants, games=100)


def test_keeps_the_partial_result_when_interrupted(whole: WholeGame, tmp_path: Path) -> None:
    constants, asked = constants_of(tmp_path, LINES), every(whole, 8)
    done: list[int] = []

    def progress(phase: str, steps: int, total: int) -> None:
        done.append(steps)
        if steps == 300:
            os.kill(os.getpid(), signal.SIGINT)

    found = fit_constants(constants, asked, progress=progress)
    assert (found.stopped, done) == ("interrupted", list(range(1, 301)))
    assert found.after is not None
    assert found.before is not None
    assert found.after < found.before
    rest = fit_constants(constants, asked, state=json.loads(json.dumps(found.state)))
    assert rest.weights == fit_constants(constants, asked).weights
    hurried = fit_constants(constants, asked, seconds=0.0)
    assert (hurried.stopped, hurried.weights) == ("seconds", constants.weights_of_start)


# Hostile functions


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(board, *, a=2):\n    return 1 // 0 * a", "raised ZeroDivisionError"),
        ("def f(board, *, a=2):\n    return [0, 1, 2][a] / 4", "answered '0.5' on"),
        ("def f(board, *, a=2):\n    return 'a' * a", "answered 'aa' on"),
        ("def f(board, *, a=2):\n    return a * 10**9", "answered 2000000000 on"),
        ("def f(board, *, a=2):\n    raise SystemExit(a)", "raised SystemExit: 2 on"),
    ],
)
def test_reports_a_hostile_function_in_one_line(
    whole: WholeGame, tmp_path: Path, text: str, message: str
) -> None:
    constants = constants_of(tmp_path, text)
    with pytest.raises(HeuristicError, match=message) as said:
        fit_constants(constants, Positions(whole, whole.critical.at[:100]))
    assert "\n" not in str(said.value)


def test_recommends_no_numbers_with_which_the_function_raises(
    whole: WholeGame, tmp_path: Path
) -> None:
    text = LINES.replace("mine and theirs", "mine and theirs or 60 // (other[2] - 2) == 99")
    constants = constants_of(tmp_path, text)
    asked = every(whole, 10)
    found = fit_constants(constants, asked, seed=1)
    assert found.after is not None
    assert found.before is not None
    assert found.after < found.before
    assert found.weights[constants.parameters.index("other[2]")] != 2


def test_interrupts_a_function_that_does_not_return(
    whole: WholeGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.searching.timeout.CALL_SECONDS", 0.2)
    constants = constants_of(tmp_path, "def f(board, *, a=2):\n    while a:\n        pass")
    with pytest.raises(HeuristicError, match="'f' gave no answer within 0.2"):
        fit_constants(constants, Positions(whole, whole.critical.at[:100]))


def test_tunes_fractions_where_a_scale_is_declared(whole: WholeGame, tmp_path: Path) -> None:
    text = LINES.replace("0, 1, 3, 8", "0.0, 0.1, 0.1, 0.1") + "f.scale = 1000\n"
    found = fit_constants(constants_of(tmp_path, text), every(whole, 4), seed=2)
    assert found.after is not None
    assert found.before is not None
    assert found.after < found.before / 2
    assert any(isinstance(weight, float) for weight in found.weights)


def test_keeps_huge_constants_within_reach(whole: WholeGame, tmp_path: Path) -> None:
    text = "def f(mine, theirs, *, huge=900000000):\n    return huge // 10000000 * mine"
    constants = constants_of(tmp_path, text)
    found = fit_constants(constants, every(whole, 20), steps=150)
    assert abs(found.weights[0]) <= 10**9
