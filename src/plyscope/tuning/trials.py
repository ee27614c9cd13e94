"""Tests of the tuned heuristic against START, the one before tuning: on held-out positions, and in
games.

Both heuristics choose moves in the same positions, and the test counts positions where only one of
them makes a wrong move (McNemar 1947, exact, one-sided). Ties are broken by the same random draw
for both. Games are played in pairs from different balanced openings, until a sequential test of
+20 Elo against 0 (Wald 1945) ends.

Equal nodes are not equal time, since a table with more terms takes longer per node. The cost of a
node is measured on the openings. Both heuristics take turns, so that other load slows both. The
cost is the median over positions of a ratio: the least times per node, tuned to START.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from math import erfc, sqrt
from statistics import median
from time import process_time
from typing import Any, Literal

import numpy as np

from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.agents.catalogue import Agent
from plyscope.lab.judging.arrays import Flags, Floats, Integers
from plyscope.lab.judging.population import Positions
from plyscope.lab.judging.reportcard.budget import Classes, one_of_each, plies, tactics
from plyscope.lab.judging.reportcard.measures import at_least
from plyscope.lab.judging.share import share_of
from plyscope.lab.matches.match import play_match
from plyscope.lab.matches.openings import balanced_openings
from plyscope.lab.matches.ratings import Sprt
from plyscope.lab.matches.tally import MatchResult
from plyscope.progress import Progress
from plyscope.rules.game import move_text
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.search import search
from plyscope.tuning.result import Changed, ErrorsAtDepth, ErrorsOfClass, NodeCost, Trial

IMPROVEMENT_TEST = Sprt(elo0=0, elo1=20)
MEASURED_OPENINGS = 40
"""Number of openings over which the nodes of a search are averaged."""
TIMED_NODES = {"compiled": 20_000, "reference": 1_000}
"""Nodes of a timed search, by form."""
TIMED_POSITIONS, TIMED_REPETITIONS = 6, 3

Form = Literal["compiled", "reference"]


@dataclass(frozen=True, kw_only=True)
class MoveComparison:
    """The moves of two heuristics at one depth in the same positions."""

    errors: ErrorsAtDepth
    fixed: tuple[Changed, ...]
    regressed: tuple[Changed, ...]


def compare_moves(
    critical: Positions,
    before: Flags,
    after: Flags,
    depth: int,
    seed: int,
    is_all: bool,
    shares_children: bool = False,
    reached: Classes | None = None,
) -> MoveComparison:
    """Compare the best-rated moves of START (`before`) and of the tuned heuristic (`after`).

    Both arrays have one entry per move; `seed` breaks ties. Shares have intervals unless the
    positions are all of a game (`is_all`). Positions that share a child, or a mirror image of one,
    share its label and are not independent. With `shares_children`, p is the larger one of
    McNemar's test and of a test for dependent positions. `reached` are classes of the positions.
    """
    counts = np.diff(critical.starts)
    draws = np.random.default_rng(seed).random(len(critical))
    played = [_drawn(flags, critical.starts, draws) for flags in (before, after)]
    lost = [critical.lost[moves] for moves in played]
    fixed = np.flatnonzero((lost[0] > 0) & (lost[1] == 0))
    regressed = np.flatnonzero((lost[0] == 0) & (lost[1] > 0))
    wrong = [critical.wrong_by(flags) for flags in (before, after)]
    shares = [share_of(float(each.sum()), len(counts), is_all) for each in wrong]
    kinds = [tactics(critical), plies(critical), *([] if reached is None else [reached])]
    p = at_least(len(fixed), len(fixed) + len(regressed))
    if shares_children:
        p = max(p, _p_of_dependent(wrong[0] - wrong[1], critical))

    def of_class(name: str, names: list[str]) -> ErrorsOfClass:
        is_in = np.array(names) == name
        number = int(is_in.sum())
        parts = [share_of(float(each[is_in].sum()), number, is_all) for each in wrong]
        return ErrorsOfClass(
            name=name,
            choices=number,
            before=parts[0],
            after=parts[1],
            fixed=int(is_in[fixed].sum()),
            regressed=int(is_in[regressed].sum()),
        )

    by = [
        tuple(of_class(name, kind.of) for name in kind.order if name in kind.of) for kind in kinds
    ]
    errors = ErrorsAtDepth(
        depth=depth,
        choices=len(counts),
        before=shares[0],
        after=shares[1],
        fixed=len(fixed),
        regressed=len(regressed),
        p=p,
        by_tactic=by[0],
        by_ply=by[1],
        by_reach=() if reached is None else by[2],
    )

    def changed(among: Integers, which: int) -> tuple[Changed, ...]:
        return tuple(
            _changed(
                critical, at, *(moves[at] for moves in played), *(kind.of[at] for kind in kinds)
            )
            for at in one_of_each(kinds, among.tolist(), lambda at: lost[which][at])
        )

    return MoveComparison(errors=errors, fixed=changed(fixed, 0), regressed=changed(regressed, 1))


def _p_of_dependent(gained: Floats, critical: Positions) -> float:
    """Return the p-value of the sum of `gained` [positions], one-sided, if the mean were 0.

    The sum is taken to be normal; positions with a common child have a covariance."""
    number = len(gained)
    owners = np.repeat(np.arange(number), np.diff(critical.starts))
    keys = critical.population.orbits[critical.children]
    labelled = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    entries = np.unique(np.column_stack([labelled, owners]), axis=0)
    _, first, sizes = np.unique(entries[:, 0], return_index=True, return_counts=True)
    of_entry = np.repeat(sizes, sizes)
    one = np.repeat(entries[:, 1], of_entry)
    begins = np.cumsum(of_entry) - of_entry
    within = np.arange(len(one)) - np.repeat(begins, of_entry)
    other = entries[np.repeat(np.repeat(first, sizes), of_entry) + within, 1]
    pairs = np.unique(one * number + other)
    variance = float(gained[pairs // number] @ gained[pairs % number])
    spread = sqrt(max(variance, float(gained @ gained)))
    return 0.5 * erfc(float(gained.sum()) / spread / sqrt(2)) if spread else 1.0


def _drawn(flags: Flags, starts: Integers, draws: Floats) -> Integers:
    """Return [positions] the index of one random flagged move."""
    number = np.add.reduceat(flags.astype(np.int64), starts[:-1])
    before = np.concatenate([[0], np.cumsum(flags)])[starts[:-1]]
    places: Integers = np.flatnonzero(flags)[before + (draws * number).astype(np.int64)]
    return places


def _changed(
    critical: Positions,
    number: int,
    before: int,
    after: int,
    asks: str,
    stones: str,
    reached: str = "",
) -> Changed:
    """Return the fixed or regressed position `number` with the moves of both heuristics, and its
    class of each kind."""
    position = critical.population.positions[critical.at[number]]
    first, end = int(critical.starts[number]), int(critical.starts[number + 1])
    moves, lost = list(position.moves), critical.lost[first:end]

    def name(move: int) -> str:
        return move_text(position, moves[move - first])

    return Changed(
        position=position,
        before=name(before),
        after=name(after),
        right=tuple(name(first + at) for at in range(end - first) if lost[at] == 0),
        lost=int(max(lost[before - first], lost[after - first])),
        asks=asks,
        stones=stones,
        reached=reached,
    )


# Games


def trials(
    start: Heuristic,
    tuned: Heuristic,
    game: LineGame,
    depth: int,
    games: int,
    seed: int,
    executor: Executor,
    progress: Progress,
    is_late: Callable[[], bool],
    known_cost: float | None,
) -> Iterator[tuple[NodeCost, Trial]]:
    """Yield matches of the tuned heuristic against START at equal depth, nodes and time.

    The limit of nodes is what START needs for one ply more than `depth`. At equal time, START has
    this number times the relative cost of a node of the tuned heuristic, which is measured unless
    known. This match is omitted if the limit is the same. On Ctrl-C, or once `is_late` returns
    true, the games so far are yielded.
    """
    openings = balanced_openings(game, games // 2, seed, executor, progress)
    if not openings:
        return
    nodes = nodes_of(start, openings, depth + 1)
    progress("node cost", 0, 1)
    if known_cost is None:
        cost = node_cost(start, tuned, openings)
    else:
        cost = NodeCost(compiled=known_cost, reference=None)
    others = two_digits(nodes * cost.of_games)
    conditions: list[tuple[str, tuple[int, int] | None]] = [
        (f"depth {depth}", None),
        (f"{nodes:,} nodes", (nodes, nodes)),
    ]
    if others != nodes:
        conditions.append((f"equal time, {nodes:,} nodes against {others:,}", (nodes, others)))
    for condition, limits in conditions:
        a, b = opponents(tuned, start, limits or depth)
        number = 2 * len(openings)

        def counted(so_far: MatchResult, condition: str = condition, most: int = number) -> None:
            if is_late():
                raise KeyboardInterrupt
            progress(f"games at {condition}", so_far.games, most)

        match = play_match(
            a,
            b,
            games=number,
            starts=openings,
            seed=seed,
            sprt=IMPROVEMENT_TEST,
            executor=executor,
            progress=counted,
            keep_interrupted=True,
        )
        yield cost, Trial(condition=condition, match=match, nodes=limits)


def opponents(
    tuned: Heuristic, start: Heuristic, limits: int | tuple[int, int]
) -> tuple[Agent, Agent]:
    """Return the agents `tuned` and `start`, with a depth for both, or the nodes of each."""
    options: list[dict[str, Any]] = [{"algorithm": "alphabeta", "depth": limits}] * 2
    if isinstance(limits, tuple):
        options = [{"algorithm": "iterative-deepening", "nodes": limit} for limit in limits]
    a, b = (
        Agent(name=name, heuristic=heuristic, scoring="result", ties="random", **limit)
        for name, heuristic, limit in zip(("tuned", "start"), (tuned, start), options, strict=True)
    )
    return a, b


def is_worse(trial: Trial) -> bool:
    """Return whether the games show that the tuned heuristic is weaker: the sequential test accepts
    "not better", and the 95 % interval is below 0."""
    return trial.match.verdict == "elo0" and trial.match.elo.high < 0


def nodes_of(heuristic: Heuristic, openings: list[Position], depth: int) -> int:
    """Return the mean number of nodes of iterative deepening to `depth`, to two digits."""
    measured = openings[:MEASURED_OPENINGS]
    total = sum(
        search(
            position,
            "iterative-deepening",
            heuristic,
            depth=depth,
            scoring="result",
            form="auto" if isinstance(heuristic, FunctionHeuristic) else "compiled",
        ).nodes
        for position in measured
    )
    return two_digits(total / len(measured))


def two_digits(nodes: float) -> int:
    """Return a number of nodes rounded down to two digits, at least 10."""
    unit: int = 10 ** max(0, len(str(int(nodes))) - 2)
    return max(10, int(nodes) // unit * unit)


def node_cost(start: Heuristic, tuned: Heuristic, positions: Sequence[Position]) -> NodeCost:
    """Return the cost of a node of `tuned` relative to `start`, in each form.

    Python functions are measured only in the reference form.
    """
    is_function = any(isinstance(each, FunctionHeuristic) for each in (start, tuned))
    compiled = None if is_function else measured(start, tuned, positions, "compiled")
    return NodeCost(compiled=compiled, reference=measured(start, tuned, positions, "reference"))


def measured(
    start: Heuristic, tuned: Heuristic, positions: Sequence[Position], form: Form
) -> float:
    """Return the median ratio of processor times per node, to two digits."""
    ratios = []
    for position in positions[:TIMED_POSITIONS]:
        least = [float("inf"), float("inf")]
        for _ in range(TIMED_REPETITIONS):
            for which, heuristic in enumerate((start, tuned)):
                least[which] = min(least[which], _seconds_a_node(position, heuristic, form))
        ratios.append(least[1] / least[0])
    return float(f"{median(ratios):.2g}")


def _seconds_a_node(position: Position, heuristic: Heuristic, form: Form) -> float:
    began = process_time()
    options: dict[str, Any] = {"nodes": TIMED_NODES[form], "scoring": "result", "form": form}
    result = search(position, "iterative-deepening", heuristic, **options)
    return max(process_time() - began, 1e-9) / result.nodes
