"""The submission process: it only returns values or moves; the judge computes everything else.

The submission is copied into a temporary folder, the only one that its sandbox can read. A process
that exceeds a limit is ended and restarted, at most MAX_STARTS times.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from errno import EEXIST, EISDIR, ENAMETOOLONG, ENOTDIR
from math import ceil, inf
from pathlib import Path
from typing import Any

from plyscope.errors import AgentError, HeuristicError, NotationError, OptionError
from plyscope.evaluation.function import MAX_VALUE, WithoutLines
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.tablefile import read_table
from plyscope.lab.agents.agent import Agent, Choice
from plyscope.lab.agents.functions import MIN_CALLS, SampledAgent
from plyscope.lab.agents.searches import SearchAgent
from plyscope.lab.people.apart import (
    SERVED_FACTOR,
    Forbidden,
    Raised,
    UserProcess,
    located,
    packed,
    read_move,
    sandbox_environment,
)
from plyscope.lab.people.apart_worker import BATCH_SECONDS
from plyscope.lab.people.files import files_of_game
from plyscope.lab.people.sandbox import PACKAGE, Sandbox
from plyscope.processes import AnswerLate, Failed, care_for, forget
from plyscope.rules.game import Game, position_after, state_of
from plyscope.rules.source import game_of
from plyscope_class.algorithm import Question, Run, Watched, run_of
from plyscope_class.assignment import Assignment

IMPORT_END = "end to its import, where a game belongs below `if __name__ == '__main__':`,"
"""What a submission has not reached in the time for running its file."""
MAX_STARTS = 3
"""The number of times that the process of a submission is started; then the submission fails."""
BATCH_POSITIONS = 400
"""Positions in one request for values."""
TOTAL_CALLS, AGENT_CALLS = 600, 1_800
"""The default limit of all answers together, of an agent and of any other submission, in limits of
one call."""
NAME_ERRORS = (EEXIST, ENOTDIR, EISDIR, ENAMETOOLONG)
"""Errors of file names that cannot both exist, such as `a` and `a/b` in a zip."""
MAX_NAME_CHARS = 60
"""The number of characters of such a name that a message shows."""
NAME = "submission"
"""The name of every submission while it is judged, so that its author has no influence."""
MORE_SECONDS = 60
"""The CPU time of a process beyond the budget: it starts, and runs the file."""


class NoMoreCalls(Failed):
    """Raised when a submission has no starts or no time left."""


@dataclass
class Budget:
    """The time budget of all processes of a submission together."""

    assignment: Assignment
    spent: float = 0.0
    """Seconds used."""
    answers: int = 0
    """Number of answers received."""
    forbidden: str | None = None
    """The use of a forbidden module, which ends the judgement."""
    scale: int = 0
    """The factor for the values of a heuristic that returns fractions; 0 for none."""

    @property
    def seconds(self) -> float:
        """The budget in seconds, by default a number of calls that all reach their limit."""
        limits, is_agent = self.assignment.limits, self.assignment.interface == "agent"
        calls = AGENT_CALLS if is_agent else TOTAL_CALLS
        return limits.total_seconds or calls * limits.call_seconds

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up."""
        return self.spent > self.seconds


class SubmissionProcess:
    """The process of a submission that is a Python file; a context manager."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        main: str,
        assignment: Assignment,
        chance: str = "0",
        budget: Budget | None = None,
    ) -> None:
        self.assignment, self.chance = assignment, chance
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="plyscope-class-"))
        care_for("folder", self.folder)
        self.text = f"{main}:{assignment.function}"
        self.rules = absolute_game(assignment)
        self.process: UserProcess | None = None
        self.budget = budget or Budget(assignment)
        if self.budget.scale:
            self.text += f" scale={self.budget.scale}"
        self.sandbox = Sandbox(
            self.folder,
            files_of_game(self.rules),
            ceil(self.budget.seconds) + MORE_SECONDS,
            hides_plyscope=PACKAGE in assignment.check.forbidden,
        )
        self.runs = 0
        """Number of questions to an algorithm."""
        self.ended = 0
        """Number of processes that were ended or exited."""
        self.form = ""
        """The heuristic's signature (`evaluation/signatures.py`), as the process reports it."""
        self.fault = ""
        """The reason why files could not be written, if their names conflict; else empty."""
        for name, content in files.items():
            place = Path(self.folder, name)
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            except OSError as error:
                if (
                    error.errno not in NAME_ERRORS
                ):  # such as a full disk, which is not the submission's fault
                    self.close()
                    raise
                self.fault = f"{name[:MAX_NAME_CHARS]!r} cannot be written: {error.strerror}"

    def __enter__(self) -> SubmissionProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process and remove its folder."""
        self._end()
        shutil.rmtree(self.folder, ignore_errors=True)
        forget("folder", self.folder)

    def start(self) -> str:
        """Run the file and return its output. Raises Failed with the reason."""
        if self.budget.forbidden is not None:
            raise NoMoreCalls(self.budget.forbidden)
        if self.fault:
            raise Failed(self.fault)
        if self.ended >= MAX_STARTS:
            raise NoMoreCalls(f"was ended {MAX_STARTS} times, and is not called again")
        interface = self.assignment.interface
        kind = interface if interface in ("agent", "algorithm") else "values"
        limits = self.assignment.limits
        environment = {
            **sandbox_environment(),
            "PATH": os.defpath,
            "HOME": self.folder,
            "TMPDIR": self.folder,
            "PYTHONHASHSEED": self.chance,
        }
        try:
            self.process = UserProcess(
                kind,
                self.text,
                limits.megabytes,
                self.sandbox,
                environment,
                self.folder,
                is_strict=True,
                forbidden=self.assignment.check.forbidden,
                game=None if kind == "algorithm" else self.rules,
            )
            begun, output = self.process.ask(("load",), limits.import_seconds, IMPORT_END)
            self.form = str(begun.get("form", ""))
        except NotationError as error:
            raise self._lost(Failed(str(error))) from None
        except Failed as failure:
            raise self._lost(failure) from None
        return output

    @property
    def held(self) -> tuple[str, ...]:
        """The parts of the sandbox that the kernel enforces for the running process."""
        held = None if self.process is None else self.process.begun.get("held")
        return tuple(map(str, held)) if isinstance(held, list) else ()

    def values(self, positions: Sequence[Any], sides: Sequence[int]) -> list[int]:
        """Return the values of positions, each for a side. Raises Failed."""
        states = map(state_of, positions)
        asked = [(packed(each), side) for each, side in zip(states, sides, strict=True)]
        values: list[int] = []
        size = BATCH_POSITIONS
        while len(values) < len(asked):
            chunk = asked[len(values) : len(values) + size]
            question = "values", self.chance, chunk
            is_single = len(chunk) == 1
            try:
                answer = self._ask(question, "value", 0.0 if is_single else BATCH_SECONDS)
                values += self._numbers(answer, len(chunk))
            except Raised:
                raise
            except Failed:
                if is_single:
                    raise
                size = 1  # one by one, to find the position that fails
        return values

    def move(self, position: Any, seed: str) -> Any:
        """Return the agent's move. Raises Failed."""
        question = "move", f"{self.chance} {seed} {position}", packed(position)
        answer = self._ask(question, "move")
        try:
            found = read_move(answer, position)
        except Failed as failure:
            raise self._lost(failure) from None
        self.budget.answers += 1
        return found

    def run(self, question: Question) -> Run:
        """Return the record of a question to an algorithm; a failure is in the record."""
        self.runs += 1
        failure = None
        try:
            if self.process is None or not self.process.is_running:
                self.start()  # first, since it says whether it is a class
        except Failed as error:
            failure = error
        if self.form == "class" and question.depth % 2:  # which counts rounds of two plies
            question = replace(question, depth=question.depth + 1)
        watched = Watched(question, self.runs)
        if failure is not None:
            return run_of(watched, {}, failure)
        request = "run", question.function, watched.root, question.arguments
        try:
            answer = self._ask(request, "answer", read=watched.read)
        except Failed as failure:
            return run_of(watched, {}, failure)
        self.budget.answers += 1
        return run_of(watched, answer)

    def _ask(
        self,
        question: Any,
        what: str,
        more: float = 0.0,
        read: Callable[[Any], Any] | None = None,
    ) -> dict[str, Any]:
        if self.process is None or not self.process.is_running:
            self.start()
        assert self.process is not None
        seconds = self.assignment.answer_seconds
        if self.budget.is_spent:
            raise NoMoreCalls(f"used up its {self.budget.seconds:g} s, and is not called again")
        process = self.process
        served = 0.0 if read is None else SERVED_FACTOR * seconds
        spent = process.child.own_time(longest=inf, served=served)
        try:
            answer, _ = process.ask(question, seconds + more, what, read)
        except Raised as failure:
            raise Raised(self._plain(failure.reason), failure.output) from None
        except AnswerLate as failure:
            late = AnswerLate(f"gave no {what} within {seconds:g} s", failure.output)
            raise self._lost(late) from None
        except Failed as failure:
            raise self._lost(failure) from None
        finally:
            self.budget.spent += min(max(0.0, spent.seconds()), seconds + more)
        return answer

    def _numbers(self, answer: Any, most: int) -> list[int]:
        """Return the values in an answer. Raises Failed for anything else."""
        values = answer.get("values")
        is_list = isinstance(values, list) and 0 < len(values) <= most
        if not is_list or not all(type(each) is int and abs(each) <= MAX_VALUE for each in values):
            raise self._lost(Failed("gave an answer that cannot be read"))
        self.budget.answers += len(values)
        return list(values)

    def _lost(self, failure: Failed) -> Failed:
        """End a failed process and return its failure."""
        self.ended += 1
        if isinstance(failure, Forbidden) and self.budget.forbidden is None:
            self.budget.forbidden = self._plain(failure.reason)
        self._end()
        return type(failure)(self._plain(failure.reason), failure.output)

    def _end(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.end()

    def _plain(self, reason: str) -> str:
        """Return a reason without the name of the temporary folder, which differs between runs."""
        text = reason.replace(f"{self.folder}{os.sep}", "").replace(self.folder, ".")
        return RUNNING.sub("running it", ADDRESS.sub("", text))


RUNNING = re.compile(r"^running '.*?' for the \w+ '.*?'(?= )")
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
"""The address of an object, which differs between runs."""


def absolute_game(assignment: Assignment) -> Game:
    """Return the game with an absolute path, so that the submission process finds it too."""
    if assignment.is_of_lines or not files_of_game(assignment.rules):
        return assignment.rules
    return game_of(os.path.abspath(assignment.game))


class SubmissionHeuristic(WithoutLines):
    """The heuristic of a submission in the judge's process; values are cached."""

    name = NAME
    summary = "a submission"

    def __init__(self, submission: SubmissionProcess) -> None:
        self.submission = submission
        self.known: dict[tuple[Any, int], int] = {}
        self.is_lenient = False
        """Whether a missing value counts as 0 instead of raising an error."""
        self.missing = 0
        """The number of missing values that counted as 0."""
        self.failure = ""
        """The reason of the first missing value."""

    @property
    def answered(self) -> float:
        """The share of all values that are not missing."""
        return 1 - self.missing / max(1, len(self.known))

    def evaluate(self, position: Any, side: int) -> int:
        """Return the value for `side`. Raises HeuristicError if the submission fails, unless
        `is_lenient`."""
        state = state_of(position)
        value = self.known.get((state, side))
        if value is None:
            try:
                (value,) = self.submission.values([position], [side])
            except Failed as failure:
                reason = located(failure, position)
                if not self.is_lenient:
                    raise HeuristicError(reason) from None
                self.failure = self.failure or reason
                self.missing, value = self.missing + 1, 0
            self.known[state, side] = value
        return value

    def prefetch(self, positions: Iterable[tuple[Any, int]]) -> None:
        """Request many values at once; failures are reported by `evaluate`."""
        states = ((state_of(position), side) for position, side in positions)
        new = [each for each in dict.fromkeys(states) if each not in self.known]
        with suppress(Failed):
            values = self.submission.values([each for each, _ in new], [side for _, side in new])
            self.known.update(zip(new, values, strict=True))

    def prefetch_search(self, position: Any, depth: int) -> None:
        """Request the values of all leaves `depth` plies ahead, up to MAX_PREFETCHED."""
        level, leaves = {position: None}, dict[Any, None]()
        for _ in range(depth):
            after: dict[Any, None] = {}
            for each in level:
                if each.is_over:
                    leaves[each] = None
                else:
                    after |= dict.fromkeys(position_after(each, move) for move in each.moves)
            level = after
            if len(level) > MAX_PREFETCHED:
                return
        self.prefetch((each, position.side) for each in (*leaves, *level))


MAX_PREFETCHED = 2_000


@dataclass(frozen=True, eq=False)
class SubmissionAgent(SampledAgent):
    """The agent of a submission."""

    submission: SubmissionProcess
    has_chance: bool = True
    """Whether the moves may vary between calls; if not, the move of each position is cached."""
    name: str = NAME
    summary: str = "a submission"
    known: dict[Any, Any] = field(default_factory=dict)
    """The cached moves by state, if `has_chance` is false."""
    asked = MIN_CALLS

    def choose(self, position: Any, random: random.Random) -> Choice:
        """Return the submission's move, with a seed drawn from the game's random numbers."""
        return Choice(self.move(position, str(random.getrandbits(64))))

    def move(self, position: Any, seed: str) -> Any:
        """Return the move with random numbers from `seed`."""
        state = None if self.has_chance else state_of(position)
        if state is not None and state in self.known:
            return self.known[state]
        try:
            move = self.submission.move(position, seed if self.has_chance else "")
        except Failed as failure:
            raise AgentError(located(failure, position), failure.output) from None
        if state is not None:
            self.known[state] = move
        return move


@dataclass(frozen=True, eq=False)
class SubmissionSearcher(Agent):
    """A search with a submission's heuristic, whose values are requested in advance."""

    searcher: SearchAgent
    heuristic: SubmissionHeuristic
    depth: int
    name: str = NAME
    summary: str = "a search with a submission"

    def choices(self, position: Any) -> Sequence[Any]:
        """Return all best moves."""
        self.heuristic.prefetch_search(position, self.depth)
        return self.searcher.choices(position)

    def choose(self, position: Any, random: random.Random) -> Choice:
        """Return a random best move."""
        self.heuristic.prefetch_search(position, self.depth)
        return self.searcher.choose(position, random)


def player_of(heuristic: Heuristic, assignment: Assignment) -> Agent:
    """Return the agent that searches with a submission's heuristic."""
    options: tuple[tuple[str, Any], ...] = (("heuristic", heuristic), *assignment.searches)
    searcher = SearchAgent(NAME, options=options, ties="random")
    if isinstance(heuristic, SubmissionHeuristic):
        return SubmissionSearcher(searcher, heuristic, assignment.depth or 1)
    return searcher


def table_of(files: Mapping[str, bytes], main: str) -> Heuristic:
    """Return the submitted table. Raises Failed if the file is not a table."""
    with tempfile.TemporaryDirectory(prefix="plyscope-class-") as folder:
        place = Path(folder, Path(main).name)
        place.write_bytes(files[main])
        try:
            return read_table(place)
        except (NotationError, OptionError) as error:
            raise Failed(str(error).replace(f"{folder}{os.sep}", "")) from None
