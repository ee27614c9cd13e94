"""Memory: objects that an algorithm keeps from pass to pass of one search."""

from __future__ import annotations

from typing import Any, TypeVar

Kept = TypeVar("Kept")


class Memory:
    """One object of each class, such as a table or boards."""

    def __init__(self) -> None:
        self._kept: dict[type[Any], Any] = {}

    def of(self, kind: type[Kept], *arguments: Any) -> Kept:
        """Return the object of class `kind`, made as `kind(*arguments)` when it is first used."""
        found: Kept | None = self._kept.get(kind)
        if found is None:
            found = self._kept[kind] = kind(*arguments)
        return found
