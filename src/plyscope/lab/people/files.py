"""The files of agents and games, with their digests, since an edited file is another agent."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import time_ns
from typing import Any

from plyscope.errors import OptionError
from plyscope.evaluation.function import FunctionHeuristic, version_of_function
from plyscope.lab.agents.readings import inner_of
from plyscope.pythonfile import files_of_python, is_of_file, path_of, version_of_file
from plyscope.rules.game import version_of
from plyscope.rules.gamefile import is_game_file


def files_of_heuristic(heuristic: object) -> tuple[str, ...]:
    """Return the files of a heuristic, found by its name.

    A Python file is followed by the files that it imports from its folder. A heuristic without a
    file has none.
    """
    file = _file_of(heuristic)
    if file is None:
        return ()
    return files_of_python(file) if file.endswith(".py") else (file,)


def version_of_heuristic(heuristic: object) -> str:
    """Return a text that changes when a heuristic does: one of its files, or the function that it
    is. The text is empty if that cannot be known. It is cheap, since it is called at every move."""
    if isinstance(heuristic, str):
        return f"files {[*map(version_of_file, files_of_heuristic(heuristic))]}"
    return version_of_function(heuristic)


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


def files_of_game(game: Any) -> tuple[str, ...]:
    """Return the files of a user-defined game, with imports from its folder; () for other games."""
    if is_game_file(game.of_file):
        return (game.of_file,)
    return files_of_python(path_of(game.of_file)) if game.of_file else ()


def code_of(agents: Sequence[Any], game: Any) -> list[str]:
    """Return the versions of the functions and the user-defined game that are in no file; [] if
    there are none. A version that cannot be known is the time, so that it is equal to no other."""
    found = []
    for agent in agents:
        inner = inner_of(getattr(agent, "function", None) or getattr(agent, "heuristic", None))
        if callable(inner) or isinstance(inner, FunctionHeuristic):
            found.append(version_of_function(inner) or f"unknown {time_ns()}")
    if not game.of_file and version_of(game) != "plyscope":
        found.append(version_of(game) or f"unknown {time_ns()}")
    return found


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
