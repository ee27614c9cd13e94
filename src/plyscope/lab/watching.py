"""`Watch`: the sources of randomness of a function: random numbers, clocks, files, processes.

`Watch` calls a function under Python's profiler, which reports each call of a C function. It also
compares the states of the common random number generators before and after. It does not see inside
compiled extensions. Everything that it reports has happened, but it may miss something.

A call counts if the user's code makes it, directly or through a library, but not while a module is
imported. Some calls of `hash` and `id` do not count: hashes of numbers, which are the same in every
process; hashes that a `__hash__` method combines; and calls by a library, which uses the results as
keys. plyscope's searches read the clock to measure their time. That counts only if such a search
has a limit of seconds, or if the user's code mentions `seconds`.
"""

from __future__ import annotations

import builtins
import os
import random
import sys
import sysconfig
from collections.abc import Callable, Iterable
from datetime import date
from functools import lru_cache
from importlib import import_module
from itertools import chain
from threading import get_ident
from types import CodeType, FrameType
from typing import Any, cast

from plyscope.lab.agents import connectx
from plyscope.searching.limit import Limit

CHANCE, CLOCK = "draws from `{}`", "reads the clock (`{}`)"
CLOCKS = (
    *("time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"),
    *("time_ns", "monotonic_ns", "perf_counter_ns", "process_time_ns", "thread_time_ns"),
    *("clock_gettime_ns", "localtime", "gmtime", "ctime", "strftime", "asctime"),
)
PROCESS, THREAD = "starts a process", "starts a thread"
WRITES, READS = "writes a file", "reads `{}`"

NUMBER = "uses the id of an object, a thread or a process"
HASH = "takes a hash that may differ between processes"
COUNTS = "inspects the interpreter's memory"
HASH_FUNCTION = hash
KEYS = ("hash", "id", "get_ident")
"""Functions that count only if the user's code calls them directly.

Libraries use their results as keys: `copy.deepcopy`, `json`, the `repr` of dataclasses and arrays.
"""
TRACING = "changes how Python is traced"
CALLS: dict[tuple[str, str], str] = {
    **{("time", name): CLOCK.format(f"time.{name}") for name in CLOCKS},
    **{
        (system, name): told
        for system in ("posix", "nt")
        for name, told in {
            "urandom": CHANCE.format("os.urandom"),
            "getrandom": CHANCE.format("os.getrandom"),
            "times": CLOCK.format("os.times"),
            "getloadavg": CLOCK.format("os.getloadavg"),
            "getpid": NUMBER,
            "fork": PROCESS,
            "system": PROCESS,
            "posix_spawn": PROCESS,
        }.items()
    },
    ("resource", "getrusage"): CLOCK.format("resource.getrusage"),
    ("_ssl", "RAND_bytes"): CHANCE.format("ssl"),
    ("_posixsubprocess", "fork_exec"): PROCESS,
    ("_winapi", "CreateProcess"): PROCESS,
    ("_thread", "start_new_thread"): THREAD,
    ("_thread", "start_joinable_thread"): THREAD,
    ("_uuid", "generate_time_safe"): CLOCK.format("uuid"),
    ("builtins", "id"): NUMBER,
    ("builtins", "hash"): HASH,
    ("_thread", "get_ident"): NUMBER,
    ("_thread", "get_native_id"): NUMBER,
    ("gc", "get_count"): COUNTS,
    ("gc", "get_stats"): COUNTS,
    ("sys", "_current_frames"): COUNTS,
    ("sys", "getallocatedblocks"): COUNTS,
    ("sys", "setprofile"): TRACING,
    ("sys", "settrace"): TRACING,
}
"""A phrase for each C function that counts, by its module and name."""
SYSTEM_FILES = ("/proc/", "/sys/")
"""Folders whose files the kernel generates each time they are read."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
DATES = ("now", "utcnow", "today")
DRAWS = ("random", "getrandbits", "seed", "setstate")
NAMES = frozenset(name for _, name in CALLS) | {*DATES, *DRAWS}
COMMON, NUMPY = CHANCE.format("random"), CHANCE.format("numpy.random")
SECONDS = CLOCK.format("seconds")
OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CONNECTX_FILE = os.path.abspath(connectx.__file__)
"""The file of ConnectXPlayer; it counts as a library, since it only calls the user's function."""
LIBRARIES = tuple(
    os.path.join(os.path.abspath(folder), "")
    for folder in dict.fromkeys(
        sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")
    )
)
INSTALLED = frozenset(("site-packages", "dist-packages"))
"""Names of folders with installed libraries; Python may use several: the user's, the system's."""
IMPORTING = ("<frozen importlib", "<frozen zipimport")


class Watch:
    """Watches calls of a function, and collects its sources of randomness in `moved`."""

    def __init__(self) -> None:
        self.moved: dict[str, None] = {}
        """Phrases whose subject is the function, in the order found; the values are None."""
        self._reads_ours = self._mentions_seconds = False
        """Whether plyscope read the clock during a call; whether the user's code contains the word
        `seconds`."""
        self._known: dict[CodeType, bool] = {}

    def call(self, function: Callable[..., Any], *given: Any) -> Any:
        """Call the function and note its sources of randomness; return its result or raise its
        error."""
        before, profiler = _common_numbers(), sys.getprofile()
        self._top, self._thread = sys._getframe(), get_ident()
        _install_file_hook()
        _watching.append(self)
        builtins.hash = self._hash
        sys.setprofile(self._profile)
        try:
            return function(*given)
        finally:
            sys.setprofile(profiler)
            builtins.hash = HASH_FUNCTION
            _watching.remove(self)
            del self._top
            after = _common_numbers()
            for words, one, other in zip((COMMON, NUMPY), before, after, strict=True):
                if one != other:
                    self.moved[words] = None
            if self._reads_ours and self._mentions_seconds:
                self.moved[SECONDS] = None

    def _profile(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call":
            if called.__name__ in NAMES:
                self._note(frame, called)
        elif event == "call":
            code = frame.f_code
            is_limit = self._known.get(code)
            if is_limit is None:
                is_limit = self._known[code] = code is Limit.__post_init__.__code__
                if _owner(frame) == "user" and _mentions(code, "seconds"):
                    self._mentions_seconds = True
            if is_limit and frame.f_locals["self"].seconds is not None:
                self.moved[SECONDS] = None

    def _hash(self, value: object, /) -> int:
        """Return the hash of a value; note the call unless the value consists of numbers, or the
        hash is a key."""
        caller = sys._getframe(1)
        is_key = caller.f_code.co_name == "__hash__" or _owner(caller) == "library"
        if get_ident() == self._thread and not is_key and not _is_of_numbers(value):
            self.note(caller, HASH)
        return HASH_FUNCTION(value)

    def _note(self, frame: FrameType, called: Any) -> None:
        """Note the call of a C function if it counts."""
        words = _words(called)
        if words in (HASH, NUMBER) and called.__name__ in KEYS and _owner(frame) == "library":
            return
        if words is not None and not (called is sys.setprofile and frame is self._top):
            self.note(frame, words)

    def opens(self, frame: FrameType, path: Any, mode: Any, flags: Any) -> None:
        """Note a file that this thread opens for writing, or an existing path that is not a regular
        file or is in SYSTEM_FILES."""
        if get_ident() != self._thread or not isinstance(path, str | bytes):
            return
        if flags & WRITING if isinstance(flags, int) else set(str(mode)) & set("wax+"):
            self.note(frame, WRITES)
        elif os.path.exists(path):
            is_systems = os.path.realpath(os.fsdecode(path)).startswith(SYSTEM_FILES)
            if is_systems or not os.path.isfile(path):
                self.note(frame, READS.format(os.fsdecode(path)))

    def note(self, frame: FrameType, words: str) -> None:
        """Add a phrase for a call in a frame, unless plyscope's code makes the call or a module is
        being imported."""
        if words in self.moved:
            return
        caller: FrameType | None = frame
        while caller is not None and caller is not self._top:
            if caller.f_code.co_filename.startswith(IMPORTING):
                return
            owner = _owner(caller)
            if owner == "plyscope":
                self._reads_ours |= words.startswith(CLOCK[:9])
                return
            if owner == "user":
                break
            caller = caller.f_back
        self.moved[words] = None


_watching: list[Watch] = []


@lru_cache(maxsize=1)
def _install_file_hook() -> None:
    """Install an audit hook that passes each opened file to the active watches."""

    def on_event(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and _watching:
            for watch in tuple(_watching):
                watch.opens(sys._getframe(1), *arguments)

    sys.addaudithook(on_event)


def _is_of_numbers(value: object) -> bool:
    """Return whether a value is a number other than NaN, or a tuple or frozenset of such values."""
    if type(value) in (tuple, frozenset):
        return all(map(_is_of_numbers, cast(Iterable[object], value)))
    return type(value) in (int, bool, float) and value == value


def _words(called: Any) -> str | None:
    """Return the phrase for a C function, None if it does not count."""
    name, owner = called.__name__, getattr(called, "__self__", None)
    if isinstance(owner, random.Random):
        return COMMON
    if isinstance(owner, type) and issubclass(owner, date):
        return CLOCK.format(f"datetime.{name}")
    return CALLS.get((getattr(called, "__module__", None) or "", name))


def _owner(frame: FrameType) -> str:
    """Return the owner of the code in a frame, as `owner_of` does."""
    path = frame.f_code.co_filename
    if path.startswith("<"):  # such as generated methods of dataclasses
        path = str(frame.f_globals.get("__file__") or path)
    return owner_of(path)


@lru_cache(maxsize=4096)
def owner_of(path: str) -> str:
    """Return the owner of the code in a file: "plyscope", "library" or "user"."""
    if path.startswith("<"):  # no file: typed at a prompt, or a frozen module of Python
        return "library" if path.startswith("<frozen") else "user"
    place = os.path.abspath(path)
    if place == CONNECTX_FILE:
        return "library"
    if place.startswith(os.path.join(OURS, "")):
        return "plyscope"
    is_installed = not INSTALLED.isdisjoint(place.split(os.sep))
    return "library" if is_installed or place.startswith(LIBRARIES) else "user"


def _mentions(code: CodeType, word: str) -> bool:
    """Return whether code has this word as a name, an attribute, a keyword or a string."""
    constants = (each if type(each) is tuple else (each,) for each in code.co_consts)
    return any(type(each) is str and each == word for each in chain(code.co_names, *constants))


def prepare() -> None:
    """Import NumPy's random numbers, so that this does not count against the first watched move."""
    _common_numbers()


def _common_numbers() -> tuple[Any, Any]:
    """Return the states of Python's and NumPy's common random number generators."""
    numpy = import_module("numpy.random")  # imported here, so that other moves do not wait for it
    return random.getstate(), plain_numbers(numpy.get_state(legacy=False))


def plain_numbers(state: Any) -> Any:
    """Return the state of a NumPy random generator with bytes in place of arrays, so that states
    can be compared."""
    if isinstance(state, dict):
        return tuple((name, plain_numbers(value)) for name, value in state.items())
    return state.tobytes() if hasattr(state, "tobytes") else state
