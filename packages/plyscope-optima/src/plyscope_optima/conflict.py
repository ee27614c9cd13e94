"""`conflicts`: positions whose right moves no numbers of a family can play together, with proof.

A search of one ply plays no wrong move in a position if some right move is rated above every wrong
one: weights · (the right move's features − the wrong move's features) > 0. Several such differences
cannot all be positive if whole multiples of them add up to zero: the same multiples of the products
would add up to zero too. So a few whole numbers prove a conflict (Farkas 1902, Gordan 1873). A
position with several right moves needs only one of them, so a proof has a case for each choice.
A search of several plies compares leaves in the same way (`strategies`); a choice then also says
which replies count.

Conflicts of one position, and of two with exactly opposite differences, are looked up. Others are
found from a search in which no weights are left, and lose positions until none can be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import gcd, lcm
from operator import sub
from time import perf_counter
from typing import Any

import numpy as np

from plyscope.catalogue import checks_keywords
from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn, printed
from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import HeuristicLike
from plyscope.jsonable import by_name
from plyscope.lab.judging.population import Population
from plyscope.lab.judging.populations import population_of
from plyscope.lab.matches.game import name_of
from plyscope.rules.game import FIRST, SECOND, GameLike, move_text, position_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import game_of
from plyscope.rules.tree import AnyPosition
from plyscope.tuning.family import Family, families_of, find_family
from plyscope.tuning.result import Optimum
from plyscope_optima.cone import ANY_SIGN, Cone
from plyscope_optima.optimum import games_lost, optimum
from plyscope_optima.siblings import compared_moves
from plyscope_optima.strategies import TooManyStrategies, line_to, options
from plyscope_optima.unbeaten import Trees
from plyscope_optima.weights import Weights

Vector = tuple[int, ...]
SIDES_TO_MOVE = FIRST, SECOND
CONFLICT_SECONDS = 10.0
MAX_PAIRS = 4_000
"""Pairs of positions with opposite differences that are tried."""


@dataclass(frozen=True, kw_only=True)
class Demand:
    """A demand of a conflict in one position: a right move is rated above a wrong one."""

    at: int
    """The index of the position in the conflict."""
    right: tuple[str, ...]
    """A right move, and the others with the same features; at a depth beyond 1, the moves of a
    line."""
    wrong: str
    difference: tuple[int, ...]
    """The features of the right move minus those of the wrong one, a number for each parameter, and
    a last one for the terms that are not tuned, if there are any."""
    times: int
    """The multiple of the difference in the sum."""

    def __str__(self) -> str:
        return f"{chr(ord('A') + self.at)}: {self.right[0]} above {self.wrong}, times {self.times}"


@dataclass(frozen=True, kw_only=True)
class Case:
    """The proof for one choice of right moves: multiples of differences that add up to zero."""

    demands: tuple[Demand, ...]

    def __str__(self) -> str:
        return f"{'; '.join(map(str, self.demands))}; the sum is {self.sum}".replace("-", "−")

    @property
    def sum(self) -> tuple[int, ...]:
        """The sum: zero for every parameter, and zero or less for the terms that are not tuned."""
        columns = zip(*(demand.difference for demand in self.demands), strict=True)
        return tuple(
            sum(demand.times * number for demand, number in zip(self.demands, column, strict=True))
            for column in columns
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the case as JSON-ready data."""
        return by_name(self) | {"sum": self.sum}


@dataclass(frozen=True, kw_only=True)
class ConflictPosition:
    """A position of a conflict."""

    position: AnyPosition
    right: tuple[str, ...]
    """The right moves that weights may choose."""
    wrong: tuple[str, ...]

    def __str__(self) -> str:
        right, wrong = ", ".join(self.right), ", ".join(self.wrong)
        return f"{self.position}: right {right}; wrong {wrong}"


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """Positions such that any numbers of a family rate a wrong move best in at least one of them.

    Without any one of the positions there would be no conflict. `cases` prove the conflict: for
    every choice of one right move in each position, one case has only demands of the chosen moves.
    """

    parameters: tuple[str, ...]
    has_fixed: bool
    """Whether differences have a last number, for the terms that are not tuned."""
    positions: tuple[ConflictPosition, ...]
    cases: tuple[Case, ...]
    is_smallest: bool
    """Whether it is proved that no conflict has fewer positions."""
    depth: int = 1
    """Plies of the search."""

    def __str__(self) -> str:
        positions = enumerate(self.positions, start=ord("A"))
        return "\n".join(f"{chr(letter)}  {each}" for letter, each in positions)


@dataclass(frozen=True, kw_only=True)
class Addition:
    """Terms of the library that were added to the family."""

    terms: str
    """The name of the family of these terms."""
    numbers: int
    """The number of parameters with them."""
    resolved: int
    """Conflicts that some numbers of the larger family resolve."""
    optimum: Optimum | None
    """The fewest wrong moves of the larger family; None at a depth beyond 1."""

    def __str__(self) -> str:
        return f"{self.terms}: {self.numbers} numbers, {self.resolved} conflicts resolved"


@dataclass(frozen=True, kw_only=True)
class Conflicts:
    """The result of `conflicts`: why no numbers of a family make every right move at a depth."""

    heuristic: str
    game: str
    family: str
    depth: int
    parameters: tuple[str, ...]
    critical: int
    """Critical positions of the game."""
    conflicts: tuple[Conflict, ...]
    """Empty if some numbers play no wrong move, or if the time limit left this open."""
    weights: tuple[int, ...] | None
    """Numbers that play no wrong move; None if there are none, or none were found."""
    optimum: Optimum | None
    """The fewest wrong moves of the family; None at a depth beyond 1."""
    additions: tuple[Addition, ...]
    """Terms that resolve some of the conflicts, the fewest wrong moves first."""
    tried: tuple[str, ...]
    """All terms that were tried."""
    rules: LineGame = field(repr=False, compare=False)
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-ready data."""
        found = by_name(self)
        del found["rules"]
        return found

    def to_frame(self) -> DataFrame:
        """Return the demands of all proofs as a pandas DataFrame, a row for each."""
        return frame(
            {"conflict": number, "case": at, **by_name(demand)}
            for number, conflict in enumerate(self.conflicts)
            for at, case in enumerate(conflict.cases)
            for demand in case.demands
        )

    __str__ = printed
    _repr_html_ = drawn


@checks_keywords
def conflicts(
    heuristic: HeuristicLike = "counted-lines",
    game: GameLike | str = "tictactoe",
    *,
    family: str = "own",
    depth: int = 1,
    count: int = 3,
    seconds: float = 30.0,
    additions: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> Conflicts:
    """Return positions whose right moves no numbers of a heuristic's family can play together.

        heuristic   a table, its name or its file
        game        a line game with at most 300,000 positions
        family      the family of tables; by default the terms that the heuristic has
        depth       plies of the search
        count       conflicts at most
        seconds     time limit for the conflicts, and for each optimum
        additions   whether to try which terms of the library resolve them
        progress    called with (phase, done, total)

    >>> found = conflicts("counted-lines", count=1, additions=False)
    >>> len(found.conflicts[0].positions), found.conflicts[0].cases[0].sum
    (1, (0, 0))
    """
    began, rules = perf_counter(), game_of(game)
    if not isinstance(rules, LineGame):
        raise OptionError(f"conflicts on {rules.name!r}; expected a line game")
    if count < 1:
        raise OptionError(f"{count} conflicts; expected at least 1")
    if depth < 1:
        raise OptionError(f"depth {depth}; expected at least 1")
    made = find_family(family, heuristic, rules)
    report = progress or (lambda phase, done, total: None)
    population = population_of(rules, None, 0, lambda done: report("positions", done, 0))
    found = []
    for conflict in _conflicts(made, population, depth, count, began + seconds):
        found.append(conflict)
        report("conflicts", len(found), count)
    best = optimum(made, population, seconds) if depth == 1 else None
    names = [
        name
        for name in families_of(rules)
        if additions and found and name not in family.split("+") and name != "all"
    ]
    added = []
    for at, name in enumerate(names):
        report("additions", at, len(names))
        addition = _addition(made, name, heuristic, population, depth, found, seconds)
        if addition is not None:
            added.append(addition)
    return Conflicts(
        heuristic=getattr(heuristic, "name", str(heuristic)),
        game=name_of(rules),
        family=made.name,
        depth=depth,
        parameters=made.parameters,
        critical=len(population.critical),
        conflicts=tuple(found),
        weights=best.weights if best and best.least == 0 else None,
        optimum=best,
        additions=tuple(sorted(added, key=_order)),
        tried=tuple(names),
        rules=rules,
        seconds=perf_counter() - began,
    )


def _order(addition: Addition) -> tuple[float, int, int]:
    least = 0.0 if addition.optimum is None else addition.optimum.least
    return least, -addition.resolved, addition.numbers


def find_conflict(
    family: Family, population: Population, depth: int = 1, seconds: float = CONFLICT_SECONDS
) -> Conflict | None:
    """Return the first conflict of a family on all positions of a game, None if none was found."""
    return next(_conflicts(family, population, depth, 1, perf_counter() + seconds), None)


def optimum_with_evidence(
    family: Family,
    population: Population,
    seconds: float,
    depth: int,
    start: Weights,
    progress: Callable[[int], None],
) -> Optimum:
    """Return the optimum of a family at a depth, as far as `seconds` suffice, with the games that
    its numbers lose and a conflict.

    `start` are the numbers to begin with; `progress` is called with the nodes visited. Ctrl-C ends
    the search early.
    """
    found = optimum(
        *(family, population, seconds, lambda so_far: progress(so_far.nodes)),
        keep_interrupted=True,
        depth=depth,
        start=start,
    )
    conflict = find_conflict(family, population, depth)
    return replace(found, lost=games_lost(family, found.weights, depth=depth), conflict=conflict)


def _conflicts(
    family: Family, population: Population, depth: int, count: int, deadline: float
) -> Iterator[Conflict]:
    """Yield conflicts of a family."""
    questions = questions_of(family, population, depth)
    finder = Finder(questions.values(), len(family.parameters) + 1)
    has_fixed = any(
        features[-1] for each in questions.values() for features in (*each.right, *each.wrong)
    )
    for some, is_smallest in finder.found(count, deadline):
        is_smallest = is_smallest and (depth == 1 or len(some) == 1)  # some were left out
        yield _conflict(family, population, finder, some, is_smallest, has_fixed, depth)


def _addition(
    made: Family,
    name: str,
    heuristic: HeuristicLike,
    population: Population,
    depth: int,
    found: Sequence[Conflict],
    seconds: float,
) -> Addition | None:
    """Return how many conflicts the terms of a family resolve, None if they add no number."""
    larger = find_family(f"{made.name}+{name}", heuristic, made.game)
    if len(larger.parameters) <= len(made.parameters):
        return None
    number = {position: at for at, position in enumerate(population.positions)}
    questions = questions_of(larger, population, depth)
    finder = Finder((), len(larger.parameters) + 1)
    asked = ([number[each.position] for each in conflict.positions] for conflict in found)
    # without a question, a position had too many options
    resolved = sum(
        all(at in questions for at in some)
        and not finder.is_conflict([questions[at] for at in some])
        for some in asked
    )
    if not resolved:
        return None
    return Addition(
        terms=name,
        numbers=len(larger.parameters),
        resolved=resolved,
        optimum=optimum(larger, population, seconds) if depth == 1 else None,
    )


class Question:
    """A critical position: the features of its right moves and of its wrong ones."""

    def __init__(
        self,
        at: int,
        moves: Iterable[tuple[Vector, bool, Any]],
        options: Iterable[Iterable[tuple[Vector, Vector]]] | None = None,
    ) -> None:
        """`moves` has, for each move, its features, whether it is wrong, and its name.

        An option is a list of right and wrong features that have to be rated in this order. By
        default there is one for the features of each right move, against those of all wrong ones.
        """
        self.at = at
        """The number of the position in the population."""
        self.right: dict[Vector, list[Any]] = {}
        self.wrong: dict[Vector, list[Any]] = {}
        for features, is_wrong, move in moves:
            (self.wrong if is_wrong else self.right).setdefault(features, []).append(move)
        if options is None:
            options = ([(right, wrong) for wrong in self.wrong] for right in self.right)
        self.demands = {
            number: {tuple(map(sub, *pair)): pair for pair in pairs}
            for number, pairs in enumerate(options)
        }
        """By option, the differences that have to be positive, with the features compared."""

    @cached_property
    def key(self) -> frozenset[frozenset[Vector]]:
        """Equal for positions with the same demands."""
        return frozenset(frozenset(each) for each in self.demands.values())


Chosen = list[tuple[Question, int]]
"""Positions with the option chosen in each."""


def questions_of(family: Family, population: Population, depth: int = 1) -> dict[int, Question]:
    """Return the critical positions of a population, by their numbers.

    The moves are those of `compared_moves`. Features have a last number, for the terms that are not
    tuned. At a greater depth, positions with too many options are left out (`strategies`).
    """
    if depth > 1:
        return _ahead(family, population, depth)
    return {at: Question(at, moves) for at, moves in compared_moves(population, family)}


def _ahead(family: Family, population: Population, depth: int) -> dict[int, Question]:
    """Return the critical positions as a search of `depth` plies compares them; the name of a move
    is a line of positions."""
    critical, vectors = population.critical, dict[Vector, int]()

    def number(features: Vector) -> int:
        return vectors.setdefault(features, len(vectors))

    of_side = [Trees(family, population, side, depth, number) for side in SIDES_TO_MOVE]
    features = list(vectors)
    loses = (critical.lost > 0).tolist()
    found = {}
    for at, begin in zip(critical.at, critical.starts.tolist(), strict=False):
        trees = of_side[population.sides[at]]
        children = population.children[at]
        by_kind: tuple[list[int], list[int]] = [], []
        for place, child in enumerate(children):
            by_kind[loses[begin + place]].append(child)
        right, wrong = ([trees.of(each, depth - 1) for each in some] for some in by_kind)
        try:
            asked = options(list(dict.fromkeys(right)), list(dict.fromkeys(wrong)))
        except TooManyStrategies:
            continue
        if not asked or not all(asked):
            continue  # a result within the depth decides
        moves = []
        for is_wrong, some in enumerate(by_kind):
            for leaf in {pair[is_wrong] for option in asked for pair in option}:
                lines = (line_to(trees, child, depth - 1, leaf) for child in some)
                line = next(line for line in lines if line is not None)
                moves.append((features[leaf], bool(is_wrong), line))
        compared = [
            [(features[one], features[other]) for one, other in sorted(option)] for option in asked
        ]
        found[at] = Question(at, moves, compared)
    return found


Proof = list[tuple[Question, Vector, Vector, int]]
"""Positions with the features of a right and a wrong move, and the multiple of the difference."""


class Finder:
    """Finds positions whose demands no weights meet together."""

    def __init__(self, questions: Iterable[Question], dimension: int) -> None:
        self.dimension = dimension
        """The number of features, including the last one."""
        alike: dict[frozenset[frozenset[Vector]], Question] = {}
        for question in questions:
            if question.wrong:
                alike.setdefault(question.key, question)
        self.questions = sorted(alike.values(), key=lambda each: (len(each.demands), each.at))
        """One position for each set of demands."""
        self.whole = Cone.whole(dimension, has_fixed=True)
        """The cone of all weights; the weight of the last feature is positive."""

    def found(self, count: int, deadline: float) -> Iterator[tuple[list[Question], bool]]:
        """Yield conflicts that share no position, the smallest first, with whether it is proved
        that none has fewer positions."""
        used: set[int] = set()
        number = 0
        smallest = 3
        alone = [question for question in self.questions if self.is_conflict([question])]
        for some in chain(([question] for question in alone), self._opposite(alone)):
            size = len(some)
            if number == count or perf_counter() > deadline:
                return
            if not used & {each.at for each in some}:
                used |= {each.at for each in some}
                number, smallest = number + 1, min(smallest, size)
                yield some, size == smallest
        while number < count and perf_counter() < deadline:
            core = self._core([each for each in self.questions if each.at not in used], deadline)
            if core is None:
                return
            some = self._irreducible(core)
            used |= {each.at for each in some}
            number += 1
            yield some, False

    def _opposite(self, alone: list[Question]) -> Iterator[list[Question]]:
        """Yield conflicts of two positions with opposite differences, without conflicts of one
        position."""
        owners: dict[Vector, list[Question]] = {}
        rest = [question for question in self.questions if question not in alone]
        tried: set[tuple[int, int]] = set()
        for question in rest:
            opposite = [
                other
                for differences in question.demands.values()
                for difference in differences
                for other in owners.get(_direction(tuple(-one for one in difference)), ())
            ]
            for other in sorted(opposite, key=lambda each: (len(each.demands), each.at)):
                if (other.at, question.at) not in tried and len(tried) < MAX_PAIRS:
                    tried.add((other.at, question.at))
                    if self.is_conflict([other, question]):
                        yield [other, question]
            for differences in question.demands.values():
                for difference in differences:
                    owners.setdefault(_direction(difference), []).append(question)

    def is_conflict(self, some: Sequence[Question]) -> bool:
        """Return whether no weights meet the demands of all these positions."""
        return not any(True for _ in self._met(self.whole, list(some)))

    def _met(self, cone: Cone, rest: list[Question]) -> Iterator[Cone]:
        """Yield the parts of a cone whose weights meet the demands of all positions in `rest`."""
        if not rest:
            yield cone
            return
        for differences in rest[0].demands.values():
            part = narrowed(cone, differences)
            if part is not None:
                yield from self._met(part, rest[1:])

    def _core(self, questions: list[Question], deadline: float) -> list[Question] | None:
        """Return positions whose demands no weights meet together; None if some weights meet the
        demands of all positions, or at the deadline."""
        owner, vectors, chosen = [], [], []
        for number, question in enumerate(questions):
            for option, differences in enumerate(question.demands.values()):
                for difference in differences:
                    owner.append(number)
                    chosen.append(option)
                    vectors.append(difference)
        if not vectors:
            return None
        directions = np.array(vectors, np.int64)
        keys = np.array(owner) * 64 + np.array(chosen)
        options, begins = np.unique(keys, return_index=True)
        owners = options >> 6
        first = np.flatnonzero(np.diff(owners, prepend=-1))

        def search(cone: Cone) -> set[int] | None:
            if perf_counter() > deadline:
                return None
            signs = cone.signs(directions)
            can = np.minimum.reduceat(np.where((signs == 1) | (signs == ANY_SIGN), 1, 0), begins)
            met = np.minimum.reduceat((signs == 1).astype(np.int64), begins)
            number = np.add.reduceat(can, first)
            is_met = np.maximum.reduceat(met, first) > 0
            left = np.where(is_met, 1 << 30, number)
            at = int(np.argmin(left))
            if is_met.all():
                return None
            if left[at] == 0:
                return {at}
            core = {at}
            for differences in questions[at].demands.values():
                part = narrowed(cone, differences)
                if part is not None:
                    below = search(part)
                    if below is None:
                        return None
                    core |= below
            return core

        core = search(self.whole)
        # an option may be excluded by the demands of positions above, which are in the core too
        return None if core is None else [questions[at] for at in sorted(core)]

    def _irreducible(self, core: list[Question]) -> list[Question]:
        """Return a minimal conflict among these positions: without any one of its positions there
        is none."""
        kept = list(core)
        for question in core:
            rest = [each for each in kept if each is not question]
            if self.is_conflict(rest):
                kept = rest
        return kept

    # Proofs

    def proof(self, some: Sequence[Question]) -> list[Proof]:
        """Return a proof for each choice of right moves in the positions of a conflict."""
        return [self._proof(chosen) for chosen in self._choices([], list(some))]

    def _choices(self, chosen: Chosen, rest: list[Question]) -> Iterator[Chosen]:
        """Yield choices of right moves in some of the positions whose demands no weights meet
        together. Every choice in all positions contains one of them."""
        for option in rest[0].demands:
            now = [*chosen, (rest[0], option)]
            if narrowed(self.whole, _differences(now)) is None:
                yield now
            else:
                yield from self._choices(now, rest[1:])

    def _proof(self, chosen: Chosen) -> Proof:
        """Return multiples of the demands of chosen moves that add up to zero, or to a last number
        below zero."""
        kept = list(dict.fromkeys(_differences(chosen)))
        pairs = (
            [one, other]
            for at, one in enumerate(kept)
            for other in kept[: at + 1]
            if _direction(one) == _direction(tuple(-number for number in other))
        )
        kept = list(dict.fromkeys(next(pairs, kept)))
        for vector in list(kept):
            rest = [each for each in kept if each != vector]
            if narrowed(self.whole, rest) is None:
                kept = rest
        last = tuple([0] * (self.dimension - 1) + [1])
        multiples = dependence(kept) or dependence([*kept, last]) or []
        found = []
        for vector, number in zip(kept, multiples, strict=False):
            question, option = next(
                (question, option)
                for question, option in chosen
                if vector in question.demands[option]
            )
            found.append((question, *question.demands[option][vector], number))
        return found


def _differences(chosen: Chosen) -> list[Vector]:
    return [one for question, option in chosen for one in question.demands[option]]


def _conflict(
    family: Family,
    population: Population,
    finder: Finder,
    some: list[Question],
    is_smallest: bool,
    has_fixed: bool,
    depth: int,
) -> Conflict:
    """Return a conflict with its proof, with moves by name."""
    game, critical = family.game, population.critical
    some = sorted(some, key=lambda each: (len(each.demands), each.at))
    asked = []
    for question in some:
        place = position_of(game, population.positions[question.at])
        names = [game.format_cell(move) for move in place.moves]
        begin = critical.starts[critical.at.index(question.at)]
        is_wrong = (critical.lost[begin : begin + len(names)] > 0).tolist()
        sides: tuple[list[str], list[str]] = [], []
        for name, loses in zip(names, is_wrong, strict=True):
            sides[loses].append(name)
        asked.append(ConflictPosition(position=place, right=tuple(sides[0]), wrong=tuple(sides[1])))
    return Conflict(
        parameters=family.parameters,
        has_fixed=has_fixed,
        positions=tuple(asked),
        cases=tuple(
            Case(
                demands=tuple(
                    Demand(
                        at=some.index(question),
                        right=tuple(
                            _named(population, question, move) for move in question.right[right]
                        ),
                        wrong=_named(population, question, question.wrong[wrong][0]),
                        difference=tuple(map(sub, right, wrong))[: None if has_fixed else -1],
                        times=number,
                    )
                    for question, right, wrong, number in proof
                )
            )
            for proof in finder.proof(some)
        ),
        is_smallest=is_smallest,
        depth=depth,
    )


def _named(population: Population, question: Question, move: Any) -> str:
    """Return the name of a move, or the names of the moves of a line of positions."""
    at, names = question.at, []
    for after in move if isinstance(move, tuple) else [population.children[question.at][move]]:
        place = position_of(population.game, population.positions[at])
        played = place.moves[population.children[at].index(after)]
        names.append(move_text(place, played))
        at = after
    return " ".join(names)


def narrowed(cone: Cone, differences: Iterable[Vector]) -> Cone | None:
    """Return the part of a cone in which all products with `differences` are positive, or None."""
    for difference in differences:
        normal = np.array(difference, np.int64)
        sign = int(cone.signs(normal[None])[0]) if normal.any() else 0
        if sign == ANY_SIGN:
            cone = cone.cut(normal)[2]
        elif sign != 1:
            return None
    return cone


def dependence(vectors: Sequence[Vector]) -> list[int] | None:
    """Return positive whole multiples with which the vectors add up to zero, None without any.

    The vectors must be dependent, and independent without any one of them.
    """
    size = len(vectors)
    rows = [[Fraction(vector[at]) for vector in vectors] for at in range(len(vectors[0]))]
    pivots: list[int] = []
    for column in range(size):
        row = next((at for at in range(len(pivots), len(rows)) if rows[at][column]), None)
        if row is None:
            continue
        top = len(pivots)
        rows[top], rows[row] = rows[row], rows[top]
        rows[top] = [number / rows[top][column] for number in rows[top]]
        for other in range(len(rows)):
            if other != top:
                factor = rows[other][column]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[top], strict=True)]
        pivots.append(column)
    free = [column for column in range(size) if column not in pivots]
    if len(free) != 1:
        return None
    multiples = [Fraction(1)] * size
    for row, column in enumerate(pivots):
        multiples[column] = -rows[row][free[0]]
    scale = lcm(*(each.denominator for each in multiples))
    whole = [int(each * scale) for each in multiples]
    divisor = gcd(*whole)
    return [each // divisor for each in whole] if min(whole) > 0 else None


def _direction(vector: Vector) -> Vector:
    """Return the vector divided by the greatest common divisor of its numbers."""
    divisor = gcd(*vector)
    return tuple(number // divisor for number in vector) if divisor else vector
