"""What is measured of a heuristic over a population, one function for each number."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb, sqrt
from typing import Any

from plyscope.lab.judging.graph import Rated
from plyscope.lab.judging.population import Population
from plyscope.lab.reportcard.results import Mistake
from plyscope.rules.game import move_text, position_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.symmetry import orbit, with_colours_swapped


def tau_b(ratings: Sequence[int], truth: Sequence[int]) -> float | None:
    """Return Kendall's tau-b, None where one of the two is always the same.

    Cost: n log n, as pairs are counted by the three values that the truth takes.
    """
    groups = {
        value: sorted(rating for rating, true in zip(ratings, truth, strict=True) if true == value)
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
    by_truth = pairs - sum(comb(len(group), 2) for group in groups.values())
    return float(agree / sqrt(by_rating * by_truth)) if by_rating and by_truth else None


def at_least(heads: int, tosses: int) -> float:
    """Return the chance of so many heads, or more, with a fair coin."""
    return float(sum(comb(tosses, number) for number in range(heads, tosses + 1)) / 2**tosses)


def order_among_siblings(population: Population, rated: Rated) -> float:
    """Return the share of pairs of siblings in the right order, less that in the wrong one.

    Counted are those that differ in value.
    """
    agree = pairs = 0
    for at in population.critical.at:
        worth = population.after(at, population.exact_values)
        moves = zip(worth, rated.ahead(at), strict=True)
        for (value, rating), (other, others_rating) in combinations(moves, 2):
            if value != other:
                pairs += 1
                sign = 1 if value > other else -1
                agree += sign * ((rating > others_rating) - (rating < others_rating))
    return agree / max(1, pairs)


def changes_when_mirrored(population: Population, rated: Rated) -> int | None:
    """Return how many positions are evaluated otherwise when turned or mirrored.

    None for a game of one's own, whose symmetries nobody knows.
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
    """Return how many positions are evaluated otherwise when the colours are exchanged.

    None for a game of one's own.
    """
    if not isinstance(population.game, LineGame):
        return None
    count = 0
    for position, rating in zip(population.positions, rated.ratings, strict=True):
        swapped = with_colours_swapped(position)
        count += rated.heuristic.evaluate(swapped, swapped.side) != rating
    return count


Ranked = tuple[int, int, int, int, int]
"""A wrong move: minus its loss, minus the margin, the position, the move, a better one."""


def worst_mistakes(population: Population, rated: Rated, most: int) -> tuple[Mistake, ...]:
    """Return the positions with the greatest losses, the surest first, one of each mirror class."""
    truth, ranked = population.exact_values, list[Ranked]()
    for at in population.critical.at:
        worth, rating = population.after(at, truth), rated.ahead(at)
        moves = range(len(worth))
        right = [move for move in moves if worth[move] == max(worth)]
        chosen, better = (max(each, key=lambda move: rating[move]) for each in (moves, right))
        lost, margin = max(worth) - worth[chosen], rating[chosen] - rating[better]
        if lost > 0 and margin > 0:
            ranked.append((-lost, -margin, at, chosen, better))
    return first_of_each_class(population, ranked, most)


def first_of_each_class(
    population: Population, ranked: list[Ranked], most: int
) -> tuple[Mistake, ...]:
    """Return the first of some wrong moves in their order, one of each mirror class."""
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
