"""A long solve in jobs, which lead a proof-number tree of its first plies.

A job asks the solver of lines about one position, for a limited number of nodes, in an executor's
worker. A leaf that it answers is done; one that it does not is expanded, and its children become
leaves. While a job runs, its leaf counts as lost for the side to move above it, so that the next
job goes elsewhere (job-level proof-number search: Wu, Lin, Sun, Kao et al. 2013). Zones of
relevance hold here as in the kernel: what the losing side tries outside the zone of another try is
answered with it. The tree is here: a worker that is lost loses its job alone, which is given out
again. With a journal, a file to which every answer is added, a solve that was stopped takes them
from there.
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
from plyscope.searching.reference.pn import MANY
from plyscope.solving.ask import Ask
from plyscope.solving.lines import LINES, lines_solver
from plyscope.solving.running import raise_if_late
from plyscope.solving.verdict import Verdict

JOB_NODES = 2_000_000
"""Nodes of a job: seconds, so that what a lost worker takes with it is little."""
MAX_LOST_WORKERS = 3
"""Workers in turn that may be lost over one job."""
POLL_SECONDS = 0.5
"""Seconds between two looks at the time and for jobs that are done."""
FORMAT = "plyscope journal 2"
"""The format of a solve's journal."""


_one_at_a_time = Lock()
"""A process has one solver of a game, whose tables its threads share."""


class JobResult(NamedTuple):
    """What a job found out about one attacker."""

    wins: bool | None
    """Whether the attacker wins; None where the job's nodes were not enough."""
    zone: int
    """Cells outside which stones of the loser would change nothing."""
    move: int | None
    """A best move."""
    nodes: int
    """The nodes the job searched."""


def attempt(position: Position, attacker: int, weak: bool, nodes: int) -> JobResult:
    """Ask about one position: a worker's job."""
    with _one_at_a_time:
        solver = lines_solver(position.game, weak)
        before = solver.nodes
        try:
            wins, move, zone = solver.wins(Ask(position, limit=nodes), attacker)
        except SearchStopped:
            return JobResult(None, 0, None, solver.nodes - before)
        return JobResult(wins, zone, move, solver.nodes - before)


def solve_in_jobs(ask: Ask, nodes: int = JOB_NODES) -> Verdict:
    """Return the verdict on a position, by at most `ask.jobs` jobs of `nodes` nodes at a time.

    Answers are kept in the journal, the file `ask.checkpoint`, and taken from there. Raises
    OptionError for a position that cannot be split, SearchStopped where workers are lost, Late and
    KeyboardInterrupt.
    """
    position = ask.position
    LINES.require(position)
    if position.is_over or ask.jobs < 1:
        raise OptionError(
            f"{ask.jobs} jobs for '{position}'; expected at least one, and a game that goes on"
        )
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
        proof += f"; {journal.damaged:,} damaged lines of the journal forgotten"
    return Verdict(
        position=position,
        value=value,
        best_moves=() if best is None else (best,),
        method=LINES.name,
        proof=proof,
        nodes=spent,
        seconds=perf_counter() - ask.began,
        maker_breaker=ask.maker_breaker,
    )


JOBS = replace(
    LINES, solve=solve_in_jobs, options=frozenset({"maker_breaker", "checkpoint", "jobs"})
)
"""The solver of lines, in jobs."""


class _Node:
    """A node of the tree."""

    def __init__(self, position: Position, move: int | None, parent: _Node | None) -> None:
        self.position, self.parent = position, parent
        self.move = move
        """The move that leads here."""
        self.proof, self.disproof = 1, 1
        self.zone = 0
        """The zone, once it is answered."""
        self.children: list[_Node] = []
        self.is_running = False
        """Whether a job runs."""
        self.lost = 0
        """The workers that were lost over it."""
        self.seen = (1, 1)
        """The numbers as the choice of the next job sees them, to which a running job is lost."""

    def answer(self, wins: bool, zone: int) -> None:
        """Note the answer."""
        self.proof, self.disproof, self.zone = (0, MANY, zone) if wins else (MANY, 0, zone)
        self.children = []

    @property
    def wins(self) -> bool | None:
        """Whether the attacker wins, None as long as that is open."""
        return True if self.proof == 0 else False if self.disproof == 0 else None


class _Tree:
    """Answers by jobs whether the attacker wins."""

    def __init__(self, ask: Ask, attacker: int, journal: Journal, nodes: int, jobs: int) -> None:
        self.ask, self.attacker, self.journal = ask, attacker, journal
        self.root = _Node(ask.position, None, None)
        self.best: int | None = None
        """A best move at the root."""
        self.nodes, self.jobs = nodes, jobs
        """Those done so far, with those of the tree before."""
        self._running: dict[Future[JobResult], _Node] = {}

    def solve(self) -> bool:
        """Return the answer."""
        ask = self.ask
        assert ask.executor is not None
        try:
            while self.root.wins is None:
                self._give_out(ask.executor)
                self._take_in(ask.deadline)
                ask.spent.nodes = self.nodes
                ask.tell(f"{self.nodes:,} nodes in {self.jobs:,} jobs")
                raise_if_late(ask.deadline)
        finally:
            for future in self._running:
                future.cancel()
        return bool(self.root.wins)

    def _give_out(self, executor: Executor) -> None:
        """Submit jobs until enough run, or all that matter do."""
        while len(self._running) < self.ask.jobs and (leaf := self._next()) is not None:
            known = self.journal.known.get(self._key(leaf))
            if known is not None:
                self._take(leaf, JobResult(*known))
                continue
            leaf.is_running = True
            self._refresh(leaf)
            job = (leaf.position, self.attacker, self.ask.maker_breaker, self.ask.limit)
            self._running[executor.submit(attempt, *job)] = leaf

    def _take_in(self, deadline: float | None) -> None:
        """Wait for jobs, a moment at the most, and take the results of those that are done."""
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
                    raise SearchStopped("workers that were lost") from None
            else:
                self.journal.keep(self._key(leaf), *result)
                self._take(leaf, result)

    def _next(self) -> _Node | None:
        """Return the leaf whose job is next, None where all that matter are running."""
        node = self.root
        if 0 in node.seen:
            return None
        while node.children:
            at = 0 if node.position.side == self.attacker else 1
            node = min(node.children, key=lambda child: child.seen[at])
        return node

    def _take(self, leaf: _Node, result: JobResult) -> None:
        """Take a job's result, and all that follows from it."""
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
        """Note the answer of a node, and of those above it that follow."""
        node.answer(wins, zone)
        while (above := node.parent) is not None and above.wins is None:
            if wins == (above.position.side == self.attacker):
                if above is self.root:
                    self.best = node.move
                above.answer(wins, 1 << (node.move or 0) | node.zone)
            else:
                # Other tries matter only inside the zone of the one that has failed.
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
        """Bring the numbers of a node and those above it up to date."""
        while node is not None:
            if node.is_running:
                is_attack = node.parent is not None and node.parent.position.side == self.attacker
                node.seen = (MANY, 0) if is_attack else (0, MANY)
            elif not node.children:
                node.seen = (node.proof, node.disproof)
            else:
                proofs, disproofs = zip(*(child.seen for child in node.children), strict=True)
                if node.position.side == self.attacker:
                    node.seen = min(proofs), min(MANY, sum(disproofs))
                else:
                    node.seen = min(MANY, sum(proofs)), min(disproofs)
            node = node.parent

    def _key(self, leaf: _Node) -> tuple[int, int, int, int]:
        """Return the key of a leaf's job in the journal."""
        position = leaf.position
        return position.first, position.second, position.side, self.attacker

    def _is_open(self, leaf: _Node) -> bool:
        """Return whether the leaf matters: no node above it is answered, and none was dropped."""
        node = leaf
        while node.parent is not None:
            if node not in node.parent.children:
                return False
            node = node.parent
        return node is self.root and node.wins is None
