"""Agents that are Python functions: of this process, or of a file, run in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from plyscope.errors import AgentError, NotationError
from plyscope.lab.agents.agent import Agent, AllChoices, Choice, legal_move
from plyscope.lab.agents.readings import IsHeuristic, Unclear
from plyscope.lab.apart import DEFAULT_MEGABYTES, failed, packed, read_move, user_process
from plyscope.lab.files import files_of_python
from plyscope.lab.kept_state import kept_state, what_moved
from plyscope.lab.watching import Watch
from plyscope.owntime import OwnTime
from plyscope.processes import Failed
from plyscope.pythonfile import Overdue, in_one_line, interrupting, path_of
from plyscope.rules.game import one_line

ASKED, ASKED_MORE = 2, 8
"""How often a function is asked about a position at once, and where it draws on anything else."""
MOVES_DIFFER = "does not always give the same move"
WATCH_TIMEOUT, WATCH_FACTOR = "could not be watched in its time", 5
"""Times its limit that an answer may take while it is watched."""
OTHER_HASH_SEED = "1"
"""The seed of Python's hashes in the process that is asked again."""


class AskedAgent(Agent):
    """An agent that answers one position at a time, with a seed for its chance, and tells nothing
    of how it comes to its moves: they are a sample."""

    asked = ASKED_MORE
    """How often it is asked about a position where it draws on something."""

    def watched(self, position: Any) -> tuple[Any, Sequence[str]]:
        """Return its move, and what it draws on; raise AgentError."""
        raise NotImplementedError

    def compared(self, position: Any) -> tuple[Any, str | None]:
        """Return its move, and what it keeps since it was asked here before; raise AgentError."""
        raise NotImplementedError

    def move(self, position: Any, seed: str) -> Any:
        """Return its move; raise AgentError."""
        raise NotImplementedError

    def choices(self, position: Any) -> Sequence[Any]:
        """Return the move that it gives here."""
        return (self.move(position, ""),)

    def all_choices(self, position: Any) -> AllChoices:
        """Return the different moves that it gives for one position, and what it draws on besides.

        It is asked twice: watched, and with what it keeps compared; where it draws on something or
        keeps something new, `asked` times. That is a doubt, though it always answered alike.
        """
        moved: list[str] = []
        moves: list[Any] = []
        try:
            move, noted = self.watched(position)
            moves.append(move)
            moved += noted
        except AgentError:  # it is slower while it is watched; whether it has failed is seen next
            moved.append(WATCH_TIMEOUT)
        move, keeps = self.compared(position)
        moves.append(move)
        moved += [] if keeps is None else [keeps]
        if moved or len(moves) < ASKED:
            seeds = range(len(moves), self.asked)
            moves += [self.move(position, f"again {at}") for at in seeds]
        different = tuple(dict.fromkeys(moves))
        if len(different) > 1:
            moved.insert(0, MOVES_DIFFER)
        return AllChoices(different, ", ".join(dict.fromkeys(moved)) or None, len(moves))


@dataclass(frozen=True)
class FunctionAgent(AskedAgent):
    """A Python function that returns a move, as its number or its name (`b2`): `f(position)`, or
    one of the board (`BoardPlayer`), of which `as_player` makes such a function.

    What it raises, and whatever else is no move, is an AgentError. It runs in this process: one
    that waits inside the operating system cannot be interrupted, and one that ends the process
    does.
    """

    name: str
    function: Callable[..., Any]
    summary: str = "a Python function"
    seconds: float = 5.0
    """For a move: what the function runs and sleeps, without scheduling delay."""

    def again(self, position: Any) -> Any:
        """Return the move that the function gives now."""
        return self._answer(position)

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move that the function gives."""
        return Choice(self._answer(position))

    def watched(self, position: Any) -> tuple[Any, Sequence[str]]:
        """Return the move, and what the function draws on."""
        watch = Watch()
        move = self._answer(position, partial(watch.call, self.function), WATCH_FACTOR)
        return move, tuple(watch.moved)

    def compared(self, position: Any) -> tuple[Any, str | None]:
        """Return the move, and what the function keeps since it was asked here before."""
        before = kept_state(self.function)
        move = self._answer(position)
        return move, what_moved(before, kept_state(self.function))

    def move(self, position: Any, seed: str) -> Any:
        """Return the move; the common random numbers go on as they are."""
        return self._answer(position)

    def _answer(
        self, position: Any, function: Callable[..., Any] | None = None, slower: int = 1
    ) -> Any:
        spent = OwnTime.of_this_thread()
        try:
            with interrupting(lambda: spent.seconds() > slower * self.seconds):
                return legal_move(position, (function or self.function)(position))
        except AgentError as error:
            raise AgentError(f"agent {self.name!r} {error}") from None
        except Overdue:
            raise AgentError(
                f"agent {self.name!r} gave no move within {self.seconds:g} s "
                f"on '{one_line(position)}'"
            ) from None
        except KeyboardInterrupt:  # the user's
            raise
        # whatever a user's function raises is reported by name, with the position
        except BaseException as error:
            raise AgentError(
                f"agent {self.name!r} raised {in_one_line(error)} on '{one_line(position)}'; "
                "expected a move"
            ) from error


@dataclass(frozen=True)
class FileAgent(AskedAgent):
    """A function of a file, `file.py:name`, asked in a process of its own.

    Whatever it does instead of returning a move in time is an AgentError. Python's and NumPy's
    common random numbers begin anew for each move, with what the match has drawn so far, so that a
    match can be repeated.
    """

    name: str
    file: str
    summary: str = "a Python function in a process of its own"
    seconds: float = 5.0
    """For a move."""
    memory: int = DEFAULT_MEGABYTES
    """In megabytes."""
    kind: str = "agent"
    """`connectx` for a file of Kaggle's, `either` for a function that may be a heuristic."""
    sandbox: bool = False
    """Whether the process runs in a sandbox (`lab/sandbox.py`)."""

    @property
    def files(self) -> tuple[str, ...]:
        """What it is made of."""
        return files_of_python(path_of(self.file))

    def start(self) -> None:
        """Have the file run before the first game. Raises NotationError where it cannot be,
        IsHeuristic and Unclear where its function is one or may be."""
        with user_process(self.kind, self.file, self.memory, self.sandbox) as worker:
            reading = worker.begun.get("reading")
        asked = f"expected 'agent:{self.file}' or 'heuristic:{self.file}'"
        if self.kind == "either" and reading is None:
            raise Unclear(f"{self.file!r} may be an agent or a heuristic; {asked}")
        if self.kind == "either" and reading != "agent":
            raise IsHeuristic(f"{self.file!r} is a heuristic and no agent; {asked}")

    def again(self, position: Any) -> Any:
        """Return the move that the function gives in another process, in which Python's hashes are
        others."""
        return self._answer(position, "other", hashes=OTHER_HASH_SEED)[0].move

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move that the function gives."""
        return self._answer(position, str(hash(random.getstate()[1])))[0]

    def watched(self, position: Any) -> tuple[Any, Sequence[str]]:
        """Return the move, and what the function draws on."""
        choice, moved = self._answer(position, "", "watched", WATCH_FACTOR)
        return choice.move, moved

    def compared(self, position: Any) -> tuple[Any, str | None]:
        """Return the move, and what the function keeps since it was asked here before."""
        choice, moved = self._answer(position, "again", "compared")
        return choice.move, ", ".join(moved) or None

    def move(self, position: Any, seed: str) -> Any:
        """Return the move; the common random numbers begin at `seed`."""
        return self._answer(position, seed)[0].move

    def _answer(
        self, position: Any, seed: str, how: str = "", slower: int = 1, hashes: str | None = None
    ) -> tuple[Choice, tuple[str, ...]]:
        try:
            game = position.game
            with user_process(
                self.kind, self.file, self.memory, self.sandbox, game, hashes
            ) as worker:
                worker.begin(game, self.seconds)
                if how:
                    worker.prepare_to_watch()
                question = "move", f"{seed} {position}", packed(position), how
                answer, output = worker.ask(question, slower * self.seconds, "move")
                move, moved = read_move(answer, position, output)
        except (Failed, NotationError) as failure:
            raise failed(self.name, failure, position) from None
        return Choice(move, output=output), moved
