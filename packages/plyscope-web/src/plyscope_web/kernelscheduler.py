"""A scheduler in a notebook's kernel, for the games and heuristics that only the kernel knows."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from math import inf
from time import perf_counter
from typing import Any

import msgspec

from plyscope.errors import OptionError, PlyscopeError
from plyscope.faces.progress import viewing_compiling
from plyscope.pythonfile import in_one_line, interrupting
from plyscope.rules.game import GamePosition
from plyscope_web.endpoints import ENDPOINTS, answer, in_short, read
from plyscope_web.endpoints.inputs import OwnHeuristic, own_heuristics, own_start
from plyscope_web.outcome import DEFAULT_SECONDS, GRACE_SECONDS, STOP_SECONDS, STOPPED
from plyscope_web.process import Job, Tell
from plyscope_web.scheduler import NO_ANSWER

MAX_QUEUED = 40


class KernelScheduler:
    """Answers one request after the other, in a thread of the kernel.

    A request that is cancelled or exceeds its timeout is ended by a KeyboardInterrupt in the
    thread. A thread that does not respond is abandoned and replaced.
    """

    def __init__(
        self, start: GamePosition | None, heuristics: tuple[OwnHeuristic, ...] = ()
    ) -> None:
        self.given = start, heuristics
        self.numbers = count(1)
        self.thread = self._new_thread()
        self.open: set[asyncio.Future[None]] = set()
        self.alone = asyncio.Lock()

    def _new_thread(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, "plyscope", _begin, self.given)

    async def take(
        self,
        endpoint: str,
        arguments: bytes,
        tell: Tell,
        page: Hashable = None,
        address: Hashable = None,
    ) -> Job:
        """Queue a request and return its job; raise OptionError if too many are queued."""
        job = Job(next(self.numbers), endpoint, arguments, tell, page)
        if len(self.open) >= MAX_QUEUED:
            raise OptionError(f"{len(self.open)} requests are in the queue; try again later")
        task = asyncio.ensure_future(self._answer(job))
        self.open.add(task)
        task.add_done_callback(self.open.discard)
        return job

    async def cancel(self, job: Job) -> None:
        """Cancel a request; end it if it is running."""
        job.is_cancelled = True
        job.finish("error", STOPPED)

    async def stop(self) -> None:
        """End the thread when it is idle."""
        self.thread.shutdown(wait=False, cancel_futures=True)

    async def _answer(self, job: Job) -> None:
        with suppress(asyncio.CancelledError):
            async with self.alone:
                if not job.is_cancelled:
                    await self._ask(job)

    async def _ask(self, job: Job) -> None:
        """Answer a job in the thread; replace the thread if it does not respond."""
        loop, call = asyncio.get_running_loop(), _Call(job)

        def tell(news: dict[str, Any]) -> None:
            if not job.is_cancelled:
                loop.call_soon_threadsafe(job.tell, "told", msgspec.json.encode(news))

        asked = loop.run_in_executor(self.thread, call.answer, tell)
        while not asked.done():
            await asyncio.wait([asked], timeout=STOP_SECONDS)
            if not asked.done() and call.is_begun and call.is_overdue(STOP_SECONDS):
                self.thread.shutdown(wait=False)
                self.thread = self._new_thread()
                job.finish("error", NO_ANSWER)
                return
        job.finish(*asked.result())


class _Call:
    """A request that runs in the thread, with its deadline."""

    def __init__(self, job: Job) -> None:
        self.job, self.is_begun = job, False
        self.grace = 0.0 if job.is_quick else GRACE_SECONDS
        self.deadline = inf
        self.ending: float | None = None
        """The time at which it was cancelled or exceeded its deadline."""

    def is_overdue(self, seconds: float = 0.0) -> bool:
        """Return whether it was cancelled or timed out at least `seconds` ago."""
        now = perf_counter()
        if self.ending is None and (self.job.is_cancelled or now > self.deadline):
            self.ending = now
        return self.ending is not None and now >= self.ending + seconds

    def answer(self, tell: Any) -> tuple[str, bytes]:
        """Return the kind of the response and its JSON."""
        job = self.job
        self.deadline, self.is_begun = (
            perf_counter() + DEFAULT_SECONDS[job.queue] + self.grace,
            True,
        )
        try:
            with interrupting(self.is_overdue, KeyboardInterrupt):
                request: Any = read(job.endpoint, job.arguments)
                timeout = ENDPOINTS[job.endpoint].timeout
                if timeout is not None:
                    self.deadline = perf_counter() + timeout(request) + self.grace
                with viewing_compiling(lambda text: tell({"text": text})):
                    found = answer(job.endpoint, request, tell)
                return "found", msgspec.json.encode(found)
        except KeyboardInterrupt:
            said = "stopped" if job.is_cancelled else "no answer in time"
        except PlyscopeError as error:
            said = in_short(error)
        except Exception as error:  # raised by the user's game: show it on the page
            said = in_short(f"{job.endpoint}: {in_one_line(error)}")
        return "error", msgspec.json.encode(said)


def _begin(start: GamePosition | None, heuristics: tuple[OwnHeuristic, ...]) -> None:
    """Import what the endpoints need, since imports must not be interrupted; set the game and the
    heuristics."""
    from plyscope_web.worker import prepare

    prepare()
    own_start.set(start)
    own_heuristics.set(heuristics)
