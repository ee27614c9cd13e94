"""A question on its way, and the process that answers it: `worker.py`, beyond a pipe."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import msgspec

from plyscope.faces.web.verbs import Lane, lane_of
from plyscope.processes import NEW_SESSION, forget, hold, kill_group, module_command, reason_of

log = logging.getLogger("plyscope.page")

MOST_SHOWN = 300
"""Bytes of a question that are logged."""
SECONDS = {"moves": 10.0, "quick": 10.0, "short": 15.0, "long": 30.0}
"""What a question may take that does not say it, by its lane."""
GRACE = 60.0
"""Seconds over its time, for compiling, after which a worker is given up; 0 for quick ones."""
STOPPING = 1.0
"""Seconds in which a question is answered that was told to stop."""
MEGABYTES = 6144
"""Of address space for a worker: trees of arbitrary questions have no fixed size."""
LINE = 1 << 26
"""Bytes that an answer has at most."""

Tell = Callable[[str, bytes], None]


@dataclass(eq=False)
class Job:
    """A question on its way. Raises OptionError for a verb that there is none of."""

    number: int
    verb: str
    arguments: bytes
    """The JSON as it came, on one line."""
    tell: Tell
    """Called with JSON: any number of `queue` and `told`, at last `found`, `error` or `failed`."""
    page: Hashable = None
    """Whose turn it takes, among those of its address."""
    address: Hashable = None
    """Where it comes from: addresses take turns."""
    done: asyncio.Event = field(default_factory=asyncio.Event)
    worker: WorkerProcess | None = None
    is_cancelled: bool = False
    place: int | None = None
    """The place in line that was told last, 0 for the one who is answered."""
    lane: Lane = field(init=False)
    """The line it waits in."""

    def __post_init__(self) -> None:
        self.lane = lane_of(self.verb, self.arguments)

    @property
    def is_quick(self) -> bool:
        """Whether it takes some milliseconds, so that nobody is told a place in line."""
        return self.lane in ("moves", "quick")

    def tell_place(self, place: int) -> None:
        """Tell a place in line."""
        self.place = place
        self.tell("queue", b"%d" % place)

    def finish(self, kind: str, message: bytes) -> None:
        """Tell the last word."""
        if not self.done.is_set():
            self.tell(kind, message)
            self.done.set()


class _Fault(Exception):
    """Raised where a worker has met an exception that nobody foresaw: who knows what it left."""


class WorkerProcess:
    """A process that answers one question at a time, and is replaced when it dies, does not come
    back, or fails."""

    def __init__(self, game: str | None = None) -> None:
        self.game = game
        """The text of the game of one's own that it plays beside line games."""
        self.process: asyncio.subprocess.Process | None = None
        self.listens = False
        """Whether it takes questions: it has started, and has not died."""
        self.watch: asyncio.Task[None] | None = None
        self.job: Job | None = None

    async def answer(self, job: Job, crowd: float) -> None:
        """Have the job answered, or say that it was not; ask a new process once more where one dies
        or fails."""
        self.job = job
        what = ""
        try:
            for then in ("it is asked again", "the page is told"):
                try:
                    await self._converse(job, crowd)
                except TimeoutError:
                    await self.end()
                    job.finish("error", b'"no answer in time; expected a smaller question"')
                except _Fault as fault:
                    what = f"failed twice ({fault})"
                    await self._bury(job, then, f"failed ({fault})")
                except (OSError, ValueError, EOFError):
                    what = "ended its process twice"
                    await self._bury(job, then)
                if job.done.is_set():
                    return
            text = f"{job.verb} {what}; the server's log says more; expected another question"
            job.finish("failed", msgspec.json.encode(text))
        finally:
            self.job = None

    async def _bury(self, job: Job, then: str, why: str = "") -> None:
        """End a process that has died of a job, or failed, and log it, unless it was stopped."""
        status = await self.end()
        if job.is_cancelled:
            job.finish("error", b'"stopped"')
            return
        why = why or ("could not be started" if status is None else reason_of(status))
        text = "plyscope: a worker %s; it was asked %s %r: %s"
        log.error(text, why, job.verb, job.arguments[:MOST_SHOWN], then)

    async def _converse(self, job: Job, crowd: float) -> None:
        """Ask the process and pass on what it says, until the last word or the end of its time."""
        process = await self.started()
        if job.is_cancelled:
            job.finish("error", b'"stopped"')
            return
        assert process.stdin is not None
        assert process.stdout is not None
        question = (job.number, job.verb.encode(), crowd, job.arguments)
        grace = 0.0 if job.is_quick else GRACE
        async with asyncio.timeout(SECONDS[job.lane] + grace) as limit:
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
        """Return the process, which listens; start it where there is none."""
        if self.process is None or self.process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            command = module_command("plyscope.faces.web.worker")
            command += [] if self.game is None else [self.game]
            process = self.process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, limit=LINE, **NEW_SESSION
            )
            hold(process.pid, MEGABYTES)
            self.watch = asyncio.create_task(_leave_nothing(process))
            assert process.stdout is not None
            async with asyncio.timeout(GRACE):
                if not await process.stdout.readline():
                    raise EOFError
            self.listens = True
        return self.process

    async def interrupt(self, job: Job) -> None:
        """Have the job answered with what it has by now; end a process that does not listen."""
        for _ in range(2):  # a search may have taken the first for its own
            if self.job is not job or self.process is None or self.process.stdin is None:
                return
            with contextlib.suppress(OSError):
                self.process.stdin.write(b"%d stop\n" % job.number)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(job.done.wait(), STOPPING)
                return
        if self.job is job:
            await self.end()

    def abandon(self) -> None:
        """Kill the process without a wait for its end, where the loop that started it is gone."""
        process, self.process, self.listens = self.process, None, False
        if process is not None and process.returncode is None:
            kill_group(process.pid)
            forget("group", process.pid)

    async def end(self) -> int | None:
        """End the process with all that it has started, and return its status."""
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


async def _leave_nothing(process: asyncio.subprocess.Process) -> None:
    """Wait for the end of a process, then end at once what it started: its number is reused."""
    await process.wait()
    kill_group(process.pid)
    forget("group", process.pid)
