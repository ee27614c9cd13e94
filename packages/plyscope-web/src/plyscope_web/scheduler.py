"""The scheduler: queues requests and distributes them to worker processes.

It does not decode requests. There are four queues, by priority: `moves` (on known boards), `quick`,
`short` and `long`. Each queue except the last has a worker that serves no lower queue, so that a
move never waits for an analysis or for a large board. Within a queue, addresses take turns, and so
do the pages of an address. Long requests get less time under load and search deeper without it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Hashable
from itertools import chain, count

import msgspec

from plyscope.errors import OptionError
from plyscope.processes import usable_cores
from plyscope_web.endpoints import QUEUES, QueueName
from plyscope_web.endpoints.inputs import OwnHeuristic
from plyscope_web.outcome import STOPPED
from plyscope_web.process import MAX_LOGGED_BYTES, Job, SpareProcess, Tell, WorkerProcess

log = logging.getLogger("plyscope.page")

QUEUES_WITH_PLACE: tuple[QueueName, ...] = ("short", "long")
"""The queues that report a request's place."""
MAX_QUEUED = 400
"""The most requests in one queue."""
NO_ANSWER = b'"the engine does not answer; it was restarted"'
STARTING = b'{"text": "the engine is starting"}'
PLACE_POLL_SECONDS = 0.25
"""The interval at which waiting pages are sent their place in the queue."""


class QueueFull(OptionError):
    """Raised for a request to a full queue."""


class Scheduler:
    """Answers requests with `workers` processes, and three more that serve no long requests.

    The processes start with the first request and end with the scheduler. They play line games and
    the user-defined `game`, if given, and know the user's `heuristics`, each given as a text.
    """

    def __init__(
        self,
        workers: int | None = None,
        game: str | None = None,
        heuristics: tuple[OwnHeuristic, ...] = (),
    ) -> None:
        self.number, self.given = workers or usable_cores(), (game, heuristics)
        self.waiting: dict[QueueName, list[Job]] = {queue: [] for queue in QUEUES}
        self.workers: list[WorkerProcess] = []
        self.spare = SpareProcess(*self.given)
        self.tasks: list[asyncio.Task[None]] = []
        self.news = asyncio.Condition()
        self.numbers = count(1)
        self.turns: dict[Hashable, int] = {}
        """For each address and each of its pages, the number of its last started request."""
        self.begun = 0

    def start(self) -> None:
        """Start the tasks, or restart them if they ended by a fault or with their event loop.

        A restart answers all waiting requests with an error.
        """
        if self.tasks and self._has_ended():
            log.error("plyscope: the engine did not answer, and is restarted")
            for worker in (*self.workers, self.spare):
                worker.abandon()
            self.spare = SpareProcess(*self.given)
            lost = [job for queue in QUEUES for job in self.waiting[queue]]
            lost += [worker.job for worker in self.workers if worker.job is not None]
            self.waiting = {queue: [] for queue in QUEUES}
            self.workers, self.tasks, self.news = [], [], asyncio.Condition()
            for job in lost:
                with contextlib.suppress(Exception):  # the client may be gone with the loop
                    job.finish("error", NO_ANSWER)
        if not self.tasks:
            self.tasks = [
                asyncio.create_task(self._open()),
                asyncio.create_task(self._tell_places()),
            ]

    def _has_ended(self) -> bool:
        """Return whether an endless task or its event loop has ended."""
        opening, *endless = self.tasks
        loop = opening.get_loop()
        return loop is not asyncio.get_running_loop() or (
            any(task.done() for task in endless)
            or (opening.done() and opening.exception() is not None)
        )

    async def _open(self) -> None:
        """Start the workers: the first serves only `moves`, the second also `quick`, the third also
        `short`, the others all queues."""
        self.workers = [WorkerProcess(*self.given) for _ in range(self.number + len(QUEUES) - 1)]
        with contextlib.suppress(OSError, EOFError):
            await self.workers[0].started()  # before the others, so that it is ready early
        for number, worker in enumerate(self.workers, 1):
            self.tasks.append(asyncio.create_task(self._work(worker, QUEUES[:number])))

    async def stop(self) -> None:
        """End the workers and drop all queued requests."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in (*self.workers, self.spare)))
        self.tasks, self.workers = [], []

    async def take(
        self,
        endpoint: str,
        arguments: bytes,
        tell: Tell,
        page: Hashable = None,
        address: Hashable = None,
    ) -> Job:
        """Queue a request of a page or an address and return its job.

        Raises OptionError for an unknown endpoint, and QueueFull.
        """
        one_line = arguments.replace(b"\r", b" ").replace(b"\n", b" ")  # the same in JSON
        job = Job(next(self.numbers), endpoint, one_line, tell, page, address)
        self.start()
        waiting = self.waiting[job.queue]
        if len(waiting) >= MAX_QUEUED:
            self._make_room(job)
        async with self.news:
            waiting.append(job)
            if not job.is_quick:
                before = QUEUES_WITH_PLACE[: QUEUES_WITH_PLACE.index(job.queue) + 1]
                job.tell_place(sum(len(self.waiting[queue]) for queue in before))
                if not any(worker.listens for worker in self.workers[QUEUES.index(job.queue) :]):
                    job.tell("told", STARTING)
            self.news.notify_all()
        return job

    async def cancel(self, job: Job) -> None:
        """Cancel a request; a running one responds with its partial result."""
        job.is_cancelled = True
        if job in self.waiting[job.queue]:
            self.waiting[job.queue].remove(job)
            job.finish("error", STOPPED)
        elif job.worker is not None:
            await job.worker.interrupt(job)

    def in_order(self, queue: QueueName) -> list[Job]:
        """Return the jobs of a queue in the order in which they will run.

        Addresses take turns, and so do the pages of an address; a page's requests keep their order.
        """
        of_pages: Counter[Hashable] = Counter()
        of_addresses: Counter[Hashable] = Counter()
        turns, order = [], []
        for place, job in enumerate(self.waiting[queue]):
            page = job.address, job.page
            of_pages[page] += 1
            turns.append((of_pages[page], self.turns.get(page, 0), place, job))
        for _, _, place, job in sorted(turns, key=lambda turn: turn[:3]):
            of_addresses[job.address] += 1
            last = self.turns.get(job.address, 0)
            order.append((of_addresses[job.address], last, place, job))
        return [job for *_, job in sorted(order, key=lambda turn: turn[:3])]

    def _make_room(self, job: Job) -> None:
        """Drop the last request of the address with the most in a full queue; raise QueueFull if
        that is the address of `job`."""
        waiting = self.waiting[job.queue]
        counts = Counter(other.address for other in waiting)
        most, count = counts.most_common(1)[0]
        text = f"{len(waiting)} requests are in the queue; try again later"
        if count <= counts[job.address] + 1:
            raise QueueFull(text)
        last = [other for other in self.in_order(job.queue) if other.address == most][-1]
        waiting.remove(last)
        last.finish("error", msgspec.json.encode(text))

    def _load(self, job: Job) -> float:
        """Return the number of waiting long requests per worker.

        An address counts with at most as many as the address of `job`, whose count includes `job`.
        """
        counts = Counter(other.address for other in self.waiting["long"])
        most = counts[job.address] + 1
        return sum(min(count, most) for count in counts.values()) / self.number

    async def _tell_places(self) -> None:
        """Send the waiting pages their new places in the queue."""
        while True:
            async with self.news:
                await self.news.wait_for(
                    lambda: any(self.waiting[queue] for queue in QUEUES_WITH_PLACE)
                )
            await asyncio.sleep(PLACE_POLL_SECONDS)
            for place, job in enumerate(chain(*map(self.in_order, QUEUES_WITH_PLACE)), 1):
                if job.place != place and not job.done.is_set() and job.worker is None:
                    job.tell_place(place)
                    await asyncio.sleep(0)

    async def _work(self, worker: WorkerProcess, queues: tuple[QueueName, ...]) -> None:
        """Run the jobs of `queues` in a worker, one after the other."""
        with contextlib.suppress(OSError, EOFError):
            await worker.started()
        worker.spare = self.spare
        if worker is self.workers[-1]:
            await self.spare.renew()
        while True:
            async with self.news:
                await self.news.wait_for(lambda: any(self.waiting[queue] for queue in queues))
                job = self._begin(queues)
                job.worker = worker
            load = self._load(job) if job.queue == "long" else 0.0
            try:
                if not job.is_quick:
                    job.tell_place(0)
                await worker.answer(job, load)
            except Exception:  # a closed notebook cannot be reached; serve the others
                text = "plyscope: %s %r could not be answered"
                log.exception(text, job.endpoint, job.arguments[:MAX_LOGGED_BYTES])
                job.done.set()
            job.worker = None

    def _begin(self, queues: tuple[QueueName, ...]) -> Job:
        """Remove the next job from its queue and return it."""
        queue = next(queue for queue in queues if self.waiting[queue])
        job = self.in_order(queue)[0]
        self.waiting[queue].remove(job)
        if len(self.turns) > MAX_QUEUED:
            self.turns = {}  # most of these pages are gone
        self.begun += 1
        self.turns[job.address] = self.turns[job.address, job.page] = self.begun
        return job
