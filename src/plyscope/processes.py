"""Child processes for work that must not harm this one: the page's requests, user-defined agents,
external programs.

Each child leads its own session and process group, so Ctrl-C does not reach it, and everything it
starts is ended with it. Its memory is limited. It is killed when its parent is gone, however that
ended: a guard process (`guard.py`) reads a pipe that closes with the parent. This is no sandbox
(`lab/people/sandbox.py`): the code has the rights of its user, on files and network too.
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
"""The arguments by which `subprocess` and `asyncio` start a process in a new session and process
group."""
MAX_LINE_BYTES = 1 << 16
"""The longest line that a child may write."""
MAX_LINES = 256
"""The number of unread lines after which a child has to wait."""
STDERR_HEAD_BYTES, STDERR_TAIL_BYTES = 4_000, 2_000
"""Bytes kept from the beginning and from the end of a child's stderr."""
KILL_SECONDS = 2.0
"""The time to wait for the end of a killed process."""
POLL_SECONDS = 0.2
"""The interval at which a waiting thread checks whether it is still needed."""
LISTEN_SECONDS = 0.1
"""The time limit of one read. If a read takes much longer, this process was suspended too."""


Kind = Literal["group", "sandbox", "process", "folder"]
"""The kinds of things that the guard removes: process groups, groups of sandboxed processes, single
processes (by number), and folders (by path)."""


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Failed(Exception):
    """Raised if a child has not answered correctly."""

    def __init__(self, reason: str, output: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        """A description of the failure."""
        self.output = output
        """The text that the child had printed."""


class AnswerLate(Failed):
    """Raised if a child has not answered in time."""


class Overlong(Exception):
    """Raised if a child writes a line of more than MAX_LINE_BYTES bytes."""


def module_command(module: str) -> list[str]:
    """Return the command that runs `module` of this plyscope, without modules of the current
    folder."""
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
    """Have the guard kill the process, or remove the folder, when this process is gone."""
    if hasattr(os, "killpg"):
        _guard.tell("+", kind, name)


def forget(kind: Kind, name: int | str) -> None:
    """Undo `care_for`."""
    if hasattr(os, "killpg"):
        _guard.tell("-", kind, name)


def kill_group(pid: int) -> None:
    """Kill a process started with NEW_SESSION and all it has started; the caller waits for it."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)  # ends a process on systems without groups


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
    """The guard of this process, started when it is first needed."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.entries: set[str] = set()
        self.lock = threading.Lock()

    def tell(self, sign: str, kind: Kind, name: int | str) -> None:
        """Add something to the guard's list (+), or remove it (-)."""
        thing = f"{kind} {name if isinstance(name, int) else os.fsencode(name).hex()}\n"
        with self.lock:
            (self.entries.add if sign == "+" else self.entries.discard)(thing)
            if sign == "+" or self.process is not None:
                self._tell(f"{sign} {thing}")

    def _tell(self, line: str) -> None:
        if self.process is None or self.process.poll() is not None:
            line = "".join(f"+ {thing}" for thing in self.entries)
            program = str(Path(__file__).with_name("guard.py"))
            null = subprocess.DEVNULL
            command = [sys.executable, "-I", "-S", program]
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=null, stderr=null, **NEW_SESSION
            )
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # the guard was just killed; the next call starts another
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()

    def end(self) -> None:
        """Let the guard kill everything on its list, and wait for its end."""
        process, self.process = self.process, None
        if process is not None and process.stdin is not None:
            with suppress(BrokenPipeError):
                process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(KILL_SECONDS)

    def forked(self) -> None:
        """Reset the guard in a forked copy of this process, and close the copy's end of the
        pipe."""
        if self.process is not None and self.process.stdin is not None:
            os.close(self.process.stdin.fileno())
            self.process.returncode = 0  # not a child of the copy
        self.process, self.entries, self.lock = None, set(), threading.Lock()


_guard = _Guard()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_guard.forked)


class _Stderr:
    """The beginning and the end of a child's stderr."""

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
        """Return the last line, which usually says why a process has ended."""
        self.thread.join(POLL_SECONDS)
        lines = (self.head + self.tail).decode(errors="replace").strip().splitlines()
        return " ".join(lines[-1].split())[:200] if lines else ""


class Child:
    """A process that answers requests line by line, for use by one thread.

    `megabytes` limits the address space of the child and of each process that it starts. `folder`
    is its working folder, `environment` its whole environment, `kind` its kind for the guard.
    Raises OSError if the command cannot be started.
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
        self._stderr = _Stderr(self.process.stderr)
        self._listener = threading.Thread(
            target=self._listen, args=(self.process.stdout,), daemon=True
        )
        self._listener.start()
        _children.add(self)

    @property
    def is_running(self) -> bool:
        """Whether the child can take requests."""
        return not self.is_ended and self.process.poll() is None

    def own_time(self, longest: float = 2 * LISTEN_SECONDS, served: float = 0.0) -> OwnTime:
        """Return a stopwatch for the child's CPU and sleep time.

        At most `longest` seconds count between two readings. For a child that sends requests
        itself, up to `served` seconds in which this thread works on them are not the child's.
        """
        threads = (threading.get_native_id(), self._listener.native_id) if served else ()
        servers = [f"self/task/{thread}" for thread in threads]
        return OwnTime(str(self.process.pid), longest, servers, served)

    def say(self, data: bytes) -> None:
        """Send bytes; raise Failed if the child no longer reads."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise Failed(self.exit_reason("stopped listening")) from None

    def converse(
        self,
        question: bytes,
        seconds: float,
        what: str = "answer",
        grace: float = 0.0,
        served: float = 0.0,
    ) -> Iterator[bytes]:
        """Send a request, and yield lines of the answer as long as the caller takes more.

        The time limit is `seconds` plus `grace` of the child's CPU and sleep time since the
        request; scheduling delay does not count, nor do up to `served` seconds of this process's
        work on requests of the child. Raises Failed, or AnswerLate, which names `what`.
        """
        self.say(question)
        spent = self.own_time(served=served)
        while True:
            try:
                line = self.hear(max(0.0, min(LISTEN_SECONDS, seconds + grace - spent.seconds())))
            except TimeoutError:
                if spent.seconds() < seconds + grace:
                    continue
                raise AnswerLate(f"gave no {what} within {seconds:g} s") from None
            except Overlong:
                raise Failed(f"wrote a line of more than {MAX_LINE_BYTES:,} bytes") from None
            except EOFError:
                alive = "closed its output" if self.is_listening() else "stopped listening"
                raise Failed(self.exit_reason(alive)) from None
            yield line
            if spent.seconds() >= seconds + grace:  # a child may print without a pause
                raise AnswerLate(f"gave no {what} within {seconds:g} s")

    def hear(self, seconds: float) -> bytes:
        """Return the next line, without its end.

        Raises TimeoutError, Overlong, or EOFError at the end of the output.
        """
        deadline = perf_counter() + seconds
        line = None
        while line is None:
            # Processes that the child has started may keep its output open.
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
        """Return whether the child still reads its input; True if the system cannot tell."""
        if not hasattr(select, "poll") or self.process.stdin is None or self.process.stdin.closed:
            return True
        pipe = select.poll()
        pipe.register(self.process.stdin, 0)
        return not pipe.poll(0)  # an error: no reader is left

    def exit_reason(self, alive: str = "closed its output") -> str:
        """Return how the child ended, with its status and last line of stderr; `alive` if it still
        runs."""
        spent = self.own_time()
        while self.process.poll() is None and spent.seconds() < POLL_SECONDS:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(LISTEN_SECONDS)
        status = self.process.poll()
        return alive if status is None else reason_of(status, self._stderr.last_line())

    def end(self, grace: float = 0.0) -> None:
        """Kill the child and everything it has started, after `grace` seconds to end by itself."""
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
        with suppress(OSError, ValueError):  # unread input
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
    """Return how a process has ended: `ended with status 3: its last line` or `ended by signal 11
    (Segmentation fault)`."""
    reason = (
        f"ended with status {status}"
        if status >= 0
        else f"ended by signal {-status} ({signal.strsignal(-status) or 'unknown'})"
    )
    return f"{reason}: {last_line}" if last_line else reason


def channel() -> tuple[BinaryIO, BinaryIO]:
    """Return the input and the output of this process, reserved for requests and answers.

    Afterwards stdin is empty, and stdout is redirected to stderr. Child processes inherit neither
    stream.
    """
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return questions, answers
