"""Memory: the objects that the passes of one search share."""

from __future__ import annotations

from typing import Any, TypeVar

Shared = TypeVar("Shared")


class Memory:
    """One object of each class, such as a table or boards."""

    def __init__(self) -> None:
        self._objects: dict[type[Any], Any] = {}

    def of(self, kind: type[Shared], *arguments: Any) -> Shared:
        """Return the object of class `kind`, made as `kind(*arguments)` when it is first used."""
        found: Shared | None = self._objects.get(kind)
        if found is None:
            found = self._objects[kind] = kind(*arguments)
        return found
