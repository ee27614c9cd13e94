"""The desk: takes questions, answers the small ones at once, and has the others worked on by processes of its own, in turn.

A question has one place in one of two lines, `short` and `long`. Short ones go first, and one worker does no others, so that a move never
waits for somebody's analysis. The more wait, the less time each long one gets: everybody is answered soon, and deeper when it is quiet.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from plyscope.errors import OptionError, PlyscopeError
from plyscope.faces.web.asked import Asked
from plyscope.faces.web.verbs import VERBS, answer, read

__all__ = ["Conversation", "Desk", "DeskFull", "Job"]

MOST_WAITING = 400
MOST_OF_A_PAGE = 8
"""Questions that one page may have in line."""
LEAST_SECONDS = 0.3
"""What a question may take at the least, however many wait."""
SHORT_SECONDS = 15.0
GRACE = 60.0
"""Seconds over its time after which a worker is given up: it may have to compile its kernel first."""
STOPPING = 2.0
LINE = 1 << 26
"""Bytes that an answer has at most."""

Tell = Callable[[dict[str, Any]], None]


@dataclass(eq=False)
class Job:
    """A question on its way. `tell` is called with every `{"queue": ...}`, `{"told": ...}` and the last `{"found"|"error": ...}`."""

    verb: str
    asked: Asked
    tell: Tell
    done: asyncio.Event = field(default_factory=asyncio.Event)
    worker: _Worker | None = None
    is_cancelled: bool = False

    @property
    def is_short(self) -> bool:
        """Whether it goes before the long ones."""
        return VERBS[self.verb].lane == "short"


class DeskFull(OptionError):
    """Raised for a question that finds too many others in line."""


class Desk:
    """Answers questions with so many `workers`, processes that are started when there is something to do and end with the desk."""

    def __init__(self, workers: int | None = None) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.number = workers or cores
        self.waiting: list[Job] = []
        self.workers: list[_Worker] = []
        self.hands: list[asyncio.Task[None]] = []
        self.news = asyncio.Condition()

    def start(self) -> None:
        """Start working: one hand for short questions alone, the others for all."""
        if not self.hands:
            for number in range(self.number + 1):
                worker = _Worker()
                self.workers.append(worker)
                self.hands.append(asyncio.create_task(self._work(worker, only_short=number == 0)))

    async def stop(self) -> None:
        """End the workers and forget what waits."""
        for hand in self.hands:
            hand.cancel()
        await asyncio.gather(*self.hands, return_exceptions=True)
        for worker in self.workers:
            await worker.end()
        self.hands, self.workers = [], []

    async def take(self, verb: str, arguments: Any, tell: Tell) -> Job:
        """Take a question and return it, answered or in line. Raises OptionError, DeskFull where too many wait."""
        asked = read(verb, arguments)
        job = Job(verb, asked, tell)
        if VERBS[verb].lane == "here":
            tell(_answered_here(verb, asked))
            job.done.set()
            return job
        if len(self.waiting) >= MOST_WAITING:
            raise DeskFull(f"{len(self.waiting)} questions are waiting already; expected another try later")
        self.start()
        async with self.news:
            self.waiting.append(job)
            self._tell_places()
            self.news.notify_all()
        return job

    async def cancel(self, job: Job) -> None:
        """Take a question back: it is answered with what is known by then, or not at all when it was still in line."""
        job.is_cancelled = True
        if job in self.waiting:
            self.waiting.remove(job)
            _finish(job, {"error": "stopped"})
            self._tell_places()
        elif job.worker is not None:
            await job.worker.interrupt(job)

    def _tell_places(self) -> None:
        for place, job in enumerate(sorted(self.waiting, key=lambda job: not job.is_short), 1):
            job.tell({"queue": place})

    async def _work(self, worker: _Worker, only_short: bool) -> None:
        with contextlib.suppress(OSError, EOFError):
            await worker.started()
        while True:
            async with self.news:
                await self.news.wait_for(lambda: self._next(only_short) is not None)
                job = self._next(only_short)
                assert job is not None
                self.waiting.remove(job)
                self._tell_places()
            job.worker = worker
            job.tell({"queue": 0})
            await worker.answer(job, self._seconds(job))
            job.worker = None

    def _next(self, only_short: bool) -> Job | None:
        short = next((job for job in self.waiting if job.is_short), None)
        return short or (None if only_short else next(iter(self.waiting), None))

    def _seconds(self, job: Job) -> float:
        """Return how long a job may take: what it asks for, shared with those that wait."""
        wanted: float = getattr(job.asked, "seconds", SHORT_SECONDS)
        waiting = sum(not other.is_short for other in self.waiting)
        return wanted if job.is_short else min(wanted, max(LEAST_SECONDS, wanted / (1 + waiting / self.number)))


class Conversation:
    """One page's questions by their number, answered through `tell`; all are stopped when it ends.

    In come `{"id": 1, "verb": ..., "arguments": {...}}` and `{"id": 1, "cancel": true}`; out go `{"id": 1, ...}` with `queue`, `told`, and
    at last `found` or `error`.
    """

    def __init__(self, desk: Desk, tell: Tell) -> None:
        self.desk, self.tell = desk, tell
        self.jobs: dict[int, Job] = {}
        self.cancelling: set[asyncio.Future[None]] = set()

    async def hear(self, said: Any) -> None:
        """Take what the page said, decoded JSON."""
        number = said.get("id") if isinstance(said, dict) else None
        if not isinstance(number, int) or isinstance(number, bool):
            self.tell({"id": None, "error": 'cannot read the question; expected {"id": 1, "verb": ..., "arguments": {...}}'})
        elif said.get("cancel") is True:
            if number in self.jobs:
                task = asyncio.ensure_future(self.desk.cancel(self.jobs[number]))  # the page may go on asking meanwhile
                self.cancelling.add(task)
                task.add_done_callback(self.cancelling.discard)
        else:
            await self._take(number, said)

    async def _take(self, number: int, said: dict[str, Any]) -> None:
        def tell(news: dict[str, Any]) -> None:
            if "found" in news or "error" in news:
                self.jobs.pop(number, None)
            self.tell({"id": number, **news})

        try:
            if number in self.jobs or len(self.jobs) >= MOST_OF_A_PAGE:
                raise OptionError(f"question {number} with {len(self.jobs)} of this page in line; expected a new number, and patience")
            job = await self.desk.take(str(said.get("verb")), said.get("arguments", {}), tell)
        except PlyscopeError as error:
            self.tell({"id": number, "error": str(error)})
            return
        if not job.done.is_set():
            self.jobs[number] = job

    async def end(self) -> None:
        """Stop all that is in line or being answered."""
        await asyncio.gather(*(self.desk.cancel(job) for job in list(self.jobs.values())))


def _answered_here(verb: str, asked: Asked) -> dict[str, Any]:
    try:
        return {"found": answer(verb, asked, lambda told: None)}
    except PlyscopeError as error:
        return {"error": str(error)}


def _finish(job: Job, said: dict[str, Any]) -> None:
    if not job.done.is_set():
        job.tell(said)
        job.done.set()


class _Worker:
    """A process that answers one question at a time, and is replaced when it does not come back."""

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None
        self.job: Job | None = None

    async def answer(self, job: Job, seconds: float) -> None:
        """Have the job answered within `seconds`, or say that it was not."""
        arguments = msgspec.to_builtins(job.asked)
        if "seconds" in arguments:
            arguments["seconds"] = seconds
        self.job = job
        try:
            async with asyncio.timeout(seconds * _steps(arguments) + GRACE):
                await self._converse(job, {"verb": job.verb, "arguments": arguments})
        except TimeoutError:
            await self.end()
            _finish(job, {"error": f"no answer in {seconds:.0f} seconds"})
        except (OSError, ValueError, EOFError, RuntimeError):  # it was killed, or ran out of memory
            await self.end()
            _finish(job, {"error": "stopped" if job.is_cancelled else "the worker has failed; expected a smaller question"})
        finally:
            self.job = None

    async def _converse(self, job: Job, question: dict[str, Any]) -> None:
        process = await self.started()
        if job.is_cancelled:
            _finish(job, {"error": "stopped"})
            return
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(question).encode() + b"\n")
        await process.stdin.drain()
        while True:
            line = await process.stdout.readline()
            if not line:
                raise EOFError
            said = json.loads(line)
            if "told" not in said:
                _finish(job, said)
                return
            job.tell(said)

    async def started(self) -> asyncio.subprocess.Process:
        """Return the process, which listens; start it where there is none."""
        if self.process is None or self.process.returncode is not None:
            self.process = None
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "plyscope.faces.web.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LINE,
                start_new_session=True,  # Ctrl-C is for the server, which ends its workers
            )
            assert process.stdout is not None
            if not await process.stdout.readline():
                raise EOFError
            self.process = process
        return self.process

    async def interrupt(self, job: Job) -> None:
        """Have the job answered with what it has by now; end the process when it does not listen."""
        if self.job is not job or self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGINT)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(job.done.wait(), STOPPING)
            return
        if self.job is job:
            await self.end()

    async def end(self) -> None:
        """End the process."""
        process, self.process = self.process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _steps(arguments: dict[str, Any]) -> int:
    """Return how many times over a question takes its seconds: a game is looked at move by move, a refutation from both sides."""
    return 4 * (len(arguments.get("moves", ())) + 1) if "moves" in arguments else 2
