"""Strangers' code in a process of its own: what asks it, and ends it when it does not answer.

A `Stranger` is a Python file that has been run in a child (`apart_worker.py` is what runs there).
Questions go out as pickles, since we made them; answers come back as lines of JSON, which are
checked, since we did not. What the file prints comes along and is capped.
"""

from __future__ import annotations

import json
import os
import pickle
import site
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from threading import get_ident
from typing import Any, Generic, Protocol, TypeVar

from plyscope.errors import AgentError, NotationError, OptionError, PlyscopeError
from plyscope.lab.files import files_of_game, version_of_heuristic
from plyscope.lab.sandbox import HELD, Sandbox, home_of_plyscope, not_held
from plyscope.machine import cache
from plyscope.processes import Child, Failed, Kind, module_command
from plyscope.pythonfile import path_of
from plyscope.rules.game import GamePosition, one_line
from plyscope.rules.position import Position

MEGABYTES = 2_000
"""Memory that a stranger's process may have, unless said."""
OUTPUT = 10_000
"""Characters that are kept of what is printed for one move, and for one game."""
START_SECONDS = 30.0
"""What a file may take to be run, and what a search may need until it has started: its kernel may
have to be compiled."""
LONGEST_REASON = 400
BATCH = 0.2
"""Seconds after which a stranger answers with the values it has, and is asked for the rest."""
GRACE = 0.05
"""Seconds by which an answer may be late."""
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",  # whose modules would run before the sandbox, from a stranger's HOME
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""What a sandboxed process knows of an environment; one thread, as a sandbox holds one."""
KEPT = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Variables without which Python may not start."""
PLACES = ("PATH", "HOME", "PLYSCOPE_CACHE", "XDG_CACHE_HOME")
"""Variables by which programs and the cache are found."""
MOST_RUNNING = 8
"""Strangers that are kept running; the one not asked for the longest time is ended first."""


class Raised(Failed):
    """Raised for a stranger that has answered by raising something: it can be asked again."""


class Forbidden(Failed):
    """Raised for a stranger that has used a module that it must not use."""


class Ends(Protocol):
    """What runs, and can be ended."""

    @property
    def is_running(self) -> bool:
        """Whether it can be asked."""

    def end(self) -> None:
        """End it."""


Runs = TypeVar("Runs", bound=Ends)


class Running(Generic[Runs]):
    """Processes that are kept between questions, each for its key and the thread that asks."""

    def __init__(self) -> None:
        self._all: OrderedDict[Hashable, Runs] = OrderedDict()

    @contextmanager
    def of(self, key: Hashable, start: Callable[[], Runs]) -> Iterator[Runs]:
        """Give what runs for `key`, started if need be; whatever is raised, but Raised, ends it."""
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
        while len(self._all) > MOST_RUNNING:
            self._all.popitem(last=False)[1].end()


class Stranger:
    """A child that has run a file. Raises NotationError with the reason where it could not.

    With a `sandbox` it has entered that, in the working directory `folder`, and runs the file when
    it is asked to `load`; with `is_strict` printing more than OUTPUT characters raises OSError. The
    modules `forbidden` are refused to the file and to all that it calls.
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
    ) -> None:
        command = module_command("plyscope.lab.apart_worker")
        held_as: Kind = "group" if sandbox is None else "sandbox"
        self.child = Child(command, megabytes, folder, environment, held_as)
        self.tried: list[str] = []
        """What it did that its sandbox refused, as far as Python saw it."""
        self.game: Any = None
        self.prepared: set[Any] = set()
        try:
            self.begun, _ = self.ask((kind, text, sandbox, is_strict, forbidden), START_SECONDS)
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
        """Whether it can be asked."""
        return self.child.is_running

    def end(self) -> None:
        """End it with whatever it has started."""
        self.child.end()

    def begin(self, game: Any, *preparation: Any) -> None:
        """Tell the game, and prepare once for it what is not to come off a move's time; Failed."""
        if self.game is not game:
            self.ask(("game", game), START_SECONDS)
            self.game, self.prepared = game, set()
        if preparation and preparation not in self.prepared:
            self.ask(("prepare", *preparation), START_SECONDS)
            self.prepared.add(preparation)

    def prepare_to_watch(self) -> None:
        """Have it load what watching a function needs, so that no move is charged for it."""
        if "watch" not in self.prepared:
            self.ask(("watch",), START_SECONDS)
            self.prepared.add("watch")

    def ask(
        self, question: Any, seconds: float, what: str = "answer"
    ) -> tuple[dict[str, Any], str]:
        """Return the answer, which is some object of JSON, and the output; raise Failed, or one of
        its kinds.

        The limit counts the `seconds` that the child runs or sleeps, not its scheduling delay.
        """
        try:
            text = pickle.dumps(question)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise PlyscopeError(
                f"{question[0]!r} cannot be handed to another process: {error}; "
                "expected a game of a file, such as 'nim.py:Nim'"
            ) from None
        lines, output = self.child.converse(text, seconds, what, GRACE), ""
        try:
            while True:
                answer = json.loads(next(lines))
                if isinstance(said := answer.get("said"), str):
                    output = (output + said)[:OUTPUT]
                elif "tried" in answer:
                    self.tried.append(str(answer["tried"])[:LONGEST_REASON])
                elif "forbidden" in answer:
                    raise Forbidden(_reason(answer["forbidden"]))
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
    """Return a stranger's reason on one line."""
    return " ".join(str(said).split())[:LONGEST_REASON]


def _spoken(kind: str) -> str:
    """Return what messages call a function of this kind."""
    return "agent" if kind == "either" else kind


def failed(name: str, failure: Failed | NotationError, position: Any) -> AgentError:
    """Return the error of an agent that has failed on a position, or could not be started again."""
    if isinstance(failure, NotationError):
        return AgentError(f"agent {name!r} could not be started again: {failure}")
    shown = one_line(position)
    place = "" if f"'{shown}'" in failure.reason else f" on '{shown}'"
    return AgentError(f"agent {name!r} {failure.reason}{place}", failure.output)


def read_move(
    answer: Mapping[str, Any], position: Any, output: str = ""
) -> tuple[Any, tuple[str, ...]]:
    """Return the legal move of an answer to `move`, and what it draws on; raise Failed."""
    legal, index = tuple(position.moves), answer.get("move")
    if type(index) is not int or not 0 <= index < len(legal):
        raise Failed("gave an answer that cannot be read", output)
    return legal[index], tuple(map(str, answer.get("moved") or ()))


def packed(position: Any) -> Any:
    """Return a position as it is handed over: without the game, which is told once before."""
    return tuple(position)[1:] if isinstance(position, Position | GamePosition) else position


_running: Running[Stranger] = Running()


@contextmanager
def stranger(
    kind: str,
    text: str,
    megabytes: int = MEGABYTES,
    sandbox: bool = False,
    game: Any = None,
    hashes: str | None = None,
) -> Iterator[Stranger]:
    """Give the process of a function in a file; an edited file is another one.

    `kind` is one of the worker's DESKS, `text` is `file.py:name`. With `sandbox` it reads its own
    folder, the files of `game` and what Python is made of, and knows nothing of our environment.
    `hashes` is the seed of Python's hashes. Raises NotationError, Failed; OptionError where this
    machine holds no sandbox.
    """
    files = files_of_game(game) if sandbox and game is not None else ()
    key = kind, text, megabytes, sandbox, files, hashes, version_of_heuristic(text)
    more = {} if hashes is None else {"PYTHONHASHSEED": hashes}
    with _running.of(key, lambda: _started(kind, text, megabytes, sandbox, files, more)) as running:
        yield running


def _started(
    kind: str,
    text: str,
    megabytes: int,
    is_sandboxed: bool,
    files: tuple[str, ...],
    more: Mapping[str, str],
) -> Stranger:
    if not is_sandboxed:
        return Stranger(kind, text, megabytes, None, {**os.environ, **more} if more else None)
    sandbox = sandbox_of(path_of(text))
    sandbox = replace(sandbox, files=(*sandbox.files, *files, str(cache.home())))
    environment = {**sandbox_environment(*PLACES), **more}
    started = Stranger(kind, text, megabytes, sandbox, environment)
    try:
        held = tuple(started.begun.get("held", ()))
        if held != HELD:
            raise OptionError(not_held(held))
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
    """Return the sandbox of a stranger's files, whose folders can be read with all below.

    Raises OptionError for a file in the home directory or above, which would be all readable.
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
                    f"{file!r} lies in {folder!r}, all of which its sandbox would let it read; "
                    "expected a folder of its own"
                )
            folders[folder] = None
    first, *others = folders or [os.sep + "usr"]
    return Sandbox(first, tuple(others))


def sandbox_environment(*names: str) -> dict[str, str]:
    """Return the environment in a sandbox: a fixed one, and our variables of these names."""
    given = {name: os.environ[name] for name in (*KEPT, *names) if name in os.environ}
    packages = [home_of_plyscope(), *[site.getusersitepackages()] * bool(site.ENABLE_USER_SITE)]
    return {**given, **ENVIRONMENT, "PYTHONPATH": os.pathsep.join(packages)}
