"""SPSA (simultaneous perturbation stochastic approximation) that finds its own step sizes.

Each step moves all numbers at once, each up or down at random, and computes the loss there and at
the opposite point. The difference of the two losses estimates the slope along every number:

    slope = (L(z + c s) − L(z − c s)) / 2c · s      s: signs drawn anew for each step
    z ← z − a slope                                 in step k a is a0 (1 + A)^α / (1 + A + k)^α
                                                    and c is c0 / (1 + k)^gamma

A step needs two losses, however many numbers there are. Each number is measured in units of its own
size. A pilot determines the gains. c is the smallest perturbation whose effect exceeds the noise; a
is the inverse of the curvature that the pilot finds, or less if the first step would be large. The
result is the mean of the later steps, not the step with the least loss, which in noise is only the
luckiest. Whole numbers are rounded up or down at random, in the same way for both losses, so that
the expected loss has a slope between whole numbers.

Sources: Spall 1992 (the estimate) and 1998 (α = 0.602, gamma = 0.101, A a tenth of the steps);
Polyak & Juditsky 1992, Ruppert 1988 (the mean). Our additions: the pilot, and three rounds, each
with its own pilot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import floor, fsum, inf, sqrt
from random import Random
from statistics import fmean, median
from time import perf_counter
from typing import Any

from plyscope.progress import Progress, silent

ALPHA, GAMMA = 0.602, 0.101
ROUNDS = 3
TOTAL_STEPS, STEPS_PER_NUMBER = 300, 60
"""The steps of all rounds together: a constant part, and a part for each number."""
PILOT_PERTURBATIONS = (0.3, 0.6)
"""Perturbations that the pilot tries, in units."""
PILOT_DIRECTIONS = 8
"""Random directions in which the pilot tries each perturbation."""
PILOT_LOSSES = PILOT_DIRECTIONS * 2 * (1 + 2 * len(PILOT_PERTURBATIONS))
FIRST_STEP = 0.05
"""The greatest root mean square of the first step of a round, in units."""
MIN_TRUST = 0.1
"""The factor of FIRST_STEP if the pilot finds only noise."""
MAX_STEP = 0.5
"""The greatest change of each number in any step, in units."""

Loss = Callable[[Sequence[float], int], float]
"""The function to minimise, of the numbers and a random seed.

Calls with the same seed use the same random numbers (common random numbers).
"""


@dataclass(frozen=True, kw_only=True)
class Minimum:
    """The result of a descent, complete or stopped."""

    values: tuple[float, ...]
    """The mean of the later steps, not rounded."""
    steps: int
    losses: int
    """The number of computed losses."""
    stopped: str | None
    """`seconds` or `interrupted`; None after all steps."""
    state: dict[str, Any] = field(repr=False)
    """The state from which the descent can be resumed, as JSON-ready data."""


class Spsa:
    """The descent of a loss from `start`.

    The loss is called with whole numbers where `is_whole` is true. The same `seed` takes the same
    steps; `state` resumes a stopped descent.
    """

    def __init__(
        self,
        loss: Loss,
        start: Sequence[float],
        is_whole: Sequence[bool] | None = None,
        units: Sequence[float] | None = None,
        steps: int | None = None,
        seed: int = 0,
        state: dict[str, Any] | None = None,
        rounds: int = ROUNDS,
    ) -> None:
        self.loss, self.seed, self.rounds = loss, seed, rounds
        self.is_whole = [False] * len(start) if is_whole is None else list(is_whole)
        self.units = units_of(start, self.is_whole) if units is None else list(units)
        total = TOTAL_STEPS + STEPS_PER_NUMBER * len(start) if steps is None else steps
        self.steps = max(1, total // rounds) * rounds
        self.state: dict[str, Any] = state or {
            "round": 0,
            "step": 0,
            "at": [value / unit for value, unit in zip(start, self.units, strict=True)],
            "sum": [0.0] * len(start),
            "summed": 0,
            "gains": None,
            "losses": 0,
        }

    def run(
        self,
        progress: Progress = silent,
        seconds: float | None = None,
    ) -> Minimum:
        """Descend; `progress` is called with the phase "learn", the steps done and their total.

        Ctrl-C, like the limit `seconds`, ends the descent with a partial result.
        """
        deadline = inf if seconds is None else perf_counter() + seconds
        stopped = None
        try:
            while self.state["round"] < self.rounds:
                if perf_counter() > deadline:
                    stopped = "seconds"
                    break
                self._step()
                progress("learn", self.done, self.steps)
        except KeyboardInterrupt:
            stopped = "interrupted"
        return Minimum(
            values=tuple(self._numbers(self._mean())),
            steps=self.done,
            losses=self.state["losses"],
            stopped=stopped,
            state=self.state,
        )

    @property
    def done(self) -> int:
        """The number of steps taken."""
        done: int = self.state["round"] * (self.steps // self.rounds) + self.state["step"]
        return done

    def _mean(self) -> list[float]:
        """Return the mean of the steps in the later half of this round, or the current point before
        that half."""
        state = self.state
        if not state["summed"]:
            return list(state["at"])
        return [total / state["summed"] for total in state["sum"]]

    def _numbers(self, at: Sequence[float]) -> list[float]:
        return [place * unit for place, unit in zip(at, self.units, strict=True)]

    def _asked(self, at: Sequence[float], random: Sequence[float], draw: int) -> float:
        """Return the loss at a point.

        Whole numbers are rounded at random: up with a probability equal to the fraction.
        """
        self.state["losses"] += 1
        numbers = [
            floor(number + part) if is_whole else number
            for number, is_whole, part in zip(self._numbers(at), self.is_whole, random, strict=True)
        ]
        return self.loss(numbers, draw)

    def _perturbations(self, size: float) -> list[float]:
        """Return the perturbation of each number in its units; at least 0.5 for a whole number, so
        that it changes."""
        return [
            max(size, 0.5 / unit) if is_whole else size
            for unit, is_whole in zip(self.units, self.is_whole, strict=True)
        ]

    def _moved(self, at: Sequence[float], moves: Sequence[float], sign: int) -> list[float]:
        return [place + sign * move for place, move in zip(at, moves, strict=True)]

    def _step(self) -> None:
        """Take one step; the state changes only at the end, after all losses are computed."""
        state, length = self.state, self.steps // self.rounds
        gains = state["gains"] or self._pilot()
        random = Random(f"spsa {self.seed} {state['round']} {state['step']}")
        at, here = state["at"], state["step"]
        size = gains["c"] / (1 + here) ** GAMMA
        signs = [random.choice((-1, 1)) for _ in at]
        moves = [each * sign for each, sign in zip(self._perturbations(size), signs, strict=True)]
        parts, draw = [random.random() for _ in at], random.getrandbits(32)
        plus = self._asked(self._moved(at, moves, 1), parts, draw)
        minus = self._asked(self._moved(at, moves, -1), parts, draw)
        delay = 1 + length / 10
        gain = gains["a"] * (delay / (delay + here)) ** ALPHA
        went = []
        for place, move in zip(at, moves, strict=True):
            step = gain * (plus - minus) / (2 * move)
            went.append(place - max(-MAX_STEP, min(MAX_STEP, step)))
        new: dict[str, Any] = {"gains": gains, "at": went, "step": here + 1}
        if here + 1 > length // 2:
            new["sum"] = self._moved(state["sum"], went, 1)
            new["summed"] = state["summed"] + 1
        if here + 1 == length:
            count = new["summed"]
            mean = [total / count for total in new["sum"]]
            new |= {"round": state["round"] + 1, "step": 0, "at": mean, "gains": None}
            new |= {"sum": [0.0] * len(at), "summed": 0}
        state.update(new)

    def _pilot(self) -> dict[str, float]:
        """Return the gains for this round, from the noise and the curvature near its start."""
        at = self.state["at"]
        found: dict[float, list[tuple[float, float, float]]] = {
            size: [] for size in PILOT_PERTURBATIONS
        }
        for number in range(PILOT_DIRECTIONS):
            random = Random(f"pilot {self.seed} {self.state['round']} {number}")
            signs = [random.choice((-1, 1)) for _ in at]
            parts = [random.random() for _ in at]
            draws = random.getrandbits(32), random.getrandbits(32)
            middle = [self._asked(at, parts, draw) for draw in draws]
            for size in PILOT_PERTURBATIONS:
                steps = zip(self._perturbations(size), signs, strict=True)
                moves = [each * sign for each, sign in steps]
                plus = [self._asked(self._moved(at, moves, 1), parts, draw) for draw in draws]
                minus = [self._asked(self._moved(at, moves, -1), parts, draw) for draw in draws]
                one, other = (up - down for up, down in zip(plus, minus, strict=True))
                bend = fsum(plus) / 2 + fsum(minus) / 2 - fsum(middle)
                found[size].append((one, other, bend))
        for size in PILOT_PERTURBATIONS:
            # the product of two independent estimates measures the signal, their difference noise
            signal = fmean(one * other for one, other, _ in found[size])
            noise = fmean((one - other) ** 2 for one, other, _ in found[size]) / 2
            if signal > noise:
                break
        squares = [move**2 for move in self._perturbations(size)]
        change = sqrt(fmean(((one + other) / 2) ** 2 for one, other, _ in found[size]))
        slope = change / 2 * sqrt(fmean(1 / square for square in squares))
        # the mean of Δ'HΔ over random signs is the trace of H
        trace = len(at) * fmean(bend for _, _, bend in found[size]) / fsum(squares)
        trust = max(MIN_TRUST, signal / (signal + noise)) if signal > 0 else MIN_TRUST
        longest = FIRST_STEP * trust / slope if slope else 0.0
        return {"c": size, "a": min(longest, 1 / trace) if trace > 0 else longest}


def units_of(start: Sequence[float], is_whole: Sequence[bool]) -> list[float]:
    """Return the unit of each number: its absolute value; for a 0, the median of the other units.

    The unit of a whole number is at least 1.
    """
    sizes = [abs(value) for value in start if value]
    usual = median(sizes) if sizes else 1.0
    return [
        max(abs(value) or usual, 1.0 if whole else 0.0)
        for value, whole in zip(start, is_whole, strict=True)
    ]
