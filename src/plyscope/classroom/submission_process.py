"""A submission in its process: asked for values or moves, and nothing else is believed of it.

The search, the games and the counting are done by the judge, in another process. The submission is
copied into a folder of its own, the only one its sandbox lets it read; it is held to its limits,
and asked no more once it had to be ended a few times.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from errno import EEXIST, EISDIR, ENAMETOOLONG, ENOTDIR
from math import inf
from pathlib import Path
from typing import Any

from plyscope.classroom.assignment import Assignment
from plyscope.errors import AgentError, HeuristicError, NotationError, OptionError
from plyscope.evaluation.function import MAX_VALUE, WithoutLines
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.tablefile import read_table
from plyscope.lab.agents.agent import Agent, Choice
from plyscope.lab.agents.functions import ASKED, WATCH_FACTOR, AskedAgent
from plyscope.lab.agents.searches import SearchAgent
from plyscope.lab.apart import (
    BATCH_SECONDS,
    Forbidden,
    Raised,
    UserProcess,
    packed,
    read_move,
    sandbox_environment,
)
from plyscope.lab.files import files_of_game
from plyscope.lab.sandbox import Sandbox
from plyscope.processes import AnswerLate, Failed, care_for, forget
from plyscope.rules.game import Game, one_line, position_after, state_of
from plyscope.rules.source import game_of

MAX_STARTS = 3
"""Times that a submission is started again; then it is asked no more."""
BATCH_POSITIONS = 400
"""Positions that are asked about in one question."""
HEAD_START_SECONDS, MEAN_VALUE_SHARE = 60.0, 0.1
"""Where an assignment does not say how long all answers may take: seconds to begin with, and the
part of the limit of one value that values may take on average."""
NAME_ERRORS = (EEXIST, ENOTDIR, EISDIR, ENAMETOOLONG)
"""Errors of files whose names no folder can hold, such as those of a zip: `a` beside `a/b`."""
MAX_NAME_CHARS = 60
"""Letters of such a name that are told."""
NAME = "submission"
"""What every submission is called while it is judged: who wrote it changes no judgement."""
CPU_SECONDS = 1_200
"""CPU time of a submission's process."""


class NoMoreCalls(Failed):
    """Raised for a submission that is asked no more."""


@dataclass
class Budget:
    """What all processes of a submission may take together, and what they took."""

    assignment: Assignment
    spent: float = 0.0
    """Seconds."""
    answers: int = 0
    """The answers that were given."""
    forbidden: str | None = None
    """The use of a forbidden module, which ends it all."""

    @property
    def seconds(self) -> float:
        """The seconds that it has. Unless the assignment says how many, they grow with what is
        asked: what each answer may take is the limit, a value on average a tenth of that."""
        limits = self.assignment.limits
        share = 1.0 if self.assignment.interface == "agent" else MEAN_VALUE_SHARE
        return (
            limits.total_seconds or HEAD_START_SECONDS + limits.call_seconds * share * self.answers
        )

    @property
    def is_spent(self) -> bool:
        """Whether there are none left."""
        return self.spent > self.seconds


class SubmissionProcess:
    """A submission that is a Python file; to be closed."""

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
        self.sandbox = Sandbox(self.folder, files_of_game(self.rules), CPU_SECONDS)
        self.process: UserProcess | None = None
        self.budget = budget or Budget(assignment)
        self.ended = 0
        """Times that it had to be ended, or ended itself."""
        self.tried: dict[str, None] = {}
        """What its sandbox has refused."""
        self.form = ""
        """How its heuristic is called, as `evaluation/signatures.py` has it; as it says itself."""
        self.fault = ""
        """Why not all files could be written: of names that no folder can hold together."""
        for name, content in files.items():
            place = Path(self.folder, name)
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            except OSError as error:
                if error.errno not in NAME_ERRORS:  # such as a full disk, which is nobody's fault
                    self.close()
                    raise
                self.fault = f"{name[:MAX_NAME_CHARS]!r} cannot be written: {error.strerror}"

    def __enter__(self) -> SubmissionProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End it and remove its folder."""
        self._end()
        shutil.rmtree(self.folder, ignore_errors=True)
        forget("folder", self.folder)

    def start(self) -> str:
        """Run the file, and return what it printed. Raises Failed with what it did instead."""
        if self.budget.forbidden is not None:
            raise NoMoreCalls(self.budget.forbidden)
        if self.fault:
            raise Failed(self.fault)
        if self.ended >= MAX_STARTS:
            raise NoMoreCalls(f"was ended {MAX_STARTS} times, and is asked no more")
        kind = "agent" if self.assignment.interface == "agent" else "values"
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
            )
            begun, output = self.process.ask(("load",), limits.import_seconds, "end to its import")
            self.form = str(begun.get("form", ""))
            self.process.begin(self.rules)
        except NotationError as error:
            raise self._lost(Failed(str(error))) from None
        except Failed as failure:
            raise self._lost(failure) from None
        return output

    @property
    def held(self) -> tuple[str, ...]:
        """What the kernel holds of the sandbox of a submission that runs: files, processes."""
        held = None if self.process is None else self.process.begun.get("held")
        return tuple(map(str, held)) if isinstance(held, list) else ()

    def values(self, positions: Sequence[Any], sides: Sequence[int]) -> list[int]:
        """Return what the heuristic says of positions, each for a side. Raises Failed."""
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
                size = 1  # one by one, to see which it is
        return values

    def move(self, position: Any, seed: str) -> Any:
        """Return the move of the agent. Raises Failed."""
        return self.watched_move(position, seed, "")[0]

    def watched_move(self, position: Any, seed: str, how: str) -> tuple[Any, tuple[str, ...]]:
        """Return the move of the agent and, by `how`, what it draws on. Raises Failed."""
        question = "move", f"{self.chance} {seed} {position}", packed(position), how
        more = (WATCH_FACTOR - 1) * self.assignment.limits.call_seconds if how == "watched" else 0.0
        answer = self._ask(question, "move", more)
        try:
            found = read_move(answer, position)
        except Failed as failure:
            raise self._lost(failure) from None
        self.budget.answers += 1
        return found

    def _ask(self, question: Any, what: str, more: float = 0.0) -> dict[str, Any]:
        if self.process is None or not self.process.is_running:
            self.start()
        assert self.process is not None
        seconds = self.assignment.limits.call_seconds
        if self.budget.is_spent:
            raise NoMoreCalls(f"took {self.budget.seconds:g} s in all, and is asked no more")
        process, spent = self.process, self.process.child.own_time(longest=inf)
        try:
            if more and question[0] == "move":
                process.prepare_to_watch()
                spent = process.child.own_time(longest=inf)
            answer, _ = process.ask(question, seconds + more, what)
        except Raised as failure:
            raise Raised(self._plain(failure.reason), failure.output) from None
        except AnswerLate as failure:
            late = AnswerLate(f"gave no {what} within {seconds:g} s", failure.output)
            raise self._lost(late) from None
        except Failed as failure:
            raise self._lost(failure) from None
        finally:
            self.budget.spent += min(spent.seconds(), seconds + more)
            self._note(process)
        return answer

    def _numbers(self, answer: Any, most: int) -> list[int]:
        """Return the values of an answer; raise Failed where they are none."""
        values = answer.get("values")
        is_list = isinstance(values, list) and 0 < len(values) <= most
        if not is_list or not all(type(each) is int and abs(each) <= MAX_VALUE for each in values):
            raise self._lost(Failed("gave an answer that cannot be read"))
        self.budget.answers += len(values)
        return list(values)

    def _lost(self, failure: Failed) -> Failed:
        """Return what is said of a process that has failed, which is ended."""
        self.ended += 1
        if isinstance(failure, Forbidden) and self.budget.forbidden is None:
            self.budget.forbidden = self._plain(failure.reason)
        self._end()
        return type(failure)(self._plain(failure.reason), failure.output)

    def _end(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            self._note(process)
            process.end()

    def _note(self, process: UserProcess) -> None:
        self.tried |= dict.fromkeys(map(self._plain, process.tried))

    def _plain(self, reason: str) -> str:
        """Return a reason without the name of the folder, which is another one each time."""
        text = reason.replace(f"{self.folder}{os.sep}", "").replace(self.folder, ".")
        return RUNNING.sub("running it raised", ADDRESS.sub("", text))


RUNNING = re.compile(r"^running '.*?' for the \w+ '.*?' raised")
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
"""Of an object in memory, which is another one each time."""


def absolute_game(assignment: Assignment) -> Game:
    """Return the game so that it is found from the folder of a submission too."""
    if assignment.is_of_lines or not files_of_game(assignment.rules):
        return assignment.rules
    return game_of(os.path.abspath(assignment.game))


class SubmissionHeuristic(WithoutLines):
    """A submission's heuristic in the judge's process, where each value is asked for once."""

    name = NAME
    summary = "a submission"

    def __init__(self, submission: SubmissionProcess) -> None:
        self.submission = submission
        self.known: dict[tuple[Any, int], int] = {}

    def evaluate(self, position: Any, side: int) -> int:
        """Return the value for `side`; raise HeuristicError for a submission that has none."""
        state = state_of(position)
        value = self.known.get((state, side))
        if value is None:
            try:
                (value,) = self.submission.values([position], [side])
            except Failed as failure:
                raise HeuristicError(_located(failure, position)) from None
            self.known[state, side] = value
        return value

    def prefetch(self, positions: Iterable[tuple[Any, int]]) -> None:
        """Ask for many values at once; what fails is said when it is asked for by itself."""
        states = ((state_of(position), side) for position, side in positions)
        new = [each for each in dict.fromkeys(states) if each not in self.known]
        with suppress(Failed):
            values = self.submission.values([each for each, _ in new], [side for _, side in new])
            self.known.update(zip(new, values, strict=True))

    def prefetch_search(self, position: Any, depth: int) -> None:
        """Ask at once for what a search of so many plies may want, unless that is very much."""
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


def _located(failure: Failed, position: Any) -> str:
    """Return what a submission did, and where."""
    shown = one_line(position)
    return failure.reason if f"'{shown}'" in failure.reason else f"{failure.reason} on '{shown}'"


@dataclass(frozen=True, eq=False)
class SubmissionAgent(AskedAgent):
    """A submission that plays by itself."""

    submission: SubmissionProcess
    has_chance: bool = True
    """Whether its moves may differ. One without is asked once in each position."""
    name: str = NAME
    summary: str = "a submission"
    known: dict[Any, Any] = field(default_factory=dict)
    """Its moves by state, where it is asked once."""
    asked = ASKED

    def choose(self, position: Any, random: random.Random) -> Choice:
        """Return the move that it gives, its chance drawn from the game's."""
        return Choice(self.move(position, str(random.getrandbits(64))))

    def watched(self, position: Any) -> tuple[Any, Sequence[str]]:
        """Return the move, and what it draws on."""
        return self._watched(position, "", "watched")

    def compared(self, position: Any) -> tuple[Any, str | None]:
        """Return the move, and what it keeps since it was asked here before."""
        move, moved = self._watched(position, "again", "compared")
        return move, ", ".join(moved) or None

    def move(self, position: Any, seed: str) -> Any:
        """Return the move; its chance begins at `seed`."""
        state = None if self.has_chance else state_of(position)
        if state is not None and state in self.known:
            return self.known[state]
        move = self._watched(position, seed if self.has_chance else "", "")[0]
        if state is not None:
            self.known[state] = move
        return move

    def _watched(self, position: Any, seed: str, how: str) -> tuple[Any, tuple[str, ...]]:
        try:
            return self.submission.watched_move(position, seed, how)
        except Failed as failure:
            raise AgentError(_located(failure, position), failure.output) from None


@dataclass(frozen=True, eq=False)
class SubmissionSearcher(Agent):
    """A search with a submission's heuristic, which is asked for all that the search may want."""

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
        """Return one of them at random."""
        self.heuristic.prefetch_search(position, self.depth)
        return self.searcher.choose(position, random)


def player_of(heuristic: Heuristic, assignment: Assignment) -> Agent:
    """Return the search that plays with a submission's heuristic."""
    options: tuple[tuple[str, Any], ...] = (("heuristic", heuristic), *assignment.searches)
    searcher = SearchAgent(NAME, options=options, ties="random")
    if isinstance(heuristic, SubmissionHeuristic):
        return SubmissionSearcher(searcher, heuristic, assignment.depth or 1)
    return searcher


def table_of(files: Mapping[str, bytes], main: str) -> Heuristic:
    """Return the table that was handed in; Failed for one that is none."""
    with tempfile.TemporaryDirectory(prefix="plyscope-class-") as folder:
        place = Path(folder, Path(main).name)
        place.write_bytes(files[main])
        try:
            return read_table(place)
        except (NotationError, OptionError) as error:
            raise Failed(str(error).replace(f"{folder}{os.sep}", "")) from None
