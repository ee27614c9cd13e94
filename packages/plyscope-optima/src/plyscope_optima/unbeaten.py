"""`unbeaten`: numbers of a family that no line of play beats, or a proof that there are none.

The opponent plays every move. The player searches to a fixed depth, and of moves rated alike the
opponent picks the one that is worse for the player. Branch and bound cuts the space of weights into
cones (`cone`). In a cone some comparisons of leaves are decided, so some moves are never played:

    lost      a position in which every move that may be played leads to a lost position
    reached   a position that the opponent reaches, whatever the weights in the cone are

A cone is discarded if the start is lost in it. If all moves in the reached positions are decided,
all of its weights never lose. Otherwise a comparison in a reached position cuts the cone in two. If
only one move of such a position is not lost, the cone is cut to the weights that prefer this move.

A tie is never an advantage: after a small change of weights, the best moves of each position are
some of those before. So the planes between cones need no search of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, product
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from plyscope.errors import OptionError
from plyscope.jsonable import by_name
from plyscope.lab.judging.population import Population
from plyscope.lab.judging.populations import population_of
from plyscope.tuning.family import Family
from plyscope_optima.cone import ANY_SIGN, Cone
from plyscope_optima.regions import Comparisons, Leaves, Region, Tree
from plyscope_optima.weights import Weights, whole_weights

WON, LOST = -1, -2
"""The trees of moves that win and lose within the depth."""
Reached = frozenset[int]
"""A set of the player's positions; the opponent can choose to reach any of them."""


@dataclass(frozen=True, kw_only=True)
class Unbeaten:
    """Numbers with which a search never loses, or a proof that a family has none."""

    family: str
    sides: str
    """The sides that the search plays: `x`, `o` or `xo`."""
    depth: int
    weights: tuple[int, ...] | None
    """Weights that no line of play beats, in the order of the family's parameters; None if no such
    weights were found."""
    is_proved: bool
    """Whether the search was complete. If it was and `weights` is None, all real weights lose."""
    nodes: int
    """Nodes of the branch and bound."""
    seconds: float

    @property
    def is_possible(self) -> bool | None:
        """Whether some weights never lose; None if this is not known."""
        return True if self.weights is not None else False if self.is_proved else None

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-ready data."""
        return by_name(self) | {"is_possible": self.is_possible}


def unbeaten(
    family: Family,
    sides: str = "xo",
    depth: int = 1,
    *,
    population: Population | None = None,
    seconds: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Unbeaten:
    """Return weights of a family that never lose at this depth, or a proof that there are none.

        sides        the sides that must never lose: `x`, `o`, or `xo` for both
        population   all positions of the game, if they are known
        seconds      time limit; without an answer by then, the result is not proved
        progress     called with the number of nodes

    The proof covers all real weights. If the family has a fixed part, real weights may never lose
    although no whole weights near them do; the result is then not proved.

    >>> import plyscope as ps
    >>> from plyscope.tuning.family import find_family
    >>> lines = find_family("lines", "null", ps.parse_game("tictactoe"))
    >>> unbeaten(lines, "x").weights, unbeaten(lines, "o").is_possible
    ((1, 2), False)
    """
    began = perf_counter()
    if not sides or set(sides) - set("xo"):
        raise OptionError(f"sides {sides!r}; expected x, o or xo")
    if depth < 1:
        raise OptionError(f"depth {depth}; expected at least 1")
    if population is None:
        population = population_of(family.game, None, 0, None)
    search = NeverLoses(family, population, sides, depth)
    for nodes in search.run():
        if progress is not None:
            progress(nodes)
        if seconds is not None and perf_counter() - began >= seconds:
            break
    return Unbeaten(
        family=family.name,
        sides="".join(side for side in "xo" if side in sides),
        depth=depth,
        weights=search.weights,
        is_proved=search.is_complete,
        nodes=search.nodes,
        seconds=perf_counter() - began,
    )


class Option(NamedTuple):
    """Moves of a position with equal trees, one of which the opponent picks."""

    tree: Tree
    after: Reached | None
    """The positions that the opponent can reach after these moves; None if it wins for all
    weights."""


class Trees:
    """What a search of a fixed depth compares, in the view of one side."""

    def __init__(
        self,
        family: Family,
        population: Population,
        side: int,
        depth: int,
        number: Callable[[tuple[int, ...]], int],
    ) -> None:
        """`number` returns the number of a leaf with these features and this fixed part."""
        self.family, self.population, self.side = family, population, side
        self.results = [self._result(at) for at in range(len(population.children))]
        """[position] the result for the side, None while the game goes on."""
        self.nothing = number((0,) * (len(family.parameters) + 1))
        """The leaf of a drawn game."""
        self.leaves = self._numbered(depth, number)
        self._known: dict[tuple[int, int], Tree] = {}

    def of(self, at: int, plies: int) -> Tree:
        """Return the tree of a position that is searched so many plies ahead."""
        key = at, plies
        if key not in self._known:
            ended = self.results[at]
            if ended is not None:
                self._known[key] = WON if ended > 0 else LOST if ended < 0 else self.nothing
            elif not plies:
                self._known[key] = self.leaves[at]
            else:
                below = (self.of(child, plies - 1) for child in self.population.children[at])
                is_max = self.population.sides[at] == self.side
                self._known[key] = _joined(is_max, frozenset(below))
        return self._known[key]

    def _result(self, at: int) -> int | None:
        own = self.population.result(at)
        return own if own is None or self.population.sides[at] == self.side else -own

    def _numbered(self, depth: int, number: Callable[[tuple[int, ...]], int]) -> dict[int, int]:
        """Return the numbers of the features of the positions that are `depth` plies after one of
        the side."""
        population, family, side = self.population, self.family, self.side
        is_leaf = np.zeros(len(population.children), np.bool_)
        here = [at for at in range(len(is_leaf)) if population.sides[at] == side]
        for _ in range(depth):
            here = list({child for at in here for child in population.children[at]})
        is_leaf[here] = True
        at = [int(one) for one in np.flatnonzero(is_leaf) if population.children[one]]
        positions = [population.positions[one] for one in at]
        features = family.features(positions, [side] * len(at))
        fixed = family.offset(positions, [side] * len(at))
        rows = np.column_stack([features, fixed]).tolist()
        return {one: number(tuple(map(int, row))) for one, row in zip(at, rows, strict=True)}


class Play:
    """The player's positions; positions with the same options count as one. Positions that are lost
    for all weights, and positions that are lost for none, are omitted.
    """

    def __init__(self, family: Family, population: Population, sides: str, depth: int) -> None:
        self.population = population
        self.options: list[tuple[Option, ...]] = []
        """[position] its options."""
        self.vectors: list[tuple[int, ...]] = []
        """[leaf] its features and its fixed part."""
        self._numbers: dict[Any, int] = {}
        self._vector_numbers: dict[tuple[int, ...], int] = {}
        self.start: Reached | None = frozenset()
        for letter in sides:
            after = self._of_side(family, "xo".index(letter), depth)
            self.start = None if after is None or self.start is None else self.start | after

    def _vector(self, features: tuple[int, ...]) -> int:
        number = self._vector_numbers.setdefault(features, len(self.vectors))
        if number == len(self.vectors):
            self.vectors.append(features)
        return number

    def _of_side(self, family: Family, side: int, depth: int) -> Reached | None:
        """Return the positions that are reached from the start, None if the start is lost for all
        weights."""
        population = self.population
        movers, children = population.sides, population.children
        trees = Trees(family, population, side, depth, self._vector)
        after: list[Reached | None] = [None] * len(children)
        for at in range(len(children) - 1, -1, -1):  # children have larger numbers
            ended = trees.results[at]
            if ended is not None:
                after[at] = None if ended < 0 else frozenset()
            elif movers[at] == side:
                moves = ((trees.of(child, depth - 1), after[child]) for child in children[at])
                after[at] = self._own(moves, depth)
            else:
                after[at] = _all_of(after[child] for child in children[at])
        return after[0]

    def _own(self, moves: Iterator[tuple[Tree, Reached | None]], depth: int) -> Reached | None:
        """Return a set with the player's position with these moves. It is empty if no move loses,
        and None is returned if every move loses."""
        by_tree: dict[Tree, list[Reached | None]] = {}
        for tree, after in moves:
            by_tree.setdefault(tree, []).append(after)
        by_tree = left_open(by_tree)
        if depth == 1:  # the features of one move are subtracted from all
            by_tree = self._relative(by_tree)
        options = {Option(tree, _all_of(after)) for tree, after in by_tree.items()}
        if all(option.after is None for option in options):
            return None
        if all(option.after == frozenset() for option in options):
            return frozenset()
        if len(options) == 1:
            return next(iter(options)).after
        key = frozenset(options)
        number = self._numbers.setdefault(key, len(self.options))
        if number == len(self.options):
            self.options.append(tuple(sorted(options, key=str)))
        return frozenset([number])

    def _relative(self, by_tree: dict[Tree, Any]) -> dict[Tree, Any]:
        if len(by_tree) < 2:
            return by_tree
        vectors = {tree: self.vectors[tree] for tree in by_tree if isinstance(tree, int)}
        first = min(vectors.values())
        moved = {
            tree: tuple(a - b for a, b in zip(vector, first, strict=True))
            for tree, vector in vectors.items()
        }
        return {self._vector(moved[tree]): after for tree, after in by_tree.items()}  # type: ignore[index]


def left_open(by_tree: dict[Tree, Any]) -> dict[Tree, Any]:
    """Return the moves that a result within the depth leaves open: all that win, if any do; else
    all that do not lose; else all."""
    if WON in by_tree:
        return {WON: by_tree[WON]}
    return {tree: moves for tree, moves in by_tree.items() if tree != LOST} or by_tree


def _joined(is_max: bool, below: frozenset[Tree]) -> Tree:
    """Return the tree of a position, without moves that a result excludes."""
    best, worst = (WON, LOST) if is_max else (LOST, WON)
    if best in below:
        return best
    rest = below - {worst}
    if not rest:
        return worst
    return next(iter(rest)) if len(rest) == 1 else (is_max, rest)


def _all_of(after: Any) -> Reached | None:
    """Return the union of the sets in `after`, among which the opponent chooses; None if one of
    them is None, a win for the opponent."""
    found: set[int] = set()
    for each in after:
        if each is None:
            return None
        found |= each
    return frozenset(found)


class Choice(NamedTuple):
    """Moves of a position that some weights of a cone rate best."""

    leaves: Leaves
    """The leaves that may decide the value of these moves."""
    after: Reached | None
    """The same as `Option.after`."""


class _Region(Region):
    """A cone of weights, with what is known of the player's positions in it."""

    def __init__(self, cone: Cone, parent: _Region | None) -> None:
        super().__init__(cone, parent)
        self.before: dict[int, tuple[int, ...]] = (
            {} if parent is None else parent.before | parent.left
        )
        self.left: dict[int, tuple[int, ...]] = {}
        """By position, the indices of the options that may be rated best; `before` has those of
        larger regions."""
        self.choices: dict[int, list[Choice]] = {}
        self.lost: dict[int, bool] = {}
        if parent is not None:
            self.lost = {at: True for at, is_lost in parent.lost.items() if is_lost}


class NeverLoses(Comparisons):
    """The branch and bound of `unbeaten`."""

    def __init__(self, family: Family, population: Population, sides: str, depth: int) -> None:
        self.play = Play(family, population, sides, depth)
        super().__init__(self.play.vectors)
        self.weights: Weights | None = None
        self.is_complete = False
        self.nodes = 0

    def run(self) -> Iterator[int]:
        """Search; yield the number of nodes after each."""
        start = self.play.start
        if start is None:
            self.is_complete = True
            return
        stack, is_missed = [_Region(self.whole, None)], False
        while stack:
            self.nodes += 1
            region = stack.pop()
            self.sign_known(region)
            asked = self._explore(region, start)
            if isinstance(asked, _Region):
                stack.append(asked)
            elif asked is not None and asked[0] >= 0:
                direction, turn = asked
                below, _, above = region.cone.cut(np.array(self.directions[direction]))
                parts = (below, above) if turn > 0 else (above, below)
                stack += [_Region(part, region) for part in parts]
            elif asked is not None:
                self.weights = self._whole(region)
                if self.weights is not None:
                    self.is_complete = True
                    return
                is_missed = True
            yield self.nodes
        self.is_complete = not is_missed

    def _explore(self, region: _Region, start: Reached) -> _Region | tuple[int, int] | None:
        """Return None if all weights of the region lose, and (−1, 0) if none loses. Otherwise
        return a smaller region that contains all weights that may never lose, or a direction by
        which to cut the region, with the side to try first."""
        counts: Counter[tuple[int, int]] = Counter()
        stack, seen, is_cut = list(start), set(start), False
        cone = region.cone
        while stack:
            at = stack.pop()
            if self._is_lost(region, at):
                return None
            choices = self._choices(region, at)
            held = [choice for choice in choices if not self._loses(region, choice)]
            following = frozenset.intersection(*(each.after or frozenset() for each in held))
            stack += following - seen
            seen |= following
            good = [choice.leaves for choice in held]
            bad = [choice.leaves for choice in choices if choice not in held]
            if len(held) == 1 and all(len(leaves) == 1 for leaves in good + bad):
                for (other,) in bad:
                    direction, turn = self.direction(good[0][0], other)
                    normal = np.array(self.directions[direction])
                    sign = int(cone.signs(normal[None])[0])
                    if sign == ANY_SIGN:
                        cone, is_cut = cone.cut(normal)[1 + turn], True
                    elif sign != turn:
                        return None
            else:
                for key, more in self._open(region, good, bad):
                    counts[key] += more
        if is_cut:
            return _Region(cone, region)
        return counts.most_common(1)[0][0] if counts else (-1, 0)

    def _open(
        self, region: _Region, good: list[Leaves], bad: list[Leaves]
    ) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield the directions whose sign is open in a position, each with its sign and its
        priority."""
        weight = 6 if len(good) <= 1 else 3 if len(good) == 2 else 2
        pairs = [(one, other, weight) for one, other in product(good, bad)]
        pairs += [(*pair, 1) for pair in chain(combinations(good, 2), combinations(bad, 2))]
        for ones, others, more in pairs:
            for one, other in product(ones, others):
                if one != other and self.sign(region, one, other) == ANY_SIGN:
                    yield self.direction(one, other), more

    def _is_lost(self, region: _Region, at: int) -> bool:
        known = region.lost.get(at)
        if known is None:
            known = all(self._loses(region, each) for each in self._choices(region, at))
            region.lost[at] = known
        return known

    def _loses(self, region: _Region, choice: Choice) -> bool:
        return choice.after is None or any(self._is_lost(region, at) for at in choice.after)

    def _choices(self, region: _Region, at: int) -> list[Choice]:
        """Return the options of a position that may be rated best; those that are decided by the
        same leaf are one."""
        if at not in region.choices:
            options = self.play.options[at]
            left = region.before.get(at, tuple(range(len(options))))
            leaves = [self.leaves(region, options[one].tree) for one in left]
            region.left[at] = tuple(
                one
                for one, own in zip(left, leaves, strict=True)
                if not any(self.beats(region, other, own) for other in leaves)
            )
            tied: dict[Any, list[Option]] = {}
            for one in region.left[at]:
                own = self.leaves(region, options[one].tree)
                tied.setdefault(own if len(own) == 1 else one, []).append(options[one])
            region.choices[at] = [
                Choice(self.leaves(region, some[0].tree), _all_of(option.after for option in some))
                for some in tied.values()
            ]
        return region.choices[at]

    # Weights

    def _whole(self, region: _Region) -> Weights | None:
        """Return whole weights near the middle of a region that never lose, None without any."""
        for weights in whole_weights(region.cone, self.has_fixed):
            if self.holds(weights):
                return weights
        return None

    def holds(self, weights: Weights) -> bool:
        """Return whether no line of play beats these weights."""
        value = self.valued(np.array([*weights, 1] if self.has_fixed else weights))
        if self.play.start is None:
            return False
        stack, seen = list(self.play.start), set(self.play.start)
        while stack:
            options = self.play.options[stack.pop()]
            best = max(value(option.tree) for option in options)
            for option in options:
                if value(option.tree) == best:
                    if option.after is None:
                        return False
                    stack += option.after - seen
                    seen |= option.after
        return True
