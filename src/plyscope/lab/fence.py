"""A fence around a stranger's process: what it may read, start and reach from inside.

It reads its own folder and what Python is made of, and writes nothing; it starts no process, opens
no connection and signals nobody but itself. Linux holds it to that, with no rights of ours: files
by Landlock (Salaün 2021), the rest by a filter of system calls (seccomp). Elsewhere an audit hook
of Python (PEP 578) refuses what it sees, which is less: a fence against accidents, not malice.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/etc",
    "/opt",
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system",
)
"""What every process reads of its system, and compiled libraries of the machine."""
WRITABLE = ("/dev/null",)
CPU_SECONDS, OPEN_FILES = 1_200, 64
"""Limits of the whole process."""
MOST_TOLD = 3
"""Attempts that are told."""


@dataclass(frozen=True)
class Fence:
    """What a process may read beside Python itself: its `folder`, and some `files`."""

    folder: str
    files: tuple[str, ...] = ()

    @property
    def readable(self) -> tuple[str, ...]:
        """Everything it may read, with what lies below."""
        python = (sys.prefix, sys.base_prefix, sys.exec_prefix, *sys.path, home_of_plyscope())
        paths = dict.fromkeys(map(os.path.realpath, filter(None, (*python, *SYSTEM))))
        paths |= dict.fromkeys(map(os.path.realpath, (self.folder, *self.files)))
        return tuple(path for path in paths if path != "/" and os.path.exists(path))

    def put_up(self, tell: Callable[[str], None]) -> tuple[str, ...]:
        """Put it up around this process, for good; return what the kernel holds: files, processes.

        `tell` is called with the words of an attempt that Python's audit hook has seen.
        """
        readable = self.readable
        _limit()
        held = []
        if _hold_files(readable):
            held.append("files")
        if _hold_calls():
            held.append("processes")
        sys.addaudithook(_Guardian(readable, tell))
        return tuple(held)


def home_of_plyscope() -> str:
    """Return the folder in which this plyscope is found."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _limit() -> None:
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    for kind, most in (
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_FSIZE, 0),
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


# Files: Landlock

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""The numbers of its system calls, on every machine."""
VERSION_FLAG, PATH_BENEATH, NO_NEW_PRIVILEGES = 1, 1, 38
WRITE_FILE, READ_FILE, READ_DIRECTORY, EXECUTE = 1 << 1, 1 << 2, 1 << 3, 1 << 0
RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
"""By version, all rights to files that a ruleset can withhold."""


def _hold_files(readable: tuple[str, ...]) -> bool:
    """Withhold all files but these from this process; return whether the kernel does."""
    system = _system_calls()
    if system is None:
        return False
    version = system.syscall(CREATE_RULESET, None, 0, VERSION_FLAG)
    if version < 1:
        return False
    attributes = struct.pack("Q", RIGHTS[min(version, 3)])
    rules = system.syscall(CREATE_RULESET, attributes, len(attributes), 0)
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow(system, rules, path)
        return _no_new_privileges(system) and system.syscall(RESTRICT_SELF, rules, 0) == 0
    finally:
        os.close(rules)


def _allow(system: Any, rules: int, path: str) -> None:
    rights = READ_FILE | EXECUTE
    if os.path.isdir(path):
        rights |= READ_DIRECTORY
    if path in WRITABLE:
        rights |= WRITE_FILE
    with suppress(OSError):
        place = os.open(path, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
        system.syscall(ADD_RULE, rules, PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
        os.close(place)


def _system_calls() -> Any:
    """Return the C library, where its system calls are those of Linux."""
    if not sys.platform.startswith("linux"):
        return None
    system = ctypes.CDLL(None, use_errno=True)
    system.syscall.restype = ctypes.c_long
    return system


def _no_new_privileges(system: Any) -> bool:
    return bool(system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0)


# Processes, signals and network: a filter of system calls

MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""By machine, what the kernel calls it, and its column below."""
CALLS = {
    "clone": (56, 220),
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "pidfd_send_signal": (424, 424),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "prlimit64": (302, 261),
    "socket": (41, 198),
    "io_uring_setup": (425, 425),
}
"""Calls that are refused, by their numbers; but to signal and limit oneself, and to start a
thread."""
CLONE3 = 435
"""Its flags are out of a filter's sight; without it the C library calls `clone`."""
OF_ONESELF = ("kill", "tgkill", "prlimit64")
CLONE_THREAD = 0x10000
SET_SECCOMP, FILTER = 22, 2
LOAD, EQUALS, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
"""The instructions of a filter: of a word of the call, three jumps, the end."""
NUMBER_WORD, MACHINE_WORD, ARGUMENT_WORD = 0, 4, 16
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
OTHER_MACHINE = 0x40000000
"""From which the numbers are those of a machine of shorter words."""


def _hold_calls() -> bool:
    """Refuse CALLS to this process and its threads; return whether the kernel does."""
    system, machine = _system_calls(), MACHINES.get(platform.machine())
    if system is None or machine is None or sys.byteorder != "little":
        return False
    lines = b"".join(struct.pack("HBBI", *line) for line in _filter(*machine))
    buffer = ctypes.create_string_buffer(lines)
    program = struct.pack("HxxxxxxQ", len(lines) // 8, ctypes.addressof(buffer))
    return _no_new_privileges(system) and system.prctl(SET_SECCOMP, FILTER, program, 0, 0) == 0


def _filter(machine: int, column: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the lines of the filter: code, lines to skip where it holds and where not, operand."""
    refused = REFUSE | errno.EPERM
    yield LOAD, 0, 0, MACHINE_WORD
    yield EQUALS, 1, 0, machine
    yield RETURN, 0, 0, refused
    yield LOAD, 0, 0, NUMBER_WORD
    yield AT_LEAST, 0, 1, OTHER_MACHINE
    yield RETURN, 0, 0, refused
    yield EQUALS, 0, 1, CLONE3
    yield RETURN, 0, 0, REFUSE | errno.ENOSYS
    for name, numbers in CALLS.items():
        number = numbers[column]
        if number is None:
            continue
        allowed = [(ANY_BIT, CLONE_THREAD)] if name == "clone" else []
        if name in OF_ONESELF:
            allowed = [(EQUALS, os.getpid()), (EQUALS, 0)][: 1 + (name == "prlimit64")]
        if not allowed:
            yield EQUALS, 0, 1, number
            yield RETURN, 0, 0, refused
            continue
        yield EQUALS, 0, 2 * len(allowed) + 2, number
        yield LOAD, 0, 0, ARGUMENT_WORD
        for test, operand in allowed:
            yield test, 0, 1, operand
            yield RETURN, 0, 0, ALLOW
        yield RETURN, 0, 0, refused
    yield RETURN, 0, 0, ALLOW


# What Python itself sees

STARTS = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec")
NETWORK = ("socket.__new__", "socket.connect", "socket.bind", "socket.getaddrinfo")
LOOKS = ("open", "os.listdir", "os.scandir", "os.chdir", "os.mkdir", "os.remove", "os.rename")


class _Guardian:
    """The audit hook: refuses and tells what leaves the fence, as far as Python knows of it."""

    def __init__(self, readable: tuple[str, ...], tell: Callable[[str], None]) -> None:
        self.readable, self.tell = readable, tell
        self.told: set[str] = set()

    def __call__(self, event: str, given: tuple[Any, ...]) -> None:
        """Look at an event; raise PermissionError for one that leaves the fence."""
        if event in LOOKS:
            path = given[0] if given else None
            if isinstance(path, str | bytes | os.PathLike) and not self._may_read(path):
                self._refuse(f"tried to open {os.path.basename(os.fsdecode(path))[:60]!r}")
        elif event in STARTS:
            self._refuse("tried to start a process")
        elif event in NETWORK:
            self._refuse("tried to use the network")
        elif event == "os.kill" and given[0] != os.getpid():
            self._refuse("tried to signal another process")

    def _may_read(self, path: Any) -> bool:
        real = os.path.realpath(os.fsdecode(path))
        return any(real == root or real.startswith(f"{root}{os.sep}") for root in self.readable)

    def _refuse(self, attempt: str) -> None:
        is_pythons = attempt.endswith(".pyc'")  # which does without it
        if not is_pythons and attempt not in self.told and len(self.told) < MOST_TOLD:
            self.told.add(attempt)
            self.tell(attempt)
        raise PermissionError(errno.EPERM, f"{attempt}, which is outside its fence")
