"""A desk in the kernel of a notebook: a game of one's own that was made there is nowhere else."""

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
from plyscope.faces.web.desk import NO_ANSWER
from plyscope.faces.web.process import GRACE, SECONDS, STOPPING, Job, Tell
from plyscope.faces.web.verbs import VERBS, answer, in_short, read
from plyscope.faces.web.verbs.inputs import own_start
from plyscope.pythonfile import in_one_line, interrupting
from plyscope.rules.game import GamePosition

MOST_WAITING = 40


class KernelDesk:
    """Answers one question after the other, in a thread beside the notebook's own.

    A question that is taken back, or takes longer than it may, is ended by a KeyboardInterrupt in
    its thread. A thread that does not hear it is left to itself, and another one takes its place.
    """

    def __init__(self, start: GamePosition) -> None:
        self.start = start
        self.numbers = count(1)
        self.thread = self._new_thread()
        self.open: set[asyncio.Future[None]] = set()
        self.alone = asyncio.Lock()

    def _new_thread(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, "plyscope", _begin, (self.start,))

    async def take(
        self,
        verb: str,
        arguments: bytes,
        tell: Tell,
        page: Hashable = None,
        address: Hashable = None,
    ) -> Job:
        """Take a question and return it; raise OptionError, as where too many wait."""
        job = Job(next(self.numbers), verb, arguments, tell, page)
        if len(self.open) >= MOST_WAITING:
            raise OptionError(f"{len(self.open)} questions are waiting; expected another try later")
        task = asyncio.ensure_future(self._answer(job))
        self.open.add(task)
        task.add_done_callback(self.open.discard)
        return job

    async def cancel(self, job: Job) -> None:
        """Take a question back: it is ended, where it was begun."""
        job.is_cancelled = True
        job.finish("error", b'"stopped"')

    async def stop(self) -> None:
        """End the thread once it has nothing to do."""
        self.thread.shutdown(wait=False, cancel_futures=True)

    async def _answer(self, job: Job) -> None:
        with suppress(asyncio.CancelledError):
            async with self.alone:
                if not job.is_cancelled:
                    await self._ask(job)

    async def _ask(self, job: Job) -> None:
        """Have the thread answer, and replace it where it does not."""
        loop, call = asyncio.get_running_loop(), _Call(job)

        def tell(news: dict[str, Any]) -> None:
            if not job.is_cancelled:
                loop.call_soon_threadsafe(job.tell, "told", msgspec.json.encode(news))

        asked = loop.run_in_executor(self.thread, call.answer, tell)
        while not asked.done():
            await asyncio.wait([asked], timeout=STOPPING)
            if not asked.done() and call.is_begun and call.is_overdue(STOPPING):
                self.thread.shutdown(wait=False)
                self.thread = self._new_thread()
                job.finish("error", NO_ANSWER)
                return
        job.finish(*asked.result())


class _Call:
    """A question in the thread, until its time is over."""

    def __init__(self, job: Job) -> None:
        self.job, self.is_begun = job, False
        self.grace = 0.0 if job.is_quick else GRACE
        self.deadline = inf
        self.ending: float | None = None
        """Since when it is to end."""

    def is_overdue(self, patience: float = 0.0) -> bool:
        """Return whether it is to end, for so many seconds."""
        now = perf_counter()
        if self.ending is None and (self.job.is_cancelled or now > self.deadline):
            self.ending = now
        return self.ending is not None and now >= self.ending + patience

    def answer(self, tell: Any) -> tuple[str, bytes]:
        """Return the kind of the answer, and what it says."""
        job = self.job
        self.deadline, self.is_begun = perf_counter() + SECONDS[job.lane] + self.grace, True
        try:
            with interrupting(self.is_overdue, KeyboardInterrupt):
                request: Any = read(job.verb, job.arguments)
                patience = VERBS[job.verb].patience
                if patience is not None:
                    self.deadline = perf_counter() + patience(request) + self.grace
                return "found", msgspec.json.encode(answer(job.verb, request, tell))
        except KeyboardInterrupt:
            said = "stopped" if job.is_cancelled else "no answer in time"
        except PlyscopeError as error:
            said = in_short(error)
        except Exception as error:  # of the notebook's game: its author reads it on the page
            said = in_short(f"{job.verb}: {in_one_line(error)}")
        return "error", msgspec.json.encode(said)


def _begin(start: GamePosition) -> None:
    """Import whatever a verb may want, which is not to be cut in two, and take the game."""
    from plyscope.faces.web.worker import prepare

    prepare()
    own_start.set(start)
