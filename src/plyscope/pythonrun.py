"""Loading a function or class of a user's Python file, which is run in one way for all commands.

While the file runs, and whenever a function of it imports a module later, its folder is on Python's
path. So it finds the files beside it, as when Python runs it as a script. Running it may take
`limit_seconds`, and it cannot read the standard input.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import os
import re
import signal
import sys
from _thread import get_ident
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from importlib.util import module_from_spec, spec_from_file_location
from inspect import Parameter, signature
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any, ClassVar, NoReturn

from plyscope.errors import NotationError
from plyscope.owntime import OwnTime
from plyscope.pythonfile import (
    INTERRUPTS,
    OF_FILE,
    OF_PYTHON_2,
    Overdue,
    files_of_python,
    in_one_line,
    interrupting,
    module_name,
    options_of,
    package_of,
    path_of,
    roots_of,
    text_of,
    version_of_file,
)

limit_seconds: float | None = 3.0
"""Own time for running a file, without the packages that it imports; None for no limit."""
PACKAGE_SECONDS = 60.0
"""Own time for running a file, with the packages that it imports."""
TICK_SECONDS = 0.1
"""The interval between looks at a file that is running."""
MAX_QUOTE_CHARS = 60
"""The longest text of a line that a message quotes."""
BELOW_MAIN = "put the game below `if __name__ == '__main__':`, or add the option run=definitions"
DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
"""The statements of a file that are run with this option, and assignments that raise no error."""
WINDOWS = (
    *("arcade", "curses", "kivy", "matplotlib", "pygame", "PyQt4", "PyQt5", "PyQt6", "PySide2"),
    *("PySide6", "pyglet", "tkinter", "turtle", "wx", "graphics", "customtkinter", "_curses"),
)
"""Modules that open windows, or draw on the terminal."""
_PYTHON_2_LINE = re.compile(
    r"\s*(print\s+[^\s=(.]|print\s*$|print\s*>>|exec\s+[^\s=(.]|raise\s+[\w.]+\s*,"
    r"|except\s+[\w.()]+\s*,\s*\w+\s*:)|.*(<>|`\w+`|\b0[0-7]+\b|\bur['\"])"
)


def load_named(
    text: str,
    what: str,
    expected: str,
    fits: Any = callable,
    is_player: Callable[[Parameter], bool] | None = None,
) -> tuple[str, Any]:
    """Run the file of `file.py:name`, and return the name and its object, for which `fits` is true.

    `is_player` says which argument is the side. A method of a class whose objects are made for a
    side becomes a function that takes the side as its second argument.

    Without a name it is the object called `what`, or the only one of the file that fits; functions
    that others of the file call do not count. Raises NotationError, which contains `expected`.
    """
    match, path = OF_FILE.fullmatch(text), path_of(text)
    name = match["name"] if match else text.rpartition(":")[2]
    if not os.path.isfile(path):  # works for any text: a null byte, 1,000 characters
        raise NotationError(f"no file {path!r} for the {what} {text!r}; expected file.py:name")
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
    found = _found(module, name, path, is_player)
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


def _found(
    module: ModuleType, name: str, path: str, is_player: Callable[[Parameter], bool] | None
) -> Any:
    """Return the object of a name with dots, None if there is none.

    A method is taken as it is if it is static or of its class. Any other needs an object: one
    that is made without arguments, or for a side. Raises NotationError if there is none.
    """
    first, *more = name.split(".")
    found: Any = vars(module).get(first)
    for at, part in enumerate(more, 1):
        owner: Any = found
        named = ".".join([first, *more[:at]])
        written = next((vars(each)[part] for each in _bases(owner) if part in vars(each)), None)
        if isinstance(written, FunctionType):
            if is_player and at == len(more) and (call := _for_a_side(owner, part, is_player)):
                return call
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


def _for_a_side(
    owner: type, method: str, is_player: Callable[[Parameter], bool]
) -> Callable[..., Any] | None:
    """Return a method as a function whose second argument is the side; None unless objects of its
    class are made for a side, and the method takes none.

    Each call makes an object, so a player remembers nothing of its earlier moves.
    """
    written = getattr(owner, method)
    try:
        _, *taken = signature(written).parameters.values()
        needed = [*signature(owner).parameters.values()]
    except (TypeError, ValueError):  # a builtin
        return None
    sides = [each for each in needed if is_player(each)]
    others = [each for each in needed if each.default is each.empty and each not in sides[:1]]
    if len(sides) != 1 or any(each.kind in _SINGLE for each in others):
        return None
    if not taken or taken[0].kind is not _POSITIONAL or any(map(is_player, taken)):
        return None
    side = sides[0].replace(default=Parameter.empty, kind=_POSITIONAL)

    def called(board: Any, player: Any, *more: Any) -> Any:
        return getattr(owner(**{side.name: player}), method)(board, *more)

    first = taken[0].replace(default=Parameter.empty)
    vars(called)["__signature__"] = signature(written).replace(parameters=[first, side, *taken[1:]])
    vars(called)["written"] = written
    called.__name__, called.__module__ = method, written.__module__
    return called


_POSITIONAL = Parameter.POSITIONAL_OR_KEYWORD
_SINGLE = (_POSITIONAL, Parameter.POSITIONAL_ONLY, Parameter.KEYWORD_ONLY)


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


# Running a file


class _ReadsInput(Exception):
    """Raised where a file that is being run reads the standard input."""


def run_file(path: str, what: str, text: str) -> ModuleType:
    """Run a user's file as a module and return the module.

    `text` names it, as a `what` such as heuristic. Raises NotationError, with the reason and what
    to write instead, if the file cannot be loaded, raises, reads input or does not end.
    """
    spec = spec_from_file_location(module_name(path), Path(path))
    if spec is None or spec.loader is None:
        raise NotationError(
            f"cannot load {path!r} for the {what} {text!r}; expected a Python file, file.py:name"
        )
    neighbours = _Neighbours.of(path)
    neighbours.forget_changed()
    module = sys.modules[spec.name] = module_from_spec(spec)
    if package := package_of(path):
        module.__package__, module.__spec__ = package, None
    told = f"running {path!r} for the {what} {text!r}"
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    clock = _Clock(neighbours.files)
    try:
        with clock.limited(), neighbours.importable(), _no_input():
            source: Any = Path(path).read_bytes()
            if "run" in options_of(text):
                source = _definitions(source)
            code = spec.loader.source_to_code(source, path)  # type: ignore[attr-defined]
            exec(code, vars(module))
    except Overdue:
        raise NotationError(
            f"{told}: line {clock.line} is still running after {limit_seconds:g} s; {BELOW_MAIN}"
        ) from None
    except INTERRUPTS:
        raise
    except BaseException as error:  # user code: any error is reported by name
        line = line_of(error, path) or "line 0"
        raise NotationError(f"{told} {_meaning(error, path, line)}") from None
    finally:
        sys.dont_write_bytecode = writes
    neighbours.serve_late_imports(module)
    return module


def _definitions(source: bytes) -> ast.Module:
    """Return the definitions of a file, without the game that it plays."""
    tree, statements = ast.parse(source), []
    for each in tree.body:
        if isinstance(each, ast.Assign | ast.AnnAssign):
            (tried,) = ast.parse("try: pass\nexcept Exception: pass").body
            vars(tried)["body"] = [each]
            statements.append(tried)
        elif isinstance(each, DEFINITIONS):
            statements.append(each)
    tree.body = statements
    return tree


def line_of(error: BaseException, path: str) -> str:
    """Return where the code of a user's file raised an error, "" if it did not: `line 3`, its file
    if that is another, and the text of the line if the error has none."""
    found, step = "", error.__traceback__
    files = frozenset(map(os.path.abspath, files_of_python(path)))
    while step is not None:
        file = os.path.abspath(step.tb_frame.f_code.co_filename)
        if file in files:
            other = "" if file == os.path.abspath(path) else f" of {os.path.basename(file)!r}"
            found = f"line {step.tb_lineno}{other}"
            if not text_of(error):
                quoted = linecache.getline(file, step.tb_lineno).strip()[:MAX_QUOTE_CHARS]
                found += f", {quoted!r}"
        step = step.tb_next
    return found


def _meaning(error: BaseException, path: str, line: str) -> str:
    """Return what an error of a file that was run means, and what to do."""
    raised = f"raised {in_one_line(error)}"
    if isinstance(error, _ReadsInput):
        return f"reads the standard input in {line}, which is not its own; {BELOW_MAIN}"
    if isinstance(error, SystemExit):
        return f"ended it with exit in {line} ({in_one_line(error)}); {BELOW_MAIN}"
    if isinstance(error, SyntaxError):
        source = (error.text or "").rstrip()
        if "Missing parentheses in call to" in str(error.msg) or _PYTHON_2_LINE.match(source):
            quoted = f"line {error.lineno}, {source.strip()[:40]!r},"
            return f"{raised}: {quoted} is of Python 2; expected Python 3 (the program 2to3)"
        return raised
    if isinstance(error, ModuleNotFoundError):
        return f"{raised}{_how_found(str(error.name or ''), path, line)}"
    if isinstance(error, NameError) and error.name in OF_PYTHON_2:
        return f"{raised} in {line}: {error.name!r} is of Python 2; expected Python 3"
    if isinstance(error, FileNotFoundError):
        return f"{raised} in {line}; run plyscope in the folder {os.path.dirname(path) or '.'!r}"
    home = type(error).__module__.partition(".")[0].removeprefix("_")
    if home in WINDOWS or type(error).__name__ == "TclError":
        return f"{raised}: {line} opens a window, and none can be opened; {BELOW_MAIN}"
    return f"{raised} in {line}" if line != "line 0" else raised


def _how_found(name: str, path: str, line: str) -> str:
    """Return the end of a sentence on a module that was not found: where it was looked for."""
    top = name.partition(".")[0]
    if top in OF_PYTHON_2:
        return f" in {line}: it is of Python 2; expected Python 3"
    if top in WINDOWS:
        package = "" if top in ("tkinter", "turtle", "curses", "_curses") else ": pip install it"
        return (
            f" in {line}: it opens windows and is not installed{package}, or put what uses it "
            "below `if __name__ == '__main__':`, with its import"
        )
    return (
        f" in {line}: there is no {top}.py beside {path!r} and no such package; "
        f"expected that file, or the package, such as by pip install {top}"
    )


# Time


class _Clock:
    """The own time that a running file has used, without that of importing packages."""

    def __init__(self, files: frozenset[str]) -> None:
        self.files, self.line = files, 0
        self._spent, self._before, self._used = OwnTime.of_this_thread(), 0.0, 0.0

    def is_overdue(self, frame: FrameType | None) -> bool:
        """Return whether the file, whose innermost frame is given, has used up its time."""
        now = self._spent.seconds()
        gone, self._before = now - self._before, now
        is_import = False
        while frame is not None:
            name = frame.f_code.co_filename
            if os.path.abspath(name) in self.files:
                self.line = frame.f_lineno
                break
            is_import = is_import or name.startswith("<frozen importlib")
            frame = frame.f_back
        if not is_import:
            self._used += gone
        return self._used > (limit_seconds or 0.0) or now > PACKAGE_SECONDS

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Raise Overdue in this thread once the time is used up.

        In the main thread a signal interrupts waiting too; in another it ends between two
        instructions of Python.
        """
        if limit_seconds is None:
            yield
            return

        def look(number: int, frame: FrameType | None) -> None:
            if self.is_overdue(frame):
                raise Overdue

        try:
            before = signal.signal(signal.SIGALRM, look)
            signal.setitimer(signal.ITIMER_REAL, TICK_SECONDS, TICK_SECONDS)
        except (AttributeError, ValueError, OSError):  # another thread, system, or a sandbox
            worker = get_ident()
            with interrupting(lambda: self.is_overdue(sys._current_frames().get(worker))):
                yield
            return
        try:
            yield
        finally:
            try:
                signal.setitimer(signal.ITIMER_REAL, 0)
            finally:
                signal.signal(signal.SIGALRM, before)


# The standard input


class _NoInput:
    """A standard input from which nothing can be read."""

    def __getattr__(self, name: str) -> Any:
        if name in ("encoding", "errors", "closed"):
            raise AttributeError(name)
        return _refuse

    def __iter__(self) -> Iterator[str]:
        _refuse()


def _refuse(*given: object) -> NoReturn:
    raise _ReadsInput("it reads the standard input")


@contextmanager
def _no_input() -> Iterator[None]:
    """Refuse to read the standard input."""
    plain, given = builtins.input, sys.stdin
    builtins.input, sys.stdin = _refuse, _NoInput()
    try:
        yield
    finally:
        builtins.input, sys.stdin = plain, given


# The files beside a file


class _Neighbours:
    """The modules that a user's file imports from its own folders.

    Two files in two folders may each import a `constants.py`; each gets its own.
    """

    known: ClassVar[dict[str, _Neighbours]] = {}
    """The neighbours of each file that has been run, by its path."""

    @classmethod
    def of(cls, path: str) -> _Neighbours:
        """Return the neighbours of a file."""
        key = os.path.abspath(path)
        found = cls.known[key] = cls.known.get(key) or cls(key)
        names = files_of_python(path)
        found.files = frozenset(map(os.path.abspath, names))
        found.versions = {name: version_of_file(name) for name in names[1:]}
        return found

    def __init__(self, path: str) -> None:
        self.path = path
        self.files: frozenset[str] = frozenset()
        """The file, and all files that it imports from its folders."""
        self.versions: dict[str, Any] = {}
        self.modules: dict[str, ModuleType] = {}
        """The modules by name, as this file imported them."""

    def forget_changed(self) -> None:
        """Forget the modules if a file was changed since, so that importing them runs them again.

        Python's own cache of bytecode is not used for a user's files, since it cannot tell two
        versions of one second apart.
        """
        if any(_imported.get(name, now) != now for name, now in self.versions.items()):
            for name in self._loaded():
                del sys.modules[name]
            self.modules = {}
        invalidate_caches()
        _imported.update(self.versions)

    def _loaded(self) -> dict[str, ModuleType]:
        """Return the neighbours among all modules, by name."""
        others = self.files - {self.path}
        return {
            name: module
            for name, module in list(sys.modules.items())
            if os.path.abspath(getattr(module, "__file__", None) or "") in others
        }

    @contextmanager
    def importable(self) -> Iterator[None]:
        """Put the folders of the file on the path, and hide equally named modules of others."""
        first, *more = roots_of(self.path)
        hidden = {
            name: module
            for other in self.known.values()
            for name, module in other.modules.items()
            if sys.modules.get(name) is module
            and os.path.abspath(getattr(module, "__file__", None) or "") not in self.files
        }
        for name in hidden:
            del sys.modules[name]
        sys.modules.update(self.modules)
        sys.path.insert(0, first)
        sys.path.extend(more)
        try:
            yield
        finally:
            for folder in more:
                if folder in sys.path:
                    del sys.path[len(sys.path) - 1 - sys.path[::-1].index(folder)]
            if first in sys.path:
                sys.path.remove(first)
            self.modules = self._loaded()
            for name, module in hidden.items():
                sys.modules.setdefault(name, module)

    def serve_late_imports(self, module: ModuleType) -> None:
        """Let functions of the file, and of its neighbours, import neighbours when called.

        A process that watches imports, as that of a submission does, has the folder on its path.
        """
        if len(self.files) > 1 and builtins.__import__ in (_plain_import, _import):
            for name in (str(module.__file__), *self.files):
                _homes[name] = self
            builtins.__import__ = _import


_imported: dict[str, Any] = {}
"""The versions of files that a user's file imported from its folder, as they were then."""
_homes: dict[str, _Neighbours] = {}
"""The neighbours that the code of a file may import, by its path."""
_plain_import: Callable[..., Any] = builtins.__import__


def _import(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    """Import a module as Python does, and for a user's code also from its own folders."""
    home = _homes.get(globals.get("__file__", "")) if _homes and globals else None
    if home is not None:
        package = str(globals.get("__package__") or "")
        top = (package if level else name).partition(".")[0]
        found = home.modules.get(top)
        if found is None or sys.modules.get(top) is not found:
            with home.importable():
                return _plain_import(name, globals, locals, fromlist, level)
    return _plain_import(name, globals, locals, fromlist, level)
