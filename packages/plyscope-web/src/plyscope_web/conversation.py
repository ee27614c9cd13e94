"""The requests of one page, numbered by the page, over any transport.

The page sends `{"id": 1, "endpoint": ..., "arguments": {...}}` and `{"id": 1, "cancel": true}`.
It receives `{"id": 1, ...}` with `queue` and `told` any number of times, then `found` or `error`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Hashable

import msgspec

from plyscope.errors import OptionError, PlyscopeError
from plyscope_web.endpoints import in_short
from plyscope_web.kernelscheduler import KernelScheduler
from plyscope_web.process import Job
from plyscope_web.scheduler import Scheduler

log = logging.getLogger("plyscope.page")

MAX_QUEUED_PER_PAGE = 8
"""Requests that one page may have in the queues, not counting cancelled ones."""
UNREADABLE = 'cannot read the question; expected {"id": 1, "endpoint": ..., "arguments": {...}}'


class _Message(msgspec.Struct):
    """A message of a page; the `arguments` are passed on undecoded."""

    id: int
    endpoint: str = ""
    arguments: msgspec.Raw = msgspec.Raw(b"{}")
    cancel: bool = False


class Conversation:
    """The open requests of a page at an address; responses go to `tell`."""

    def __init__(
        self,
        scheduler: Scheduler | KernelScheduler,
        tell: Callable[[bytes], None],
        address: Hashable = None,
    ) -> None:
        self.scheduler, self.tell, self.address = scheduler, tell, address
        self.jobs: dict[int, Job] = {}
        self.is_answered = asyncio.Event()
        """Set whenever a request is answered."""
        self.is_gone = False
        self.cancelling: set[asyncio.Future[None]] = set()

    async def hear(self, text: str | bytes) -> None:
        """Handle a message of the page; return once another quick request may be queued."""
        try:
            message = msgspec.json.decode(text, type=_Message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._say(b'{"id": null, "error": %s}' % msgspec.json.encode(UNREADABLE))
            return
        if not message.cancel:
            await self._take(message)
        elif message.id in self.jobs:  # the page may send other requests meanwhile
            self.jobs[message.id].is_cancelled = True
            task = asyncio.ensure_future(self.scheduler.cancel(self.jobs[message.id]))
            self.cancelling.add(task)
            task.add_done_callback(self.cancelling.discard)

    async def _take(self, message: _Message) -> None:
        """Queue the request, or answer it with an error."""
        number = message.id

        def tell(kind: str, news: bytes) -> None:
            if kind in ("found", "error", "failed"):
                self.jobs.pop(number, None)
                self.is_answered.set()
                kind = "found" if kind == "found" else "error"
            self._say(b'{"id": %d, "%s": %s}' % (number, kind.encode(), news))

        while sum(job.is_quick for job in self.jobs.values()) >= MAX_QUEUED_PER_PAGE:
            self.is_answered.clear()
            await self.is_answered.wait()
        others = sum(not (job.is_quick or job.is_cancelled) for job in self.jobs.values())
        try:
            if number in self.jobs:
                raise OptionError(f"request {number} twice; expected a new number")
            if others >= MAX_QUEUED_PER_PAGE:
                raise OptionError(
                    f"request {number} while this page has {others} in the queue; "
                    f"expected at most {MAX_QUEUED_PER_PAGE} at a time"
                )
            name, arguments = message.endpoint, bytes(message.arguments)
            job = await self.scheduler.take(name, arguments, tell, self, self.address)
        except PlyscopeError as error:
            self._say(b'{"id": %d, "error": %s}' % (number, msgspec.json.encode(in_short(error))))
            return
        if not job.done.is_set():
            self.jobs[number] = job

    def _say(self, text: bytes) -> None:
        """Send a message to the page; cancel all its requests if it cannot be reached."""
        if self.is_gone:
            return
        try:
            self.tell(text)
        except Exception:
            self.is_gone = True
            log.exception("plyscope: a page cannot be reached; its requests are cancelled")
            task = asyncio.ensure_future(self.end())
            self.cancelling.add(task)
            task.add_done_callback(self.cancelling.discard)

    async def end(self) -> None:
        """Cancel all requests of the page."""
        await asyncio.gather(*(self.scheduler.cancel(job) for job in list(self.jobs.values())))
