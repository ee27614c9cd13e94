"""Splits of a population into parts that share no position, and no mirror image of one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from plyscope.errors import OptionError
from plyscope.lab.judging.population import Population


class Groups:
    """Sets that grow together: union–find with short ways (Tarjan 1975)."""

    def __init__(self) -> None:
        self._leader: dict[int, int] = {}

    def find(self, key: int) -> int:
        """Return what stands for the group of a key."""
        leader, root = self._leader, key
        while leader.setdefault(root, root) != root:
            root = leader[root]
        while leader[key] != root:
            leader[key], key = root, leader[key]
        return root

    def join(self, one: int, other: int) -> None:
        """Make the groups of two keys one."""
        self._leader[self.find(other)] = self.find(one)

    def copy(self) -> Groups:
        """Return the same groups, to grow by themselves."""
        other = Groups()
        other._leader = self._leader.copy()
        return other

    def numbers(self, keys: Iterable[int]) -> list[int]:
        """Return the group of each key, numbered from 0 in the order in which they come."""
        found: dict[int, int] = {}
        return [found.setdefault(self.find(key), len(found)) for key in keys]


def groups_of(population: Population) -> list[int]:
    """Return the group of each critical position, in the order of `population.critical`.

    Two that share a position, a child, or a mirror image of one have the same group, and so have
    those that a chain of such pairs joins. A whole game is one group.
    """
    keys, groups = population.orbits.tolist(), Groups()
    for at in population.critical.at:
        for child in population.children[at]:
            groups.join(keys[at], keys[child])
    return groups.numbers(keys[at] for at in population.critical.at)


def folds(groups: Sequence[int], number: int, seed: int) -> list[int]:
    """Return a fold from 0 to `number` − 1 for each position, the same for all of a group.

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
