"""The arguments of a tuning, checked, and the resources of its run."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from math import prod
from random import Random
from time import perf_counter
from typing import Any

from plyscope.catalogue import Catalogue
from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.journal import Journal
from plyscope.lab.judging.population import Labels
from plyscope.lab.matches.game import name_of
from plyscope.progress import Progress
from plyscope.rules.linegame import LineGame
from plyscope.tuning.constants import Constants, NoConstants, find_constants, is_of_constants
from plyscope.tuning.fit_constants import can_travel
from plyscope.tuning.proofs import proof
from plyscope.version import __version__

DEFAULT_SAMPLES = 12_000
"""Sample size for games that are too large to use all positions."""
MAX_ARRANGEMENTS = 1_000_000
"""Arrangements of stones up to which all positions of a game are used."""
CONSTANTS, AND_PLAY = "constants", "exact+play"
"""The family of a function's numbers; the labels with which games tune them further."""
PLAYED_GAMES = 4_000
"""Number of those games."""


@dataclass(frozen=True)
class Objective:
    """What a tuning improves."""

    name: str
    summary: str
    sides: str = ""
    """The sides that have to hold against every line of play, such as `xo`."""


OBJECTIVES = Catalogue(
    "objective",
    (
        Objective("moves", "fewest wrong moves at the depth of use"),
        Objective("depths", "fewest wrong moves at all depths up to that of use, together"),
        Objective("never-loses", "no line of play beats it, as either side", "xo"),
        Objective("never-loses-x", "no line of play beats it as X", "x"),
        Objective("never-loses-o", "no line of play beats it as O", "o"),
    ),
)


@dataclass(frozen=True)
class Question:
    """The arguments of a tuning. Raises OptionError if they exclude each other."""

    start: Heuristic
    constants: Constants | None
    """The constants of START, if these are tuned."""
    game: LineGame
    family: str | None
    free: Sequence[str] | None
    labels: str | Labels
    depth: int
    samples: int | None
    """None for all positions of the game."""
    seed: int
    wants_optimum: bool
    name: str
    objective: Objective = OBJECTIVES["moves"]

    def __post_init__(self) -> None:
        of_start = f"the constants of {self.start.name!r}"
        if isinstance(self.labels, str) and self.labels not in ("exact", AND_PLAY):
            raise OptionError(
                f"labels {self.labels[:40]!r}; expected exact, {AND_PLAY}, "
                "or a function of positions"
            )
        if self.objective.name != "moves":
            self._check_objective(of_start)
        if self.labels == AND_PLAY and self.constants is None:
            raise OptionError(
                f"labels {self.labels!r} of the table {self.start.name!r}; "
                "expected a function with constants"
            )
        if self.wants_optimum and self.constants is not None:
            raise OptionError(
                f"no optimum can be proved for {of_start}; expected a family, such as 'table'"
            )
        if self.wants_optimum and self.samples is not None:
            raise OptionError(
                f"the optimum from a sample of {self.game.name!r}; expected a whole game"
            )
        for asked, name in ((self.wants_optimum, "optimum"), (self.objective.sides, "unbeaten")):
            if asked:
                proof(name)  # before the work, if it is not installed

    def _check_objective(self, of_start: str) -> None:
        name = f"objective {self.objective.name!r}"
        if self.constants is not None:
            raise OptionError(f"{name} for {of_start}; expected a family, such as table")
        if self.labels != "exact":
            raise OptionError(f"{name} from labels other than exact; expected exact labels")
        if self.objective.sides and self.samples is not None:
            raise OptionError(f"{name} from a sample of {self.game.name!r}; expected a whole game")

    @property
    def depths(self) -> tuple[int, ...]:
        """The search depths whose wrong moves are to be few."""
        first = 1 if self.objective.name == "depths" else self.depth
        return tuple(range(first, self.depth + 1))

    @property
    def is_held_out(self) -> bool:
        """Whether held-out folds are the test, because the labels are not exact."""
        return self.samples is None and not isinstance(self.labels, str)

    @property
    def is_counted(self) -> bool:
        """Whether wrong moves are counted over the whole game."""
        return self.samples is None and not self.is_held_out

    @property
    def games(self) -> int:
        """Number of games against START for tuning constants after exact values."""
        return PLAYED_GAMES if self.labels == AND_PLAY else 0

    @property
    def test_seed(self) -> int:
        """The seed of the held-out positions and openings."""
        return Random(f"test {self.seed}").randrange(1 << 31)

    @property
    def can_travel(self) -> bool:
        """Whether START can be sent to other processes."""
        return self.constants is None or can_travel(self.start)

    @property
    def of_journal(self) -> dict[str, Any]:
        """The key of the journal."""
        return {
            "game": name_of(self.game),
            "rules": self.game.digest,
            "samples": self.samples,
            "seed": self.seed,
            "version": __version__,
        }


def arrangements(game: LineGame) -> int:
    """Return an upper bound of the number of positions of a game."""
    if game.gravity:
        return prod(2 ** (len(column) + 1) - 1 for column in game.columns)
    return int(3 ** game.board.bit_count())


def start_of(
    start: Any, game: LineGame, family: str | None, free: Sequence[str] | None
) -> tuple[Heuristic, Constants | None]:
    """Return START, and the constants that are tuned, if any.

    A function without constants that is equal to a table is tuned as a table, unless `family` is
    "constants"."""
    own = find_heuristic(start, game)
    if family not in (None, CONSTANTS):
        return own, None
    if not is_of_constants(start):
        if family is None:
            return own, None
        raise OptionError(f"constants of {str(start)[:40]!r}; expected a function, or file.py:name")
    try:
        constants = find_constants(start, game, free)
    except NoConstants:
        if family is not None or not isinstance(own, LineTable):
            raise
        return own, None
    return constants.heuristic(constants.weights_of_start), constants


class OutOfTime(Exception):
    """Raised at the deadline if there are tuned numbers to return."""


@dataclass(kw_only=True)
class Run:
    """The resources of a tuning: processes, journal, progress and deadline."""

    executor: Executor
    journal: Journal
    progress: Progress
    deadline: float | None
    has_numbers: bool = False
    """Whether there are numbers to return at the deadline."""

    def report(self, phase: str, done: int, total: int) -> None:
        """Report progress. Raises OutOfTime at the deadline if there are numbers to return."""
        self.progress(phase, done, total)
        if self.has_numbers and self.is_late:
            raise OutOfTime

    @property
    def is_late(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and perf_counter() > self.deadline

    @property
    def seconds_left(self) -> float | None:
        """The time left, None without a deadline."""
        return None if self.deadline is None else max(0.0, self.deadline - perf_counter())
