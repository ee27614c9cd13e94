"""Houses: packages beside plyscope that add commands, games and agents.

A house names a module of its own as an entry point of the group `plyscope`:

    [project.entry-points.plyscope]
    worlds = "plyscope_worlds"

The module declares any of these dictionaries. A value is the name of a module, or `module:object`,
which is imported when it is used:

    COMMANDS   by command: a module with HELP, OPTIONS and `run`, like those of `faces/cli`
    GAMES      by prefix: a function that returns the game of the text after `prefix:`
    AGENTS     by prefix: a subclass of `Adapter` (`lab/agents/readings.py`) for the functions that
               are written `prefix:file.py`
    PROOFS     by question: the function that proves it for `tune` and `report-card`

Reading the entry points of all installed packages costs about 50 ms. So plyscope reads them only
for a name that it does not know, or for a list; its own names always come first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from plyscope.errors import OptionError, UnknownNameError
from plyscope.pythonfile import in_one_line

GROUP = "plyscope"
"""The group of the entry points."""
OURS = {
    **dict.fromkeys(("export", "gomocup", "connectx", "openspiel"), "plyscope-worlds"),
    **dict.fromkeys(("optimum", "unbeaten", "games-lost", "conflicts"), "plyscope-optima"),
    "class": "plyscope-class",
    **dict.fromkeys(("web", "widget"), "plyscope-web"),
}
"""The package of this repository that adds a command, a prefix or a proof, for the hint to install
it."""


class House(NamedTuple):
    """An installed house."""

    name: str
    package: str
    """The name for pip."""
    module: ModuleType | None
    """Its module; None if that cannot be imported."""
    fault: str = ""
    """The error of the import, on one line."""


_closed: list[bool] = []
"""Not empty once `close` was called."""


def close() -> None:
    """Let this process use no house from now on."""
    _closed.append(True)
    houses.cache_clear()


@cache
def houses() -> tuple[House, ...]:
    """Return the installed houses by name; a house that cannot be imported has a `fault`."""
    from importlib.metadata import entry_points

    found: list[House] = []
    if _closed:
        return ()
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        package = entry.name if entry.dist is None else entry.dist.name
        try:
            found.append(House(entry.name, package, entry.load()))
        except Exception as error:  # of another package
            found.append(House(entry.name, package, None, in_one_line(error)))
    return tuple(found)


def offered(hook: str) -> dict[str, str]:
    """Return what all houses together declare for a hook, such as `GAMES`. The first house in the
    order of names has a name that two declare."""
    found: dict[str, str] = {}
    for house in houses():
        found = {**getattr(house.module, hook, {}), **found}
    return found


def faults() -> str:
    """Return one line about the houses that cannot be imported, empty if all can."""
    return "; ".join(
        f"{house.package} cannot be imported ({house.fault})" for house in houses() if house.fault
    )


def load(target: str) -> Any:
    """Return the module or object that a house names as `module` or `module:object`. Raises
    OptionError."""
    from pkgutil import resolve_name

    try:
        return resolve_name(target)
    except Exception as error:  # of another package
        raise OptionError(
            f"{target!r} of a house cannot be imported ({in_one_line(error)}); "
            "expected perhaps another version of its package"
        ) from None


def public(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a house: it imports the module of a public name when the name is
    first used, so that asking the house imports nothing else."""

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        value = getattr(import_module(f"{package}.{modules[name]}"), name)
        setattr(import_module(package), name, value)
        return value

    return get


def find(hook: str, name: str, what: str) -> Any:
    """Return what a house declares as `name` for a hook, None if no house does.

    `what` is the kind of the name, for errors. Raises UnknownNameError for a name of a package that
    is not installed, and OptionError if a house cannot be imported.
    """
    target = offered(hook).get(name)
    if target is not None:
        return load(target)
    if faults():
        raise OptionError(f"unknown {what} {name[:64]!r}; {faults()}")
    if name in OURS:
        raise UnknownNameError(
            f"unknown {what} {name!r}; expected `pip install {OURS[name]}`, which adds it"
        )
    return None
