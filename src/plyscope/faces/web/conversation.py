"""One page's questions by their number, over whatever carries its messages.

In come `{"id": 1, "verb": ..., "arguments": {...}}` and `{"id": 1, "cancel": true}`; out go
`{"id": 1, ...}` with `queue`, `told`, and at last `found` or `error`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Hashable

import msgspec

from plyscope.errors import OptionError, PlyscopeError
from plyscope.faces.web.desk import Desk
from plyscope.faces.web.kerneldesk import KernelDesk
from plyscope.faces.web.process import Job
from plyscope.faces.web.verbs import in_short

log = logging.getLogger("plyscope.page")

MOST_OF_A_PAGE = 8
"""Questions that one page may have in line, without those that it has taken back."""
UNREADABLE = 'cannot read the question; expected {"id": 1, "verb": ..., "arguments": {...}}'


class _Message(msgspec.Struct):
    """What a page says; `arguments` are left as they are."""

    id: int
    verb: str = ""
    arguments: msgspec.Raw = msgspec.Raw(b"{}")
    cancel: bool = False


class Conversation:
    """What a page at an address asks, answered through `tell`; all is stopped when it ends."""

    def __init__(
        self, desk: Desk | KernelDesk, tell: Callable[[bytes], None], address: Hashable = None
    ) -> None:
        self.desk, self.tell, self.address = desk, tell, address
        self.jobs: dict[int, Job] = {}
        self.is_answered = asyncio.Event()
        """Set whenever a question is."""
        self.is_gone = False
        self.cancelling: set[asyncio.Future[None]] = set()

    async def hear(self, text: str | bytes) -> None:
        """Take what the page said. Returns once there is room for another quick question."""
        try:
            message = msgspec.json.decode(text, type=_Message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._say(b'{"id": null, "error": %s}' % msgspec.json.encode(UNREADABLE))
            return
        if not message.cancel:
            await self._take(message)
        elif message.id in self.jobs:  # the page may go on asking meanwhile
            self.jobs[message.id].is_cancelled = True
            task = asyncio.ensure_future(self.desk.cancel(self.jobs[message.id]))
            self.cancelling.add(task)
            task.add_done_callback(self.cancelling.discard)

    async def _take(self, message: _Message) -> None:
        """Hand the question to the desk, or say why it is not taken."""
        number = message.id

        def tell(kind: str, news: bytes) -> None:
            if kind in ("found", "error", "failed"):
                self.jobs.pop(number, None)
                self.is_answered.set()
                kind = "found" if kind == "found" else "error"
            self._say(b'{"id": %d, "%s": %s}' % (number, kind.encode(), news))

        while sum(job.is_quick for job in self.jobs.values()) >= MOST_OF_A_PAGE:
            self.is_answered.clear()
            await self.is_answered.wait()
        others = sum(not (job.is_quick or job.is_cancelled) for job in self.jobs.values())
        try:
            if number in self.jobs or others >= MOST_OF_A_PAGE:
                raise OptionError(
                    f"question {number} with {others} of this page in line; "
                    "expected a new number, and patience"
                )
            arguments = bytes(message.arguments)
            job = await self.desk.take(message.verb, arguments, tell, self, self.address)
        except PlyscopeError as error:
            self._say(b'{"id": %d, "error": %s}' % (number, msgspec.json.encode(in_short(error))))
            return
        if not job.done.is_set():
            self.jobs[number] = job

    def _say(self, text: bytes) -> None:
        """Tell the page; where it cannot be told, it is gone, and its questions are ended."""
        if self.is_gone:
            return
        try:
            self.tell(text)
        except Exception:
            self.is_gone = True
            log.exception("plyscope: a page could not be told; its questions are ended")
            task = asyncio.ensure_future(self.end())
            self.cancelling.add(task)
            task.add_done_callback(self.cancelling.discard)

    async def end(self) -> None:
        """Stop all that is in line or being answered."""
        await asyncio.gather(*(self.desk.cancel(job) for job in list(self.jobs.values())))
