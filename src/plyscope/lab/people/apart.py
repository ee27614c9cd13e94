"""`UserProcess`: user code in its own process, with limits on time, memory and output.

A `UserProcess` is a child process that has run a Python file; `apart_worker.py` is the program of
the child. Requests are pickles, which only this side writes. Answers are lines of JSON and are
checked, since user code may forge them. The file's output comes with the answers, up to a limit.
"""

from __future__ import annotations

import json
import os
import pickle
import site
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from threading import get_ident
from typing import Any, Generic, Protocol, TypeVar

from plyscope import cache
from plyscope.errors import AgentError, NotationError, OptionError, PlyscopeError
from plyscope.lab.people.apart_worker import MAX_OUTPUT_CHARS
from plyscope.lab.people.files import files_of_game, version_of_heuristic
from plyscope.lab.people.sandbox import SANDBOX_PARTS, Sandbox, home_of_plyscope, sandbox_error
from plyscope.processes import Child, Failed, Kind, module_command
from plyscope.pythonfile import path_of
from plyscope.rules.game import GamePosition, one_line
from plyscope.rules.position import Position

DEFAULT_MEGABYTES = 2_000
"""Default memory limit of a user process."""
START_SECONDS = 30.0
"""The time limit for running a file, and for starting a search, which may need compiling."""
MAX_REASON_CHARS = 400
MAX_OUTPUT_BYTES = 64 * MAX_OUTPUT_CHARS
"""The limit of the lines of output before an answer; a line of one character has less than 64."""
NOTES_SECONDS = 5.0
"""The time limit for notes on a user's function, and for reading it."""
GRACE_SECONDS = 0.05
"""Delay accepted beyond the limit of an answer."""
SERVED_FACTOR = 4
"""An algorithm's requests about nodes may cost this process that many times its time limit; what
they cost beyond it is the algorithm's own time."""
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",  # modules in HOME would run before the sandbox
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""The environment in a sandbox; one thread, since the sandbox allows no more."""
PASSED_VARIABLES = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Variables that Python may need in order to start."""
PATH_VARIABLES = ("PATH", "HOME", "PLYSCOPE_CACHE", "XDG_CACHE_HOME")
"""Variables that locate programs and the cache."""
MAX_RUNNING = 8
"""User processes kept alive; the least recently used one is ended first."""


class Raised(Failed):
    """Raised when user code has raised an exception; the process can be used again."""


class Forbidden(Failed):
    """Raised when user code has used a forbidden module."""


class Ends(Protocol):
    """A process that can be ended."""

    @property
    def is_running(self) -> bool:
        """Whether the process answers requests."""

    def end(self) -> None:
        """End the process."""


Runs = TypeVar("Runs", bound=Ends)


class Running(Generic[Runs]):
    """Processes kept alive between requests, by key and calling thread."""

    def __init__(self) -> None:
        self._all: OrderedDict[Hashable, Runs] = OrderedDict()

    @contextmanager
    def of(self, key: Hashable, start: Callable[[], Runs]) -> Iterator[Runs]:
        """Yield the process of `key`, starting it if necessary; end it on any error other than
        Raised."""
        place = (key, get_ident())
        running = self._all.pop(place, None)
        if running is None or not running.is_running:
            running = start()
        try:
            yield running
        except Raised:
            self._all[place] = running
            raise
        except BaseException:
            running.end()
            raise
        self._all[place] = running
        while len(self._all) > MAX_RUNNING:
            self._all.popitem(last=False)[1].end()


class UserProcess:
    """A child process that has run a file. Raises NotationError, with the reason, if it cannot.

    With `sandbox` the child enters the sandbox, with `folder` as its working directory, before it
    runs the file. With `is_strict` printing more than MAX_OUTPUT_CHARS raises OSError. The file,
    and everything it calls, cannot import the `forbidden` modules. A `game` is loaded before the
    sandbox is entered.
    """

    def __init__(
        self,
        kind: str,
        text: str,
        megabytes: int,
        sandbox: Sandbox | None = None,
        environment: Mapping[str, str] | None = None,
        folder: str | None = None,
        is_strict: bool = False,
        forbidden: tuple[str, ...] = (),
        game: Any = None,
    ) -> None:
        command = module_command("plyscope.lab.people.apart_worker")
        held_as: Kind = "group" if sandbox is None else "sandbox"
        self.child = Child(command, megabytes, folder, environment, held_as)
        self.game = game
        self.prepared: set[Any] = set()
        try:
            first = kind, text, sandbox, is_strict, forbidden, game
            self.begun, _ = self.ask(first, START_SECONDS)
        except Raised as failure:
            self.end()
            raise NotationError(failure.reason) from None
        except BaseException as error:
            self.end()
            if isinstance(error, Failed):
                raise NotationError(
                    f"{_spoken(kind)} {text!r} {error.reason}; expected a file that can be run"
                ) from None
            raise

    @property
    def is_running(self) -> bool:
        """Whether the process answers requests."""
        return self.child.is_running

    def end(self) -> None:
        """End the process and its children."""
        self.child.end()

    def begin(self, game: Any, *preparation: Any) -> None:
        """Set the game, and send its `preparation` once, before the time of a move is measured.
        Raises Failed."""
        if self.game is not game:
            self.ask(("game", game), START_SECONDS)
            self.game, self.prepared = game, set()
        if preparation and preparation not in self.prepared:
            self.ask(("prepare", *preparation), START_SECONDS)
            self.prepared.add(preparation)

    def ask(
        self,
        question: Any,
        seconds: float,
        what: str = "answer",
        read: Callable[[Any], Any] | None = None,
    ) -> tuple[dict[str, Any], str]:
        """Send a request and return the answer, a JSON object, and the output. Raises Failed or a
        subclass.

        `read` answers an algorithm's requests about nodes; it may raise Failed. `seconds` limits
        the time that the child runs or sleeps, without scheduling delay.
        """
        try:
            text = pickle.dumps(question)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise PlyscopeError(
                f"{question[0]!r} cannot be handed to another process: {error}; "
                "expected a game of a file, such as 'nim.py:Nim'"
            ) from None
        output, size, served = "", 0, 0.0 if read is None else SERVED_FACTOR * seconds
        lines = self.child.converse(text, seconds, what, GRACE_SECONDS, served)
        try:
            while True:
                answer = json.loads(line := next(lines))
                if isinstance(said := answer.get("said"), str):
                    output, size = output + said, size + len(line)
                    is_long = len(output) > MAX_OUTPUT_CHARS or size > MAX_OUTPUT_BYTES
                    if not said or is_long:
                        raise Failed(f"wrote more than {MAX_OUTPUT_CHARS:,} characters of output")
                elif "forbidden" in answer:
                    raise Forbidden(_reason(answer["forbidden"]))
                elif "read" in answer and read is not None:
                    self.child.say(pickle.dumps(read(answer["read"])))
                elif "error" in answer:
                    raise Raised(_reason(answer["error"]))
                else:
                    return answer, output
        except Failed as failure:
            failure.output = output
            raise
        except (ValueError, AttributeError, RecursionError):
            raise Failed("gave an answer that cannot be read", output) from None


def _reason(said: Any) -> str:
    """Return an error message of user code on one line."""
    return " ".join(str(said).split())[:MAX_REASON_CHARS]


def _spoken(kind: str) -> str:
    """Return the noun that messages use for a function of this kind."""
    return "agent" if kind == "either" else kind


def failed(name: str, failure: Failed | NotationError, position: Any) -> AgentError:
    """Return the error for an agent that failed on a position, or could not be restarted."""
    if isinstance(failure, NotationError):
        return AgentError(f"agent {name!r} could not be started again: {failure}")
    return AgentError(f"agent {name!r} {located(failure, position)}", failure.output)


def located(failure: Failed, position: Any) -> str:
    """Return the reason of a failure, with the position."""
    shown = one_line(position)
    return failure.reason if f"'{shown}'" in failure.reason else f"{failure.reason} on '{shown}'"


def read_move(answer: Mapping[str, Any], position: Any, output: str = "") -> Any:
    """Return the legal move of an answer to `move`. Raises Failed."""
    legal, index = tuple(position.moves), answer.get("move")
    if type(index) is not int or not 0 <= index < len(legal):
        raise Failed("gave an answer that cannot be read", output)
    return legal[index]


def packed(position: Any) -> Any:
    """Return a position as sent to the child, without its game, which is sent only once."""
    return tuple(position)[1:] if isinstance(position, Position | GamePosition) else position


_running: Running[UserProcess] = Running()


@contextmanager
def user_process(
    kind: str,
    text: str,
    megabytes: int = DEFAULT_MEGABYTES,
    sandbox: bool = False,
    game: Any = None,
    hashes: str | None = None,
) -> Iterator[UserProcess]:
    """Yield the process of a function in a file; an edited file gets a new process.

    `kind` is a key of the worker's HANDLERS, `text` is `file.py:name`. With `sandbox` the process
    can read its own folder, the files of `game` and Python's, and does not inherit the environment.
    `hashes` is the seed of Python's hashes. Raises NotationError and Failed; raises OptionError if
    this machine cannot enforce a sandbox.
    """
    files = files_of_game(game) if sandbox and game is not None else ()
    key = kind, text, megabytes, sandbox, files, hashes, version_of_heuristic(text)
    more = {} if hashes is None else {"PYTHONHASHSEED": hashes}
    with _running.of(key, lambda: _started(kind, text, megabytes, sandbox, files, more)) as running:
        yield running


def notes_of_file(
    kind: str, text: str, megabytes: int, sandbox: bool, game: Any, *preparation: Any
) -> tuple[str, ...]:
    """Return the notes on a function in a file; () if it fails, which its first use reports."""
    with (
        suppress(Failed, PlyscopeError),
        user_process(kind, text, megabytes, sandbox, game) as worker,
    ):
        worker.begin(game, *preparation)
        notes = worker.ask(("notes",), NOTES_SECONDS)[0].get("notes")
        if isinstance(notes, list):
            return tuple(map(str, notes))
    return ()


def _started(
    kind: str,
    text: str,
    megabytes: int,
    is_sandboxed: bool,
    files: tuple[str, ...],
    more: Mapping[str, str],
) -> UserProcess:
    if not is_sandboxed:
        return UserProcess(kind, text, megabytes, None, {**os.environ, **more} if more else None)
    sandbox = sandbox_of(path_of(text))
    sandbox = replace(sandbox, files=(*sandbox.files, *files, str(cache.home())))
    environment = {**sandbox_environment(*PATH_VARIABLES), **more}
    started = UserProcess(kind, text, megabytes, sandbox, environment)
    try:
        held = tuple(started.begun.get("held", ()))
        if held != SANDBOX_PARTS:
            raise OptionError(sandbox_error(held))
        started.begun |= started.ask(("load",), START_SECONDS)[0]
    except Failed as failure:
        started.end()
        is_told = isinstance(failure, Raised)
        expected = "" if is_told else "; expected a file that can be run in a sandbox"
        what = failure.reason if is_told else f"{_spoken(kind)} {text!r} {failure.reason}"
        raise NotationError(f"{what}{expected}") from None
    except BaseException:
        started.end()
        raise
    return started


def sandbox_of(*files: str) -> Sandbox:
    """Return a sandbox that can read the folders of `files` and everything below them.

    Raises OptionError for a file directly in the home directory or above it, since the sandbox
    could then read the whole home directory.
    """
    home = os.path.realpath(os.path.expanduser("~"))
    folders: dict[str, None] = {}
    for file in files:
        for folder in (
            os.path.dirname(os.path.abspath(file)),
            os.path.dirname(os.path.realpath(file)),
        ):
            if os.path.commonpath([os.path.realpath(folder), home]) == os.path.realpath(folder):
                raise OptionError(
                    f"{file!r} is in {folder!r}, all of which its sandbox could read; "
                    "expected a folder of its own"
                )
            folders[folder] = None
    first, *others = folders or [os.sep + "usr"]
    return Sandbox(first, tuple(others))


def sandbox_environment(*names: str) -> dict[str, str]:
    """Return the environment in a sandbox: fixed variables, and the current ones of `names`."""
    passed = {name: os.environ[name] for name in (*PASSED_VARIABLES, *names) if name in os.environ}
    packages = [home_of_plyscope(), *[site.getusersitepackages()] * bool(site.ENABLE_USER_SITE)]
    return {**passed, **ENVIRONMENT, "PYTHONPATH": os.pathsep.join(packages)}
