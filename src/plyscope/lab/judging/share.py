"""Shares of a sample, with intervals that are valid near 0 and 1."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

NORMAL_95 = 1.959964
"""Standard deviations around the mean that contain 95 % of a normal population."""


class Share(NamedTuple):
    """A share from 0 to 1, with the bounds of its 95 % interval; all equal if exact."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        interval = f" ({100 * self.low:.1f} to {100 * self.high:.1f})"
        return f"{self.value:.1%}{interval if self.low < self.high else ''}"

    def as_dict(self) -> dict[str, float]:
        """Return the share as JSON-ready data."""
        return self._asdict()


def exact_share(number: float, of: int) -> Share:
    """Return the share of a whole population; 0 of an empty one."""
    value = number / max(1, of)
    return Share(value, value, value)


def share_of(number: float, of: int, is_whole: bool) -> Share:
    """Return the share of a whole population, or of a sample, with its interval."""
    return exact_share(number, of) if is_whole else wilson(number, of)


def wilson(number: float, of: int) -> Share:
    """Return the share in a sample, with its interval by Wilson's score (1927).

    `number` may have a fraction: if one of two equally rated moves is wrong, it counts one half.
    For an empty sample the interval is 0 to 1.

    >>> low = wilson(0, 38)
    >>> round(low.value, 2), round(low.low, 2), round(low.high, 2)
    (0.0, 0.0, 0.09)
    """
    if not of:
        return Share(0.0, 0.0, 1.0)
    share, squared = number / of, NORMAL_95**2
    middle = (share + squared / (2 * of)) / (1 + squared / of)
    half = NORMAL_95 * sqrt(share * (1 - share) / of + squared / (4 * of * of)) / (1 + squared / of)
    return Share(share, max(0.0, middle - half), min(1.0, middle + half))
