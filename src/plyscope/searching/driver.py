"""`search` and `trace`: the verbs that carry out an algorithm within a limit and say what came of
it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from plyscope.display import drawn
from plyscope.errors import OptionError
from plyscope.evaluation.evaluate import evaluate_moves
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.rules.cells import coordinates
from plyscope.rules.game import Game
from plyscope.rules.linegame import LineGame
from plyscope.rules.notation import parse
from plyscope.rules.tree import ExplicitTree, parse_tree
from plyscope.searching.algorithms import ALGORITHMS, Algorithm
from plyscope.searching.conventions import Conventions, make_conventions
from plyscope.searching.events import Event, Watcher
from plyscope.searching.forms import Form, choose_form
from plyscope.searching.limit import Limit, SearchStopped, share_of
from plyscope.searching.options import EngineOptions, make_engine_options
from plyscope.searching.places import Place, located
from plyscope.searching.result import Depth, RootMove, SearchResult
from plyscope.searching.score import MAX_EVALUATION, MAX_PLY, Bound
from plyscope.searching.timeout import patient
from plyscope.searching.walk import Counts, Walk

__all__ = ["Trace", "as_position", "search", "trace"]

Progress = Callable[["Depth"], None]
RECURSION = 20_000
WORTH_SAYING = 0.05
"""Seconds of compiling that are told."""
OPINIONS = 0.1
"""Seconds beyond the deadline for what a heuristic says of the root's moves."""
LAST_DEPTH_BEGINS = 0.6
"""The part of its time after which the engine begins no further depth."""


@dataclass(frozen=True)
class Trace:
    """A search with all its events."""

    result: SearchResult
    events: tuple[Event, ...] = field(repr=False)
    places: tuple[Place, ...] = field(repr=False)
    """The line of the algorithm that told each event."""

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    _repr_html_ = drawn


def as_position(source: Any, game: LineGame | str | None = None) -> Any:
    """Return the position meant by `source`: a position, its text, an explicit tree or its text or
    nested lists."""
    if isinstance(source, str):
        return parse_tree(source).start() if "[" in source or "{" in source else parse(source, game)
    if isinstance(source, list | dict):
        return parse_tree(source).start()
    if isinstance(source, ExplicitTree | LineGame):
        return source.start()
    return source


def search(
    position: Any,
    algorithm: str = "alphabeta",
    heuristic: Any = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    scoring: str | None = None,
    order: str | None = None,
    root: str | None = None,
    bound: str | None = None,
    cut: str | None = None,
    cutoffs: str | None = None,
    window: tuple[int, int] | None = None,
    seed: int | None = None,
    engine: str = "auto",
    threads: int | None = None,
    multipv: int | None = None,
    megabytes: int | None = None,
    table: Any = None,
    clock: float | None = None,
    game: Game | None = None,
    watch: Watcher | None = None,
    progress: Progress | None = None,
    keep_interrupted: bool = False,
) -> SearchResult:
    """Search `position` and return what was found.

    `position` is a position, its text, or an explicit tree; `game` is needed only for positions
    that have no attribute `game`. `heuristic` is whatever `find_heuristic` takes. Without a limit
    the search goes to the end of the game. With `nodes` or `seconds` it deepens ply by ply and
    answers with the last finished depth. The conventions are those of `Conventions`; scoring is
    `heuristic` on line games and explicit trees, `result` on games of one's own. `watch` is called
    with every event, `progress` with every finished depth. Ctrl-C raises KeyboardInterrupt, or with
    `keep_interrupted` ends the search like a spent limit. Compiling, once, does not come off the
    `seconds`, and the result's `engine_reason` says so.

    `threads`, `multipv`, `megabytes` and `table` are the engine's alone (EngineOptions). `clock` is
    what is left of the time for the whole game: the search takes a fair share of it.

    Raises UnknownNameError, NotationError and OptionError for what was asked, HeuristicError for
    what a heuristic answered.
    """
    began = perf_counter()
    position = as_position(position)
    chosen = ALGORITHMS[algorithm]
    rules: Game = game if game is not None else getattr(position, "game", None)  # type: ignore[assignment]
    if rules is None:
        raise OptionError(
            f"position {str(position)[:40]!r} has no attribute 'game'; expected game="
        )
    if chosen.needs_lines and not isinstance(rules, LineGame):
        raise OptionError(
            f"{rules.name!r} is no line game; expected one for algorithm {algorithm!r}"
        )
    if heuristic is None and algorithm == "accumulating":
        heuristic = "diagonal-lines"
    options = {
        "scoring": scoring,
        "order": order,
        "root": root,
        "bound": bound,
        "cut": cut,
        "cutoffs": cutoffs,
        "window": window,
        "seed": seed,
    }
    if clock is not None:
        seconds = min(share_of(clock, position), seconds if seconds is not None else clock)
    opinion, limit = (
        find_heuristic(heuristic, rules),
        Limit(depth=depth, nodes=nodes, seconds=seconds),
    )
    is_own = not isinstance(rules, LineGame | ExplicitTree)
    conventions = make_conventions(
        algorithm, chosen.takes, options, "result" if is_own else chosen.scoring
    )
    more = make_engine_options(
        algorithm,
        chosen.is_engine,
        {"threads": threads, "multipv": multipv, "megabytes": megabytes, "table": table},
    )
    form = choose_form(engine, algorithm, rules, position, opinion, limit, watch is not None)
    compiling = form.compiling
    if form.name == "compiled":
        from plyscope.searching.compiled.run import prepare

        compiling += prepare(algorithm)
    if limit.seconds is not None and compiling > WORTH_SAYING:
        form = form._replace(
            reason=f"{form.reason}; compiled first, for {compiling:.1f} s that are not counted"
        )
    run = _Run(
        rules, position, chosen, opinion, conventions, limit, watch, form, more, began + compiling
    )
    with _deep_recursion():
        return run.result(progress, keep_interrupted)


def trace(
    position: Any,
    algorithm: str = "alphabeta",
    heuristic: Any = None,
    *,
    most: int = 1_000_000,
    **options: Any,
) -> Trace:
    """Search with the options of `search` and return the result with all events; raise OptionError
    beyond `most` events."""
    events: list[Event] = []
    places: list[Place] = []

    def watch(event: Event, place: Place) -> None:
        if len(events) >= most:
            raise OptionError(f"the search has more than {most:,} events; expected a smaller depth")
        events.append(event)
        places.append(place)

    result = search(position, algorithm, heuristic, watch=located(watch), **options)
    return Trace(result, tuple(events), tuple(places))


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Let Python recurse as deep as the longest game, and no longer than needed."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _Run:
    """The passes of one search."""

    def __init__(
        self,
        game: Game,
        position: Any,
        algorithm: Algorithm,
        heuristic: Heuristic,
        conventions: Conventions,
        limit: Limit,
        watch: Watcher | None,
        form: Form,
        options: EngineOptions,
        began: float,
    ) -> None:
        self.game, self.position, self.algorithm, self.heuristic = (
            game,
            position,
            algorithm,
            heuristic,
        )
        self.conventions, self.limit, self.watch, self.form = conventions, limit, watch, form
        self.options = options
        self.started = began
        self.deadline = None if limit.seconds is None else self.started + limit.seconds
        self.memory: Any = {}
        self.opinions: dict[Any, int] = {}
        self.passes: list[Walk] = []
        self.finished: tuple[Walk, float] | None = None
        self.depths: list[Depth] = []
        self.stopped: str | None = None

    def result(self, progress: Progress | None, keep_interrupted: bool) -> SearchResult:
        """Carry out the passes and return what the last finished one found, or what an unfinished
        first one had."""
        deepens = self.algorithm.deepens or (self.limit.is_timed and not self.algorithm.anytime)
        last = MAX_PLY if self.limit.depth is None else self.limit.depth
        try:
            for depth in range(1, last + 1) if deepens else (last,):
                walk = self._pass(depth, deepens)
                if progress is not None and deepens:
                    progress(self.depths[-1])
                if not walk.horizon_leaves or self._is_settled():
                    break
        except SearchStopped as stop:
            self.stopped = stop.reason
        except KeyboardInterrupt:
            if not keep_interrupted:
                raise
            self.stopped = "interrupted"
        try:
            return self._result()
        except KeyboardInterrupt:
            if not keep_interrupted:
                raise
        return self._result()

    def _is_settled(self) -> bool:
        """Whether the engine need not deepen: a win is found, or no depth more can be finished in
        what time is left."""
        if not self.algorithm.is_engine or self.finished is None:
            return False
        taken = self.position.first | self.position.second
        if (
            abs(self.finished[1]) > MAX_EVALUATION
            or self.finished[0].depth >= self.position.game.size - taken.bit_count()
        ):
            return True
        spent = perf_counter() - self.started
        if self.limit.seconds is not None and spent > LAST_DEPTH_BEGINS * self.limit.seconds:
            self.stopped = "seconds"
            return True
        return False

    def _walk(self, depth: int) -> Walk:
        return Walk(
            self.game,
            self.position,
            self.heuristic,
            self.conventions,
            depth=depth,
            limit=self.limit,
            deadline=self.deadline,
            nodes_before=self.passes[-1].nodes if self.passes else 0,
            watch=self.watch,
            mover_view=self.algorithm.mover_view,
            memory=self.memory,
            options=self.options,
        )

    def _pass(self, depth: int, deepens: bool) -> Walk:
        if self.algorithm.has_memory and not self.algorithm.deepens:
            self.memory = {}
        walk = self._walk(depth)
        before = walk.nodes
        self.passes.append(walk)
        if deepens:
            walk.iteration(depth, depth)
        began = perf_counter()
        value = self._search(walk)
        self.stopped = walk.stopped
        self.finished = (walk, value)
        self.depths.append(
            Depth(
                depth=self._reach(walk),
                value=value,
                nodes=walk.nodes - before,
                seconds=perf_counter() - began,
                pv=walk.pv,
                table=walk.table_fill,
            )
        )
        return walk

    def _reach(self, walk: Walk) -> int:
        """Return how deep the pass looked: everywhere in the engine, which plays some lines out
        further; at most elsewhere."""
        return walk.depth if self.algorithm.is_engine else walk.deepest

    def _search(self, walk: Walk) -> float:
        if self.form.name == "reference":
            with patient(self.heuristic, self.deadline) as walk.heuristic:
                return self.algorithm.reference(walk)
        from plyscope.searching.compiled.run import run

        return run(self.algorithm.name, walk)

    def _result(self) -> SearchResult:
        if not self.passes:  # stopped before there was anything
            self.passes.append(self._walk(1))
        walk, value = self.finished or (self.passes[-1], None)
        self._ask_for_opinions(walk)
        is_unfinished = value is None
        exact = {
            move: score for move, (score, bound) in walk.values.items() if bound is Bound.EXACT
        }
        if value is None and walk.pv and not self.algorithm.is_exact:
            value = walk.values[walk.pv[0]][0]
        elif value is None:
            value = max(exact.values()) if exact else self._static(walk)
            walk.pv = () if not exact else (max(exact, key=lambda move: exact[move]),)
        if not self.algorithm.is_exact:
            bound, best = Bound.ESTIMATE, walk.pv[:1]
        elif is_unfinished:
            bound, best = (Bound.LOWER if exact else Bound.ESTIMATE), walk.pv[:1]
        else:
            bound = walk.proves(int(value), *self.conventions.window)
            moves = self.game.moves(self.position)
            best = tuple(move for move in moves if exact.get(move) == value)
        return SearchResult(
            position=self.position,
            game=self.game,
            algorithm=self.algorithm.name,
            heuristic=self.heuristic.name,
            conventions=self.conventions,
            limit=self.limit,
            value=value,
            bound=bound,
            best_moves=best,
            moves=tuple(self._root_move(walk, move) for move in self._root_moves(walk)),
            pv=walk.pv,
            depth=0
            if is_unfinished and not exact and self.algorithm.is_exact
            else self._reach(walk),
            complete=not is_unfinished and not walk.horizon_leaves,
            stopped=self.stopped,
            nodes=self.passes[-1].nodes,
            last_nodes=walk.at_root.nodes + sum(counts.nodes for counts in walk.below.values()),
            leaves=sum(counts.leaves for counts in _all_counts(walk)),
            cutoffs=sum(counts.cutoffs for counts in _all_counts(walk)),
            table_hits=walk.table_hits,
            researches=walk.researches,
            widths=walk.uniform_widths(),
            depths=tuple(self.depths),
            variations=walk.variations,
            engine=self.form.name,
            engine_reason=self.form.reason,
            seconds=perf_counter() - self.started,
        )

    def _ask_for_opinions(self, walk: Walk) -> None:
        """Ask the heuristic about the position after each move of the root, in the root's view, as
        far as there is time."""
        deadline = None if self.deadline is None else max(self.deadline, perf_counter()) + OPINIONS
        moves = (move for move in self._root_moves(walk) if move not in self.opinions)
        try:
            with patient(self.heuristic, deadline) as heuristic:
                if heuristic is self.heuristic:
                    self.opinions = evaluate_moves(
                        self.game, self.position, heuristic, walk.root_side, moves
                    )
                else:
                    for move in moves:
                        self.opinions[move] = heuristic.evaluate(
                            self.game.play(self.position, move), walk.root_side
                        )
        except SearchStopped:
            self.stopped = self.stopped or "seconds"

    def _static(self, walk: Walk) -> float:
        """Return what the root is worth at a glance, 0 where there is no time for that."""
        try:
            with patient(
                self.heuristic,
                None if self.deadline is None else max(self.deadline, perf_counter()) + OPINIONS,
            ) as walk.heuristic:
                return walk.static(walk.root)
        except SearchStopped:
            return 0.0

    def _root_moves(self, walk: Walk) -> list[Any]:
        legal = list(self.game.moves(self.position))
        return legal + [move for move in walk.values if move not in legal]

    def _root_move(self, walk: Walk, move: Any) -> RootMove:
        counts = walk.below.get(move, Counts())
        value, bound = walk.values.get(move, (None, None))
        row = column = None
        if isinstance(self.game, LineGame):
            column, row = coordinates(self.game.shape, move)[:2]
        return RootMove(
            move=move,
            text=self.game.format_move(self.position, move),
            row=row,
            column=column,
            value=value,
            bound=bound,
            evaluation=self.opinions.get(move),
            nodes=counts.nodes,
            leaves=counts.leaves,
            cutoffs=counts.cutoffs,
        )


def _all_counts(walk: Walk) -> list[Counts]:
    return [walk.at_root, *walk.below.values()]
