"""Python files of people's own: how a name of one is loaded, and how what it raises is told."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from plyscope.errors import NotationError

OF_FILE = re.compile(r"\.py:\w+$")


class Overdue(BaseException):
    """Raised by us inside a stranger's function that takes too long.

    It is no Exception, so that the function does not swallow it.
    """


OURS = (KeyboardInterrupt, Overdue)
"""What passes through a stranger's function from us; whatever else comes out of it, SystemExit too,
is an error of that function."""


def in_one_line(error: BaseException) -> str:
    """Return the kind of the error and what it says."""
    return ": ".join(filter(None, (type(error).__name__, " ".join(text_of(error).split()))))


def text_of(thing: object) -> str:
    """Return the text of an object that strangers have made, which may refuse to have one."""
    try:
        return str(thing)
    except OURS:
        raise
    except BaseException:
        return f"<{type(thing).__name__} without text>"


def is_of_file(text: str) -> bool:
    """Return whether the text names something in a file, `file.py:name`."""
    return OF_FILE.search(text) is not None


def version_of_file(path: str) -> tuple[int, ...] | None:
    """Return what changes with a file's content, None where it is gone."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size


def load_callable(text: str, what: str, expected: str) -> tuple[str, Any]:
    """Run the file of `file.py:name`, a `what`; return the name and the function or class.

    Raises NotationError, which says what was `expected`.
    """
    return load_named(text, what, expected, callable)


def load_named(text: str, what: str, expected: str, fits: Any) -> tuple[str, Any]:
    """Run the file of `file.py:name`, a `what`; return the name and what it names, which `fits`.

    Raises NotationError, which says what was `expected`.
    """
    path, _, name = text.rpartition(":")
    if not os.path.isfile(path):  # which takes any text: a null byte, 1,000 characters
        raise NotationError(f"no file {path!r} for the {what} {text!r}; expected file.py:name")
    module = _run(path, what, text)
    found = vars(module).get(name)
    if not fits(found):
        known = [
            key for key, value in vars(module).items() if fits(value) and not key.startswith("_")
        ]
        wanted = f"one of {', '.join(known)}" if known else expected
        kind = "function" if fits is callable else what
        raise NotationError(f"no {kind} {name!r} in {path!r}; expected {wanted}")
    return name, found


_PREFIX = "plyscope_file_"
"""How the modules are called that are somebody's files: a name of their own, which hides no other
module, and by which dataclasses and pickles find them."""


def _run(path: str, what: str, text: str) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    digest = hashlib.sha256(os.path.abspath(path).encode(errors="replace")).hexdigest()[:12]
    spec = spec_from_file_location(f"{_PREFIX}{digest}", Path(path))
    if spec is None or spec.loader is None:
        raise NotationError(
            f"cannot load {path!r} for the {what} {text!r}; expected a Python file, file.py:name"
        )
    module = sys.modules[spec.name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except OURS:
        raise
    except BaseException as error:  # whatever a stranger's file raises is reported by name
        raise NotationError(
            f"running {path!r} for the {what} {text!r} raised {in_one_line(error)}"
        ) from None
    return module


def blamed(error: BaseException) -> str:
    """Return where in somebody's file an error was raised, and what it says; empty where it came
    through none."""
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
