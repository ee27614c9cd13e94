"""The text of people's functions, rewritten for Numba, gives what Python gives."""

from __future__ import annotations

import math
from typing import Any

import pytest

from plyscope_fast.machine.python.source import rewritten

PAIRS = {(1, 2): 5, (3, 4): 6}
HELPERS = {
    "_tuple_": tuple,
    "_each_": lambda values: values,
    "_slice_": lambda values, lower, upper: values[lower:upper],
    "_joined_": lambda left, right: [*left, *right],
}
"""What the compiler's helpers do, in Python."""


def bin(number: int) -> str:
    """A function of the module in place of Python's own."""
    return "111"


def with_imports(mine: int, theirs: int) -> int:
    """Calls of an imported module, and an annotated function within."""

    def own(cell: int) -> int:
        return mine >> cell & 1

    return int(math.fabs(sum(cell for cell in range(mine % 5)))) - theirs % 3 + own(2)


def with_names_again(mine: int, theirs: int) -> int:
    """Names of loops that are also those of loops within, and of the function."""
    rows = ((0, 1, 2), (3, 4, 5))
    total = sum(max([mine >> cell & 1 for cell in row]) for row in rows)
    row = rows[theirs & 1]
    total += sum(row for row in row)
    for cell in range(3):
        total += theirs >> cell & 1
    return total


def with_values_within(mine: int, theirs: int) -> int:
    """A variable that a generator gives its value."""
    last = 0
    if any((last := cell) > mine % 7 for cell in range(9)):
        last += 20
    return last


def with_calls_in_slices(mine: int, theirs: int) -> int:
    """A slice without an end of what a call takes away."""
    rows = [[1, 2, 3], [4, 5, 6]]
    return 10 * sum(rows.pop()[mine & 1 :]) + len(rows)


def with_tables(mine: int, theirs: int) -> int:
    """Keys of another length than those of a table, and a `bin` of the module."""
    return PAIRS.get((1, 2, mine), 0) + 10 * bin(mine).count("1") + PAIRS.get((1, mine), 0)


@pytest.mark.parametrize(
    "function",
    [with_imports, with_names_again, with_values_within, with_calls_in_slices, with_tables],
)
def test_rewrites_a_function_to_the_same_results(function: Any) -> None:
    made = rewritten(function, HELPERS).function
    assert made.__code__ is not function.__code__, "its text was not found"
    for mine in range(0, 512, 7):
        for theirs in (0, 1, 6, 85):
            assert made(mine, theirs) == function(mine, theirs)
