"""Agents that are Python functions, called in this process or run from a file in another."""

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
from plyscope.lab.kept_state import changed_state, kept_state
from plyscope.lab.watching import Watch
from plyscope.owntime import OwnTime
from plyscope.processes import Failed
from plyscope.pythonfile import Overdue, files_of_python, in_one_line, interrupting, path_of
from plyscope.rules.game import one_line

MIN_CALLS, SAMPLED_CALLS = 2, 8
"""Calls per position: of a deterministic function, and of one with sources of randomness."""
MOVES_DIFFER = "does not always give the same move"
WATCH_TIMEOUT, WATCH_FACTOR = "could not be watched for randomness within its time limit", 5
"""The factor on the time limit of an answer while the function is watched for randomness."""
OTHER_HASH_SEED = "1"
"""The hash seed of the process for the second call."""


class SampledAgent(Agent):
    """An agent that returns one move per call, so that its known moves are only a sample."""

    asked = SAMPLED_CALLS
    """Calls per position if it has sources of randomness."""

    def watched(self, position: Any) -> tuple[Any, Sequence[str]]:
        """Return its move and its sources of randomness. Raises AgentError."""
        raise NotImplementedError

    def compared(self, position: Any) -> tuple[Any, str | None]:
        """Return its move, and the state changed since the last call for this position. Raises
        AgentError."""
        raise NotImplementedError

    def move(self, position: Any, seed: str) -> Any:
        """Return its move. Raises AgentError."""
        raise NotImplementedError

    def choices(self, position: Any) -> Sequence[Any]:
        """Return its move, as the only choice."""
        return (self.move(position, ""),)

    def all_choices(self, position: Any) -> AllChoices:
        """Return the different moves that it plays in a position, and the reason why there may be
        others.

        The first call watches for sources of randomness, the second compares its state. If either
        finds something, it is called `asked` times, and there is a `doubt` even if all moves are
        equal.
        """
        moved: list[str] = []
        moves: list[Any] = []
        try:
            move, noted = self.watched(position)
            moves.append(move)
            moved += noted
        except AgentError:  # slower while watched; a real failure shows in the next call
            moved.append(WATCH_TIMEOUT)
        move, keeps = self.compared(position)
        moves.append(move)
        moved += [] if keeps is None else [keeps]
        if moved or len(moves) < MIN_CALLS:
            seeds = range(len(moves), self.asked)
            moves += [self.move(position, f"again {at}") for at in seeds]
        different = tuple(dict.fromkeys(moves))
        if len(different) > 1:
            moved.insert(0, MOVES_DIFFER)
        return AllChoices(different, ", ".join(dict.fromkeys(moved)) or None, len(moves))


@dataclass(frozen=True)
class FunctionAgent(SampledAgent):
    """A Python function that returns a move by number or name (`b2`).

    The function takes a position; `as_player` adapts functions that take a board. Exceptions and
    illegal answers raise AgentError. The function runs in this process: it cannot be interrupted
    inside a system call, and it can end the process.
    """

    name: str
    function: Callable[..., Any]
    summary: str = "a Python function"
    seconds: float = 5.0
    """Time limit of a move: CPU and sleep time, without scheduling delay."""

    def again(self, position: Any) -> Any:
        """Return the function's move."""
        return self._answer(position)

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move that the function gives."""
        return Choice(self._answer(position))

    def watched(self, position: Any) -> tuple[Any, Sequence[str]]:
        """Return the move and its sources of randomness."""
        watch = Watch()
        move = self._answer(position, partial(watch.call, self.function), WATCH_FACTOR)
        return move, tuple(watch.moved)

    def compared(self, position: Any) -> tuple[Any, str | None]:
        """Return the move, and the state that changed since the last call for this position."""
        before = kept_state(self.function)
        move = self._answer(position)
        return move, changed_state(before, kept_state(self.function))

    def move(self, position: Any, seed: str) -> Any:
        """Return the move, without seeding the random numbers."""
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
class FileAgent(SampledAgent):
    """A function of a file, `file.py:name`, called in a separate process.

    Anything but a legal move in time raises AgentError. `random` and `numpy.random` are seeded for
    each move from the match's random numbers, so that a match is reproducible.
    """

    name: str
    file: str
    summary: str = "a Python function in a process of its own"
    seconds: float = 5.0
    """Time limit of a move."""
    memory: int = DEFAULT_MEGABYTES
    """Memory limit in megabytes."""
    kind: str = "agent"
    """`agent`, `connectx` for a Kaggle file, or `either` if it may be a heuristic."""
    sandbox: bool = False
    """Whether the process runs in a sandbox (`lab/sandbox.py`)."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files it depends on."""
        return files_of_python(path_of(self.file))

    def start(self) -> None:
        """Run the file before the first game.

        Raises NotationError if that fails, and IsHeuristic or Unclear if the function is or may be
        a heuristic."""
        with user_process(self.kind, self.file, self.memory, self.sandbox) as worker:
            reading = worker.begun.get("reading")
        asked = f"expected 'agent:{self.file}' or 'heuristic:{self.file}'"
        if self.kind == "either" and reading is None:
            raise Unclear(f"{self.file!r} may be an agent or a heuristic; {asked}")
        if self.kind == "either" and reading != "agent":
            raise IsHeuristic(f"{self.file!r} is a heuristic, not an agent; {asked}")

    def again(self, position: Any) -> Any:
        """Return the function's move in another process, with another hash seed."""
        return self._answer(position, "other", hashes=OTHER_HASH_SEED)[0].move

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move that the function gives."""
        return self._answer(position, str(hash(random.getstate()[1])))[0]

    def watched(self, position: Any) -> tuple[Any, Sequence[str]]:
        """Return the move and its sources of randomness."""
        choice, moved = self._answer(position, "", "watched", WATCH_FACTOR)
        return choice.move, moved

    def compared(self, position: Any) -> tuple[Any, str | None]:
        """Return the move, and the state that changed since the last call for this position."""
        choice, moved = self._answer(position, "again", "compared")
        return choice.move, ", ".join(moved) or None

    def move(self, position: Any, seed: str) -> Any:
        """Return the move, with random numbers seeded by `seed`."""
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
