"""A long solve in jobs: job-level proof-number search over the first plies.

A job solves one position with the solver of lines, for a limited number of nodes, in a worker of an
executor. A leaf that a job solves is done; any other is expanded, and its children become leaves.
While a job runs, its leaf counts as lost for the side that moves to it, so that the next job takes
another leaf (Wu, Lin, Sun, Kao et al. 2013). Relevance zones hold as in the kernel: a move of the
losing side outside the zone of another of its moves is refuted by the same play. The tree is in
this process, so a lost worker loses only its job, which is submitted again. All results are added
to a journal, if there is one; a stopped solve reads them from it when it is run again.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import replace
from threading import Lock
from time import perf_counter
from typing import NamedTuple

from plyscope.errors import OptionError
from plyscope.journal import Journal
from plyscope.rules.position import Position
from plyscope.searching.limit import SearchStopped
from plyscope.searching.reference.pn import INFINITE
from plyscope.solving.accelerated import JOBS
from plyscope.solving.ask import Ask
from plyscope.solving.verdict import Verdict
from plyscope_fast.solving.lines import lines_solver
from plyscope_fast.solving.running import raise_if_late

JOB_NODES = 2_000_000
"""The node limit of a job, a few seconds, so that a lost worker loses little work."""
MAX_LOST_WORKERS = 3
"""The number of workers that may be lost over one job."""
POLL_SECONDS = 0.5
"""The interval between checks of the time and of finished jobs."""
FORMAT = "plyscope journal 2"
"""The format of a solve's journal."""


_one_at_a_time = Lock()
"""A lock for the solver of this process, whose tables its threads share."""


class JobResult(NamedTuple):
    """The result of a job for one attacker."""

    wins: bool | None
    """Whether the attacker wins; None if the node limit was too small."""
    zone: int
    """The relevance zone: stones of the loser outside of it would change nothing."""
    move: int | None
    """A best move."""
    nodes: int
    """The nodes that the job visited."""


def attempt(position: Position, attacker: int, weak: bool, nodes: int) -> JobResult:
    """Run a job: try to solve one position."""
    with _one_at_a_time:
        solver = lines_solver(position.game, weak)
        before = solver.nodes
        try:
            wins, move, zone = solver.wins(Ask(position, limit=nodes), attacker)
        except SearchStopped:
            return JobResult(None, 0, None, solver.nodes - before)
        return JobResult(wins, zone, move, solver.nodes - before)


def solve_in_jobs(ask: Ask, nodes: int = JOB_NODES) -> Verdict:
    """Return the verdict on a position, by at most `ask.jobs` concurrent jobs of at most `nodes`
    nodes each.

    Results are stored in a journal, the file `ask.checkpoint`; results of an earlier solve are read
    from it. Raises OptionError for a position that cannot be split into jobs, SearchStopped if
    workers are lost, Late and KeyboardInterrupt.
    """
    position = ask.position
    JOBS.require(position)
    if ask.jobs < 1:
        raise OptionError(f"{ask.jobs} jobs; expected at least one")
    if position.is_over:
        raise OptionError(f"the game is over in '{position}'; expected an unfinished game")
    question = {"rules": position.game.digest, "weak": ask.maker_breaker, "nodes": nodes}
    journal = Journal(ask.checkpoint, FORMAT, question, key_length=4)
    ask = replace(ask, limit=nodes)
    value, best, spent, jobs = 0, None, 0, 0
    for attacker in (0,) if ask.maker_breaker else (position.side, 1 - position.side):
        tree = _Tree(ask, attacker, journal, spent, jobs)
        wins = tree.solve()
        spent, jobs, best = tree.nodes, tree.jobs, tree.best
        value = (1 if wins else -1 if ask.maker_breaker else 0) * (
            1 if attacker == position.side else -1
        )
        if value:
            break
    proof = f"{jobs:,} jobs of at most {nodes:,} nodes, led by proof-number search"
    proof += ", of the Maker–Breaker game" if ask.maker_breaker else ""
    if journal.damaged:
        proof += f"; {journal.damaged:,} damaged lines of the journal ignored"
    return Verdict(
        position=position,
        value=value,
        best_moves=() if best is None else (best,),
        method=JOBS.name,
        proof=proof,
        nodes=spent,
        seconds=perf_counter() - ask.began,
        maker_breaker=ask.maker_breaker,
    )


class _Node:
    """A node of the tree, with its proof and disproof numbers."""

    def __init__(self, position: Position, move: int | None, parent: _Node | None) -> None:
        self.position, self.parent = position, parent
        self.move = move
        """The move that leads here."""
        self.proof, self.disproof = 1, 1
        self.zone = 0
        """The relevance zone, once the node is solved."""
        self.children: list[_Node] = []
        self.is_running = False
        """Whether a job for this node is running."""
        self.lost = 0
        """The number of workers lost over this node."""
        self.seen = (1, 1)
        """The numbers used to choose the next job; running jobs count as lost."""

    def answer(self, wins: bool, zone: int) -> None:
        """Store the answer."""
        self.proof, self.disproof, self.zone = (0, INFINITE, zone) if wins else (INFINITE, 0, zone)
        self.children = []

    @property
    def wins(self) -> bool | None:
        """Whether the attacker wins, None while that is unknown."""
        return True if self.proof == 0 else False if self.disproof == 0 else None


class _Tree:
    """The proof-number tree of one question: does the attacker win?"""

    def __init__(self, ask: Ask, attacker: int, journal: Journal, nodes: int, jobs: int) -> None:
        self.ask, self.attacker, self.journal = ask, attacker, journal
        self.root = _Node(ask.position, None, None)
        self.best: int | None = None
        """A best move at the root."""
        self.nodes, self.jobs = nodes, jobs
        """The totals of nodes and jobs up to now, including those of the previous tree."""
        self._running: dict[Future[JobResult], _Node] = {}

    def solve(self) -> bool:
        """Return whether the attacker wins."""
        ask = self.ask
        assert ask.executor is not None
        try:
            while self.root.wins is None:
                self._submit_jobs(ask.executor)
                self._collect_results(ask.deadline)
                ask.spent.nodes = self.nodes
                ask.report(f"{self.nodes:,} nodes in {self.jobs:,} jobs")
                raise_if_late(ask.deadline)
        finally:
            for future in self._running:
                future.cancel()
        return bool(self.root.wins)

    def _submit_jobs(self, executor: Executor) -> None:
        """Submit jobs until `ask.jobs` are running, or every leaf that matters has one."""
        while len(self._running) < self.ask.jobs and (leaf := self._next()) is not None:
            known = self.journal.known.get(self._key(leaf))
            if known is not None:
                self._take(leaf, JobResult(*known))
                continue
            leaf.is_running = True
            self._refresh(leaf)
            job = (leaf.position, self.attacker, self.ask.maker_breaker, self.ask.limit)
            self._running[executor.submit(attempt, *job)] = leaf

    def _collect_results(self, deadline: float | None) -> None:
        """Wait briefly for jobs, and take the results of finished ones."""
        if not self._running:
            return
        left = POLL_SECONDS if deadline is None else max(0.0, deadline - perf_counter())
        done, _ = wait(self._running, min(POLL_SECONDS, left), FIRST_COMPLETED)
        for future in done:
            leaf = self._running.pop(future)
            try:
                result = future.result()
            except BrokenExecutor:
                leaf.is_running, leaf.lost = False, leaf.lost + 1
                self._refresh(leaf)
                if leaf.lost > MAX_LOST_WORKERS:
                    raise SearchStopped("lost workers") from None
            else:
                self.journal.keep(self._key(leaf), *result)
                self._take(leaf, result)

    def _next(self) -> _Node | None:
        """Return the leaf of the next job, None if every leaf that matters has a running job."""
        node = self.root
        if 0 in node.seen:
            return None
        while node.children:
            at = 0 if node.position.side == self.attacker else 1
            node = min(node.children, key=lambda child: child.seen[at])
        return node

    def _take(self, leaf: _Node, result: JobResult) -> None:
        """Store the result of a job, and update the tree."""
        leaf.is_running = False
        self.nodes, self.jobs = self.nodes + result.nodes, self.jobs + 1
        if not self._is_open(leaf):
            return
        if result.wins is None:
            position = leaf.position
            leaf.children = [_Node(position.play(move), move, leaf) for move in position.moves]
        else:
            self._answer(leaf, result.wins, result.zone)
            if leaf is self.root:
                self.best = result.move
        self._refresh(leaf)

    def _answer(self, node: _Node, wins: bool, zone: int) -> None:
        """Store the answer of a node, and the answers above it that follow."""
        node.answer(wins, zone)
        while (above := node.parent) is not None and above.wins is None:
            if wins == (above.position.side == self.attacker):
                if above is self.root:
                    self.best = node.move
                above.answer(wins, 1 << (node.move or 0) | node.zone)
            else:
                # Other moves matter only inside the zone of the one that has failed.
                above.children = [
                    child
                    for child in above.children
                    if child.wins is not None or node.zone >> (child.move or 0) & 1
                ]
                if any(child.wins is None for child in above.children):
                    return
                zone = 0
                for child in above.children:
                    zone |= child.zone
                above.answer(wins, zone)
            node = above

    def _refresh(self, node: _Node | None) -> None:
        """Update the numbers of a node and of the nodes above it."""
        while node is not None:
            if node.is_running:
                is_attack = node.parent is not None and node.parent.position.side == self.attacker
                node.seen = (INFINITE, 0) if is_attack else (0, INFINITE)
            elif not node.children:
                node.seen = (node.proof, node.disproof)
            else:
                proofs, disproofs = zip(*(child.seen for child in node.children), strict=True)
                if node.position.side == self.attacker:
                    node.seen = min(proofs), min(INFINITE, sum(disproofs))
                else:
                    node.seen = min(INFINITE, sum(proofs)), min(disproofs)
            node = node.parent

    def _key(self, leaf: _Node) -> tuple[int, int, int, int]:
        """Return the key of a leaf's job in the journal."""
        position = leaf.position
        return position.first, position.second, position.side, self.attacker

    def _is_open(self, leaf: _Node) -> bool:
        """Return whether the leaf matters: no node above it is solved or was removed."""
        node = leaf
        while node.parent is not None:
            if node not in node.parent.children:
                return False
            node = node.parent
        return node is self.root and node.wins is None
