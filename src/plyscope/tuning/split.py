"""Splits of a population into parts that share no position, and no mirror image of one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from plyscope.errors import OptionError
from plyscope.lab.judging.population import Population


class Groups:
    """Disjoint sets that are merged: union–find with path compression (Tarjan 1975)."""

    def __init__(self) -> None:
        self._leader: dict[int, int] = {}

    def find(self, key: int) -> int:
        """Return the key that represents the group of a key; a new key is its own group."""
        leader, root = self._leader, key
        while leader.setdefault(root, root) != root:
            root = leader[root]
        while leader[key] != root:
            leader[key], key = root, leader[key]
        return root

    def join(self, one: int, other: int) -> None:
        """Merge the groups of two keys."""
        self._leader[self.find(other)] = self.find(one)

    def copy(self) -> Groups:
        """Return a copy; merging groups in one of them does not change the other."""
        other = Groups()
        other._leader = self._leader.copy()
        return other

    def numbers(self, keys: Iterable[int]) -> list[int]:
        """Return the group number of each key; groups are numbered from 0 by their first key."""
        found: dict[int, int] = {}
        return [found.setdefault(self.find(key), len(found)) for key in keys]


def groups_of(population: Population) -> list[int]:
    """Return the group of each critical position, in the order of `population.critical`.

    Two positions are in one group if they share a child, if one is a child of the other, if this
    holds for mirror images, or if a chain of such pairs links them. All critical positions of a
    whole game are one group.
    """
    keys, groups = population.orbits.tolist(), Groups()
    for at in population.critical.at:
        for child in population.children[at]:
            groups.join(keys[at], keys[child])
    return groups.numbers(keys[at] for at in population.critical.at)


def folds(groups: Sequence[int], number: int, seed: int) -> list[int]:
    """Return a fold from 0 to `number` − 1 for each position, the same for all positions of a
    group.

    The largest groups are assigned first, each to the fold with the fewest positions so far; `seed`
    determines the order of groups of equal size. Raises OptionError if there are fewer groups than
    folds.
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
