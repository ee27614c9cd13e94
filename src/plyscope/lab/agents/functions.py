"""Agents that are Python functions, called in this process or run from a file in another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from plyscope.errors import AgentError, NotationError
from plyscope.lab.agents.agent import Agent, AllChoices, Choice, legal_move
from plyscope.lab.agents.readings import IsHeuristic, Unclear, inner_of
from plyscope.lab.people.apart import (
    DEFAULT_MEGABYTES,
    failed,
    notes_of_file,
    packed,
    read_move,
    user_process,
)
from plyscope.lab.people.purity import NO_CLAIM, Purity, purity_of, read_purity
from plyscope.owntime import OwnTime
from plyscope.processes import Failed
from plyscope.pythonfile import Overdue, files_of_python, in_one_line, interrupting, path_of
from plyscope.rules.game import one_line

MIN_CALLS, SAMPLED_CALLS = 2, 8
"""Calls per position: of a function that gives the same move each time, and of any other."""
MOVES_DIFFER = "does not always give the same move"
CHANGES = "changes what it reads"
READING_SECONDS = 10.0
"""The time limit for reading a file."""
OTHER_HASH_SEED = "1"
"""The hash seed of the process for the second call."""


class SampledAgent(Agent):
    """An agent that returns one move per call. Its known moves are only a sample, unless its code
    was read (`purity`)."""

    asked = SAMPLED_CALLS
    """Calls per position if its moves differ."""

    def purity(self, game: Any) -> Purity:
        """Return what reading its code has shown. Raises AgentError."""
        return NO_CLAIM

    def move(self, position: Any, seed: str) -> Any:
        """Return its move. Raises AgentError."""
        raise NotImplementedError

    def choices(self, position: Any) -> Sequence[Any]:
        """Return its move, as the only choice."""
        return (self.move(position, ""),)

    def all_choices(self, position: Any) -> AllChoices:
        """Return the different moves that it plays in a position, and the reason why there may be
        others: its code is not pure, or it has changed what it reads."""
        before = self.purity(position.game)
        moves = [self.move(position, f"again {at}" if at else "") for at in range(MIN_CALLS)]
        if len(set(moves)) > 1:
            moves += [self.move(position, f"again {at}") for at in range(MIN_CALLS, self.asked)]
        after = self.purity(position.game)
        doubts = [MOVES_DIFFER] if len(set(moves)) > 1 else []
        doubts += filter(None, (before.unread,))
        doubts += [] if before.unread or before.version == after.version else [CHANGES]
        doubt = ", ".join(doubts) or None
        return AllChoices(tuple(dict.fromkeys(moves)), doubt, len(moves), after.version)


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

    def purity(self, game: Any) -> Purity:
        """Return what reading the function has shown."""
        return purity_of(inner_of(self.function), game)

    def move(self, position: Any, seed: str) -> Any:
        """Return the move, without seeding the random numbers."""
        return self._answer(position)

    def _answer(self, position: Any) -> Any:
        spent = OwnTime.of_this_thread()
        try:
            with interrupting(lambda: spent.seconds() > self.seconds):
                return legal_move(position, self.function(position))
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
    """`agent`, `either` if it may be a heuristic, or a prefix of a house."""
    sandbox: bool = False
    """Whether the process runs in a sandbox (`lab/people/sandbox.py`)."""

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

    def notes(self, game: Any) -> tuple[str, ...]:
        """Return the notes on the function on `game`."""
        of_file = self.kind, self.file, self.memory, self.sandbox
        return notes_of_file(*of_file, game, self.seconds)

    def again(self, position: Any) -> Any:
        """Return the function's move in another process, with another hash seed."""
        return self._answer(position, "other", OTHER_HASH_SEED).move

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move that the function gives."""
        return self._answer(position, str(hash(random.getstate()[1])))

    def move(self, position: Any, seed: str) -> Any:
        """Return the move, with random numbers seeded by `seed`."""
        return self._answer(position, seed).move

    def purity(self, game: Any) -> Purity:
        """Return what reading the file has shown in the process that runs it."""
        try:
            with user_process(self.kind, self.file, self.memory, self.sandbox, game) as worker:
                worker.begin(game, self.seconds)
                return read_purity(worker.ask(("purity",), READING_SECONDS)[0])
        except (Failed, NotationError) as failure:
            raise failed(self.name, failure, game.start()) from None

    def _answer(self, position: Any, seed: str, hashes: str | None = None) -> Choice:
        try:
            game = position.game
            with user_process(
                self.kind, self.file, self.memory, self.sandbox, game, hashes
            ) as worker:
                worker.begin(game, self.seconds)
                question = "move", f"{seed} {position}", packed(position)
                answer, output = worker.ask(question, self.seconds, "move")
                move = read_move(answer, position, output)
        except (Failed, NotationError) as failure:
            raise failed(self.name, failure, position) from None
        return Choice(move, output=output)
