"""The files that agents are made of, and their digests: whoever edits one has another agent."""

from __future__ import annotations

import ast
import hashlib
import shlex
import shutil
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from plyscope.errors import OptionError

__all__ = [
    "AgentFiles",
    "Version",
    "files_of_command",
    "files_of_heuristic",
    "files_of_python",
    "version_of_heuristic",
]

Version = tuple[tuple[int, ...] | None, ...]
"""What changes with the content of some files, None for one that is gone."""


def files_of_heuristic(heuristic: object) -> tuple[str, ...]:
    """Return the files of a heuristic as people name it: a table's, or a Python function's with
    what that imports from beside it."""
    main = _main(heuristic)
    return () if main is None else _names(main, _version(main))


def version_of_heuristic(heuristic: object) -> Version:
    """Return what changes whenever a file of the heuristic does; asked for at every move, so that
    the files' names are remembered."""
    main = _main(heuristic)
    return () if main is None else tuple(map(_version, _names(main, _version(main))))


@lru_cache(maxsize=256)
def _names(main: str, version: tuple[int, ...] | None) -> tuple[str, ...]:
    return files_of_python(main) if main.endswith(".py") else (main,)


def _main(heuristic: object) -> str | None:
    """Return the file that a heuristic, or a function, is in, None where its name is none of a
    file."""
    if not isinstance(heuristic, str):
        return None
    path, _, name = heuristic.rpartition(":")
    if path.endswith(".py") and name:
        return path
    return heuristic if heuristic.endswith((".toml", ".json")) else None


def files_of_command(command: str) -> tuple[str, ...]:
    """Return the program that a command line starts, and every file among its words, with what
    Python files import from beside them."""
    found: list[str] = []
    for at, word in enumerate(shlex.split(command)):
        path = (shutil.which(word) if at == 0 else None) or word
        if Path(path).is_file():
            found += files_of_python(path) if path.endswith(".py") else (path,)
    return tuple(found)


def files_of_python(path: str) -> tuple[str, ...]:
    """Return a Python file and the files and packages of its folder that it imports, and those
    import, as far as their text tells."""
    found: dict[str, None] = {}
    waiting = [path]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found[here] = None
            waiting += _beside(here)
    return tuple(found)


def _beside(path: str) -> Iterator[str]:
    """Yield the files beside `path` that it imports."""
    folder = Path(path).parent
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):  # which is said when it is run
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [
                node.module or "",
                *(f"{node.module or ''}.{alias.name}".lstrip(".") for alias in node.names),
            ]
        else:
            continue
        for name in names:
            place = folder.joinpath(*name.split(".")) if name else folder
            for candidate in (place.with_suffix(".py"), place / "__init__.py"):
                if name and candidate.is_file():
                    yield str(candidate)


class AgentFiles:
    """The files of some agents and their SHA-256 digests. Raises OptionError for one that cannot be
    read."""

    def __init__(self, agents: Sequence[Any]) -> None:
        names = sorted({name for agent in agents for name in getattr(agent, "files", ())})
        self.digests = {name: _digest(name) for name in names}
        self._versions = {name: _version(name) for name in names}

    def check(self) -> None:
        """Raise OptionError where one of them has been changed since: what was played then is of
        neither version for certain."""
        for name, version in self._versions.items():
            if _version(name) != version and _digest(name) != self.digests[name]:
                raise OptionError(
                    f"{name!r} was changed while it played; expected the file as it was: ask again to play with the new one"
                )


def _digest(name: str) -> str:
    try:
        with open(name, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        raise OptionError(
            f"cannot read {name!r}: {getattr(error, 'strerror', None) or error}; expected a file of an agent"
        ) from None


def _version(name: str) -> tuple[int, ...] | None:
    """Return what changes with a file's content, None where it is gone."""
    try:
        found = Path(name).stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size
