"""Functions that add up lines are seen to be tables, and nothing else is."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plyscope import LineTable, evaluate, explain, parse_game
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristics import find_heuristic

WORTH = [0, 1, 10, 100, 1000, 5000]
NESTED = {"mine": (0, 1, 4, 9, 16, 25), "theirs": (0, 2, 3, 5, 7, 11)}
Function = Callable[[int, int, Any], int]


def stones(word: int) -> int:
    """Count stones as before Python 3.10."""
    return bin(word).count("1")


def worth(own: int, other: int) -> int:
    if other:
        return 0
    best = WORTH[own]
    return best + 1


def by_branches(mine: int, theirs: int, lines: Any) -> int:
    """A text, two loops, a helper, parts with names."""
    total: int = 0
    for line in lines:
        own, other = stones(mine & line), stones(line & theirs)
        if other == 0:
            total += worth(own, other)
        elif own == 0:
            total -= WORTH[other]
    for line in lines:
        if mine & line == line:
            total += 7
    return +total


def by_sums(mine: int, theirs: int, lines: Any) -> int:
    own = sum(NESTED["mine"][(mine & line).bit_count()] for line in lines if not theirs & line)
    their = 3 * sum(
        [NESTED["theirs"][(theirs & line).bit_count()] for line in lines if not mine & line]
    )
    return 2 * own - their


def by_continue(me: int, you: int, ls: Any) -> int:
    good = bad = 0
    both = me | you
    for w in ls:
        if w & me and w & you:
            continue
        count = (w & both).bit_count()
        count *= count
        if w & me:
            good += count
        else:
            bad += count + 1 if count else 0
    return -bad + good


def of_weights(weights: tuple[int, ...]) -> Function:
    def weighed(mine: int, theirs: int, lines: Any) -> int:
        total, factor = 0, 2
        for line in lines:
            total += factor * (
                weights[(mine & line).bit_count()] - weights[(theirs & line).bit_count()]
            )
        return total

    return weighed


by_lambda: Function = lambda m, t, lines: (  # noqa: E731
    sum((m & x).bit_count() for x in lines) - sum(max(0, (t & x).bit_count() - 1) for x in lines)
)


@pytest.mark.parametrize(
    "spec", ["tictactoe", "connect4", "5,4,4", "4,3,3,torus", "qubic", "10,9,5"]
)
@pytest.mark.parametrize(
    "function", [by_sums, by_continue, of_weights((0, 1, 5, 25, 125, 625)), by_lambda]
)
def test_a_sum_over_lines_is_a_table_and_answers_the_same(spec: str, function: Function) -> None:
    game, draw = parse_game(spec), random.Random(spec)
    table = find_heuristic(function, game)
    assert isinstance(table, LineTable)
    assert table.name == function.__name__
    position = game.start()
    for _ in range(200):
        for side in (0, 1):
            asked = function(position.stones(side), position.stones(1 - side), game.masks)
            assert table.evaluate(position, side) == asked, str(position)
        position = game.start() if position.is_over else position.play(draw.choice(position.moves))
    assert explain(position, function).lines is not None


def test_counts_empty_lines() -> None:
    game = parse_game("tictactoe")
    table = find_heuristic(by_branches, game)
    assert isinstance(table, LineTable)
    assert table.evaluate(game.start(), 0) == by_branches(0, 0, game.masks) == 8


def test_a_board_without_lines_is_worth_nothing() -> None:
    game = parse_game("2,2,3")
    assert find_heuristic(by_sums, game).evaluate(game.start(), 0) == 0


def test_makes_another_table_when_constants_change(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game("tictactoe")
    before = find_heuristic(by_branches, game)
    monkeypatch.setattr(sys.modules[__name__], "WORTH", [0, 50, *WORTH[2:]])
    after = find_heuristic(by_branches, game)
    position = game.start().play("b2")
    assert [item.evaluate(position, 0) for item in (before, after)] == [12, 208]


def test_reads_a_nested_function_with_a_longer_source() -> None:
    def documented(mine: int, theirs: int, lines: Any) -> int:
        """Add up the lines.

        Each line:
            counts its stones
        """
        return sum((mine & line).bit_count() for line in lines)

    assert isinstance(find_heuristic(documented, parse_game("4,4,3")), LineTable)


def test_makes_two_tables_of_two_closures_of_one_function() -> None:
    game = parse_game("tictactoe")
    assert find_heuristic(of_weights((0, 1, 2, 3)), game) != find_heuristic(
        of_weights((0, 1, 2, 4)), game
    )


def whole_board(mine: int, theirs: int, lines: Any) -> int:
    total = 0
    for line in lines:
        total += (mine & line).bit_count() * (mine.bit_count() + 1)
    return total


def carried_over(mine: int, theirs: int, lines: Any) -> int:
    total = last = 0
    for line in lines:
        total += last
        last = (mine & line).bit_count()
    return total


def total_read(mine: int, theirs: int, lines: Any) -> int:
    total = 0
    for line in lines:
        if total < 10:
            total += (mine & line).bit_count()
    return total


def capped(mine: int, theirs: int, lines: Any) -> int:
    return min(5, sum((mine & line).bit_count() for line in lines))


def product(mine: int, theirs: int, lines: Any) -> int:
    own = sum((mine & line).bit_count() for line in lines)
    return own * own


def of_cells(mine: int, theirs: int, lines: Any) -> int:
    total = 0
    for line in lines:
        total += mine & line & 1
    return total


def by_line(mine: int, theirs: int, lines: Any) -> int:
    total = 0
    for line in lines:
        if line & 1:
            total += (mine & line).bit_count()
    return total


def halved(mine: int, theirs: int, lines: Any) -> Any:
    return sum((mine & line).bit_count() / 2 for line in lines)


def constant(mine: int, theirs: int, lines: Any) -> int:
    total = 3
    for line in lines:
        total += (mine & line).bit_count()
    return total


def first_only(mine: int, theirs: int, lines: Any) -> int:
    total = 0
    for line in lines:
        total += (mine & line).bit_count()
        break
    return total


def early(mine: int, theirs: int, lines: Any) -> int:
    total = 0
    for line in lines:
        if mine & line == line:
            return 1000
        total += (mine & line).bit_count()
    return total


def undefined(mine: int, theirs: int, lines: Any) -> int:
    total = 0
    for line in lines:
        if mine & line:
            own = (mine & line).bit_count()
        total += own
    return total


def raises(mine: int, theirs: int, lines: Any) -> int:
    return sum(6 // (2 - (mine & line).bit_count()) for line in lines)


def drawn(mine: int, theirs: int, lines: Any) -> int:
    return sum(random.randrange(3) + (mine & line).bit_count() for line in lines)


def counted(mine: int, theirs: int, lines: Any) -> int:
    return sum((mine & line).bit_count() for line in lines) * len(lines)


def calls_itself(mine: int, theirs: int, lines: Any) -> int:
    total = 0
    for line in lines:
        total += calls_itself(mine & line, theirs & line, ())
    return total


def too_great(mine: int, theirs: int, lines: Any) -> int:
    return sum((mine & line).bit_count() * 10**9 for line in lines)


def defaults(mine: int, theirs: int, lines: Any, factor: int = 2) -> int:
    return sum(factor * (mine & line).bit_count() for line in lines)


class Counter:
    """A function with a memory."""

    __name__ = "counter"
    asked = 0

    def __call__(self, mine: int, theirs: int, lines: Any) -> int:
        self.asked += 1
        return sum((mine & line).bit_count() for line in lines) + self.asked


NO_SUMS = [
    whole_board,
    carried_over,
    total_read,
    capped,
    product,
    of_cells,
    by_line,
    halved,
    constant,
    first_only,
    early,
    undefined,
    raises,
    drawn,
    counted,
    calls_itself,
    too_great,
    defaults,
    Counter(),
]


@pytest.mark.parametrize("function", NO_SUMS, ids=lambda function: function.__name__)
def test_leaves_a_function_that_is_no_sum_over_lines(function: Function) -> None:
    assert isinstance(find_heuristic(function, parse_game("tictactoe")), FunctionHeuristic)
    assert isinstance(find_heuristic(function, parse_game("connect4")), FunctionHeuristic)


def test_ignores_a_source_that_is_not_the_code_that_runs() -> None:
    scope: dict[str, Any] = {}
    exec("def by_sums(mine, theirs, lines):\n    return mine % 7", scope)
    other = scope["by_sums"]
    other.__code__ = other.__code__.replace(
        co_filename=by_sums.__code__.co_filename, co_firstlineno=by_sums.__code__.co_firstlineno
    )
    assert isinstance(find_heuristic(other, parse_game("tictactoe")), FunctionHeuristic)
    assert isinstance(find_heuristic(by_sums, parse_game("tictactoe")), LineTable)


def test_runs_a_file_again_only_after_a_change(tmp_path: Path) -> None:
    path, text = (
        tmp_path / "own.py",
        "def own(mine, theirs, lines):\n    return sum({0} * (mine & line).bit_count() for line in lines)\n",
    )
    game, spec = parse_game("tictactoe"), f"{path}:own"
    path.write_text(text.format(1))
    once = find_heuristic(spec, game)
    assert find_heuristic(spec, game) is once
    path.write_text(text.format(22))
    assert evaluate("X../.../...", once, side="x") == 3
    assert evaluate("X../.../...", spec, side="x") == 66
