"""Processes of our own, for work that must not be able to harm ours: the page's questions,
strangers' agents, external programs.

Each leads a session and a group of its own, so that Ctrl-C is not for it and whatever it starts is
ended with it; it is held to its memory; and it is gone when its parent is gone, however that died,
as a guard (`guard.py`) holds a pipe that ends with the parent. That keeps accidents and mischief
away from everybody else. It is no sandbox (`lab/sandbox.py`): the code runs with its user's
rights, on files and network too.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from time import perf_counter
from typing import IO, Any, BinaryIO, Literal

from plyscope.owntime import OwnTime

NEW_SESSION: dict[str, Any] = {"start_new_session": True}
"""How `subprocess` and `asyncio` are told to start a process that leads a session and a group of
its own."""
MAX_LINE_BYTES = 1 << 16
"""Bytes that a line may have which a child says."""
MAX_LINES = 256
"""Lines that a child may be ahead of whoever listens; then it has to wait."""
STDERR_HEAD_BYTES, STDERR_TAIL_BYTES = 4_000, 2_000
"""Bytes that are kept of what a child complains, from the beginning and from the end."""
KILL_SECONDS = 2.0
"""Seconds that a killed process may take until it is gone."""
POLL_SECONDS = 0.2
"""Seconds after which a thread that waits looks whether it is still needed."""
LISTEN_SECONDS = 0.1
"""Seconds for which we listen at a time. Where much more has passed we were not running either."""


Kind = Literal["group", "sandbox", "process", "folder"]
"""What the guard cares for: process groups, those of sandboxed processes, processes, by number;
folders, by path."""


class Failed(Exception):
    """Raised for a child that has not answered as it should."""

    def __init__(self, reason: str, output: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        """What it did, in words."""
        self.output = output
        """What it had printed."""


class AnswerLate(Failed):
    """Raised for a child that has not answered in time."""


class Overlong(Exception):
    """Raised when a child says a line of more than MAX_LINE_BYTES bytes."""


def module_command(module: str) -> list[str]:
    """Return the command that runs `module` as a program, with this plyscope and not with what lies
    in the current folder."""
    home = str(Path(__file__).resolve().parent.parent)
    start = (
        f"import runpy, sys; home = {home!r}; home in sys.path or sys.path.append(home); "
        f"runpy.run_module({module!r}, None, '__main__')"
    )
    return [sys.executable, "-P", "-c", start]


def hold(pid: int, megabytes: int | None = None, kind: Kind = "group") -> None:
    """Limit the address space of a process started with NEW_SESSION, and of all it will start.

    They end with this process; in a sandbox also when they have very many threads.
    """
    if megabytes is not None:
        _limit(pid, megabytes << 20)
    care_for(kind, pid)


def care_for(kind: Kind, name: int | str) -> None:
    """Have it killed, or the folder removed, when this process is gone, however it ends."""
    if hasattr(os, "killpg"):
        _guard.tell("+", kind, name)


def forget(kind: Kind, name: int | str) -> None:
    """Have the guard leave it alone."""
    if hasattr(os, "killpg"):
        _guard.tell("-", kind, name)


def kill_group(pid: int) -> None:
    """Kill a process started with NEW_SESSION and all it has started; the caller waits for it."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)  # which is the end of a process where there are no groups


def _limit(pid: int, size: int) -> None:
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    if hasattr(resource, "prlimit"):
        with suppress(ProcessLookupError, PermissionError):
            resource.prlimit(pid, resource.RLIMIT_AS, (size, size))
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


class _Guard:
    """The guard of this process, started with the first thing that is in its care."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.kept: set[str] = set()
        self.lock = threading.Lock()

    def tell(self, sign: str, kind: Kind, name: int | str) -> None:
        """Have the guard take something into its care (+), or let it go (-)."""
        thing = f"{kind} {name if isinstance(name, int) else os.fsencode(name).hex()}\n"
        with self.lock:
            (self.kept.add if sign == "+" else self.kept.discard)(thing)
            if sign == "+" or self.process is not None:
                self._tell(f"{sign} {thing}")

    def _tell(self, line: str) -> None:
        if self.process is None or self.process.poll() is not None:
            line = "".join(f"+ {thing}" for thing in self.kept)
            program = str(Path(__file__).with_name("guard.py"))
            null = subprocess.DEVNULL
            command = [sys.executable, "-I", "-S", program]
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=null, stderr=null, **NEW_SESSION
            )
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # it was killed just now: the next word starts another
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()

    def end(self) -> None:
        """Let it kill what is left, and go."""
        process, self.process = self.process, None
        if process is not None and process.stdin is not None:
            with suppress(BrokenPipeError):
                process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(KILL_SECONDS)

    def forked(self) -> None:
        """In a copy of this process: begin with nothing kept, and do not hold the pipe open."""
        if self.process is not None and self.process.stdin is not None:
            os.close(self.process.stdin.fileno())
            self.process.returncode = 0  # not a child of the copy
        self.process, self.kept, self.lock = None, set(), threading.Lock()


_guard = _Guard()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_guard.forked)


class _Kept:
    """The beginning and the end of what a child complains, however much that is."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.head, self.tail = b"", b""
        self.thread = threading.Thread(target=self._drain, args=(stream,), daemon=True)
        self.thread.start()

    def _drain(self, stream: IO[bytes]) -> None:
        with stream:
            while chunk := os.read(stream.fileno(), MAX_LINE_BYTES):
                room = STDERR_HEAD_BYTES - len(self.head)
                self.head += chunk[:room]
                self.tail = (
                    (self.tail + chunk[room:])[-STDERR_TAIL_BYTES:]
                    if len(chunk) > room
                    else self.tail
                )

    def last_line(self) -> str:
        """Return its last line, which says why a process has ended."""
        self.thread.join(POLL_SECONDS)
        lines = (self.head + self.tail).decode(errors="replace").strip().splitlines()
        return " ".join(lines[-1].split())[:200] if lines else ""


class Child:
    """A process that answers in lines; what it complains on its stderr is kept apart. To be used by
    one thread.

    Raises OSError where the command cannot be started. `megabytes` is the address space that it and
    each process it starts may have, `folder` where it runs, `environment` all it knows of ours,
    `kind` what the guard takes it for.
    """

    def __init__(
        self,
        command: Sequence[str],
        megabytes: int | None = None,
        folder: str | None = None,
        environment: Mapping[str, str] | None = None,
        kind: Kind = "group",
    ) -> None:
        pipe = subprocess.PIPE
        place: dict[str, Any] = {"cwd": folder, "env": environment, **NEW_SESSION}
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, **place)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.kind = kind
        hold(self.process.pid, megabytes, kind)
        self.is_ended = False
        self._lines: Queue[bytes | type[Exception]] = Queue(MAX_LINES)
        self._complaints = _Kept(self.process.stderr)
        threading.Thread(target=self._listen, args=(self.process.stdout,), daemon=True).start()
        _children.add(self)

    @property
    def is_running(self) -> bool:
        """Whether it can be asked anything."""
        return not self.is_ended and self.process.poll() is None

    def own_time(self, longest: float = 2 * LISTEN_SECONDS) -> OwnTime:
        """Return a stopwatch for its CPU and sleep time.

        At most `longest` seconds count between two readings.
        """
        return OwnTime(str(self.process.pid), longest)

    def say(self, data: bytes) -> None:
        """Send bytes. Raises Failed where nobody listens any more."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise Failed(self.why("stopped listening")) from None

    def converse(
        self, question: bytes, seconds: float, what: str = "answer", grace: float = 0.0
    ) -> Iterator[bytes]:
        """Send a question, and yield the lines that come, for as long as the caller wants more.

        The limit counts the `seconds` that the child runs or sleeps from the question on, not its
        scheduling delay; `grace` is added to it. Raises Failed, or AnswerLate that names the `what`
        that was wanted.
        """
        self.say(question)
        spent = self.own_time()
        while True:
            try:
                line = self.hear(max(0.0, min(LISTEN_SECONDS, seconds + grace - spent.seconds())))
            except TimeoutError:
                if spent.seconds() < seconds + grace:
                    continue
                raise AnswerLate(f"gave no {what} within {seconds:g} s") from None
            except Overlong:
                raise Failed("said a line without an end") from None
            except EOFError:
                alive = "closed its output" if self.is_listening() else "stopped listening"
                raise Failed(self.why(alive)) from None
            yield line
            if spent.seconds() >= seconds + grace:  # a child may print without a pause
                raise AnswerLate(f"gave no {what} within {seconds:g} s")

    def hear(self, seconds: float) -> bytes:
        """Return the next line, without its end. Raises TimeoutError, Overlong, or EOFError once
        there is nothing more to come."""
        deadline = perf_counter() + seconds
        line = None
        while line is None:
            # Its output may be held open by what it has started.
            is_over = self.process.poll() is not None or not self.is_listening()
            with suppress(Empty):
                line = self._lines.get(
                    timeout=max(0.0, min(POLL_SECONDS, deadline - perf_counter()))
                )
            if line is None and is_over:
                raise EOFError
            if line is None and perf_counter() >= deadline:
                raise TimeoutError
        if isinstance(line, bytes):
            return line
        self._put(line)
        raise line

    def is_listening(self) -> bool:
        """Return whether somebody reads its input, as far as the system tells."""
        if not hasattr(select, "poll") or self.process.stdin is None or self.process.stdin.closed:
            return True
        pipe = select.poll()
        pipe.register(self.process.stdin, 0)
        return not pipe.poll(0)  # an error: no reader is left

    def why(self, alive: str = "closed its output") -> str:
        """Return how it ended, its status and last words, or what it did where it is `alive`."""
        spent = self.own_time()
        while self.process.poll() is None and spent.seconds() < POLL_SECONDS:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(LISTEN_SECONDS)
        status = self.process.poll()
        return alive if status is None else reason_of(status, self._complaints.last_line())

    def end(self, grace: float = 0.0) -> None:
        """End it with whatever it has started, after `grace` seconds to go by itself."""
        if self.is_ended:
            return
        self.is_ended = True
        _children.discard(self)
        if grace:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(grace)
        kill_group(self.process.pid)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(KILL_SECONDS)
        forget(self.kind, self.process.pid)
        with suppress(OSError, ValueError):  # what it never read
            if self.process.stdin is not None:
                self.process.stdin.close()

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            rest = b""
            while chunk := os.read(stream.fileno(), MAX_LINE_BYTES):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._put(line)
                if len(rest) > MAX_LINE_BYTES:
                    self._put(Overlong)
                    return
                if self.is_ended:
                    return
            self._put(EOFError)

    def _put(self, line: bytes | type[Exception]) -> None:
        while not self.is_ended:
            with suppress(Full):
                self._lines.put(line, timeout=POLL_SECONDS)
                return


_children: set[Child] = set()


@atexit.register
def _end_all() -> None:
    while _children:
        _children.pop().end()
    _guard.end()


def reason_of(status: int, last_line: str = "") -> str:
    """Return in words how a process has ended, `ended with status 3: its last line` or `ended by
    signal 11 (Segmentation fault)`."""
    reason = (
        f"ended with status {status}"
        if status >= 0
        else f"ended by signal {-status} ({signal.strsignal(-status) or 'unknown'})"
    )
    return f"{reason}: {last_line}" if last_line else reason


def channel() -> tuple[BinaryIO, BinaryIO]:
    """In a process that answers: take the input and the output for questions and answers alone, and
    return them.

    From then on there is nothing to read from stdin, and what is printed goes where complaints go.
    Neither stream is inherited.
    """
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return questions, answers
