"""Memory: what an algorithm keeps from pass to pass of one search."""

from __future__ import annotations

from typing import Any, TypeVar

Kept = TypeVar("Kept")


class Memory:
    """One object of each kind that an algorithm asks for: its table, or its boards."""

    def __init__(self) -> None:
        self._kept: dict[type[Any], Any] = {}

    def of(self, kind: type[Kept], *arguments: Any) -> Kept:
        """Return the one `kind` kept here, made as `kind(*arguments)` at the first request."""
        found: Kept | None = self._kept.get(kind)
        if found is None:
            found = self._kept[kind] = kind(*arguments)
        return found
