"""The measurements of a report card, one function for each."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb, sqrt
from typing import Any

from plyscope.lab.judging.graph import Rated
from plyscope.lab.judging.population import Population
from plyscope.lab.judging.reportcard.results import Mistake
from plyscope.rules.game import move_text, position_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.symmetry import orbit, with_colours_swapped


def tau_b(ratings: Sequence[int], values: Sequence[int]) -> float | None:
    """Return Kendall's tau-b, or None if either sequence is constant.

    `values` are −1, 0 or 1, so the cost is n log n.
    """
    groups = {
        value: sorted(rating for rating, true in zip(ratings, values, strict=True) if true == value)
        for value in (-1, 0, 1)
    }
    agree = 0
    for low, high in combinations((-1, 0, 1), 2):
        for rating in groups[high]:
            below = bisect_left(groups[low], rating)
            above = len(groups[low]) - bisect_right(groups[low], rating)
            agree += below - above
    pairs = comb(len(ratings), 2)
    by_rating = pairs - sum(comb(count, 2) for count in Counter(ratings).values())
    by_value = pairs - sum(comb(len(group), 2) for group in groups.values())
    return float(agree / sqrt(by_rating * by_value)) if by_rating and by_value else None


def at_least(heads: int, tosses: int) -> float:
    """Return the probability of at least `heads` heads in `tosses` tosses of a fair coin."""
    return float(sum(comb(tosses, number) for number in range(heads, tosses + 1)) / 2**tosses)


def order_among_siblings(population: Population, rated: Rated) -> float:
    """Return the share of sibling pairs ordered correctly, minus the share ordered wrongly.

    Only pairs that differ in exact value count.
    """
    agree = pairs = 0
    for at in population.critical.at:
        values = population.after(at, population.exact_values)
        moves = zip(values, rated.ahead(at), strict=True)
        for (value, rating), (other, others_rating) in combinations(moves, 2):
            if value != other:
                pairs += 1
                sign = 1 if value > other else -1
                agree += sign * ((rating > others_rating) - (rating < others_rating))
    return agree / max(1, pairs)


def changes_when_mirrored(population: Population, rated: Rated) -> int | None:
    """Return the number of positions whose evaluation changes under a rotation or reflection.

    Return None for a user-defined game, whose symmetries are unknown.
    """
    if not isinstance(population.game, LineGame):
        return None
    heuristic, ratings = rated.heuristic, rated.ratings
    number = population.number
    seen: set[Position] = set()
    count = 0
    for position in population.positions:
        if position not in seen:
            images = orbit(position)
            seen |= images
            values = {
                ratings[number[image]] if image in number else heuristic.evaluate(image, image.side)
                for image in images
            }
            count += len(images) if len(values) > 1 else 0
    return count


def changes_when_colours_swap(population: Population, rated: Rated) -> int | None:
    """Return the number of positions whose evaluation changes when colours are swapped.

    Return None for a user-defined game.
    """
    if not isinstance(population.game, LineGame):
        return None
    count = 0
    for position, rating in zip(population.positions, rated.ratings, strict=True):
        swapped = with_colours_swapped(position)
        count += rated.heuristic.evaluate(swapped, swapped.side) != rating
    return count


Ranked = tuple[int, int, int, int, int]
"""A wrong move, as a sort key: −loss, −margin, position, move, better move."""


def worst_mistakes(
    population: Population, rated: Rated, most: int, among: Sequence[int] | None = None
) -> tuple[Mistake, ...]:
    """Return up to `most` wrong moves of searches of one ply, the worst first.

    They are sorted by loss, then by the margin over the best right move in evaluation; symmetric
    positions count once. `among` are some critical positions; with it, wrong moves that are rated
    as high as a right one count too."""
    exact, ranked = population.exact_values, list[Ranked]()
    for at in population.critical.at if among is None else among:
        values, rating = population.after(at, exact), rated.ahead(at)
        moves = range(len(values))
        right = [move for move in moves if values[move] == max(values)]
        choices = moves if among is None else [move for move in moves if move not in right]
        chosen, better = (max(each, key=lambda move: rating[move]) for each in (choices, right))
        lost, margin = max(values) - values[chosen], rating[chosen] - rating[better]
        if lost > 0 and margin >= (among is None):
            ranked.append((-lost, -margin, at, chosen, better))
    return first_of_each_class(population, ranked, most)


def first_of_each_class(
    population: Population, ranked: list[Ranked], most: int
) -> tuple[Mistake, ...]:
    """Return the first `most` wrong moves in sorted order; symmetric positions count once."""
    mistakes: list[Mistake] = []
    seen: set[Any] = set()
    for lost, margin, at, chosen, better in sorted(ranked):
        state = population.positions[at]
        if state in seen or len(mistakes) == most:
            continue
        seen |= orbit(state) if isinstance(state, Position) else {state}
        position = position_of(population.game, state)
        mistakes.append(
            Mistake(
                position=position,
                chosen=move_text(position, position.moves[chosen]),
                better=move_text(position, position.moves[better]),
                margin=-margin,
                lost=-lost,
            )
        )
    return tuple(mistakes)
