"""`tune`: the numbers of a table, learned from exact values, and whether that made it better.

    label     positions, and what their moves are worth, by a solver
    learn     numbers that put siblings in order (`fit`), whole ones (`rounding`), at the leaves
              that a search of the depth of use compares (`leaves`)
    test      the same question about positions that nobody has looked at, once (`trials`)
    play      games against START from balanced openings, at equal depth, nodes and time

An improvement is shown where the tuned table is wrong less often at the depth of use, and games do
not show that it is weaker. Of a whole game with exact values "less often" is a count; of a sample
it is McNemar's test at 5 % on the fresh positions, after cross-validation has said the same. Labels
of a whole game that are not exact are tested at 1 %, on folds that are held out: a count would only
say how well the labels can be fitted. Nothing else is an improvement, and then the
result's heuristic is START.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from plyscope.catalogue import checks_keywords
from plyscope.errors import OptionError, UnknownNameError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.journal import Journal
from plyscope.lab.game import name_of
from plyscope.lab.judging.graph import Flags, Integers
from plyscope.lab.judging.population import Labels, Population, Positions
from plyscope.lab.judging.sampling import TooFewPositions, can_draw
from plyscope.lab.judging.whole import WholeGame
from plyscope.lab.workers import LocalWorkers
from plyscope.progress import Progress, counted, silent
from plyscope.rules.game import GameLike
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.source import game_of
from plyscope.tuning.choices import Choices
from plyscope.tuning.constants import (
    Constants,
    NoConstants,
    find_constants,
    is_of_constants,
)
from plyscope.tuning.family import Family, families_of, find_family
from plyscope.tuning.fit_constants import can_travel, fit_constants, wrong_by
from plyscope.tuning.games import GamesPopulation, games_of
from plyscope.tuning.learning import (
    FOLDS,
    USUAL_RIDGE,
    curve,
    droppable,
    held_out,
    learn,
    validated,
)
from plyscope.tuning.leaves import Leaves, leaves_of
from plyscope.tuning.material import gathered
from plyscope.tuning.nodecost import node_cost as measure_cost
from plyscope.tuning.optimum import games_lost
from plyscope.tuning.optimum import optimum as find_optimum
from plyscope.tuning.result import (
    Changed,
    ErrorsAtDepth,
    LearningPoint,
    NodeCost,
    Optimum,
    Outcome,
    Trial,
    TuningResult,
    Weight,
)
from plyscope.tuning.split import folds, groups_of
from plyscope.tuning.trials import asked, is_stronger, is_worse, trials
from plyscope.version import __version__

SAMPLES = 12_000
"""Positions that are learned from where a game is too large for all of them."""
WHOLE = 1_000_000
"""Arrangements of stones up to which all positions of a game are visited."""
FORMAT = "plyscope tuning 2"
"""The format of a tuning's journal."""
CONSTANTS = "constants"
"""The family of what a function has."""
AND_PLAY, PLAYED = "exact+play", 4_000
"""The labels of constants that are tuned by games against START too, afterwards; how many."""
CHOICES_A_WEIGHT = 30
"""Critical positions that each number needs."""
COMPARED = 10_000
"""Choices on which families are compared, about, where there are more."""
ROUNDS = 2
"""How often leaves are searched for: with START, and with what was learned from these."""
ALONE = 3.0
"""Seconds of work before other processes are worth starting."""
GAMES = 1_000
"""Games in each trial, unless its test ends before."""
OPTIMUM_SECONDS = 60.0
"""How long the best numbers of a family are looked for, at most."""
SIGNIFICANT = 0.05
"""McNemar's p at which an improvement is shown."""
SIGNIFICANT_HELD_OUT = 0.01
"""The same where folds of one game are held out, whose positions have much in common."""

OfFamily = Callable[[Family, Flags | None], Choices]
"""The choices with a family's features, or those of them that are named."""


@checks_keywords
def tune(
    start: Any = "counted-lines",
    game: GameLike | str = "tictactoe",
    *,
    family: str | None = None,
    free: Sequence[str] | None = None,
    labels: str | Labels = "exact",
    depth: int = 1,
    samples: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
    optimum: bool = False,
    resume: str | Path | None = None,
    trials: bool = True,
    games: int = GAMES,
    jobs: int | None = 1,
    executor: Executor | None = None,
    name: str = "tuned",
    node_cost: float | None = None,
) -> TuningResult:
    """Return START with the numbers of a family tuned, and what shows that it is better, or not.

    `start` is a table, its name or its file, or a function or `file.py:name`: the constants of its
    module that it reads are tuned then, by SPSA, unless a `family` is named or it has none. Of the
    `family` (`family.FAMILIES`; by default the smallest that is as good as any), `free` names the
    numbers that are tuned. They are learned from all positions of the game, or from so many
    `samples`, for searches of `depth` plies. `labels` are the exact values, a function that gives
    values of positions in the view of the side to move (which are tested on held-out positions
    only), or `games:FILE`: the results of recorded
    games, for which exact values, if a solver has them, are the test alone; with `exact+play`
    constants are tuned by games against START afterwards. With `trials` the two play up to `games`
    games in each of three conditions: equal depth, equal nodes and equal time. For the last, nodes
    are scaled by what a node of the tuned heuristic costs, START's being 1, which is measured
    unless `node_cost` gives it, such as that of a birth certificate, to play its games again. With
    `optimum` a minute at most goes into the proof how good any numbers of the family can be.

    The same `seed` gives the same numbers, unless `seconds` end it early. What is dear to find out
    is kept in the file `resume`, where the same call goes on. Ctrl-C returns what there is once
    there are tuned numbers, and raises KeyboardInterrupt before. Searches and games run in `jobs`
    processes, None for as many as cores, or by an `executor`'s workers; here alone where START is
    a function that cannot be handed to them. Raises OptionError where there are fewer than 30
    deciding positions for each number, and what `find_heuristic`, `find_family` and
    `find_constants` raise.

    >>> from plyscope import tune
    >>> result = tune("counted-lines", "tictactoe", family="table", trials=False)
    >>> result.outcome, result.choices, len(result.weights)
    ('improved', 3191, 4)
    """
    rules = _line_game(game, depth, samples, node_cost)
    own, constants = _start(start, rules, family, free)
    if samples is None and _arrangements(rules) > WHOLE:
        samples = SAMPLES
    asked = _Asked(own, rules, family, free, labels, depth, samples, seed, optimum, name, constants)
    local = LocalWorkers(jobs if asked.can_travel else 1, ALONE)
    with nullcontext(executor) if executor and asked.can_travel else local as workers:
        run = _Tuning(
            **vars(asked),
            deadline=None if seconds is None else perf_counter() + seconds,
            progress=progress or silent,
            games=games if trials else 0,
            given_cost=node_cost,
            executor=workers,
            journal=Journal(None if resume is None else Path(resume), FORMAT, asked.question),
        )
        return run.result()


def _line_game(
    game: GameLike | str, depth: int, samples: int | None, node_cost: float | None
) -> LineGame:
    """Return the game to tune on; raise OptionError for another kind, and for odd numbers."""
    rules = game_of(game)
    if not isinstance(rules, LineGame):
        raise OptionError(f"tuning on {rules.name!r}; expected a line game")
    if depth < 1:
        raise OptionError(f"depth {depth} to tune for; expected at least 1")
    if node_cost is not None and not 0.01 <= node_cost <= 100:
        raise OptionError(f"node cost {node_cost!r}; expected 0.01 to 100")
    if samples is not None and samples < 1:
        raise OptionError(f"{samples} samples; expected at least 1")
    return rules


def _start(
    start: Any, game: LineGame, family: str | None, free: Sequence[str] | None
) -> tuple[Heuristic, Constants | None]:
    """Return START, and the constants of it that are tuned, if any are."""
    own = find_heuristic(start, game)
    if family not in (None, CONSTANTS):
        return own, None
    constants = _constants_of(start, game, free, is_wanted=family is not None)
    return own if constants is None else constants.heuristic(constants.weights_of_start), constants


def _results_in(labels: str, game: LineGame) -> GamesPopulation | None:
    """Return the recorded games of `games:FILE`, None for exact values."""
    kind, _, path = labels.partition(":")
    if kind == "games" and path:
        return GamesPopulation(games_of(path), game)
    if labels in ("exact", AND_PLAY):
        return None
    raise OptionError(
        f"labels {labels[:40]!r}; expected exact, {AND_PLAY}, games:FILE, "
        "or a function of positions"
    )


def _constants_of(
    start: Any, game: LineGame, free: Sequence[str] | None, is_wanted: bool
) -> Constants | None:
    """Return the constants of START where that is a function that has some; a table without any is
    tuned as a table, unless constants are wanted."""
    if not is_of_constants(start):
        if is_wanted:
            raise OptionError(
                f"constants of {str(start)[:40]!r}; expected a function, or file.py:name"
            )
        return None
    try:
        return find_constants(start, game, free)
    except NoConstants:
        if is_wanted or not isinstance(find_heuristic(start, game), LineTable):
            raise
        return None


def _arrangements(game: LineGame) -> int:
    """Return a bound of the positions of a game."""
    if game.gravity:
        return prod(2 ** (len(column) + 1) - 1 for column in game.columns)
    return int(3 ** game.board.bit_count())


class _OutOfTime(Exception):
    """Raised when the seconds are over and there is something to show."""


@dataclass
class _Asked:
    """What is tuned. Raises OptionError where it does not go together."""

    start: Heuristic
    game: LineGame
    family: str | None
    free: Sequence[str] | None
    labels: str | Labels
    depth: int
    samples: int | None
    seed: int
    wants_optimum: bool
    name: str
    constants: Constants | None
    """Of a START that is a function with some."""
    results: GamesPopulation | None = None
    """What is learned from instead of exact values."""

    def __post_init__(self) -> None:
        if self.results is None and isinstance(self.labels, str):
            self.results = _results_in(self.labels, self.game)
        has_constants = self.constants is not None
        if self.labels == AND_PLAY and not has_constants:
            raise OptionError(
                f"labels {self.labels!r} of the table {self.start.name!r}; "
                "expected a function with constants"
            )
        if self.wants_optimum and has_constants:
            raise OptionError(
                f"the optimum of the constants of {self.start.name!r}; "
                "expected a family, such as table"
            )
        if self.results is not None and (self.wants_optimum or has_constants):
            of_start = f"the constants of {self.start.name!r}"
            what = "the optimum" if self.wants_optimum else of_start
            raise OptionError(f"{what} from results of games; expected exact labels")
        if self.wants_optimum and self.samples is not None:
            raise OptionError(
                f"the optimum from a sample of {self.game.name!r}; expected a whole game"
            )

    @property
    def can_travel(self) -> bool:
        """Whether other processes can be asked about it."""
        return self.constants is None or can_travel(self.start)

    @property
    def question(self) -> dict[str, Any]:
        """The question of its journal."""
        return {
            "game": name_of(self.game),
            "rules": self.game.digest,
            "samples": self.samples,
            "seed": self.seed,
            "version": __version__,
        }


@dataclass(kw_only=True)
class _Tuning(_Asked):
    """One tuning, phase by phase, with what it has so far."""

    deadline: float | None
    progress: Progress
    games: int
    given_cost: float | None
    executor: Executor
    journal: Journal
    began: float = field(default_factory=perf_counter)
    # what there is so far
    critical: Positions | None = None
    chosen: Family | Constants | None = None
    ridge: float | None = None
    numbers: tuple[Any, ...] | None = None
    """Those that were found, in the order of the parameters."""
    weights: tuple[Weight, ...] = ()
    may_drop_all: bool | None = None
    learning: tuple[LearningPoint, ...] = ()
    errors: tuple[ErrorsAtDepth, ...] = ()
    loses: tuple[Flags, ...] = ()
    cured: tuple[Changed, ...] = ()
    spoilt: tuple[Changed, ...] = ()
    played: tuple[Trial, ...] = ()
    node_cost: NodeCost | None = None
    optimum: Optimum | None = None
    is_promising: bool = False
    """Whether cross-validation finds it better than START."""
    parts: Integers | None = None
    """[choices] the fold of each, 0 for all but those of the test where constants are tuned."""
    by_fold: dict[int, Any] = field(default_factory=dict)
    """The heuristic that each fold is tested with, where labels are not exact."""

    @property
    def is_whole(self) -> bool:
        """Whether all positions of the game are known."""
        return self.samples is None

    @property
    def is_held_out(self) -> bool:
        """Whether a part of the game is held out to test: its labels are not exact."""
        return self.is_whole and not isinstance(self.labels, str)

    @property
    def is_counted(self) -> bool:
        """Whether wrong moves are counted over the whole game."""
        return self.is_whole and not self.is_held_out

    @property
    def test_seed(self) -> int:
        """The seed of what is looked at once."""
        return Random(f"test {self.seed}").randrange(1 << 31)

    def result(self) -> TuningResult:
        """Go through the phases and return the result, or what there is when it is stopped."""
        is_interrupted = False
        try:
            self._learn()
            self._test()
            self._prove()
            self._play()
        except _OutOfTime:
            pass
        except KeyboardInterrupt:
            if self.numbers is None:
                raise
            is_interrupted = True
        return self._result("interrupted" if is_interrupted else self._outcome())

    def told(self, phase: str, done: int, total: int) -> None:
        """Tell how far a phase has come; raise _OutOfTime once there are numbers and no time."""
        self.progress(phase, done, total)
        if self.numbers is not None and self.is_late:
            raise _OutOfTime

    @property
    def is_late(self) -> bool:
        """Whether the seconds are over."""
        return self.deadline is not None and perf_counter() > self.deadline

    # Labels

    def _labelled(self, phase: str, size: int | None, seed: int, avoid: Any = ()) -> Positions:
        """Return the deciding positions of the game, or of so many samples."""

        count = counted(self.told, phase, size or 0)
        population: Population
        if size is None:
            population = WholeGame(self.game, count)
        else:
            options = self.journal, count, avoid, self.executor
            try:
                population = gathered(self.game, size, seed, phase, *options)
            except TooFewPositions as error:
                fresh = " and as many fresh ones to test on" if avoid else ""
                instead = "fewer"
                if _arrangements(self.game) <= WHOLE:
                    instead += ", or no number of samples: all positions of this game"
                raise OptionError(
                    f"{size} samples of {self.game.name!r}{fresh}: "
                    f"only {error.found} were found; expected {instead}"
                ) from None
        if not isinstance(self.labels, str):
            population = population.relabelled(self.labels)
        at = population.critical.at
        if size is None:
            keys = population.orbits
            groups = np.unique(keys[np.array(at, np.int64)], return_inverse=True)[1]
        else:
            groups = np.array(groups_of(population), np.int64)
        return Positions(population, at, groups)

    # Learning

    def _learn(self) -> None:
        """Find the numbers, and what they rest on."""
        if self.results is not None:
            self._learn_results(self.results)
            return
        critical = self.critical = self._labelled("label", self.samples, self.seed)
        if self.constants is not None:
            self._learn_constants(critical, self.constants)
        else:
            self._learn_weights(critical)

    def _learn_constants(self, critical: Positions, constants: Constants) -> None:
        """Find the constants of a function, on four fifths of a sample, and whether they are better
        on the others."""
        self.chosen = constants
        self._require(len(critical), len(constants.parameters))
        is_out = np.zeros(len(critical), np.bool_)
        if not self.is_counted:
            # choices of as many stones share no child with those of another number
            groups = critical.stones if self.is_whole else critical.groups.tolist()
            is_out = np.array(folds(groups, FOLDS, self.seed), np.int64) == 0
        known, out = critical.only(~is_out), critical.only(is_out)
        key = (f"constants {self._digest(constants)}",)
        found = fit_constants(
            constants,
            known,
            self.depth,
            self.seed,
            games=PLAYED if self.labels == AND_PLAY else 0,
            executor=self.executor,
            state=self.journal.known.get(key, [None])[0],
            progress=self.told,
            seconds=None if self.deadline is None else self.deadline - perf_counter(),
        )
        self.journal.keep(key, found.state)
        self.numbers = found.weights
        self.weights = tuple(
            Weight(name=name, before=was, after=now, low=low, high=high, may_be_dropped=is_idle)
            for name, was, now, low, high, is_idle in zip(
                constants.parameters,
                constants.weights_of_start,
                found.weights,
                found.low,
                found.high,
                found.may_be_dropped,
                strict=True,
            )
        )
        if found.stopped == "interrupted":
            raise KeyboardInterrupt
        if self.is_held_out:
            self.parts, self.by_fold = np.where(is_out, 0, -1), {0: self.candidate}
        if len(out):
            out = out.looking_ahead(self.depth)
            both = (self.start, self.candidate)
            before, after = (wrong_by(each, out, self.depth).sum() for each in both)
            self.is_promising = bool(after < before)

    def _learn_weights(self, critical: Positions) -> None:
        """Find the family, the ridge and the weights."""
        families = self._families(len(critical))
        parts = np.array(folds(critical.groups.tolist(), FOLDS, self.seed), np.int64)
        count = counted(self.told, "search 1", len(critical))
        leaves = leaves_of(critical, self.depth, self.start, self.executor, count)

        def of_family(family: Family, is_in: Flags | None) -> Choices:
            if is_in is None:
                return choices_of(critical, family, leaves)
            few = leaves.of_move[critical.by_move(is_in)]
            return choices_of(critical.only(is_in), family, leaves._replace(of_move=few))

        family, choices = self._smallest(families, of_family, critical.groups, parts)
        self.chosen = family
        best = validated(choices, parts)
        self.ridge = best.ridge
        choices = self._researched(critical, family, choices, parts)
        self._take(family, choices, parts)
        if self.is_held_out:
            labelled = critical.population.orbits[critical.children]
            found = held_out(choices, labelled, parts, self.ridge)
            self.parts = parts
            self.by_fold = {
                fold: family.heuristic(numbers.tolist(), self.name)
                for fold, numbers in found.items()
            }
        if self.depth == 1:
            out = self.learning[-1].validation.value * len(critical)
            self.is_promising = out < self._wrong(critical, self.start)

    def _learn_results(self, results: GamesPopulation) -> None:
        """Find the family, the ridge and the weights that tell best who won."""
        parts = np.array(folds(results.decided_groups.tolist(), FOLDS, self.seed), np.int64)
        families = self._families(len(parts))

        def of_family(family: Family, is_in: Flags | None) -> Choices:
            choices = results.choices(family, self.depth)
            return choices if is_in is None else choices.only(is_in)

        family, choices = self._smallest(families, of_family, results.decided_groups, parts)
        self.chosen = family
        self.ridge = validated(choices, parts).ridge
        self._take(family, choices, parts)
        out = self.learning[-1].validation.value * len(choices)
        self.is_promising = out < choices.wrong(np.array(family.weights_of_start))

    def _take(self, family: Family, choices: Choices, parts: Integers) -> None:
        """Take the weights that the choices teach."""
        assert self.ridge is not None
        learned = learn(choices, self.ridge)
        self.numbers = tuple(learned.numbers.tolist())
        self.told("learn", 1, 3)
        self.learning = curve(choices, parts, self.ridge, self.seed)
        self.told("learn", 2, 3)
        may, self.may_drop_all = droppable(choices, parts, self.ridge, learned)
        self.told("learn", 3, 3)
        half = 1.96 * learned.errors
        self.weights = tuple(
            Weight(
                name=parameter,
                before=was,
                after=int(now),
                low=float(now - margin),
                high=float(now + margin),
                may_be_dropped=is_idle,
            )
            for parameter, was, now, margin, is_idle in zip(
                family.parameters,
                family.weights_of_start,
                learned.numbers.tolist(),
                half.tolist(),
                may,
                strict=True,
            )
        )

    def _families(self, choices: int) -> list[Family]:
        """Return the family that is asked for, or all that so many choices are enough for, the
        smallest first. Raises OptionError where there are fewer than 30 choices a number."""
        known = self._known_families()
        known.sort(key=lambda each: len(each.parameters))
        self._require(choices, len(known[0].parameters))
        return [each for each in known if len(each.parameters) * CHOICES_A_WEIGHT <= choices]

    def _require(self, choices: int, numbers: int) -> None:
        """Raise OptionError where there are fewer than 30 choices a number."""
        needed = CHOICES_A_WEIGHT * numbers
        if choices < needed:
            learned = "1 number" if numbers == 1 else f"{numbers} numbers"
            expected = f"at least {needed:,}, {CHOICES_A_WEIGHT} a number"
            if self.samples is not None:
                size = round(1.1 * self.samples * needed / max(1, choices))
                expected += f": about {size:,} samples (--samples {size})"
            raise OptionError(
                f"{learned} to learn from {choices:,} deciding positions of {self.game.name!r}; "
                f"expected {expected}"
            )

    def _known_families(self) -> list[Family]:
        """Return the family that is asked for, or all that have the numbers that are asked for."""
        if self.family is not None:
            return [find_family(self.family, self.start, self.game, self.free)]
        known, refused = [], None
        for name in families_of(self.game):
            try:
                known.append(find_family(name, self.start, self.game, self.free))
            except (OptionError, UnknownNameError) as error:
                refused = error
        if not known and refused is not None:
            raise refused
        return known

    def _smallest(
        self, families: list[Family], of_family: OfFamily, groups: Integers, parts: Integers
    ) -> tuple[Family, Choices]:
        """Return the smallest family within one standard error of the best (Breiman et al. 1984),
        with its choices."""
        if len(families) == 1:
            return families[0], of_family(families[0], None)
        is_in = self._compared(groups)
        tried = []
        for number, family in enumerate(families):
            self.told("families", number, len(families))
            choices = of_family(family, is_in)
            tried.append((family, validated(choices, parts[is_in], (USUAL_RIDGE,))))
        self.told("families", len(families), len(families))
        best = min((each for _, each in tried), key=lambda each: each.wrong)
        chosen = next(family for family, each in tried if each.wrong <= best.wrong + best.error)
        return chosen, of_family(chosen, None)

    def _compared(self, groups: Integers) -> Flags:
        """Return [choices] whether families are compared on them: on all, or as many as do."""
        names = np.unique(groups)
        share = min(1.0, COMPARED / len(groups))
        drawn = np.random.default_rng(self.seed).random(len(names)) <= share
        flags: Flags = drawn[np.searchsorted(names, groups)]
        return flags

    def _researched(
        self, critical: Positions, family: Family, choices: Choices, parts: Integers
    ) -> Choices:
        """Return the choices at the leaves that lead to the fewest wrong moves of real searches, on
        a fifth that is held out; there the numbers have to be better than START's too."""
        if self.depth == 1:
            return choices
        assert self.ridge is not None
        is_out = parts == 0
        out = critical.only(is_out)
        best, least = choices, np.inf
        for number in range(1, ROUNDS + 1):
            numbers = learn(choices.only(~is_out), self.ridge).numbers
            heuristic = family.heuristic(numbers.tolist(), self.name)
            wrong = self._wrong(out, heuristic)
            if wrong < least:
                best, least = choices, wrong
            if number < ROUNDS:
                count = counted(self.told, f"search {number + 1}", len(critical))
                leaves = leaves_of(critical, self.depth, heuristic, self.executor, count)
                choices = choices_of(critical, family, leaves)
        self.is_promising = least < self._wrong(out, self.start)
        return best

    def _wrong(self, critical: Positions, heuristic: Heuristic) -> float:
        """Return the wrong moves of searches of the depth of use."""
        return float(critical.wrong_by(self._played(critical, heuristic, self.depth)).sum())

    def _played(self, critical: Positions, heuristic: Heuristic, depth: int) -> Any:
        return critical.played(heuristic, depth, self.executor)

    # Evidence

    @property
    def candidate(self) -> Any:
        """The tuned heuristic, START where there is none yet."""
        if self.numbers is None or self.chosen is None:
            return self.start
        summary = f"{self.chosen.name}, tuned for {self.game.name} at depth {self.depth}"
        return self.chosen.heuristic(self.numbers, self.name, summary)

    def _test(self) -> None:
        """Ask START and the tuned heuristic about positions that nobody has looked at."""
        if self.critical is None and not self._is_testable:
            return
        fresh = self.critical
        if fresh is None or self.samples is not None:
            learned = self.results if fresh is None else fresh.population
            assert learned is not None
            avoid = frozenset(learned.orbits.tolist())
            fresh = self._labelled("label test", self.samples, self.test_seed, avoid)
        depths = range(1, self.depth + 3)
        is_tested = np.ones(len(fresh), np.bool_)
        if self.is_held_out:  # of mirror images one
            assert self.parts is not None
            is_tested[:] = False
            is_tested[np.unique(fresh.groups, return_index=True)[1]] = True
            is_tested &= self.parts >= 0
        of_tested = fresh.by_move(is_tested)
        tested = fresh.only(is_tested)
        for depth in depths:
            self.told("test", depth - 1, len(depths))
            before = self._played(fresh, self.start, depth)[of_tested]
            after = self._after(fresh, depth)[of_tested]
            options = self.test_seed, self.is_counted, self.is_held_out
            found = asked(tested, before, after, depth, *options)
            self.errors = (*self.errors, found.errors)
            self.loses = (*self.loses, found.loses)
            if depth == self.depth:
                self.cured, self.spoilt = found.cured, found.spoilt
        self.told("test", len(depths), len(depths))

    def _after(self, fresh: Positions, depth: int) -> Flags:
        """Return [moves] what the tuned heuristic may play; of a fold, the one that is learned from
        the others."""
        if not self.is_held_out:
            flags: Flags = self._played(fresh, self.candidate, depth)
            return flags
        assert self.parts is not None
        flags = np.zeros(len(fresh.children), np.bool_)
        of_move = fresh.by_move(self.parts)
        for fold, heuristic in self.by_fold.items():
            flags |= (of_move == fold) & self._played(fresh, heuristic, depth)
        return flags

    @property
    def _is_testable(self) -> bool:
        """Whether a solver knows the game."""
        return self.samples is None or can_draw(self.game)

    def _play(self) -> None:
        """Play START and the tuned heuristic against each other."""
        if not self.games:
            return
        players = self.start, self.candidate, self.game, self.depth, self.games
        for trial in trials(
            *players, self.test_seed, self.executor, self.told, lambda: self.is_late, self._cost
        ):
            self.played = (*self.played, trial)
            if trial.match.stopped == "interrupted":
                if self.is_late:
                    return
                raise KeyboardInterrupt

    def _cost(self, openings: list[Position]) -> float:
        """Return by how much nodes are scaled for games at equal time, and keep it."""
        if self.given_cost is not None:
            self.node_cost = NodeCost(compiled=self.given_cost, reference=None)
        else:
            self.node_cost = measure_cost(self.start, self.candidate, openings)
        return self.node_cost.of_games

    def _prove(self) -> None:
        """Find out how good any numbers of the family can be, as far as time is."""
        if not self.wants_optimum or self.critical is None or not isinstance(self.chosen, Family):
            return
        left = OPTIMUM_SECONDS
        if self.deadline is not None:
            left = min(left, max(0.0, self.deadline - perf_counter()))
        self.optimum = find_optimum(
            self.chosen,
            self.critical.population,
            left,
            lambda so_far: self.told("optimum", so_far.nodes, 0),
            keep_interrupted=True,
        )
        lost = games_lost(self.chosen, self.optimum.weights)
        self.optimum = replace(self.optimum, lost=lost)

    def _outcome(self) -> Outcome:
        """Return whether an improvement was shown."""
        if self.results is not None and not self._is_testable:
            is_shown = self.is_promising and any(map(is_stronger, self.played))
            return "improved" if is_shown else "no improvement"
        if len(self.errors) < self.depth:  # no time was left to ask
            return "no improvement"
        here = self.errors[self.depth - 1]
        is_fewer = here.after.value < here.before.value
        if not self.is_counted:
            level = SIGNIFICANT_HELD_OUT if self.is_held_out else SIGNIFICANT
            is_fewer = is_fewer and here.p <= level and self.is_promising
        is_shown = is_fewer and not any(map(is_worse, self.played))
        return "improved" if is_shown else "no improvement"

    def _result(self, outcome: Outcome) -> TuningResult:
        family, candidate = self.chosen, self.candidate
        assert family is not None
        return TuningResult(
            outcome=outcome,
            game=name_of(self.game),
            start=self.start.name,
            family=family.name,
            labels=self._labels_in_words(),
            depth=self.depth,
            seed=self.seed,
            test_seed=self.test_seed,
            positions=self._positions,
            choices=self._choices,
            ridge=self.ridge,
            heuristic=candidate if outcome == "improved" else self.start,
            candidate=candidate,
            weights=self.weights,
            may_drop_all=self.may_drop_all,
            learning=self.learning,
            errors=self.errors,
            is_whole=self.is_counted,
            is_held_out=self.is_held_out,
            loses=self.loses,
            cured=self.cured,
            spoilt=self.spoilt,
            trials=self.played,
            node_cost=self.node_cost,
            optimum=self.optimum,
            seconds=perf_counter() - self.began,
            digest=self._digest(family),
            version=__version__,
            source=self._source,
        )

    @property
    def _source(self) -> str | None:
        """The file of START with the numbers that were found, None for a table."""
        if self.constants is None or self.numbers is None:
            return None
        return self.constants.written(self.numbers)

    @property
    def _positions(self) -> int:
        """The positions that were learned from, those that decide nothing too."""
        if self.results is not None:
            return len(self.results)
        assert self.critical is not None
        population = self.critical.population
        if self.is_whole:
            return len(population.positions)
        return sum(1 for after in population.children if after)

    @property
    def _choices(self) -> int:
        """The positions that decide something."""
        if self.results is not None:
            return len(self.results.decided_groups)
        assert self.critical is not None
        return len(self.critical)

    def _labels_in_words(self) -> str:
        if self.results is not None:
            return f"results of {self.results.games:,} different games, {self.labels}"
        assert self.critical is not None
        about = self.critical.population.about
        if isinstance(self.labels, str):
            played = f" and {PLAYED:,} games against START" if self.labels == AND_PLAY else ""
            return f"exact values{played}, {about}"
        return f"{getattr(self.labels, '__name__', 'a function')}, {about}"

    def _digest(self, family: Family | Constants) -> str:
        """Return the digest of what was learned from: positions, values and options."""
        asked_for = (
            *(self.game.digest, family.name, family.parameters, family.weights_of_start),
            *(self.depth, self.samples, self.seed),
        )
        digest = hashlib.sha256(repr(asked_for).encode())
        if isinstance(family, Constants):
            digest.update(family.written(family.weights_of_start).encode())
            digest.update(AND_PLAY.encode() if self.labels == AND_PLAY else b"")
        if self.results is not None:
            positions, worth = self.results.positions, self.results.results
        else:
            assert self.critical is not None
            positions = [self.critical.population.positions[at] for at in self.critical.at]
            worth = self.critical.worth
        for position in positions:
            digest.update(repr((position.first, position.second, position.side)).encode())
        digest.update(worth.astype("<f8").tobytes())
        return digest.hexdigest()


def choices_of(critical: Positions, family: Family, leaves: Leaves) -> Choices:
    """Return the choices with the family's features at these leaves."""
    is_over = ~np.isnan(leaves.results)
    features = family.features(leaves.positions, leaves.sides).astype(np.float64)
    offsets = family.offset(leaves.positions, leaves.sides).astype(np.float64)
    features[is_over], offsets[is_over] = 0.0, 0.0
    of_move = leaves.of_move
    return Choices(
        starts=critical.starts,
        worth=critical.worth,
        features=features[of_move],
        offsets=offsets[of_move],
        results=np.where(is_over, leaves.results, 0.0)[of_move],
        groups=critical.groups,
    )
