"""Ratings from results, with intervals, and the sequential test of a match.

Ratings follow Davidson's model of paired comparisons with ties (1970), with an advantage of the
first move (Davidson & Beaver 1977). With x the first player's rating less the second's plus that
advantage, in natural units,

    P(first wins) : P(second wins) : P(draw)  =  e^(x/2) : e^(−x/2) : e^k

where k, the weight of draws, is fitted too. Without draws this is the model of Bradley & Terry
(1952), and of Elo: 400 / ln 10 Elo are one natural unit. The logarithm of the likelihood is
concave; Newton's method finds its maximum, and the inverse of its second derivatives the intervals.
A weak prior keeps the ratings finite if a player wins every game: each rating, the advantage and k
have a normal prior with mean 0 and a standard deviation of PRIOR_SD units, 521 Elo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, log, sqrt
from operator import mul

from plyscope.errors import OptionError
from plyscope.lab.judging.share import NORMAL_95

ELO = 400 / log(10)
"""Elo in one natural unit."""
PRIOR_SD = 3.0
"""The prior's standard deviation, in natural units."""
PRIOR_PAIRS = 10
"""The number of imaginary pairs of coin tosses added to the observed pairs for their variance."""
COIN_VARIANCE = 1 / 8
"""The variance of the mean score of two coin tosses."""
OUTCOMES = ("first", "second", "draw")
RANK_DIGITS = 6
"""Decimal digits of an Elo used for ranking, so that rounding errors do not matter."""


@dataclass(frozen=True)
class Interval:
    """An estimate and its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        text = f"{self.value:.0f} ({self.low:.0f} to {self.high:.0f})"
        return text.replace("-", "−").replace("inf", "∞")


@dataclass(frozen=True, kw_only=True)
class Ratings:
    """Ratings in Elo, their sum 0, with 95 % intervals."""

    players: tuple[str, ...]
    ratings: tuple[Interval, ...]
    """By player."""
    first_move: Interval
    """The advantage of moving first."""
    draws: float
    """The weight e^k."""
    covariance: tuple[tuple[float, ...], ...]
    """[player, player]."""

    def __str__(self) -> str:
        return "\n".join(f"{player}: {rating} Elo" for player, rating in self.ranked)

    @property
    def by_player(self) -> dict[str, Interval]:
        """The ratings by player's name."""
        return dict(zip(self.players, self.ratings, strict=True))

    @property
    def ranked(self) -> tuple[tuple[str, Interval], ...]:
        """The players with their ratings, best first; tied players keep their order."""
        rated = self.by_player.items()
        return tuple(sorted(rated, key=lambda item: -round(item[1].value, RANK_DIGITS)))

    def difference(self, one: str, other: str) -> Interval:
        """Return the Elo difference of `one` over `other`."""
        i, j = self.players.index(one), self.players.index(other)
        spread = self.covariance[i][i] + self.covariance[j][j] - 2 * self.covariance[i][j]
        return _interval(self.ratings[i].value - self.ratings[j].value, spread)


def fit_ratings(results: Sequence[tuple[str, str, str, int]]) -> Ratings:
    """Return the maximum-likelihood ratings.

    `results` has rows (first player, second player, outcome, number of games), with the outcome
    `first`, `second` or `draw`. Raises OptionError for no games or another outcome.
    """
    if not any(count for *_, count in results):
        raise OptionError("no games to rate; expected at least one")
    for _, _, outcome, _ in results:
        if outcome not in OUTCOMES:
            raise OptionError(f"outcome {outcome!r}; expected {', '.join(OUTCOMES)}")
    players = tuple(
        dict.fromkeys(name for first, second, *_ in results for name in (first, second))
    )
    number = {name: index for index, name in enumerate(players)}
    counts: dict[tuple[int, int], list[int]] = {}
    for first, second, outcome, count in results:
        games = counts.setdefault((number[first], number[second]), [0, 0, 0])
        games[OUTCOMES.index(outcome)] += count
    parameters, covariance = _newton(counts, len(players) + 2)
    middle = fsum(parameters[:-2]) / len(players)
    means = [fsum(row[:-2]) / len(players) for row in covariance[:-2]]
    mean = fsum(means) / len(players)
    spread = [
        [ELO**2 * (each - means[i] - means[j] + mean) for j, each in enumerate(row[:-2])]
        for i, row in enumerate(covariance[:-2])
    ]
    return Ratings(
        players=players,
        ratings=tuple(
            _interval((parameters[at] - middle) * ELO, row[at]) for at, row in enumerate(spread)
        ),
        first_move=_interval(parameters[-2] * ELO, covariance[-2][-2] * ELO**2),
        draws=exp(parameters[-1]),
        covariance=tuple(map(tuple, spread)),
    )


def _newton(
    counts: dict[tuple[int, int], list[int]], size: int
) -> tuple[list[float], list[list[float]]]:
    """Return the maximum-likelihood parameters: the ratings, the advantage and k; and their
    covariances.

    `counts` has the number of each outcome by the first and the second player."""
    parameters = [0.0] * size
    covariance: list[list[float]] = []
    for _ in range(100):
        slope = [-each / PRIOR_SD**2 for each in parameters]
        curvature = [[(i == j) / PRIOR_SD**2 for j in range(size)] for i in range(size)]
        for (first, second), (wins, losses, draws) in counts.items():
            half = (parameters[first] - parameters[second] + parameters[-2]) / 2
            weights = exp(half), exp(-half), exp(parameters[-1])
            win, loss, draw = (weight / sum(weights) for weight in weights)
            games, lead = wins + losses + draws, win - loss
            bend, mixed = games * (win + loss - lead**2), -games * lead * draw
            signs = (first, 0.5), (second, -0.5), (-2, 0.5)
            for i, sign in signs:
                slope[i] += sign * (wins - losses - games * lead)
                curvature[i][-1] += sign * mixed
                curvature[-1][i] += sign * mixed
                for j, other in signs:
                    curvature[i][j] += sign * other * bend
            slope[-1] += draws - games * draw
            curvature[-1][-1] += games * draw * (1 - draw)
        covariance = _inverse(curvature)
        step = [fsum(map(mul, row, slope)) for row in covariance]
        longest = max(map(abs, step))
        factor = min(1.0, 2.0 / max(1e-12, longest))
        parameters = [each + factor * by for each, by in zip(parameters, step, strict=True)]
        if longest < 1e-10:
            break
    return parameters, covariance


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix, by Gauss and Jordan's elimination."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for at, row in enumerate(rows):
        pivot = row[at]
        rows[at] = row = [each / pivot for each in row]
        for other, below in enumerate(rows):
            if other != at and below[at]:
                factor = below[at]
                rows[other] = [each - factor * by for each, by in zip(below, row, strict=True)]
    return [row[size:] for row in rows]


def _interval(value: float, variance: float) -> Interval:
    half = NORMAL_95 * sqrt(max(0.0, float(variance)))
    return Interval(float(value), float(value) - half, float(value) + half)


def score_of_elo(elo: float) -> float:
    """Return the expected score of a player who is `elo` stronger, with half a point for a draw."""
    return 1 / (1 + exp(-elo / ELO))


def elo_of_score(score: float) -> float:
    """Return the Elo difference with the expected score `score`, infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return float("-inf") if score <= 0 else float("inf")
    return ELO * log(score / (1 - score))


def elo_of_pairs(pairs: Sequence[int], new: float = 1.0) -> Interval:
    """Return the Elo difference that corresponds to the score in pairs of games, with a 95 %
    interval.

    `pairs` has the number of pairs for each score of the first agent in both games, in half points
    from 0 to 4, because the two games of one opening are not independent. `new` is the share of
    games that do not repeat an earlier one. Repeated games are no evidence, so the interval is that
    of the fraction `new` of the pairs.
    """
    if not any(pairs):
        raise OptionError("no pairs for an interval; expected at least one")
    mean, variance = _mean_and_variance([new * number for number in pairs])
    half = NORMAL_95 * sqrt(variance / (new * sum(pairs)))
    return Interval(*(elo_of_score(score) for score in (mean, mean - half, mean + half)))


def _mean_and_variance(pairs: Sequence[float]) -> tuple[float, float]:
    """Return the mean score of a pair, and its variance. The variance includes PRIOR_PAIRS pairs of
    coin tosses, so that a few equal results at the beginning decide nothing."""
    count = sum(pairs)
    mean = fsum(number * half / 4 for half, number in enumerate(pairs)) / count
    squares = fsum(number * (half / 4 - mean) ** 2 for half, number in enumerate(pairs))
    return mean, (squares + PRIOR_PAIRS * COIN_VARIANCE) / (count + PRIOR_PAIRS)


@dataclass(frozen=True, kw_only=True)
class Sprt:
    """A sequential probability ratio test (Wald 1945) of the difference `elo1` against `elo0`.

    Here Elo follows from the score, with half a point for a draw (`score_of_elo`), and not from
    Davidson's model.

    The likelihood ratio is that of a normal distribution of the scores of pairs, as used for
    testing engines (the pentanomial test).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability of accepting elo1 if elo0 is true."""
    beta: float = 0.05
    """The probability of accepting elo0 if elo1 is true."""

    def __str__(self) -> str:
        errors = f"error probabilities {self.alpha:g} and {self.beta:g}"
        return f"sequential test of {self.elo1:g} against {self.elo0:g} Elo, {errors}"

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise OptionError(
                f"sprt from {self.elo0:g} to {self.elo1:g} Elo; expected the first below the second"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise OptionError(
                f"sprt with errors {self.alpha:g} and {self.beta:g}; "
                "expected numbers between 0 and 0.5"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which elo0 and elo1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    @property
    def scores(self) -> tuple[float, float]:
        """The expected scores under elo0 and under elo1."""
        return score_of_elo(self.elo0), score_of_elo(self.elo1)

    def ratio(self, pairs: Sequence[int], new: float = 1.0) -> float:
        """Return the log-likelihood ratio of elo1 against elo0; `pairs` and `new` are those of
        `elo_of_pairs`."""
        count = new * sum(pairs)
        if count == 0:
            return 0.0
        mean, variance = _mean_and_variance([new * number for number in pairs])
        low, high = self.scores
        return count * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, pairs: Sequence[int], new: float = 1.0) -> str | None:
        """Return the accepted hypothesis, `elo1` or `elo0`; None while the test goes on."""
        ratio, (low, high) = self.ratio(pairs, new), self.bounds
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None
