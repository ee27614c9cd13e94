"""How often the 95 % interval of a match that a sequential test has ended covers the true Elo:
`python bench/intervals.py [MATCHES]`.

Matches are simulated pair by pair, 0 against 20 Elo, for each true Elo, share of draws and
advantage of the first move. Beside the coverage of the interval at the stop is that of the usual
one, as if the number of games had been fixed, and the medians of both estimates less the truth.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product

import numpy as np

from plyscope.lab.matches.ratings import (
    COIN_VARIANCE,
    PRIOR_PAIRS,
    Sprt,
    elo_of_pairs,
    score_of_elo,
)
from plyscope.lab.matches.stopped import MIN_PAIRS, elo_at_stop

ELOS, DRAWS, ADVANTAGES = (-20, 0, 10, 20), (0.1, 0.6, 0.95), (0.0, 0.6)
"""True Elo; shares of draws; what the first move adds to the chance of a win, of a decided game."""
TEST = Sprt(elo0=0, elo1=20)
SEED = 20_261


def frequencies(elo: float, draws: float, advantage: float) -> list[float]:
    """Return how frequent each score of a pair is, from 0 to 4 half points."""
    decided = 1 - draws
    gain = score_of_elo(elo) - 0.5
    chances = []
    for sign in (1, -1):  # `a` is X, then O
        win = decided / 2 + gain + sign * advantage * decided / 2
        win = min(max(win, 0.0), decided)
        chances.append((decided - win, draws, win))
    return np.convolve(*chances).tolist()


def true_elo(frequent: list[float]) -> float:
    """Return the Elo of a mean score."""
    mean = float(np.dot(frequent, range(5))) / 4
    return 400 * float(np.log10(mean / (1 - mean)))


def stopped(frequent: list[float], random: np.random.Generator, most: int) -> tuple[int, ...]:
    """Return the pairs of a match, by score, at the end of its test or after so many."""
    scores = random.choice(5, most, p=frequent) / 4
    count = np.arange(1, most + 1)
    mean = np.cumsum(scores) / count
    squares = np.cumsum(scores**2) - count * mean**2
    variance = (squares + PRIOR_PAIRS * COIN_VARIANCE) / (count + PRIOR_PAIRS)
    low, high = TEST.scores
    ratio = count * (high - low) * (2 * mean - low - high) / (2 * variance)
    below, above = TEST.bounds
    is_end = ((ratio >= above) | (ratio <= below)) & (count >= MIN_PAIRS)
    end = int(np.argmax(is_end)) + 1 if is_end.any() else most
    seen = np.bincount(np.round(4 * scores[:end]).astype(int), minlength=5)
    return tuple(seen.tolist())


def conditions() -> Iterator[tuple[int, float, float]]:
    """Yield the conditions that are simulated."""
    yield from product(ELOS, DRAWS, ADVANTAGES)


def measured(matches: int, elo: float, draws: float, advantage: float, most: int = 8_000) -> str:
    """Return a row of the table."""
    random = np.random.default_rng([SEED, abs(elo), elo > 0, round(100 * draws), advantage > 0])
    frequent = frequencies(elo, draws, advantage)
    truth = true_elo(frequent)
    covered = usual = accepted = 0
    low = high = 0
    at_stop, unbiased, lengths = [], [], []
    for _ in range(matches):
        pairs = stopped(frequent, random, most)
        plain = elo_of_pairs(pairs)
        verdict = TEST.verdict(pairs)
        found = elo_at_stop(pairs, 1.0, TEST) if verdict else None
        bounds = (found.low, found.high) if found else (plain.low, plain.high)
        low += truth < bounds[0]
        high += truth > bounds[1]
        covered += bounds[0] <= truth <= bounds[1]
        usual += plain.low <= truth <= plain.high
        accepted += verdict == "elo1"
        at_stop.append(plain.value - truth)
        unbiased.append((found.unbiased if found else plain.value) - truth)
        lengths.append(sum(pairs))
    shares = (100 * number / matches for number in (accepted, usual, covered, low, high))
    cells = [
        f"{truth:+.0f}",
        f"{100 * draws:.0f} %",
        "strong" if advantage else "none",
        *(f"{share:.1f}" for share in shares),
        f"{np.median(at_stop):+.1f}",
        f"{np.median(unbiased):+.1f}",
        f"{np.median(lengths):.0f}",
    ]
    return f"| {' | '.join(cells)} |"


HEAD = (
    "| true Elo | draws | first move | accepts 20, % | usual covers, % | at the stop covers, % "
    "| all too high, % | all too low, % | measured, median | unbiased, median | pairs |\n"
    "|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def main() -> None:
    """Print the table."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 1_500
    print(HEAD)
    for condition in conditions():
        print(measured(matches, *condition), flush=True)


if __name__ == "__main__":
    main()
