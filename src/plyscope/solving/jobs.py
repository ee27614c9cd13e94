"""A long solve in jobs: the first plies as a proof-number tree here, its leaves solved by an
executor's workers.

A job asks the solver of lines about one position, for a limited number of nodes. A leaf that it
answers is done; one that it does not is expanded, and its children become leaves. While a job runs,
its leaf counts as lost for the side to move above it, so that the next job goes elsewhere
(job-level proof-number search: Wu, Lin, Sun, Kao et al. 2013). Zones of relevance hold here as in
the kernel: what the losing side tries outside the zone of another try is answered with it. The tree
is here: a worker that is lost loses its job alone, which is given out again. With a journal, a file
to which every answer is added, a solve that was stopped takes them from there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from functools import partial
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import NamedTuple

from plyscope.errors import OptionError
from plyscope.rules.linegame import LineGame, Position
from plyscope.solving.lines import can_fill_lines, lines_solver
from plyscope.solving.running import OUT_OF_TIME, Stopped
from plyscope.solving.verdict import Verdict

__all__ = ["Found", "attempt", "solve_in_jobs"]

FORMAT = "plyscope journal 2"
MANY = 1 << 40
JOB_NODES = 2_000_000
"""Nodes of a job: seconds, so that what a lost worker takes with it is little."""
LOST = 3
"""Workers in turn that may be lost over one job."""
GLANCE = 0.5


_one_at_a_time = Lock()
"""A process has one solver of a game, whose tables its threads share."""


class Found(NamedTuple):
    """What a job found: the answer, None where its nodes did not suffice; the zone; a best move;
    and the nodes it took."""

    wins: bool | None
    zone: int
    move: int | None
    nodes: int


def attempt(position: Position, attacker: int, weak: bool, nodes: int) -> Found:
    """Ask about one position: a worker's job."""
    with _one_at_a_time:
        solver = lines_solver(position.game, weak)
        before = solver.nodes
        try:
            wins, move, zone = solver.wins(position, attacker, limit=nodes)
        except Stopped:
            return Found(None, 0, None, solver.nodes - before)
        return Found(wins, zone, move, solver.nodes - before)


class Journal:
    """The answers of jobs by position and attacker, and the file to which they are added.

    Every line begins with a checksum of itself and of the first line, so that an answer that was
    damaged, or given in another game, is forgotten: `damaged` counts these. Raises OptionError for
    a file of something else, and where it cannot be written.
    """

    def __init__(self, path: Path | None, game: LineGame, weak: bool, nodes: int) -> None:
        self.path, self.known, self.damaged = path, dict[tuple[int, int, int, int], Found](), 0
        self._head = json.dumps([FORMAT, game.digest, weak, nodes]).encode() + b"\n"
        if path is None:
            return
        try:
            with path.open("a+b") as file:
                file.seek(0)
                text = file.read()
                if self._head.startswith(text):  # it is new, or was stopped here
                    file.truncate(0)
                    file.write(self._head)
                    return
                if not text.startswith(self._head):
                    raise OptionError(
                        f"journal {str(path)!r} is not of this game and these jobs; expected its own, or a new file"
                    )
                whole = text.rfind(b"\n") + 1
                if whole < len(text):  # or the next line would be added to half a line
                    file.truncate(whole)
        except OSError as error:
            raise OptionError(
                f"journal {str(path)!r}: {error.strerror}; expected a file that can be written"
            ) from None
        for line in text[len(self._head) : whole].split(b"\n")[:-1]:
            checksum, _, answer = line.partition(b" ")
            if checksum == self._checksum(answer):
                first, second, side, attacker, *found = json.loads(answer)
                self.known[first, second, side, attacker] = Found(*found)
            else:
                self.damaged += 1

    def note(self, position: Position, attacker: int, found: Found) -> None:
        """Add an answer. Raises OptionError where it cannot be written."""
        key = (position.first, position.second, position.side, attacker)
        self.known[key] = found
        if self.path is None:
            return
        answer = json.dumps([*key, *found]).encode()
        try:
            with self.path.open("ab") as file:
                file.write(self._checksum(answer) + b" " + answer + b"\n")
        except OSError as error:
            raise OptionError(
                f"journal {str(self.path)!r}: {error.strerror}; expected a file that can be written"
            ) from None

    def _checksum(self, answer: bytes) -> bytes:
        return hashlib.sha256(self._head + answer).hexdigest()[:16].encode()

    def get(self, position: Position, attacker: int) -> Found | None:
        """Return what is known."""
        return self.known.get((position.first, position.second, position.side, attacker))


class _Leaf:
    """A node of the tree: the move that leads here, its numbers, its children, the zone once it is
    answered, and whether a job runs."""

    def __init__(self, position: Position, move: int | None, parent: _Leaf | None) -> None:
        self.position, self.move, self.parent = position, move, parent
        self.proof, self.disproof, self.zone = 1, 1, 0
        self.children: list[_Leaf] = []
        self.is_running, self.lost = False, 0
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


class _Question:
    """Whether the attacker wins, answered by jobs."""

    def __init__(self, position: Position, attacker: int, weak: bool, nodes: int) -> None:
        self.attacker, self.weak, self.job_nodes = attacker, weak, nodes
        self.root = _Leaf(position, None, None)
        self.best: int | None = None
        self.nodes = self.jobs = 0

    def refresh(self, leaf: _Leaf | None) -> None:
        """Bring the numbers of a node and those above it up to date."""
        while leaf is not None:
            if leaf.is_running:
                is_attack = leaf.parent is not None and leaf.parent.position.side == self.attacker
                leaf.seen = (MANY, 0) if is_attack else (0, MANY)
            elif not leaf.children:
                leaf.seen = (leaf.proof, leaf.disproof)
            else:
                proofs, disproofs = zip(*(child.seen for child in leaf.children), strict=True)
                is_attack = leaf.position.side == self.attacker
                leaf.seen = (
                    (min(proofs), min(MANY, sum(disproofs)))
                    if is_attack
                    else (min(MANY, sum(proofs)), min(disproofs))
                )
            leaf = leaf.parent

    def next(self) -> _Leaf | None:
        """Return the leaf whose job is next, None where all that matter are running."""
        leaf = self.root
        if 0 in leaf.seen:
            return None
        while leaf.children:
            at = 0 if leaf.position.side == self.attacker else 1
            leaf = min(leaf.children, key=lambda child: child.seen[at])
        return leaf

    def returned(self, leaf: _Leaf, found: Found) -> None:
        """Take a job's answer, and all that follows from it."""
        leaf.is_running = False
        self.nodes, self.jobs = self.nodes + found.nodes, self.jobs + 1
        if not self._is_open(leaf):
            return
        wins, zone = found.wins, found.zone
        if wins is None:
            moves = leaf.position.moves
            leaf.children = [_Leaf(leaf.position.play(move), move, leaf) for move in moves]
        else:
            self._answer(leaf, wins, zone)
            if leaf is self.root:
                self.best = found.move
        self.refresh(leaf)

    def _answer(self, leaf: _Leaf, wins: bool, zone: int) -> None:
        leaf.answer(wins, zone)
        while (above := leaf.parent) is not None and above.wins is None:
            pleases = wins == (above.position.side == self.attacker)
            move = 1 << (leaf.move or 0)
            if pleases:
                if above is self.root:
                    self.best = leaf.move
                above.answer(wins, move | leaf.zone)
            else:
                above.children = [
                    child
                    for child in above.children
                    if child.wins is not None or leaf.zone >> (child.move or 0) & 1
                ]
                if any(child.wins is None for child in above.children):
                    return
                zone = 0
                for child in above.children:
                    zone |= child.zone
                above.answer(wins, zone)
            leaf = above

    def ask(
        self,
        executor: Executor,
        jobs: int,
        journal: Journal,
        deadline: float | None,
        progress: Callable[[int, int], None] | None,
    ) -> bool:
        """Return the answer."""
        running: dict[Future[Found], _Leaf] = {}
        try:
            while self.root.wins is None:
                while len(running) < jobs and (leaf := self.next()) is not None:
                    known = journal.get(leaf.position, self.attacker)
                    if known is not None:
                        self.returned(leaf, known)
                        continue
                    leaf.is_running = True
                    self.refresh(leaf)
                    running[
                        executor.submit(
                            attempt, leaf.position, self.attacker, self.weak, self.job_nodes
                        )
                    ] = leaf
                glance = (
                    GLANCE if deadline is None else max(0.0, min(GLANCE, deadline - perf_counter()))
                )
                done, _ = wait(running, glance, FIRST_COMPLETED) if running else ((), ())
                for future in done:
                    self._take(running.pop(future), future, journal)
                if progress is not None:
                    progress(self.nodes, self.jobs)
                if deadline is not None and perf_counter() >= deadline:
                    raise Stopped(OUT_OF_TIME)
        finally:
            for future in running:
                future.cancel()
        return bool(self.root.wins)

    def _take(self, leaf: _Leaf, future: Future[Found], journal: Journal) -> None:
        try:
            found = future.result()
        except BrokenExecutor:
            leaf.is_running, leaf.lost = False, leaf.lost + 1
            self.refresh(leaf)
            if leaf.lost > LOST:
                raise Stopped("workers that were lost") from None
            return
        journal.note(leaf.position, self.attacker, found)
        self.returned(leaf, found)

    def _is_open(self, leaf: _Leaf) -> bool:
        """Return whether the leaf still matters: no node above it is answered, and none was
        dropped."""
        while leaf.parent is not None:
            if leaf not in leaf.parent.children:
                return False
            leaf = leaf.parent
        return leaf is self.root and leaf.wins is None


def _told(
    progress: Callable[[int, int], None], spent: int, given: int, nodes: int, jobs: int
) -> None:
    """Tell of a question's nodes and jobs, with those of the question before it."""
    progress(spent + nodes, given + jobs)


def solve_in_jobs(
    position: Position | LineGame,
    executor: Executor,
    jobs: int,
    *,
    weak: bool = False,
    nodes: int = JOB_NODES,
    journal: Path | None = None,
    deadline: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Verdict:
    """Return what a position of a game of lines is worth, at most `jobs` jobs of `nodes` nodes
    running at a time.

    Answers are kept in the `journal` and taken from there. `progress` is called with the nodes and
    the jobs done. Raises OptionError for a game that the solver of lines does not play, Stopped at
    the deadline (of `perf_counter`), and KeyboardInterrupt.
    """
    if isinstance(position, LineGame):
        position = position.start()
    if not can_fill_lines(position.game):
        raise OptionError(
            f"jobs for {position.game.name!r}; expected lines that win, without gravity, on at most 64 cells"
        )
    if position.is_over or jobs < 1:
        raise OptionError(
            f"{jobs} jobs for '{position}'; expected at least one, and a game that goes on"
        )
    kept = Journal(journal, position.game, weak, nodes)
    began = perf_counter()
    value, best, spent, given = 0, None, 0, 0
    for attacker in (0,) if weak else (position.side, 1 - position.side):
        question = _Question(position, attacker, weak, nodes)
        told = None if progress is None else partial(_told, progress, spent, given)
        wins = question.ask(executor, jobs, kept, deadline, told)
        spent, given, best = spent + question.nodes, given + question.jobs, question.best
        value = (1 if wins else -1 if weak else 0) * (1 if attacker == position.side else -1)
        if value:
            break
    forgotten = f"; {kept.damaged:,} damaged lines of the journal forgotten" if kept.damaged else ""
    return Verdict(
        position=position,
        value=value,
        distance=None,
        score=None,
        best_moves=() if best is None else (best,),
        moves=None,
        method="lines",
        proof=f"{given:,} jobs of at most {nodes:,} nodes, led by proof-number search"
        + (", of the weak game" if weak else "")
        + forgotten,
        nodes=spent,
        seconds=perf_counter() - began,
        megabytes=0.0,
        weak=weak,
    )
