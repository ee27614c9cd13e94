"""The desk: takes questions and has them answered by processes of its own, in turn. It reads none
of them.

A question has one place in one of three lines, `quick`, `short` and `long`. The first ones go
first, and there is a worker that does quick ones alone and one that does no long ones, so that a
move never waits for somebody's analysis. Within a line pages take turns. The more wait, the less
time each long one gets: everybody is answered soon, and deeper when it is quiet.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import count

import msgspec

from plyscope.errors import OptionError, PlyscopeError
from plyscope.faces.web.verbs import LANES, VERBS, Lane, in_short
from plyscope.processes import APART, hold, kill_group, let_go, module_command, reason_of

__all__ = ["Conversation", "Desk", "DeskFull", "Job"]

log = logging.getLogger("plyscope.page")

MOST_WAITING = 400
"""Questions that may be in one line."""
MOST_OF_A_PAGE = 8
"""Questions that one page may have in line."""
MOST_SHOWN = 300
"""Bytes of a question that are logged."""
SECONDS = {"quick": 10.0, "short": 15.0, "long": 30.0}
"""What a question may take that does not say it."""
GRACE = 60.0
"""Seconds over its time after which a worker is given up: it may have to compile its kernel first.
Quick ones have none."""
STOPPING = 2.0
TELLING = 0.25
"""Seconds between two looks at who is to be told a new place in line."""
MEGABYTES = 6144
"""Of address space for a worker; tables are of fixed sizes, but trees of arbitrary questions are
not."""
LINE = 1 << 26
"""Bytes that an answer has at most."""

Tell = Callable[[str, bytes], None]


@dataclass(eq=False)
class Job:
    """A question on its way, its arguments in JSON as they came. `tell` is called with any number
    of `queue` and `told` and at last with `found`, `error` or `failed`, and JSON. `page` is whose
    turn it takes."""

    number: int
    verb: str
    arguments: bytes
    tell: Tell
    page: Hashable = None
    done: asyncio.Event = field(default_factory=asyncio.Event)
    worker: _Worker | None = None
    is_cancelled: bool = False
    place: int | None = None

    @property
    def lane(self) -> Lane:
        """The line it waits in."""
        return VERBS[self.verb].lane

    def finish(self, kind: str, said: bytes) -> None:
        """Tell the last word."""
        if not self.done.is_set():
            self.tell(kind, said)
            self.done.set()


class DeskFull(OptionError):
    """Raised for a question that finds too many others in line."""


class Desk:
    """Answers questions with so many `workers`, and two for short ones, processes that are started
    when there is something to do and end with the desk."""

    def __init__(self, workers: int | None = None) -> None:
        cores = (
            len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count() or 1
        )
        self.number = workers or cores
        self.waiting: dict[Lane, list[Job]] = {lane: [] for lane in LANES}
        self.workers: list[_Worker] = []
        self.hands: list[asyncio.Task[None]] = []
        self.news = asyncio.Condition()
        self.numbers = count(1)
        self.turns: dict[Hashable, int] = {}
        """For each page the last question of it that was begun, by its place among all that
        were."""
        self.begun = 0

    def start(self) -> None:
        """Start working: one hand for quick questions alone, one for these and short ones, the
        others for all."""
        if not self.hands:
            self.hands = [
                asyncio.create_task(self._open()),
                asyncio.create_task(self._tell_places()),
            ]

    async def _open(self) -> None:
        self.workers = [_Worker() for _ in range(self.number + 2)]
        with contextlib.suppress(OSError, EOFError):
            await self.workers[0].started()  # before the others, so that it is there soon
        for number, worker in enumerate(self.workers, 1):
            self.hands.append(asyncio.create_task(self._work(worker, LANES[:number])))

    async def stop(self) -> None:
        """End the workers and forget what waits."""
        for hand in self.hands:
            hand.cancel()
        await asyncio.gather(*self.hands, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self.workers))
        self.hands, self.workers = [], []

    async def take(self, verb: str, arguments: bytes, tell: Tell, page: Hashable = None) -> Job:
        """Take a question and return it, in line. Raises OptionError, DeskFull where too many
        wait."""
        if verb not in VERBS:
            raise OptionError(f"verb {verb[:40]!r}; expected one of {', '.join(VERBS)}")
        job = Job(
            next(self.numbers),
            verb,
            arguments.replace(b"\r", b" ").replace(b"\n", b" "),
            tell,
            page,
        )  # JSON means the same by it
        waiting = self.waiting[job.lane]
        if len(waiting) >= MOST_WAITING:
            raise DeskFull(
                f"{len(waiting)} questions are waiting already; expected another try later"
            )
        self.start()
        async with self.news:
            waiting.append(job)
            if job.lane != "quick":
                self._tell_place(
                    job,
                    sum(len(self.waiting[lane]) for lane in LANES[1 : LANES.index(job.lane) + 1]),
                )
            self.news.notify_all()
        return job

    async def cancel(self, job: Job) -> None:
        """Take a question back: it is answered with what is known by then, or not at all when it
        was still in line."""
        job.is_cancelled = True
        if job in self.waiting[job.lane]:
            self.waiting[job.lane].remove(job)
            job.finish("error", b'"stopped"')
        elif job.worker is not None:
            await job.worker.interrupt(job)

    def in_order(self, lane: Lane) -> list[Job]:
        """Return who waits in a line in the order in which they will be answered: pages take turns,
        and questions of one page come as they were asked."""
        asked: dict[Hashable, int] = {}
        order = []
        for place, job in enumerate(self.waiting[lane]):
            asked[job.page] = asked.get(job.page, 0) + 1
            order.append((asked[job.page], self.turns.get(job.page, 0), place, job))
        return [job for *_, job in sorted(order, key=lambda item: item[:3])]

    async def _tell_places(self) -> None:
        while True:
            async with self.news:
                await self.news.wait_for(lambda: self.waiting["short"] or self.waiting["long"])
            await asyncio.sleep(TELLING)
            for place, job in enumerate([*self.in_order("short"), *self.in_order("long")], 1):
                if job.place != place and not job.done.is_set() and job.worker is None:
                    self._tell_place(job, place)
                    await asyncio.sleep(0)

    def _tell_place(self, job: Job, place: int) -> None:
        job.place = place
        job.tell("queue", b"%d" % place)

    async def _work(self, worker: _Worker, lanes: tuple[Lane, ...]) -> None:
        with contextlib.suppress(OSError, EOFError):
            await worker.started()
        while True:
            async with self.news:
                await self.news.wait_for(lambda: any(self.waiting[lane] for lane in lanes))
                job = self._begin(lanes)
                job.worker = worker
            try:
                if job.lane != "quick":
                    self._tell_place(job, 0)
                await worker.answer(
                    job, len(self.waiting["long"]) / self.number if job.lane == "long" else 0.0
                )
            except (
                Exception
            ):  # whoever asked cannot be told, as a notebook that was closed: others still can
                log.exception(
                    "plyscope: %s %r could not be answered", job.verb, job.arguments[:MOST_SHOWN]
                )
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
        self.turns[job.page] = self.begun
        return job


class _Said(msgspec.Struct):
    """What a page says; `arguments` are left as they are."""

    id: int
    verb: str = ""
    arguments: msgspec.Raw = msgspec.Raw(b"{}")
    cancel: bool = False


class Conversation:
    """One page's questions by their number, answered through `tell`; all are stopped when it ends.

    In come `{"id": 1, "verb": ..., "arguments": {...}}` and `{"id": 1, "cancel": true}`; out go
    `{"id": 1, ...}` with `queue`, `told`, and at last `found` or `error`.
    """

    def __init__(self, desk: Desk, tell: Callable[[bytes], None]) -> None:
        self.desk, self.tell = desk, tell
        self.jobs: dict[int, Job] = {}
        self.is_answered = asyncio.Event()
        """Set whenever a question is."""
        self.cancelling: set[asyncio.Future[None]] = set()

    async def hear(self, text: str | bytes) -> None:
        """Take what the page said. Returns once there is room for another quick question."""
        try:
            said = msgspec.json.decode(text, type=_Said)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            error = 'cannot read the question; expected {"id": 1, "verb": ..., "arguments": {...}}'
            self.tell(b'{"id": null, "error": %s}' % msgspec.json.encode(error))
            return
        if not said.cancel:
            await self._take(said)
        elif said.id in self.jobs:
            task = asyncio.ensure_future(
                self.desk.cancel(self.jobs[said.id])
            )  # the page may go on asking meanwhile
            self.cancelling.add(task)
            task.add_done_callback(self.cancelling.discard)

    async def _take(self, said: _Said) -> None:
        number = said.id

        def tell(kind: str, news: bytes) -> None:
            if kind in ("found", "error", "failed"):
                self.jobs.pop(number, None)
                self.is_answered.set()
                kind = "found" if kind == "found" else "error"
            self.tell(b'{"id": %d, "%s": %s}' % (number, kind.encode(), news))

        while (quick := sum(job.lane == "quick" for job in self.jobs.values())) >= MOST_OF_A_PAGE:
            self.is_answered.clear()
            await self.is_answered.wait()
        others = len(self.jobs) - quick
        try:
            if number in self.jobs or others >= MOST_OF_A_PAGE:
                raise OptionError(
                    f"question {number} with {others} of this page in line; expected a new number, and patience"
                )
            job = await self.desk.take(said.verb, bytes(said.arguments), tell, self)
        except PlyscopeError as error:
            self.tell(b'{"id": %d, "error": %s}' % (number, msgspec.json.encode(in_short(error))))
            return
        if not job.done.is_set():
            self.jobs[number] = job

    async def end(self) -> None:
        """Stop all that is in line or being answered."""
        await asyncio.gather(*(self.desk.cancel(job) for job in list(self.jobs.values())))


class _Worker:
    """A process that answers one question at a time, and is replaced when it does not come back."""

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None
        self.watch: asyncio.Task[None] | None = None
        self.job: Job | None = None

    async def answer(self, job: Job, crowd: float) -> None:
        """Have the job answered, or say that it was not. Where its process dies of it, it is asked
        once more."""
        self.job = job
        try:
            for is_again in (False, True):
                try:
                    await self._converse(job, crowd)
                except TimeoutError:
                    await self.end()
                    job.finish("error", b'"no answer in time; expected a smaller question"')
                except (OSError, ValueError, EOFError):
                    status = await self.end()
                    if job.is_cancelled:
                        job.finish("error", b'"stopped"')
                    else:
                        why = "could not be started" if status is None else reason_of(status)
                        then = "the page is told" if is_again else "it is asked again"
                        log.error(
                            "plyscope: a worker %s; it was asked %s %r: %s",
                            why,
                            job.verb,
                            job.arguments[:MOST_SHOWN],
                            then,
                        )
                if job.done.is_set():
                    return
            job.finish("failed", b'"the worker has failed; expected a smaller question"')
        finally:
            self.job = None

    async def _converse(self, job: Job, crowd: float) -> None:
        process = await self.started()
        if job.is_cancelled:
            job.finish("error", b'"stopped"')
            return
        assert process.stdin is not None
        assert process.stdout is not None
        grace = 0.0 if job.lane == "quick" else GRACE
        async with asyncio.timeout(SECONDS[job.lane] + grace) as limit:
            process.stdin.write(
                b"%d %s %f %s\n" % (job.number, job.verb.encode(), crowd, job.arguments)
            )
            await process.stdin.drain()
            while not job.done.is_set():
                line = await process.stdout.readline()
                if not line:
                    raise EOFError
                number, kind, said = line.rstrip(b"\n").split(b" ", 2)
                if int(number) != job.number:
                    continue
                if kind == b"time":
                    limit.reschedule(asyncio.get_running_loop().time() + float(said) + grace)
                elif kind == b"told":
                    job.tell("told", said)
                else:
                    job.finish(kind.decode(), said)

    async def started(self) -> asyncio.subprocess.Process:
        """Return the process, which listens; start it where there is none."""
        if self.process is None or self.process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            command = module_command("plyscope.faces.web.worker")
            process = self.process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, limit=LINE, **APART
            )
            hold(process.pid, MEGABYTES)
            self.watch = asyncio.create_task(_leave_nothing(process))
            assert process.stdout is not None
            async with asyncio.timeout(GRACE):
                if not await process.stdout.readline():
                    raise EOFError
        return self.process

    async def interrupt(self, job: Job) -> None:
        """Have the job answered with what it has by now; end the process when it does not
        listen."""
        for _ in range(2):  # a search may have taken the first for its own
            if self.job is not job or self.process is None or self.process.stdin is None:
                return
            with contextlib.suppress(OSError):
                self.process.stdin.write(b"%d stop\n" % job.number)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(job.done.wait(), STOPPING / 2)
                return
        if self.job is job:
            await self.end()

    async def end(self) -> int | None:
        """End the process with all that it has started, and return its status."""
        process, self.process = self.process, None
        if process is None:
            return None
        if process.returncode is None:
            kill_group(process.pid)
        status = await process.wait()
        if self.watch is not None:
            await self.watch
        return status


async def _leave_nothing(process: asyncio.subprocess.Process) -> None:
    """Wait for the end of a process, then end what it has started, at once: its number may soon be
    another's."""
    await process.wait()
    kill_group(process.pid)
    let_go(process.pid)
