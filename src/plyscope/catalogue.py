"""Catalogues: explicit tuples of named things, looked up by the names people type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Protocol, TypeVar

from plyscope.errors import UnknownNameError


class Named(Protocol):
    """Anything that has a name and one line about itself."""

    @property
    def name(self) -> str:
        """What people type."""

    @property
    def summary(self) -> str:
        """What it is, in a line."""


T = TypeVar("T", bound=Named)


def nearest_name(kind: str, name: str, known: list[str]) -> UnknownNameError:
    """Return the error for an unknown `name`: it says the nearest of `known`, or all of them."""
    near = get_close_matches(name[:64].lower(), known, n=3, cutoff=0.5)
    return UnknownNameError(
        f"unknown {kind} {name[:64]!r}; "
        f"expected {'perhaps ' if near else 'one of '}{', '.join(near or known)}"
    )


class Catalogue(Mapping[str, T]):
    """A read-only mapping from name to entry, in the order given."""

    def __init__(self, kind: str, entries: tuple[T, ...]) -> None:
        self.kind = kind
        self._entries = {entry.name: entry for entry in entries}

    def __getitem__(self, name: str) -> T:
        """Return the entry called `name`; raise UnknownNameError, which is no KeyError."""
        entry = self._entries.get(name)
        if entry is None:
            raise nearest_name(self.kind, name, list(self._entries))
        return entry

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
