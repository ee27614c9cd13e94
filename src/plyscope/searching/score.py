"""Scores of a search, and the bounds that they prove.

A score is a whole number in the view of the side to move at the root. A search in negamax form
negates it from ply to ply internally.

    −INFINITY  <  −WIN  ≤  evaluations and results  ≤  WIN  <  INFINITY
"""

from __future__ import annotations

from enum import Enum

from plyscope.display import times
from plyscope.rules.treetext import Exact, as_exact, format_value

INFINITY = 2_000_000_000
WIN = 1_000_000_000
MAX_PLY = 10_000
MAX_EVALUATION = WIN - MAX_PLY - 1
"""If wins have their own scores, evaluations at the horizon are limited to ±MAX_EVALUATION."""

HALF_BITS = 30
MAX_PAIRED_SUM = (1 << HALF_BITS - 1) - 1
"""The bits of a sum if compiled searches store two sums in a word, and the greatest absolute value
of such a sum."""


class Bound(Enum):
    """The relation of the value to a score: equal, at least, at most, or only estimated."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"
    ESTIMATE = "estimate"

    @property
    def sign(self) -> str:
        """The relation of the value to the score: =, ≥, ≤ or ≈."""
        return {"exact": "=", "lower": "≥", "upper": "≤", "estimate": "≈"}[self.value]

    def turned(self) -> Bound:
        """Return the bound in the other side's view."""
        return {Bound.LOWER: Bound.UPPER, Bound.UPPER: Bound.LOWER}.get(self, self)


def win_in(ply: int) -> int:
    """Return the score of a game won at `ply` with `distance` scoring, in which faster wins score
    more."""
    return WIN - ply


def bound_of(score: int, alpha: int, beta: int, closed: bool = False) -> Bound:
    """Return the bound that `score` proves after a search within (alpha, beta), or [alpha, beta] if
    `closed`.

    A window with alpha = beta, which strict cuts allow, proves nothing unless it is closed:
    fail-hard limits any score to its ends.

    >>> [bound_of(score, 5, 9).value for score in (5, 7, 9)]
    ['upper', 'exact', 'lower']
    """
    if alpha == beta and not closed:
        return Bound.ESTIMATE
    if score < alpha or (score == alpha and not closed and alpha > -INFINITY):
        return Bound.UPPER
    if score > beta or (score == beta and not closed and beta < INFINITY):
        return Bound.LOWER
    return Bound.EXACT


def format_score(score: float | None, scoring: str = "heuristic") -> str:
    """Return `score` as text: a number, ±∞, or with `result` and `distance` scoring a win or loss,
    with its plies if known.

    A float is a mean, written to three decimals, unless it is an Exact.
    """
    if score is None:
        return "–"
    if abs(score) >= INFINITY:
        return "∞" if score > 0 else "−∞"
    is_result = scoring != "heuristic"
    if isinstance(score, float) and not isinstance(score, Exact):
        mean = score / WIN if is_result and abs(score) > WIN / 1e4 else score
        return f"{mean:.3f}".replace("-", "−")
    if is_result and abs(score) > MAX_EVALUATION:
        word, ply = "win" if score > 0 else "loss", WIN - abs(int(score))
        if scoring == "result":
            return word
        return f"{word} in {plies_text(ply)}"
    exact = as_exact(score)
    text = f"{exact:,}" if isinstance(exact, int) else format_value(exact)
    return text.replace("-", "−")


def plies_text(count: int) -> str:
    """Return `1 ply`, `2 plies`, and so on."""
    return times(count, "ply")
