"""Forbidden modules: imports by a user's file are refused while it runs.

The call stack shows who imports a module. An import counts if, going outwards and skipping
libraries, the user's file comes before any code of plyscope. So plyscope's own imports in the same
process still work. If plyscope is forbidden, its code may not load further modules either while the
user's code is on the stack, so `solve` and `search` cannot be reached through a position.

This only finds who breaks a rule. It does not see imports by C code, modules found through frames,
the garbage collector or `sys.modules`, and code that poses as plyscope's. A forbidden plyscope is
kept away by the sandbox, which makes its files unreadable (`Sandbox.hides_plyscope`).
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

PACKAGE = __name__.partition(".")[0]


class Ban:
    """A ban on `modules` for the file in `folder` and everything it calls.

    The game's `files` may import anything. A forbidden import calls `tell` with a message and
    raises ImportError.
    """

    def __init__(
        self,
        modules: tuple[str, ...],
        folder: str,
        files: tuple[str, ...],
        tell: Callable[[str], None],
    ) -> None:
        self.modules, self.tell = frozenset(modules), tell
        self.folder = os.path.realpath(folder)
        self.files = frozenset(map(os.path.realpath, files))
        self.main: Any = sys._getframe(1).f_globals
        """The globals of the caller, plyscope's main program."""

    def enforce(self) -> None:
        """Enforce the ban in this process, permanently."""
        if not self.modules:
            return
        import _frozen_importlib

        plain_import, plain_load = builtins.__import__, _frozen_importlib._gcd_import  # type: ignore[attr-defined]

        def checked_import(
            name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
        ) -> Any:
            if not _is_of_pickle(name, fromlist):
                self._check_import(_package(globals) if level else name)
            return plain_import(name, globals, locals, fromlist, level)

        def checked_load(name: str, package: Any = None, level: int = 0) -> Any:
            self._check_import(package if level else name)
            return plain_load(name, package, level)

        builtins.__import__ = checked_import
        _frozen_importlib._gcd_import = checked_load  # type: ignore[attr-defined]

    def _check_import(self, name: Any) -> None:
        """Refuse the import of the module `name`, or of a name from it, by the user's file."""
        package = str(name).partition(".")[0]
        if package not in self.modules:
            return
        is_ours, word = False, "imports"
        for frame in _outwards(sys._getframe(2)):
            if self._is_trusted(frame):
                is_ours, word = True, "uses"
                if package != PACKAGE or str(name) in sys.modules:
                    return
            elif not self._is_library(frame):
                self._refuse(frame, f"{word} {name!r}")
        if not is_ours:
            self._refuse(None, f"imports {name!r}")  # a library's thread, not started by plyscope

    def _is_trusted(self, frame: FrameType) -> bool:
        """Return whether a frame runs code of plyscope or of the game."""
        names = frame.f_globals
        if names is self.main or frame.f_code.co_filename in self.files:
            return True
        name = names.get("__name__")
        return (
            isinstance(name, str) and name.partition(".")[0] == PACKAGE and _is_module(name, names)
        )

    def _is_library(self, frame: FrameType) -> bool:
        """Return whether a frame runs a library: a module from another folder."""
        names, written = frame.f_globals, frame.f_code.co_filename
        name, file = names.get("__name__"), names.get("__file__")
        if not isinstance(name, str) or not _is_module(name, names):
            return False
        if written.startswith("<"):  # <frozen ...>, <string>
            return written.startswith("<frozen ")
        return isinstance(file, str) and not self._is_own(file) and not self._is_own(written)

    def _is_own(self, file: str) -> bool:
        """Return whether a file is in the user's folder."""
        return not file.startswith("<") and os.path.realpath(file).startswith(self.folder + os.sep)

    def _refuse(self, frame: FrameType | None, words: str) -> None:
        """Report the forbidden import with its line, and raise ImportError."""
        file = "" if frame is None else frame.f_code.co_filename
        if frame is not None and self._is_own(file):
            name = os.path.relpath(os.path.realpath(file), self.folder)
            words = f"line {frame.f_lineno} of {name!r} {words}"
        self.tell(words)
        raise ImportError(f"{words}, which is forbidden here")


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield a frame and its callers."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_module(name: str, names: dict[str, Any]) -> bool:
    return getattr(sys.modules.get(name), "__dict__", None) is names


def _is_of_pickle(name: str, wanted: Any) -> bool:
    """Return whether C code, such as pickle, imports the class of a position.

    An import statement would pass a tuple of names."""
    return wanted == [] and name.startswith(f"{PACKAGE}.rules.") and name in sys.modules


def _package(names: Any) -> str:
    """Return the package of a relative import."""
    found = names.get("__package__") or names.get("__name__") if isinstance(names, dict) else ""
    return str(found or "")
