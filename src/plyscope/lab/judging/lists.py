"""The functions of NumPy that populations use, on lists, for a Python without NumPy.

An array has one dimension and holds numbers of Python, so numbers are the same as with NumPy, and
as exact; only the speed differs, by a factor of some twenty. Arguments and results are those of the
functions of the same names in NumPy.
"""

from __future__ import annotations

import operator
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from math import nan as nan
from typing import Any

bool_, int64, float64 = bool, int, float


def _elementwise(function: Callable[[Any, Any], Any], is_turned: bool = False) -> Any:
    def apply(self: Array, other: Any) -> Array:
        if not isinstance(other, Array):
            own = self.items
            return Array([function(other, a) if is_turned else function(a, other) for a in own])
        return Array(list(map(function, self.items, other.items)))

    return apply


class Array:
    """Numbers in a list, for arithmetic element by element."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    __add__, __radd__ = _elementwise(operator.add), _elementwise(operator.add, True)
    __sub__, __rsub__ = _elementwise(operator.sub), _elementwise(operator.sub, True)
    __mul__, __rmul__ = _elementwise(operator.mul), _elementwise(operator.mul, True)
    __truediv__, __rshift__ = _elementwise(operator.truediv), _elementwise(operator.rshift)
    __and__, __or__ = _elementwise(operator.and_), _elementwise(operator.or_)
    __lt__, __le__ = _elementwise(operator.lt), _elementwise(operator.le)
    __gt__, __ge__ = _elementwise(operator.gt), _elementwise(operator.ge)
    __eq__, __ne__ = _elementwise(operator.eq), _elementwise(operator.ne)
    __hash__ = None  # type: ignore[assignment]

    def __neg__(self) -> Array:
        return Array([-item for item in self.items])

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __getitem__(self, index: Any) -> Any:
        """Return a number, or an array for a slice, for flags or for an array of indices."""
        if isinstance(index, int):
            return self.items[index]
        if isinstance(index, slice):
            return Array(self.items[index])
        return Array([self.items[at] for at in _indices(index)])

    def __setitem__(self, index: Array, value: Any) -> None:
        """Store one number, or an array, at flags or indices."""
        indices = _indices(index)
        values = value.items if isinstance(value, Array) else [value] * len(indices)
        for at, item in zip(indices, values, strict=True):
            self.items[at] = item

    @property
    def dtype(self) -> type:
        """The type of the numbers."""
        return type(self.items[0]) if self.items else int

    def astype(self, kind: type) -> Array:
        """Return the numbers converted to `bool_`, `int64` or `float64`."""
        return Array(list(map(kind, self.items)))

    def copy(self) -> Array:
        """Return a copy."""
        return Array(self.items.copy())

    def tolist(self) -> list[Any]:
        """Return the numbers as a new list."""
        return self.items.copy()

    def sum(self) -> Any:
        """Return the sum."""
        return sum(self.items)


def _indices(index: Array) -> list[int]:
    """Return the indices that an array of flags or of indices chooses."""
    if index.items and isinstance(index.items[0], bool):
        return [at for at, is_chosen in enumerate(index.items) if is_chosen]
    return index.items


def array(items: Iterable[Any], kind: type | None = None) -> Array:
    """Return an array of the items, converted to `kind`."""
    return Array(list(items) if kind is None else list(map(kind, items)))


def full(count: int, item: Any) -> Array:
    """Return `count` times the item."""
    return Array([item] * count)


def zeros(count: int, kind: type = float) -> Array:
    """Return `count` zeros."""
    return full(count, kind(0))


def arange(count: int) -> Array:
    """Return the numbers below `count`."""
    return Array(list(range(count)))


def append(first: Any, rest: Array) -> Array:
    """Return an array of a number and those of an array."""
    return Array([first, *rest.items])


def cumsum(items: Iterable[Any]) -> Array:
    """Return the sums of the first items, of one item first."""
    return Array(list(accumulate(items)))


def diff(items: Array, append: int | None = None) -> Array:
    """Return the differences of neighbours."""
    following = items.items if append is None else [*items.items, append]
    return Array([after - before for before, after in pairwise(following)])


def repeat(items: Any, counts: Array) -> Array:
    """Return each item as often as `counts` says."""
    pairs = zip(items, counts.items, strict=True)
    return Array([item for item, count in pairs for _ in range(count)])


def where(flags: Array, yes: Any, no: Any) -> Array:
    """Return, for each flag, the item of `yes` or of `no`."""
    yes = yes.items if isinstance(yes, Array) else [yes] * len(flags)
    no = no.items if isinstance(no, Array) else [no] * len(flags)
    return Array([a if flag else b for flag, a, b in zip(flags.items, yes, no, strict=True)])


def flatnonzero(items: Array) -> Array:
    """Return the indices of the items that are not 0."""
    return Array([at for at, item in enumerate(items.items) if item])


def isnan(items: Array) -> Array:
    """Return, for each item, whether it is not a number."""
    return Array([item != item for item in items.items])


def sign(items: Array) -> Array:
    """Return −1, 0 or 1 for each item."""
    return Array([(item > 0) - (item < 0) for item in items.items])


def clip(items: Array, low: Any, high: Any) -> Array:
    """Return the items, limited to an interval."""
    return Array([min(max(item, low), high) for item in items.items])


def searchsorted(items: Array, sought: Array) -> Array:
    """Return the index in sorted items of the first one that is not less, for each."""
    return Array([bisect_left(items.items, item) for item in sought.items])


class _OfGroups:
    """A function of consecutive groups of an array; each begins at an index of `starts`."""

    def __init__(self, function: Callable[[Sequence[Any]], Any]) -> None:
        self.function = function

    def reduceat(self, items: Array, starts: Array) -> Array:
        """Return the function's value of each group, none of which is empty."""
        function, ends = self.function, [*starts.items, len(items)]
        return Array([function(items.items[begin:end]) for begin, end in pairwise(ends)])


add, maximum = _OfGroups(sum), _OfGroups(max)
