"""Catalogues: explicit tuples of named entries, looked up by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from inspect import signature
from typing import ParamSpec, Protocol, TypeVar

from plyscope.errors import OptionError, UnknownNameError


class Named(Protocol):
    """An object with a name and a summary."""

    @property
    def name(self) -> str:
        """The name in the catalogue."""

    @property
    def summary(self) -> str:
        """A description in one line."""


T = TypeVar("T", bound=Named)


LISTED = {name: f"{name}s" for name in ("game", "heuristic", "algorithm", "agent")}
"""The lists of `plyscope list`, by the kind of their entries."""
MAX_LISTED_NAMES = 8
"""The number of names that an error lists."""
MIN_SIMILARITY = 0.55


def nearest_name(
    kind: str, name: str, known: list[str], forms: tuple[str, ...] = ()
) -> UnknownNameError:
    """Return the error for an unknown `name`. It lists the nearest of the `known` names, or the
    first ones if none is near, or if the name is one of another catalogue.

    `forms` are other texts that are accepted, such as `file.toml`.
    """
    from difflib import get_close_matches

    others = [other for other in LISTED if kind in LISTED and other != kind]
    mistaken = next((other for other in others if name.lower() in _catalogue_of(other)), None)
    near = get_close_matches(name[:64].lower(), [*known, *forms], n=3, cutoff=MIN_SIMILARITY)
    if near and mistaken is None:
        return UnknownNameError(f"unknown {kind} {name[:64]!r}; expected perhaps {', '.join(near)}")
    most = MAX_LISTED_NAMES - len(forms) if kind in LISTED else len(known)
    more = f"; 'plyscope list {LISTED[kind]}' lists all" if len(known) > most else ""
    shown = ", ".join([*known[:most], *forms])
    said = f"unknown {kind} {name[:64]!r}"
    if mistaken is not None:
        said = f"{name[:64]!r} is {_a(mistaken)} and not {_a(kind)}"
    return UnknownNameError(f"{said}; expected one of {shown}{more}")


def _catalogue_of(kind: str) -> Mapping[str, Named]:
    """Return one of the catalogues that LISTED names; that of a floor above is imported here."""
    found: Mapping[str, Named] = getattr(sys.modules[__package__], f"{kind.upper()}S")
    return found


def _a(kind: str) -> str:
    return f"{'an' if kind[0] in 'ae' else 'a'} {kind}"


KEYWORDS = {
    **dict.fromkeys(("time", "timeout", "time_limit", "limit", "max_time", "movetime"), "seconds"),
    **dict.fromkeys(("max_depth", "plies", "ply", "max_plies"), "depth"),
    **dict.fromkeys(("n", "num_games", "n_games", "rounds"), "games"),
    **dict.fromkeys(("color", "colour", "player", "turn", "to_move"), "side"),
    **dict.fromkeys(("board", "state", "fen"), "position"),
    **dict.fromkeys(("eval", "evaluation", "evaluator", "score"), "heuristic"),
    **dict.fromkeys(("workers", "processes", "pool"), "executor"),
    "alg": "algorithm",
}
"""Keywords of other libraries, with the names that they have here."""

AGENT_OPTIONS = ("depth", "nodes", "seconds", "heuristic", "algorithm")
"""Options of an agent, which `play_match` does not take."""

WHOLE_NUMBERS = "int", "int | None"
"""The annotations of whole numbers."""

P = ParamSpec("P")
R = TypeVar("R")


def unknown_keyword(name: str, known: list[str]) -> UnknownNameError:
    """Return the error for an unknown keyword, with the one probably meant, or the nearest."""
    meant = KEYWORDS.get(name)
    if meant in known:
        return UnknownNameError(f"unknown option {name[:64]!r}; expected perhaps {meant}")
    if name in AGENT_OPTIONS and "a" in known:
        return UnknownNameError(
            f"option {name!r} of a match; expected it in an agent, such as 'alphabeta depth=4'"
        )
    return nearest_name("option", name, known)


def checks_keywords(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function to check its arguments.

    An unknown keyword raises UnknownNameError, with the nearest names, unless the function takes
    any; something else than a whole number for an `int` raises OptionError.
    """
    parameters = signature(function).parameters
    known = list(parameters)
    takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    whole = {name: each for name, each in parameters.items() if each.annotation in WHOLE_NUMBERS}

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in known and not takes_any:
                raise unknown_keyword(name, known)
        given = {**dict(zip(known, args, strict=False)), **kwargs}
        for name in given.keys() & whole.keys():
            value = given[name]
            if not hasattr(value, "__index__") and value is not whole[name].default:
                raise OptionError(f"{name} {repr(value)[:40]}; expected a whole number")
        return function(*args, **kwargs)

    return checked


class Catalogue(Mapping[str, T]):
    """A read-only mapping from name to entry, in the order given."""

    def __init__(self, kind: str, entries: tuple[T, ...]) -> None:
        self.kind = kind
        self._entries = {entry.name: entry for entry in entries}

    def __getitem__(self, name: str) -> T:
        """Return the entry called `name`; raise UnknownNameError, not KeyError."""
        entry = self._entries.get(name)
        if entry is None:
            raise nearest_name(self.kind, str(name), list(self._entries))
        return entry

    def __str__(self) -> str:
        width = max(map(len, self._entries), default=0)
        return "\n".join(f"{name:{width}}  {self[name].summary}" for name in self)

    def __repr__(self) -> str:
        return f"<{len(self)} {LISTED.get(self.kind, self.kind)}: {', '.join(self)}>"

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
