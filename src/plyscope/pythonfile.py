"""User files in Python: their texts, their imports, and the errors and time of their functions."""

from __future__ import annotations

import os
import re
import sys
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import Event, Lock, get_ident
from types import ModuleType, TracebackType
from typing import Any, NamedTuple

from plyscope.errors import NotationError

_OPTION = r""" (\w+)=((?:'[^']*'|"[^"]*"|[^\s'"])+)"""
OF_FILE = re.compile(
    rf"(?P<path>.*\.py)(:(?P<name>\w+(\.\w+)*))?(?P<options>({_OPTION})*)", re.DOTALL
)
"""The text of a function, method or class in a file, with options if it is a function."""


class Overdue(BaseException):
    """Raised inside a user's function that takes too long.

    It is no Exception, so that `except Exception` in the function does not catch it.
    """


INTERRUPTS = (KeyboardInterrupt, Overdue)
"""Exceptions from outside a user's function, which pass through it. Any other exception that leaves
the function, including SystemExit, is its error."""


OF_PYTHON_2 = (
    *("Tkinter", "tkMessageBox", "Queue", "ConfigParser", "cPickle", "StringIO", "urllib2", "sets"),
    *("raw_input", "xrange", "unicode", "unichr", "basestring", "long", "reduce", "cmp"),
)
"""Modules and functions that only Python 2 has."""
POLL_SECONDS = 0.02
"""The interval between checks of the clock."""
DELIVERY_TURNS = 100
"""Turns of a loop within which an asynchronous exception reaches this thread."""


@contextmanager
def interrupting(
    is_overdue: Callable[[], bool], kind: type[BaseException] = Overdue
) -> Iterator[None]:
    """Interrupt this thread when `is_overdue()` becomes true.

    It raises Overdue, or another `kind`, between two instructions of Python.
    """
    import ctypes  # late, since the import is slow

    done, worker, deciding = Event(), get_ident(), Lock()
    raised: list[int] = []

    def watch() -> None:
        while not done.wait(POLL_SECONDS):
            if is_overdue():
                with deciding:
                    if not done.is_set():
                        raised.append(
                            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                                ctypes.c_ulong(worker), ctypes.py_object(kind)
                            )
                        )
                return

    def end() -> None:
        """Wait here for an exception that was already sent, so that none is raised later.

        It is not cancelled: Python would then check for it for ever, which makes calls slower, and
        a traced call never ends.
        """
        try:
            with deciding:
                done.set()
            for _ in range(len(raised) * DELIVERY_TURNS):
                pass
        except kind:
            done.set()

    try:
        if sys.platform != "emscripten":  # a browser has no threads, and nothing is interrupted
            start_new_thread(watch, ())
        yield
    finally:
        try:
            end()
        finally:  # Ctrl-C may have interrupted the first call
            end()


def in_one_line(error: BaseException) -> str:
    """Return the class and the text of an error on one line."""
    return ": ".join(filter(None, (type(error).__name__, " ".join(text_of(error).split()))))


def text_of(thing: object) -> str:
    """Return `str()` of a user's object, or a placeholder if that raises."""
    try:
        return str(thing)
    except INTERRUPTS:
        raise
    except BaseException:
        return f"<{type(thing).__name__} without text>"


def written_function(function: Any) -> Any:
    """Return the function that the user wrote inside a bound method, inside a call that plyscope
    made of it (`written` is its attribute), or inside Numba's compiled one."""
    function = getattr(function, "written", function)
    function = getattr(function, "py_func", function)
    return getattr(function, "__func__", function)


def is_of_file(text: str) -> bool:
    """Return whether a text has the form `file.py:name` or `file.py`."""
    return OF_FILE.fullmatch(text) is not None


def path_of(text: str) -> str:
    """Return the file of such a text."""
    match = OF_FILE.fullmatch(text)
    return match["path"] if match else text.rpartition(":")[0]


def options_of(text: str) -> dict[str, str]:
    """Return the options after such a text; raise NotationError for one that is given twice."""
    match = OF_FILE.fullmatch(text)
    pairs: list[tuple[str, str]] = re.findall(_OPTION, match["options"]) if match else []
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotationError(f"an option of {text[:80]!r} is given twice; expected each once")
    return found


def version_of_file(path: str) -> tuple[int, ...] | None:
    """Return a key that changes with the file's content, None if there is no file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size


def versions_of_file(path: str) -> tuple[Any, ...]:
    """Return a key that changes with the content of a Python file, or of a file that it imports
    from its folder."""
    return tuple(map(version_of_file, files_of_python(path)))


def files_of_python(path: str) -> tuple[str, ...]:
    """Return a Python file and all files that it imports from its folders, directly or indirectly.

    Imports are found in the text of the files, which are not run.
    """
    roots = roots_of(path)
    files: dict[str, None] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files[file] = None
            waiting += _imported_files(file, roots, version_of_file(file))
    return tuple(files)


def roots_of(path: str) -> tuple[str, ...]:
    """Return the folders from which a file may import: its own, and those above the packages that
    it names or belongs to by a relative import."""
    imports = _imports(path, version_of_file(path))
    named = {each.name.partition(".")[0] for each in imports if not each.level}
    above = max((each.level for each in imports), default=0)
    folder = Path(os.path.dirname(os.path.abspath(path)))
    roots = {str(folder): None}
    for level, package in enumerate((folder, *folder.parents), 1):
        if level <= above or package.name in named:
            roots[str(package.parent)] = None
    return tuple(roots)


def package_of(path: str) -> str:
    """Return the package that a file belongs to if it has relative imports, else ""."""
    above = max((each.level for each in _imports(path, version_of_file(path))), default=0)
    folders = Path(os.path.dirname(os.path.abspath(path))).parts
    return ".".join(folders[len(folders) - above :])


class Import(NamedTuple):
    """A module that a file imports."""

    name: str
    level: int
    """The number of dots before the name."""


@lru_cache(maxsize=1024)
def _imports(path: str, version: object) -> tuple[Import, ...]:
    import ast  # late, since few commands read a file

    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):  # running it reports it
        return ()
    found: list[Import] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [Import(alias.name, 0) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [module, *(f"{module}.{alias.name}".lstrip(".") for alias in node.names)]
            found += [Import(name, node.level) for name in names if name]
    return tuple(found)


@lru_cache(maxsize=1024)
def _imported_files(path: str, roots: tuple[str, ...], version: object) -> tuple[str, ...]:
    files: list[Path] = []
    folder = Path(path).parent
    for name, level in _imports(path, version):
        places = [folder, *map(Path, roots[1:])]
        if level:
            places = [(folder, *folder.parents)[min(level - 1, len(folder.parents))]]
        for each in places:
            place = each.joinpath(*name.split("."))
            files += filter(Path.is_file, (place.with_suffix(".py"), place / "__init__.py"))
    return tuple(map(str, files))


_PREFIX = "plyscope_file_"
"""The prefix of the module names of user files: they hide no other module, and dataclasses and
pickles find them."""


def module_of(path: str) -> ModuleType:
    """Return the module of a file that has been run."""
    return sys.modules[module_name(path)]


def module_name(path: str) -> str:
    """Return the name of the module of a user's file."""
    from hashlib import sha256

    digest = sha256(os.path.abspath(path).encode(errors="replace")).hexdigest()[:12]
    return f"{_PREFIX}{digest}"


def blamed(error: BaseException) -> str:
    """Return the line of a user file in which an error was raised, with the error; empty if it was
    raised in none."""
    step = step_of(error)
    if step is None:
        return ""
    code = step.tb_frame.f_code
    return f"{code.co_filename}:{step.tb_lineno}: {code.co_name} raised {in_one_line(error)}"


def step_of(error: BaseException) -> TracebackType | None:
    """Return the last step of a traceback that is in a user file, None if there is none."""
    found, step = None, error.__traceback__
    while step is not None:
        if str(step.tb_frame.f_globals.get("__name__", "")).startswith(_PREFIX):
            found = step
        step = step.tb_next
    return found
