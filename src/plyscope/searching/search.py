"""`search`: carries out a request in one pass, or in one pass per depth, and returns the result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Any, Unpack

from plyscope.errors import OptionError
from plyscope.evaluation.evaluate import evaluate_moves
from plyscope.evaluation.heuristic import HeuristicLike
from plyscope.owntime import OwnTime
from plyscope.rules.cells import coordinates
from plyscope.rules.game import PositionLike
from plyscope.rules.linegame import LineGame
from plyscope.rules.tree import ExplicitTree
from plyscope.rules.treetext import CHANCE
from plyscope.searching.accelerator import CannotCompile, accelerator
from plyscope.searching.algorithm import Algorithm, Deepening, SearchRequest
from plyscope.searching.choice import (
    Form,
    choose_form,
    no_time_for_game,
    nodes_before_compiling,
    note_spent,
    own_form,
    without_own_form,
)
from plyscope.searching.events import SCORES, Event, Watcher
from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.searching.pruned import Pruned, pruned_of
from plyscope.searching.request import SearchOptions, make_request
from plyscope.searching.result import Depth, RootMove, SearchResult, Variation
from plyscope.searching.score import INFINITY, MAX_PLY, Bound
from plyscope.searching.timeout import CallTimes, time_limited
from plyscope.searching.walk import Counts, Memory, Walk

Progress = Callable[[Depth], None]
MAX_RECURSION_DEPTH = 20_000
MAX_REPEATING_PLIES = 1_000
"""The greatest depth in games whose positions may repeat, in which playouts may be endless."""
MIN_MENTIONED_SECONDS = 0.05
"""The least compile time that the result mentions."""
EVALUATION_SECONDS = 0.1
"""The time after the deadline for static evaluations of the root's moves."""


def search(
    position: PositionLike,
    algorithm: str | Algorithm = "alphabeta",
    heuristic: HeuristicLike | None = None,
    *,
    watch: Watcher | None = None,
    progress: Progress | None = None,
    keep_interrupted: bool = False,
    **options: Unpack[SearchOptions],
) -> SearchResult:
    """Search `position` and return the result.

    `position` is a position, its text, an explicit tree, or a whole SearchRequest. `algorithm` is a
    name in ALGORITHMS. `heuristic` is a name in HEURISTICS, a table or its file, a function, or
    `file.py:name`. Without a limit the search goes to the end of the game. The options:

        depth       plies to search at most
        nodes       nodes to visit at most, deepening ply by ply
        seconds     wall time at most, deepening ply by ply
        clock       seconds left for the whole game, of which the search uses a part
        game        the game, if `position` is a state or a text that does not name it
        scoring     `heuristic`, `result` or `distance`: how a finished game is scored
        order       `generated`, `best`, `worst` or `random`: the order of the moves
        seed        the seed of a random order, and of UCT
        cut         `ge` or `gt`: whether a value equal to the bound cuts off
        cutoffs     `deep` or `shallow`
        bound       `soft` or `hard`: fail-soft or fail-hard
        root        `shared` or `open`: whether the moves of the root share a window
        window      (alpha, beta) at the root
        form        `auto`, `reference` or `compiled`
        multipv     number of variations of the engine; also its `threads`, `megabytes`, `table`

    With `nodes` or `seconds` the result is that of the last finished depth. `watch` is called with
    every event, `progress` with every finished depth. Ctrl-C raises KeyboardInterrupt; with
    `keep_interrupted` it ends the search like a spent limit.

    A user-defined game, or a function as heuristic, is compiled only if that pays off within the
    `seconds` left, and the compile time counts against them. Compile time does not count with
    `form="compiled"`, nor for algorithms, which are compiled once per machine. The result's
    `form_reason` names compile time that did not count.

    Raises UnknownNameError, NotationError or OptionError if an argument is invalid, HeuristicError
    if the heuristic fails or returns an invalid value.

    >>> result = search(".X./O../X.O", "alphabeta", "counted-lines")
    >>> result.value, result.nodes
    (5, 98)
    """
    began, request = perf_counter(), position
    if not isinstance(request, SearchRequest):
        request = make_request(position, algorithm, heuristic, **options)

    def run(request: SearchRequest, watch: Watcher | None) -> SearchResult:
        return _carry_out(request, began, watch, progress, keep_interrupted)

    if isinstance(request.game, ExplicitTree) and request.game.unknown:
        from plyscope.searching.unknown import search_unknown

        return search_unknown(request, watch, run)
    return run(request, watch)


def _carry_out(
    request: SearchRequest,
    began: float,
    watch: Watcher | None,
    progress: Progress | None,
    keep_interrupted: bool,
) -> SearchResult:
    """Carry out a request that began at a time of perf_counter, in one form or the other."""
    form = choose_form(request, watch is not None)
    with deep_recursion():
        while True:
            run = _Run(request, form, began + form.compiling, _in_values(request, watch))
            try:
                return run.result(progress, keep_interrupted)
            except FormChange as change:
                form = change.form


def _in_values(request: SearchRequest, watch: Watcher | None) -> Watcher | None:
    """Return a watcher that passes on events with values in place of units of 1/scale."""
    if watch is None or (request.scale == 1 and not request.assumes):
        return watch

    def watcher(event: Event) -> None:
        scores: dict[str, Any] = {
            name: request.value_of(units)
            for name in SCORES
            if isinstance(units := getattr(event, name, None), int | float)
        }
        watch(replace(event, **scores))

    return watcher


class FormChange(Exception):
    """Raised to restart the search in another form, which gives the same result."""

    def __init__(self, form: Form) -> None:
        super().__init__(form.reason)
        self.form = form


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Increase Python's recursion limit to MAX_RECURSION_DEPTH inside the `with` block.

    Raises OptionError if the search recurses deeper.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, MAX_RECURSION_DEPTH))
    try:
        yield
    except RecursionError:
        raise OptionError(
            f"the search is deeper than {MAX_PLY:,} plies or Python's recursion limit; "
            "expected a depth, or a game that ends: 'plyscope check' tests that"
        ) from None
    finally:
        sys.setrecursionlimit(before)


class _Run:
    """A search in progress: its passes, limits and partial results."""

    def __init__(
        self, request: SearchRequest, form: Form, began: float, watch: Watcher | None
    ) -> None:
        self.request, self.form, self.began, self.watch = request, form, began, watch
        seconds = request.limit.seconds
        self.deadline = None if seconds is None else began + seconds
        self.memory = Memory()
        self.passes: list[Walk] = []
        self.finished: tuple[Walk, float] | None = None
        self.depths: list[Depth] = []
        self.stopped: str | None = None
        self.evaluations: dict[Any, int] = {}
        self.call_times = CallTimes()
        self.own_time = None if form.switch_nodes is None else OwnTime.of_this_thread()
        """A stopwatch for a search that may switch to the compiled form. For other searches it is
        None, since reading it costs a tenth of a short search."""

    def result(self, progress: Progress | None, keep_interrupted: bool) -> SearchResult:
        """Run the passes and return the result."""
        try:
            self._deepen(progress)
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

    # The passes

    def _deepen(self, progress: Progress | None) -> None:
        """Search to depth 1, 2, 3, ... if the algorithm or a limit requires it, else once."""
        algorithm, limit = self.request.algorithm, self.request.limit
        deepening = algorithm.deepening
        if deepening is None and limit.is_timed and not algorithm.counts_playouts:
            deepening = Deepening()
        last = MAX_PLY if limit.depth is None else limit.depth
        if self.request.game.draw_by_repetition:
            last = min(last, MAX_REPEATING_PLIES)
        if deepening is None:
            self._pass(last, is_iterated=False)
            return
        for depth in range(1, last + 1):
            walk, value = self._pass(depth, is_iterated=True)
            if progress is not None:
                progress(self.depths[-1])
            if not walk.horizon_leaves or deepening.is_settled(walk, value):
                return

    def _pass(self, depth: int, is_iterated: bool) -> tuple[Walk, float]:
        """Search to `depth`, and return the walk and its value."""
        if self.request.algorithm.deepening is None:
            self.memory = Memory()
        walk = self._walk(depth)
        before = walk.nodes
        self.passes.append(walk)
        if is_iterated:
            walk.iteration(depth, depth)
        began = perf_counter()
        value = self._value(walk)
        if walk.mover_view and not walk.root.is_max:
            value = -value
        self.stopped, self.finished = walk.stopped, (walk, value)
        self.depths.append(
            Depth(
                depth=self._reach(walk),
                value=self.request.value_of(value),
                nodes=walk.nodes - before,
                seconds=perf_counter() - began,
                pv=walk.pv,
                table=walk.table_fill,
            )
        )
        return walk, value

    def _walk(self, depth: int) -> Walk:
        is_first = self.request.algorithm.is_engine and depth == 1
        return Walk(
            self.request,
            depth,
            deadline=None if is_first else self.deadline,  # so that there is always a move
            nodes_before=self.passes[-1].nodes if self.passes else 0,
            memory=self.memory,
            watch=self.watch,
            pause=None
            if self.form.switch_nodes is None
            else (self.form.switch_nodes, self._change_form),
        )

    def _change_form(self, walk: Walk) -> int:
        """Raise FormChange if the search is long enough to compile the game; otherwise return the
        number of nodes at which to check again.

        With a limit of `seconds`, compile time counts against it, and compiling starts only if the
        time left repays it.
        """
        if walk.nodes < (needed := nodes_before_compiling(self.request)):
            self.form = self.form._replace(switch_nodes=needed)
            return needed
        if self.deadline is not None and self.own_time is not None:
            left = self.deadline - perf_counter()
            if why_not := no_time_for_game(self.request, left, self.own_time.load()):
                self.form = self.form._replace(reason=why_not, switch_nodes=NO_LIMIT)
                return NO_LIMIT
        form = own_form(self.request, f"faster, after {walk.nodes:,} nodes of the reference")
        if self.deadline is None:
            self.began += form.compiling
        else:
            if form.compiling > MIN_MENTIONED_SECONDS:
                said = f"{form.reason}; compiling took {form.compiling:.1f} s of its time"
                form = form._replace(reason=said)
            form = form._replace(compiling=0.0)
        self.form = form._replace(compiling=self.form.compiling + form.compiling)
        if form.name == "compiled":
            raise FormChange(self.form)
        return NO_LIMIT

    def _value(self, walk: Walk) -> float:
        """Run the chosen form of the algorithm on a walk, and return the value."""
        reference = self.request.algorithm.reference
        if self.form.name == "compiled" or reference is None:
            try:
                return accelerator().run(self.request, walk, self.form.prepared)
            except CannotCompile as reason:  # of a user-defined game
                form = without_own_form(self.request, str(reason), self.form.compiling)
                raise FormChange(form) from None
        with self._time_limited(self.deadline) as walk.heuristic:
            return reference(walk)

    def _reach(self, walk: Walk) -> int:
        """Return the depth of the pass in plies: the greatest ply reached; for the engine, the
        depth to which all variations are searched."""
        return walk.depth if self.request.algorithm.is_engine else walk.deepest

    # The result

    def _result(self) -> SearchResult:
        """Return the result of the last finished pass, a partial one if none has finished."""
        if self.form.switch_nodes is not None and self.passes:
            note_spent(self.request, self.passes[-1].nodes)
        if not self.passes:  # stopped before the first pass
            self.passes.append(self._walk(1))
        walk, value = self.finished or (self.passes[-1], None)
        self._evaluate_moves(walk)
        exact = {
            move: score for move, (score, bound) in walk.values.items() if bound is Bound.EXACT
        }
        score = self._value_so_far(walk, exact) if value is None else value
        bound, best = self._proven(walk, value, exact)
        last = self.passes[-1]
        if last is not walk and len(walk.variations) == 1 and last.pv[:1] in zip(last.values):
            # the engine has begun this depth with the best move of the last one
            score, best, walk.pv = last.values[last.pv[0]][0], last.pv[:1], last.pv
            walk.variations = (Variation(value=int(score), pv=last.pv),)
        counts = [walk.at_root, *walk.below.values()]
        has_depth = value is not None or exact or not self.request.algorithm.is_exact
        return SearchResult(
            request=self.request,
            value=self.request.value_of(score),
            bound=bound,
            best_moves=best,
            moves=tuple(self._root_move(walk, move) for move in self._root_moves(walk)),
            pv=walk.pv,
            depth=self._reach(walk) if has_depth else 0,
            complete=value is not None and not walk.horizon_leaves,
            stopped=self.stopped,
            nodes=self.passes[-1].nodes,
            last_nodes=sum(item.nodes for item in counts),
            leaves=sum(item.leaves for item in counts),
            cutoffs=sum(item.cutoffs for item in counts),
            table_hits=walk.table_hits,
            researches=walk.researches,
            widths=walk.uniform_widths(),
            depths=tuple(self.depths),
            variations=walk.variations,
            form=self.form.name,
            form_reason=self._form_reason,
            seconds=perf_counter() - self.began,
            pruned=None if value is None else self._pruned(walk, counts),
        )

    def _pruned(self, walk: Walk, counts: list[Counts]) -> Pruned | None:
        """Return what a finished search of an explicit tree pruned, None for other searches."""
        if walk.visited is None or not self.request.algorithm.is_exact:
            return None
        root = self.request.position.node
        cutoffs = sum(item.cutoffs for item in counts)
        return pruned_of(root, walk.depth, walk.visited, cutoffs, walk.idle_cutoffs)

    @property
    def _form_reason(self) -> str:
        compiling = self.form.compiling
        if self.request.limit.seconds is None or compiling <= MIN_MENTIONED_SECONDS:
            return self.form.reason
        note = f"compiled first, for {compiling:.1f} s that are not counted"
        return f"{self.form.reason}; {note}"

    def _value_so_far(self, walk: Walk, exact: dict[Any, float]) -> float:
        """Return the best value among the moves that an unfinished first pass has searched; without
        one, the static evaluation of the root, 0 if there is no time for it."""
        if walk.pv and not self.request.algorithm.is_exact:
            return walk.values[walk.pv[0]][0]
        if exact and walk.side(walk.root.position) != CHANCE:
            best = max if walk.root.is_max else min
            walk.pv = (best(exact, key=lambda move: exact[move]),)
            return exact[walk.pv[0]]
        walk.pv = ()
        try:
            with self._time_limited(self._late()) as walk.heuristic:
                return walk.static(walk.root)
        except SearchStopped:
            return 0.0

    def _proven(
        self, walk: Walk, value: float | None, exact: dict[Any, float]
    ) -> tuple[Bound, tuple[Any, ...]]:
        """Return the bound that the value proves, and the moves that are proven to have the value.
        If no move is proven, return the first move of the principal variation instead."""
        if not self.request.algorithm.is_exact:
            return Bound.ESTIMATE, walk.pv[:1]
        if value is None:
            if not exact or not walk.pv:
                return Bound.ESTIMATE, walk.pv[:1]
            return Bound.LOWER if walk.root.is_max else Bound.UPPER, walk.pv[:1]
        best = tuple(move for move in self._root_moves(walk) if exact.get(move) == value)
        if walk.side(walk.root.position) == CHANCE:
            best = ()
        return walk.proves(int(value), *walk.root_window), best

    def _evaluate_moves(self, walk: Walk) -> None:
        """Evaluate the position after each move of the root until the time is over."""
        request, found, side = self.request, self.evaluations, walk.root_side
        moves = [move for move in self._root_moves(walk) if move not in found]
        try:
            with self._time_limited(self._late()) as heuristic:
                if heuristic is request.heuristic:
                    found.update(
                        evaluate_moves(request.game, request.position, heuristic, side, moves)
                    )
                    return
                for move in moves:
                    position = request.game.play(request.position, move)
                    found[move] = heuristic.evaluate(position, side)
        except SearchStopped:
            self.stopped = self.stopped or "seconds"

    def _time_limited(self, deadline: float | None) -> AbstractContextManager[Any]:
        return time_limited(self.request.heuristic, deadline, self.call_times)

    def _late(self) -> float | None:
        """Return the deadline of static evaluations, a time of perf_counter, None for no limit."""
        return (
            None
            if self.deadline is None
            else max(self.deadline, perf_counter()) + EVALUATION_SECONDS
        )

    def _root_moves(self, walk: Walk) -> list[Any]:
        game, root = self.request.game, self.request.position
        legal = [] if game.payoff(root) is not None else list(game.moves(root))
        return legal + [move for move in walk.values if move not in legal]

    def _root_move(self, walk: Walk, move: Any) -> RootMove:
        """Return the results for a move of the root."""
        evaluation: float | None = self.evaluations.get(move)
        if evaluation is not None:
            shown = self.request.value_of(evaluation)
            evaluation = None if abs(shown) >= INFINITY else shown  # None for an unknown leaf
        game, counts = self.request.game, walk.below.get(move, Counts())
        value, bound = walk.values.get(move, (None, None))
        row = column = None
        if isinstance(game, LineGame):
            column, row = coordinates(game.shape, move)[:2]
        return RootMove(
            move=move,
            text=game.format_move(self.request.position, move),
            row=row,
            column=column,
            value=None if value is None else self.request.value_of(value),
            bound=bound,
            evaluation=evaluation,
            nodes=counts.nodes,
            leaves=counts.leaves,
            cutoffs=counts.cutoffs,
        )
