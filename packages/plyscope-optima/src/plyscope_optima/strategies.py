"""What makes a search of several plies play a right move, as comparisons of leaves.

The value of a move is above that of another if, for some choice of own replies after the first and
of the opponent's replies after the other, every leaf that the first then leads to is rated above
every leaf that the other then leads to. A choice is a *strategy*; its leaves are all that matters.
"""

from __future__ import annotations

from itertools import product

from plyscope_optima.regions import Tree
from plyscope_optima.unbeaten import LOST, WON, Trees

Leaves = frozenset[int]
MAX_STRATEGIES = 64
"""The most strategies of a tree, and the most options of a position."""


class TooManyStrategies(Exception):
    """Raised if there are more than MAX_STRATEGIES."""


def strategies(tree: Tree, is_max: bool) -> list[Leaves]:
    """Return the leaves of the strategies of one side, those without a smaller one.

    With a strategy of `is_max` the value is at least that of its worst leaf, with one of the other
    side at most that of its best leaf. A result that is as good as can be has no leaf, and there is
    no strategy against one that is as bad. Raises TooManyStrategies.
    """
    if tree in (WON, LOST):
        return [frozenset()] if (tree == WON) == is_max else []
    if isinstance(tree, int):
        return [frozenset([tree])]
    is_own, below = tree[0] == is_max, [strategies(each, is_max) for each in tree[1]]
    if is_own:
        found = {each for some in below for each in some}
    else:
        found = {frozenset()}
        for some in below:
            found = {one | other for one, other in product(found, some)}
            if len(found) > MAX_STRATEGIES:
                raise TooManyStrategies
    smallest = [each for each in found if not any(other < each for other in found)]
    if len(smallest) > MAX_STRATEGIES:
        raise TooManyStrategies
    return sorted(smallest, key=sorted)


def options(right: list[Tree], wrong: list[Tree]) -> list[frozenset[tuple[int, int]]]:
    """Return the ways in which a right move is rated above all wrong ones: each is a set of pairs
    of leaves, of which the first has to be rated above the second.

    Raises TooManyStrategies.
    """
    against = [strategies(tree, is_max=False) for tree in wrong]
    found = set()
    for tree in right:
        for own in strategies(tree, is_max=True):
            for others in product(*against):
                pairs = {(one, other) for some in others for one in own for other in some}
                found.add(frozenset(pairs))
                if len(found) > MAX_STRATEGIES:
                    raise TooManyStrategies
    return sorted(found, key=sorted)


def line_to(trees: Trees, at: int, plies: int, leaf: int) -> tuple[int, ...] | None:
    """Return the positions of a line from `at` to this leaf, None without one."""
    tree = trees.of(at, plies)
    if isinstance(tree, int):
        if tree != leaf:
            return None
        if not plies or trees.results[at] is not None:
            return (at,)
    for child in trees.population.children[at]:
        below = trees.of(child, plies - 1)
        # a tree with one branch is that branch
        if below == tree or (not isinstance(tree, int) and below in tree[1]):
            line = line_to(trees, child, plies - 1, leaf)
            if line is not None:
                return (at, *line)
    return None
