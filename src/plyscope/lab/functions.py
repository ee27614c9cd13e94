"""Agents that are Python functions: of this process, or of a file, run in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import signature
from random import Random
from time import perf_counter
from typing import Any

from plyscope.errors import AgentError, NotationError, OptionError
from plyscope.lab.agent import Agent, AllChoices, Choice, legal_move
from plyscope.lab.apart import MEGABYTES, Failed, failed, packed, stranger
from plyscope.lab.connectx import ConnectXPlayer, is_connectx
from plyscope.lab.files import files_of_python
from plyscope.pythonfile import Overdue, in_one_line, interrupting, path_of
from plyscope.rules.game import one_line

ASKED = 2
"""How often a function is asked about a position, to be seen whether it answers alike."""
UNLIKE = "does not always give the same move"


def as_player(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function `f(position)` of a function that plays: of itself, or of Kaggle's.

    Raises OptionError for one of other arguments, a heuristic for example.
    """
    if is_connectx(function):
        return ConnectXPlayer(function)
    try:
        parameters = signature(function)
    except (TypeError, ValueError):  # builtins need not tell
        return function
    try:
        parameters.bind(None)
    except TypeError:
        names = ", ".join(parameters.parameters)
        raise OptionError(
            f"agent '{name}({names})'; expected f(position) that returns a move, or a search with "
            "it as heuristic, such as 'alphabeta heuristic=file.py:f depth=3'"
        ) from None
    return function


def _alike(moves: Sequence[Any]) -> AllChoices:
    """Return the different ones of the moves that a function gave for one position."""
    different = tuple(dict.fromkeys(moves))
    return AllChoices(different, UNLIKE if len(different) > 1 else None)


@dataclass(frozen=True)
class FunctionAgent(Agent):
    """A Python function `f(position)` that returns a move, as its number or its name (`b2`).

    What it raises, and whatever else is no move, is an AgentError. It runs in this process: one
    that waits inside the operating system cannot be interrupted, and one that ends the process
    does.
    """

    name: str
    function: Callable[..., Any]
    summary: str = "a Python function"
    seconds: float = 5.0
    """For a move."""

    def choices(self, position: Any) -> Sequence[Any]:
        """Return the move that the function gives here."""
        return (self._answer(position),)

    def all_choices(self, position: Any) -> AllChoices:
        """Return likewise whether the function gives another one when it is asked again."""
        return _alike([self._answer(position) for _ in range(ASKED)])

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move that the function gives."""
        return Choice(self._answer(position))

    def _answer(self, position: Any) -> Any:
        deadline = perf_counter() + self.seconds
        try:
            with interrupting(lambda: perf_counter() > deadline):
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
        # whatever a stranger's function raises is reported by name, with the position
        except BaseException as error:
            raise AgentError(
                f"agent {self.name!r} raised {in_one_line(error)} on '{one_line(position)}'; "
                "expected a move"
            ) from error


@dataclass(frozen=True)
class FileAgent(Agent):
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
    memory: int = MEGABYTES
    """In megabytes."""
    kind: str = "agent"
    """`connectx` for a file of Kaggle's."""

    @property
    def files(self) -> tuple[str, ...]:
        """What it is made of."""
        return files_of_python(path_of(self.file))

    def start(self) -> None:
        """Have the file run before the first game; NotationError where it cannot be."""
        with stranger(self.kind, self.file, self.memory):
            pass

    def choices(self, position: Any) -> Sequence[Any]:
        """Return the move that the function gives here."""
        return (self._answer(position, "").move,)

    def all_choices(self, position: Any) -> AllChoices:
        """Return likewise whether the function gives another one when chance is another."""
        return _alike([self._answer(position, "again" * at).move for at in range(ASKED)])

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move that the function gives."""
        return self._answer(position, str(hash(random.getstate()[1])))

    def _answer(self, position: Any, seed: str) -> Choice:
        try:
            with stranger(self.kind, self.file, self.memory) as worker:
                worker.begin(position.game, self.seconds)
                question = "move", f"{seed} {position}", packed(position)
                answer, output = worker.ask(question, self.seconds, "move")
                legal, index = tuple(position.moves), answer.get("move")
                if not isinstance(index, int) or not 0 <= index < len(legal):
                    raise Failed("gave an answer that cannot be read", output)
        except (Failed, NotationError) as failure:
            raise failed(self.name, failure, position) from None
        return Choice(legal[index], output=output)
