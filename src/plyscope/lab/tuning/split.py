"""Splits of a population into parts that share no position, and no mirror image of one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from plyscope.errors import OptionError
from plyscope.lab.reportcard.population import Population


def groups_of(population: Population) -> list[int]:
    """Return the group of each deciding position, in the order of `population.deciding()`.

    Two that share a position, a child, or a mirror image of one have the same group, and so have
    those that a chain of such pairs joins: groups are numbered from 0, by union–find (Tarjan 1975).
    A whole game is one group.
    """
    keys = population.orbits.tolist()
    leader: dict[int, int] = {}

    def find(key: int) -> int:
        root = key
        while leader.setdefault(root, root) != root:
            root = leader[root]
        while leader[key] != root:
            leader[key], key = root, leader[key]
        return root

    for at in population.deciding():
        root = find(keys[at])
        for child in population.children[at]:
            leader[find(keys[child])] = root
    numbers: dict[int, int] = {}
    roots = (find(keys[at]) for at in population.deciding())
    return [numbers.setdefault(root, len(numbers)) for root in roots]


def folds(groups: Sequence[int], number: int, seed: int) -> list[int]:
    """Return a fold from 0 to `number` − 1 for each choice, the same for all of a group.

    The largest groups are dealt first, each to the fold that has least; `seed` tells the order of
    those of one size. Raises OptionError where there are fewer groups than folds.
    """
    sizes: dict[int, int] = {}
    for group in groups:
        sizes[group] = sizes.get(group, 0) + 1
    if len(sizes) < number:
        raise OptionError(
            f"{number} folds of {len(sizes)} groups of positions; "
            "expected at least as many groups: more samples"
        )
    order = sorted(sizes)
    Random(seed).shuffle(order)
    order.sort(key=lambda group: -sizes[group])
    held, fold_of = [0] * number, dict[int, int]()
    for group in order:
        fold_of[group] = held.index(min(held))
        held[fold_of[group]] += sizes[group]
    return [fold_of[group] for group in groups]
