"""How much the campaigns of the suite try: tests that draw seeds, positions or damaged files."""

from __future__ import annotations

SIZES = ("small", "large")
chosen = SIZES[0]
"""The size of this run, set by pytest's option `--size` before the tests are collected."""


def sized(small: int, large: int) -> int:
    """Return how many draws to try: `small` by `make test`, `large` by `make campaigns`.

    The draws of a small campaign are the first of the large one.
    """
    return large if chosen == "large" else small
