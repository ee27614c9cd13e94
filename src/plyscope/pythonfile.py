"""User files in Python: loading a function or class by name, and reporting its errors."""

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
from types import FunctionType, ModuleType, TracebackType
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


def load_callable(text: str, what: str, expected: str) -> tuple[str, Any]:
    """Run the file of `file.py:name`, and return the name and its function or class.

    `what` is its kind, such as agent. Raises NotationError, which contains `expected`.
    """
    return load_named(text, what, expected, callable)


def load_named(text: str, what: str, expected: str, fits: Any) -> tuple[str, Any]:
    """Run the file of `file.py:name`, and return the name and its object, for which `fits` is true.

    Without a name it is the object called `what`, or the only one of the file that fits; functions
    that others of the file call do not count. Raises NotationError, which contains `expected`.
    """
    match, path = OF_FILE.fullmatch(text), path_of(text)
    name = match["name"] if match else text.rpartition(":")[2]
    if not os.path.isfile(path):  # works for any text: a null byte, 1,000 characters
        raise NotationError(f"no file {path!r} for the {what} {text!r}; expected file.py:name")
    from plyscope.pythonrun import run_file  # late, since few commands run a file

    module = run_file(path, what, text)
    kind = "function" if fits is callable else what
    known = [key for key, value in vars(module).items() if fits(value) and not key.startswith("_")]
    if name is None:
        own = _candidates(module, known, what, kind)
        if not own and fits(module):  # functions of the file are the methods
            return "", module
        if not own and kind == "function":
            own = _methods(module)
        if len(own) != 1:
            wanted = f"one of {', '.join(f'{path}:{key}' for key in own)}" if own else expected
            raise NotationError(f"{len(own) or 'no'} {kind}s in {path!r}; expected {wanted}")
        name = own[0]
    found = _found(module, name, path, what)
    if kind == "function" and what != "algorithm" and isinstance(found, type):
        methods = [each for each in _methods(module) if each.startswith(f"{name}.")]
        wanted = (
            f"one of {', '.join(f'{path}:{each}' for each in methods)}" if methods else expected
        )
        raise NotationError(f"{name!r} of {path!r} is a class, not a function; expected {wanted}")
    if not fits(found):
        wanted = f"one of {', '.join(known)}" if known else expected
        hint = _where_else(module, name, path)
        raise NotationError(f"no {kind} {name!r} in {path!r}; expected {hint or wanted}")
    return name, found


def _found(module: ModuleType, name: str, path: str, what: str) -> Any:
    """Return the object of a name with dots, None if there is none.

    A method is taken as it is if it is static or of its class. Any other needs an object: one
    that is made without arguments. Raises NotationError if there is none.
    """
    first, *more = name.split(".")
    found: Any = vars(module).get(first)
    for at, part in enumerate(more, 1):
        owner: Any = found
        named = ".".join([first, *more[:at]])
        written = next((vars(each)[part] for each in _bases(owner) if part in vars(each)), None)
        if isinstance(written, FunctionType):
            where = f"{named!r} of {path!r} is a method of an object"
            made = f"x = {getattr(owner, '__name__', 'X')}(...), and name {path}:x.{part}"
            try:
                owner = owner()
            except INTERRUPTS:
                raise
            except BaseException as error:  # user code
                raise NotationError(
                    f"{where}, and {owner.__name__}() raised {in_one_line(error)}; expected a "
                    f"static method, or an object in the file: {made}"
                ) from None
        found = getattr(owner, part, None)
    return found


def _bases(owner: Any) -> tuple[type, ...]:
    """Return a class and its bases; () for any other object."""
    return owner.__mro__[:-1] if isinstance(owner, type) else ()


def _methods(module: ModuleType) -> list[str]:
    """Return the methods of the classes that are defined in a file, as `Class.method`."""
    return [
        f"{name}.{method}"
        for name, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__ == module.__name__
        for method, value in vars(kind).items()
        if isinstance(value, FunctionType | staticmethod | classmethod)
        and not method.startswith("_")
    ]


def _where_else(module: ModuleType, name: str, path: str) -> str:
    """Return where else in a file a function of this name is: in a class, or in a function."""
    if methods := [each for each in _methods(module) if each.endswith(f".{name}")]:
        owner = methods[0].partition(".")[0]
        listed = " or ".join(f"{path}:{each}" for each in methods)
        return f"{listed}, since {name} is a method of {owner}"
    import ast

    def search(node: ast.AST, inside: str) -> str:
        for child in ast.iter_child_nodes(node):
            is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            called = str(getattr(child, "name", "")) if is_function else ""
            if called == name and inside:
                return f"it outside of {inside}: move it to the level of the file"
            outer = inside or called
            if found := search(child, outer):
                return found
        return ""

    return search(ast.parse(Path(path).read_bytes()), "")


def load_last(path: str, what: str, expected: str) -> tuple[str, Any]:
    """Run a file, and return the name and the function that it defines last.

    Raises NotationError, which contains `expected`.
    """
    if not os.path.isfile(path):
        raise NotationError(f"no file {path!r} for the {what}; expected file.py")
    from plyscope.pythonrun import run_file

    module = run_file(path, what, path)
    known = [(key, value) for key, value in vars(module).items() if callable(value)]
    if not known:
        raise NotationError(f"no function in {path!r}; expected {expected}")
    return known[-1]


def _candidates(module: ModuleType, known: list[str], what: str, kind: str) -> list[str]:
    """Return which of the `known` names of a file may be meant if the text has no name.

    That is the one called `what`. Otherwise it is the objects defined in the file, without
    functions that others call.
    """
    things = vars(module)
    if what in known and not _home(things[what]).startswith("plyscope."):
        return [what]
    own = [key for key in known if _is_written_in(module, things[key], kind)]
    if kind == "function" and len(own) > 1:
        from plyscope.identity import read_names

        functions = {key: getattr(things[key], "function", things[key]) for key in own}
        codes = {key: getattr(each, "__code__", None) for key, each in functions.items()}
        called = {
            name for key, code in codes.items() if code for name in {*read_names(code)} - {key}
        }
        own = [key for key in own if key not in called] or own
    return own


def _is_written_in(module: ModuleType, thing: Any, kind: str) -> bool:
    """Return whether an object was defined in the module, and not imported."""
    inner = getattr(thing, "function", thing)  # the function inside a decorator
    is_home = _home(thing) == module.__name__
    return is_home and (kind != "function" or not isinstance(inner, type))


def _home(thing: Any) -> str:
    """Return the name of the module in which an object was defined."""
    inner = getattr(thing, "function", thing)
    home = getattr(inner, "__module__", None) or getattr(type(inner), "__module__", None)
    return str(home or "")


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
    found, step = "", error.__traceback__
    while step is not None:
        found = _place(step) or found
        step = step.tb_next
    return f"{found} raised {in_one_line(error)}" if found else ""


def _place(step: TracebackType) -> str:
    frame = step.tb_frame
    if not str(frame.f_globals.get("__name__", "")).startswith(_PREFIX):
        return ""
    return f"{frame.f_code.co_filename}:{step.tb_lineno}: {frame.f_code.co_name}"
