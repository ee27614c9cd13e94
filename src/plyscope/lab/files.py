"""The files of agents and games, with their digests, since an edited file is another agent."""

from __future__ import annotations

import ast
import hashlib
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from plyscope.errors import OptionError
from plyscope.pythonfile import is_of_file, path_of, version_of_file
from plyscope.rules.gamefile import is_game_file

Version = tuple[tuple[int, ...] | None, ...]
"""For each file, a tuple that changes with its content; None for a missing file."""


def files_of_heuristic(heuristic: object) -> tuple[str, ...]:
    """Return the files of a heuristic, found by its name.

    A Python file is followed by the files that it imports from its folder. A heuristic without a
    file has none.
    """
    file = _file_of(heuristic)
    return () if file is None else _files_of(file, version_of_file(file))


def version_of_heuristic(heuristic: object) -> Version:
    """Return the version of the heuristic's files; it is cheap, since it is called at every
    move."""
    return tuple(map(version_of_file, files_of_heuristic(heuristic)))


@lru_cache(maxsize=256)
def _files_of(file: str, version: tuple[int, ...] | None) -> tuple[str, ...]:
    return files_of_python(file) if file.endswith(".py") else (file,)


def _file_of(heuristic: object) -> str | None:
    """Return the file that a heuristic's name refers to, None if it refers to none."""
    if not isinstance(heuristic, str):
        return None
    if is_of_file(heuristic):
        return path_of(heuristic)
    return heuristic if heuristic.endswith((".toml", ".json")) else None


def files_of_command(command: str) -> tuple[str, ...]:
    """Return the program of a command line and the files among its arguments; Python files with
    their imports."""
    files: list[str] = []
    for at, word in enumerate(shlex.split(command)):
        path = (shutil.which(word) if at == 0 else None) or word
        if Path(path).is_file():
            files += files_of_python(path) if path.endswith(".py") else (path,)
    return tuple(files)


def files_of_python(path: str) -> tuple[str, ...]:
    """Return a Python file and all files that it imports from its folder, directly or indirectly.

    Imports are found in the text of the files, which are not run.
    """
    files: dict[str, None] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files[file] = None
            waiting += _imported_files(file)
    return tuple(files)


def _imported_files(path: str) -> Iterator[str]:
    folder = Path(path).parent
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):  # running it reports it
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [module, *(f"{module}.{alias.name}".lstrip(".") for alias in node.names)]
        else:
            continue
        for name in filter(None, names):
            place = folder.joinpath(*name.split("."))
            for candidate in (place.with_suffix(".py"), place / "__init__.py"):
                if candidate.is_file():
                    yield str(candidate)


def files_of_game(game: Any) -> tuple[str, ...]:
    """Return the files of a user-defined game, with imports from its folder; () for other games."""
    if is_game_file(game.of_file):
        return (game.of_file,)
    return files_of_python(path_of(game.of_file)) if game.of_file else ()


def changed_files(digests: Mapping[str, str]) -> list[str]:
    """Return the files whose digest has changed, or that cannot be read."""

    def now(name: str) -> str | None:
        try:
            return _digest(name)
        except OptionError:
            return None

    return [name for name, digest in digests.items() if now(name) != digest]


class AgentFiles:
    """The files of `agents`, and `others`, with their SHA-256 digests.

    Raises OptionError for a file that cannot be read.
    """

    def __init__(self, agents: Sequence[Any], others: Sequence[str] = ()) -> None:
        names = sorted(
            {name for agent in agents for name in getattr(agent, "files", ())} | set(others)
        )
        self.digests = {name: _digest(name) for name in names}
        self._versions = {name: version_of_file(name) for name in names}

    def check(self) -> None:
        """Raise OptionError if a file was changed, as it is then unknown which version played."""
        for name, version in self._versions.items():
            if version_of_file(name) != version and _digest(name) != self.digests[name]:
                raise OptionError(
                    f"{name!r} was changed during the match; "
                    "expected the same file, or a new match with the new one"
                )


def _digest(name: str) -> str:
    try:
        with open(name, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OptionError(
            f"cannot read {name!r}: {reason}; expected a file of an agent or a game"
        ) from None
