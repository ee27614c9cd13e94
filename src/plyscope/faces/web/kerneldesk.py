"""A desk in the kernel of a notebook: a game of one's own that was made there is nowhere else."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from typing import Any

import msgspec

from plyscope.errors import OptionError, PlyscopeError
from plyscope.faces.web.process import Job, Tell
from plyscope.faces.web.verbs import VERBS, answer, in_short, read
from plyscope.faces.web.verbs.inputs import own_start
from plyscope.pythonfile import in_one_line
from plyscope.rules.game import GamePosition

MOST_WAITING = 40


class KernelDesk:
    """Answers one question after the other, in a thread beside the notebook's own.

    A question that was begun is answered to its end; nobody hears of one that was taken back.
    """

    def __init__(self, start: GamePosition) -> None:
        self.start = start
        self.numbers = count(1)
        self.thread = ThreadPoolExecutor(1, "plyscope", own_start.set, (start,))
        self.open: set[asyncio.Future[None]] = set()

    async def take(
        self,
        verb: str,
        arguments: bytes,
        tell: Tell,
        page: Hashable = None,
        address: Hashable = None,
    ) -> Job:
        """Take a question and return it; raise OptionError, as where too many wait."""
        if verb not in VERBS:
            raise OptionError(f"verb {verb[:40]!r}; expected one of {', '.join(VERBS)}")
        if len(self.open) >= MOST_WAITING:
            raise OptionError(f"{len(self.open)} questions are waiting; expected another try later")
        job = Job(next(self.numbers), verb, arguments, tell, page)
        task = asyncio.ensure_future(self._answer(job))
        self.open.add(task)
        task.add_done_callback(self.open.discard)
        return job

    async def cancel(self, job: Job) -> None:
        """Take a question back."""
        job.is_cancelled = True
        job.finish("error", b'"stopped"')

    async def stop(self) -> None:
        """End the thread once it has nothing to do."""
        self.thread.shutdown(wait=False, cancel_futures=True)

    async def _answer(self, job: Job) -> None:
        loop = asyncio.get_running_loop()

        def tell(news: dict[str, Any]) -> None:
            if not job.is_cancelled:
                loop.call_soon_threadsafe(job.tell, "told", msgspec.json.encode(news))

        def found() -> bytes:
            if job.is_cancelled:
                raise OptionError("stopped")
            return msgspec.json.encode(answer(job.verb, read(job.verb, job.arguments), tell))

        kind, said = "error", b""
        with suppress(asyncio.CancelledError):
            try:
                kind, said = "found", await loop.run_in_executor(self.thread, found)
            except PlyscopeError as error:
                said = msgspec.json.encode(in_short(error))
            except Exception as error:  # of the notebook's game: its author reads it on the page
                said = msgspec.json.encode(in_short(f"{job.verb}: {in_one_line(error)}"))
            job.finish(kind, said)
