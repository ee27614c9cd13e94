"""A job, and the worker process that runs it: `worker.py`, connected by pipes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import msgspec

from plyscope.processes import NEW_SESSION, forget, hold, kill_group, module_command, reason_of
from plyscope_web.endpoints import QueueName, queue_of
from plyscope_web.endpoints.inputs import OwnHeuristic
from plyscope_web.outcome import DEFAULT_SECONDS, GRACE_SECONDS, LATE, STOP_SECONDS, STOPPED

log = logging.getLogger("plyscope.page")

MAX_LOGGED_BYTES = 300
"""Bytes of a request that are logged."""
WORKER_MEGABYTES = 6144
"""The address space of a worker: the tree of a request has no fixed size."""
MAX_LINE_BYTES = 1 << 26
"""The longest response."""

Tell = Callable[[str, bytes], None]


@dataclass(eq=False)
class Job:
    """A request in a queue or in a worker. Raises OptionError for an unknown endpoint."""

    number: int
    endpoint: str
    arguments: bytes
    """The JSON as received, on one line."""
    tell: Tell
    """Receives a kind and JSON: `queue` and `told` any number of times, then `found`, `error` or
    `failed`."""
    page: Hashable = None
    """The page that sent it: the pages of an address take turns."""
    address: Hashable = None
    """The client's address: addresses take turns."""
    done: asyncio.Event = field(default_factory=asyncio.Event)
    worker: WorkerProcess | None = None
    is_cancelled: bool = False
    place: int | None = None
    """The last reported place in the queue, 0 while it runs."""
    queue: QueueName = field(init=False)
    """The queue in which it waits."""

    def __post_init__(self) -> None:
        self.queue = queue_of(self.endpoint, self.arguments)

    @property
    def is_quick(self) -> bool:
        """Whether it takes milliseconds, so that its place in the queue is not reported."""
        return self.queue in ("moves", "quick")

    def tell_place(self, place: int) -> None:
        """Report a place in the queue."""
        self.place = place
        self.tell("queue", b"%d" % place)

    def finish(self, kind: str, message: bytes) -> None:
        """Send the final response."""
        if not self.done.is_set():
            self.tell(kind, message)
            self.done.set()


class _Fault(Exception):
    """Raised when a worker met an unexpected exception, which may have left it inconsistent."""


class WorkerProcess:
    """A process that runs one job at a time; it is replaced when it dies, fails or times out."""

    def __init__(self, game: str | None = None, heuristics: tuple[OwnHeuristic, ...] = ()) -> None:
        self.given = [] if game is None and not heuristics else [game or "", *sum(heuristics, ())]
        """Its arguments: the user-defined game that it plays besides line games, as `file.py:name`,
        and the user's heuristics."""
        self.process: asyncio.subprocess.Process | None = None
        self.spare: SpareProcess | None = None
        """Replaces the process when it has ended."""
        self.listens = False
        """Whether it accepts jobs: it has started and has not died."""
        self.watch: asyncio.Task[None] | None = None
        self.job: Job | None = None

    async def answer(self, job: Job, load: float) -> None:
        """Run the job; if the process dies or fails, try once more in a new one."""
        self.job = job
        what = ""
        try:
            for then in ("trying again", "giving up"):
                try:
                    await self._converse(job, load)
                except TimeoutError:
                    await self.end()
                    job.finish("error", LATE)
                except _Fault as fault:
                    what = f"failed twice ({fault})"
                    await self._end_failed(job, then, f"failed ({fault})")
                except (OSError, ValueError, EOFError):
                    what = "ended its process twice"
                    await self._end_failed(job, then)
                if job.done.is_set():
                    return
            text = f"{job.endpoint} {what}; see the server's log; expected another request"
            job.finish("failed", msgspec.json.encode(text))
        finally:
            self.job = None

    async def _end_failed(self, job: Job, then: str, why: str = "") -> None:
        """End a process that died or failed, and log it unless the job was cancelled."""
        status = await self.end()
        if job.is_cancelled:
            job.finish("error", STOPPED)
            return
        why = why or ("could not be started" if status is None else reason_of(status))
        text = "plyscope: a worker %s at the request %s %r: %s"
        log.error(text, why, job.endpoint, job.arguments[:MAX_LOGGED_BYTES], then)

    async def _converse(self, job: Job, load: float) -> None:
        """Send the job to the process and pass on its messages until it responds or times out."""
        process = await self.started()
        if job.is_cancelled:
            job.finish("error", STOPPED)
            return
        assert process.stdin is not None
        assert process.stdout is not None
        question = (job.number, job.endpoint.encode(), load, job.arguments)
        grace = 0.0 if job.is_quick else GRACE_SECONDS
        async with asyncio.timeout(DEFAULT_SECONDS[job.queue] + grace) as limit:
            process.stdin.write(b"%d %s %f %s\n" % question)
            await process.stdin.drain()
            while not job.done.is_set():
                line = await process.stdout.readline()
                if not line:
                    raise EOFError
                number, kind, message = line.rstrip(b"\n").split(b" ", 2)
                if int(number) != job.number:
                    continue
                if kind == b"time":
                    limit.reschedule(asyncio.get_running_loop().time() + float(message) + grace)
                elif kind == b"told":
                    job.tell("told", message)
                elif kind == b"failed":
                    raise _Fault(msgspec.json.decode(message))
                else:
                    job.finish(kind.decode(), message)

    async def started(self) -> asyncio.subprocess.Process:
        """Return the process, ready for jobs; start it if necessary."""
        if self.process is None or self.process.returncode is not None:
            spare = self.spare.take() if self.spare is not None else None
            process = self.process = spare or await self._launch()
            self.watch = asyncio.create_task(_kill_children(process))
            assert process.stdout is not None
            async with asyncio.timeout(GRACE_SECONDS):
                if not await process.stdout.readline():
                    raise EOFError
            self.listens = True
        return self.process

    async def _launch(self) -> asyncio.subprocess.Process:
        """Return a new process, which is not ready yet."""
        pipe = asyncio.subprocess.PIPE
        command = [*module_command("plyscope_web.worker"), *self.given]
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, limit=MAX_LINE_BYTES, **NEW_SESSION
        )
        hold(process.pid, WORKER_MEGABYTES)
        return process

    async def interrupt(self, job: Job) -> None:
        """Have the job respond with its partial result; end a process that does not respond."""
        for _ in range(2):  # a search may have handled the first interrupt itself
            if self.job is not job or self.process is None or self.process.stdin is None:
                return
            with contextlib.suppress(OSError):
                self.process.stdin.write(b"%d stop\n" % job.number)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(job.done.wait(), STOP_SECONDS)
                return
        if self.job is job:
            await self.end()

    def abandon(self) -> None:
        """Kill the process without waiting, for when the loop that started it is gone."""
        process, self.process, self.listens = self.process, None, False
        if process is not None and process.returncode is None:
            kill_group(process.pid)
            forget("group", process.pid)

    async def end(self) -> int | None:
        """End the process and its children, and return its status."""
        process, self.process = self.process, None
        self.listens = False
        if process is None:
            return None
        if process.returncode is None:
            kill_group(process.pid)
        status = await process.wait()
        if self.watch is not None:
            await self.watch
        return status


class SpareProcess(WorkerProcess):
    """A process that waits until a worker needs a new one, which would take seconds to start."""

    renewal: asyncio.Task[None] | None = None

    def take(self) -> asyncio.subprocess.Process | None:
        """Return the process, None if it has ended or not been started; start another."""
        found, self.process = self.process, None
        self.renewal = asyncio.create_task(self.renew())
        return found if found is not None and found.returncode is None else None

    async def renew(self) -> None:
        """Start the process without waiting until it is ready."""
        if self.process is None:
            with contextlib.suppress(OSError):
                self.process = await self._launch()

    async def end(self) -> int | None:
        """End the process, also one that is being started."""
        if self.renewal is not None:
            await self.renewal
        return await super().end()


async def _kill_children(process: asyncio.subprocess.Process) -> None:
    """Wait for a process to end, then kill its children at once, before its id is reused."""
    await process.wait()
    kill_group(process.pid)
    forget("group", process.pid)
