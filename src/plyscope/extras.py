"""Packages that plyscope can use, and the one line that says how to install a missing one."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from plyscope.errors import OptionError

PACKAGES = {"fast": ("numba", "llvmlite", "numpy")}
"""The modules that an extra of plyscope installs, by its name."""


class MissingPackageError(OptionError):
    """Something needs a package that is not installed, or cannot be imported."""


def load(module: str, what: str, extra: str) -> Any:
    """Import and return a module; raise MissingPackageError, with `what` needs it and the `extra`
    of plyscope that installs it, if a package of other people is missing or broken."""
    try:
        return import_module(module)
    except (ImportError, OSError) as error:
        if str(getattr(error, "name", None)).partition(".")[0] == "plyscope":
            raise
        raise MissingPackageError(needs(what, error, extra)) from None


def needs(what: str, error: BaseException | str, extra: str) -> str:
    """Return the line that says that `what` needs a package."""
    name = getattr(error, "name", None) or error
    return f"{what} needs {name}; expected `pip install 'plyscope[{extra}]'`"


@cache
def why_not(extra: str) -> str:
    """Return which packages of an extra are not installed, and the line that installs them; empty
    if they are all there."""
    missing = [name for name in PACKAGES[extra] if not _is_there(name)]
    if not missing:
        return ""
    return f"{' and '.join(missing)} cannot be imported: `pip install 'plyscope[{extra}]'`"


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
