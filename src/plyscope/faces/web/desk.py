"""The desk: takes questions and has them answered by processes of its own, in turn.

It reads none of them. A question waits in one of four lines: `moves` on known boards, `quick`,
`short` and `long`. The first ones go first, and each line but the last has a worker that does none
of those after it, so that a move never waits for somebody's analysis, nor for what a large board
costs. Within a line addresses take turns, and the pages of an address among themselves. The more
wait, the less time each long one gets: everybody is answered soon, and deeper when it is quiet.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections import Counter
from collections.abc import Hashable
from itertools import chain, count

import msgspec

from plyscope.errors import OptionError
from plyscope.faces.web.process import MOST_SHOWN, Job, Tell, WorkerProcess
from plyscope.faces.web.verbs import LANES, Lane

log = logging.getLogger("plyscope.page")

TOLD: tuple[Lane, ...] = ("short", "long")
"""The lines in which one is told one's place."""
MOST_WAITING = 400
"""Questions that may be in one line."""
NO_ANSWER = b'"the engine does not answer; it was started anew"'
STARTING = b'{"text": "the engine is starting"}'
TELLING = 0.25
"""Seconds between two looks at who is to be told a new place in line."""


class DeskFull(OptionError):
    """Raised for a question that finds too many others in line."""


class Desk:
    """Answers questions with so many `workers`, and three for what is not long.

    They are processes, started when there is something to do, which end with the desk. They play
    line games, and the `game` of that text.
    """

    def __init__(self, workers: int | None = None, game: str | None = None) -> None:
        self.number, self.game = workers or _cores(), game
        self.waiting: dict[Lane, list[Job]] = {lane: [] for lane in LANES}
        self.workers: list[WorkerProcess] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.news = asyncio.Condition()
        self.numbers = count(1)
        self.turns: dict[Hashable, int] = {}
        """For each address, and each page of one, the last question that was begun, by its place
        among all that were."""
        self.begun = 0

    def start(self) -> None:
        """Start working, where that is not done yet, or anew where what works here has ended: with
        its event loop, or by a fault. What waited then is answered by that."""
        if self.tasks and self._has_ended():
            log.error("plyscope: the engine did not answer, and is started anew")
            for worker in self.workers:
                worker.abandon()
            lost = [job for lane in LANES for job in self.waiting[lane]]
            lost += [worker.job for worker in self.workers if worker.job is not None]
            self.waiting = {lane: [] for lane in LANES}
            self.workers, self.tasks, self.news = [], [], asyncio.Condition()
            for job in lost:
                with contextlib.suppress(Exception):  # whoever asked may be gone with the loop
                    job.finish("error", NO_ANSWER)
        if not self.tasks:
            self.tasks = [
                asyncio.create_task(self._open()),
                asyncio.create_task(self._tell_places()),
            ]

    def _has_ended(self) -> bool:
        """Return whether a task has ended that goes on for ever, or its loop has."""
        opening, *endless = self.tasks
        loop = opening.get_loop()
        return loop is not asyncio.get_running_loop() or (
            any(task.done() for task in endless)
            or (opening.done() and opening.exception() is not None)
        )

    async def _open(self) -> None:
        """Start the workers: the first does moves alone, the second quick questions too, the third
        short ones too, the others all."""
        self.workers = [WorkerProcess(self.game) for _ in range(self.number + len(LANES) - 1)]
        with contextlib.suppress(OSError, EOFError):
            await self.workers[0].started()  # before the others, so that it is there soon
        for number, worker in enumerate(self.workers, 1):
            self.tasks.append(asyncio.create_task(self._work(worker, LANES[:number])))

    async def stop(self) -> None:
        """End the workers and forget what waits."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self.workers))
        self.tasks, self.workers = [], []

    async def take(
        self,
        verb: str,
        arguments: bytes,
        tell: Tell,
        page: Hashable = None,
        address: Hashable = None,
    ) -> Job:
        """Take a question of a page, or of an address without one, and return it, in line; raise
        OptionError, DeskFull if too many wait."""
        one_line = arguments.replace(b"\r", b" ").replace(b"\n", b" ")  # the same in JSON
        job = Job(next(self.numbers), verb, one_line, tell, page, address)
        self.start()
        waiting = self.waiting[job.lane]
        if len(waiting) >= MOST_WAITING:
            self._make_room(job)
        async with self.news:
            waiting.append(job)
            if not job.is_quick:
                before = TOLD[: TOLD.index(job.lane) + 1]
                job.tell_place(sum(len(self.waiting[lane]) for lane in before))
                if not any(worker.listens for worker in self.workers[LANES.index(job.lane) :]):
                    job.tell("told", STARTING)
            self.news.notify_all()
        return job

    async def cancel(self, job: Job) -> None:
        """Take a question back: it is answered with what is known by then, if it was begun."""
        job.is_cancelled = True
        if job in self.waiting[job.lane]:
            self.waiting[job.lane].remove(job)
            job.finish("error", b'"stopped"')
        elif job.worker is not None:
            await job.worker.interrupt(job)

    def in_order(self, lane: Lane) -> list[Job]:
        """Return who waits in a line, in the order of their answers.

        Addresses take turns, then the pages of one, whose questions come as they were asked.
        """
        of_pages: Counter[Hashable] = Counter()
        of_addresses: Counter[Hashable] = Counter()
        turns, order = [], []
        for place, job in enumerate(self.waiting[lane]):
            page = job.address, job.page
            of_pages[page] += 1
            turns.append((of_pages[page], self.turns.get(page, 0), place, job))
        for _, _, place, job in sorted(turns, key=lambda turn: turn[:3]):
            of_addresses[job.address] += 1
            last = self.turns.get(job.address, 0)
            order.append((of_addresses[job.address], last, place, job))
        return [job for *_, job in sorted(order, key=lambda turn: turn[:3])]

    def _make_room(self, job: Job) -> None:
        """Send the last question away of the address that has most in a full line; raise DeskFull
        where that is the one that asks."""
        waiting = self.waiting[job.lane]
        counts = Counter(other.address for other in waiting)
        most, count = counts.most_common(1)[0]
        text = f"{len(waiting)} questions are waiting already; expected another try later"
        if count <= counts[job.address] + 1:
            raise DeskFull(text)
        last = [other for other in self.in_order(job.lane) if other.address == most][-1]
        waiting.remove(last)
        last.finish("error", msgspec.json.encode(text))

    def _crowd(self, job: Job) -> float:
        """Return how many others wait for each worker that does long questions; of an address that
        asks more than this one, so many as of this one."""
        counts = Counter(other.address for other in self.waiting["long"])
        most = counts[job.address] + 1
        return sum(min(count, most) for count in counts.values()) / self.number

    async def _tell_places(self) -> None:
        """Tell everybody who waits a new place in line."""
        while True:
            async with self.news:
                await self.news.wait_for(lambda: any(self.waiting[lane] for lane in TOLD))
            await asyncio.sleep(TELLING)
            for place, job in enumerate(chain(*map(self.in_order, TOLD)), 1):
                if job.place != place and not job.done.is_set() and job.worker is None:
                    job.tell_place(place)
                    await asyncio.sleep(0)

    async def _work(self, worker: WorkerProcess, lanes: tuple[Lane, ...]) -> None:
        """Have a worker answer one question of its lanes after the other."""
        with contextlib.suppress(OSError, EOFError):
            await worker.started()
        while True:
            async with self.news:
                await self.news.wait_for(lambda: any(self.waiting[lane] for lane in lanes))
                job = self._begin(lanes)
                job.worker = worker
            crowd = self._crowd(job) if job.lane == "long" else 0.0
            try:
                if not job.is_quick:
                    job.tell_place(0)
                await worker.answer(job, crowd)
            except Exception:  # a notebook that was closed cannot be told; others still can
                text = "plyscope: %s %r could not be answered"
                log.exception(text, job.verb, job.arguments[:MOST_SHOWN])
                job.done.set()
            job.worker = None

    def _begin(self, lanes: tuple[Lane, ...]) -> Job:
        """Return the next question, out of its line."""
        lane = next(lane for lane in lanes if self.waiting[lane])
        job = self.in_order(lane)[0]
        self.waiting[lane].remove(job)
        if len(self.turns) > MOST_WAITING:
            self.turns = {}  # most of these pages are gone
        self.begun += 1
        self.turns[job.address] = self.turns[job.address, job.page] = self.begun
        return job


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
