"""The sandbox of a process that runs a user's code: limits on files, processes and connections.

The process may read its own folder, Python and the system's libraries. It may not write files,
start processes, open connections or signal other processes. The Linux kernel enforces this without
special privileges: Landlock (Salaün 2021) restricts files and signals, and an allow-list of system
calls (`syscalls.py`) restricts the rest. On other systems there is only an audit hook of Python
(PEP 578), which refuses the operations that it sees. It prevents accidents, not attacks.

Run as a program, this module starts another command in the sandbox: `sandbox_command`.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from plyscope.errors import OptionError
from plyscope.lab.syscalls import (
    FCNTL,
    MACHINES,
    SET_FLAGS,
    c_library,
    forbid_new_privileges,
    refuse_other_calls,
)
from plyscope.processes import module_command

SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/os-release",
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system",
)
"""Paths of the system that every sandbox may read: programs, libraries, devices, the time zone."""
WRITABLE = ("/dev/null",)
MAX_OPEN_FILES = 64
"""The soft and hard limit of open file descriptors (RLIMIT_NOFILE)."""
MAX_REPORTED = 3
"""The number of different refused attempts that are reported."""
SANDBOX_PARTS = "files", "processes"
"""The parts of a sandbox that a kernel can enforce."""


@dataclass(frozen=True)
class Sandbox:
    """The limits of a process that may read `folder` and `files`, in addition to Python itself."""

    folder: str
    files: tuple[str, ...] = ()
    cpu_seconds: int | None = None
    """CPU time of the whole process; None for no limit."""

    @property
    def readable(self) -> tuple[str, ...]:
        """Every path that the process may read, including everything below it."""
        libraries = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
        python = (sys.prefix, sys.base_prefix, sys.exec_prefix, *sys.path, home_of_plyscope())
        system = (*filter(None, (*python, *libraries)), *SYSTEM)
        paths = map(os.path.realpath, (*system, self.folder, *self.files))
        return tuple(path for path in dict.fromkeys(paths) if path != "/" and os.path.exists(path))

    def enter(
        self, report: Callable[[str], None] | None = None, *, may_execute: bool = False
    ) -> tuple[str, ...]:
        """Enter the sandbox permanently; return the SANDBOX_PARTS that the kernel enforces.

        `report` is called with a description of each attempt that Python's audit hook refuses;
        without `report` there is no hook. With `may_execute`, the process may execute another
        program in its place.
        """
        readable = self.readable
        self._limit()
        held = []
        # Landlock restricts only the calling thread and those it starts: there must be no other
        if _threads() == 1 and _restrict_files(readable):
            held.append("files")
        if refuse_other_calls(os.getpid(), may_execute=may_execute):
            held.append("processes")
        if report is not None:
            sys.addaudithook(_AuditHook(readable, report))
        return tuple(held)

    def _limit(self) -> None:
        try:
            import resource
        except ImportError:  # a system without such limits
            return
        limits = {resource.RLIMIT_NOFILE: MAX_OPEN_FILES, resource.RLIMIT_FSIZE: 0}
        if self.cpu_seconds is not None:
            limits[resource.RLIMIT_CPU] = self.cpu_seconds
        for kind, most in limits.items():
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (most, most))


def home_of_plyscope() -> str:
    """Return the folder that contains the `plyscope` package."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 1


def sandbox_command(sandbox: Sandbox, command: list[str]) -> list[str]:
    """Return a command that enters the sandbox and then executes `command`."""
    words = json.dumps(asdict(sandbox)), json.dumps(command)
    return [*module_command("plyscope.lab.sandbox"), *words]


def main() -> None:
    """Enter the sandbox and execute a command; exit with a message if the kernel does not enforce
    all of the sandbox."""
    given, command = map(json.loads, sys.argv[1:])
    given["files"] = tuple(given["files"])
    held = Sandbox(**given).enter(may_execute=True)
    if held != SANDBOX_PARTS:
        sys.exit(sandbox_error(held))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"cannot start {command[0]!r} in the sandbox: {error.strerror}")


def require_sandbox() -> None:
    """Raise OptionError if the kernel of this machine cannot enforce the whole sandbox."""
    system = c_library()
    held: tuple[str, ...] = ()
    if system is not None and platform.machine() in MACHINES:
        is_landlock = system.syscall(CREATE_RULESET, None, 0, VERSION_FLAG) >= 1
        held = SANDBOX_PARTS if is_landlock else SANDBOX_PARTS[1:]
    if held != SANDBOX_PARTS:
        raise OptionError(sandbox_error(held))


def sandbox_error(held: tuple[str, ...]) -> str:
    """Return the message for a machine whose kernel enforces only the parts in `held`."""
    return (
        f"no sandbox on this machine: its kernel can restrict {' and '.join(held) or 'nothing'}; "
        "expected Linux with Landlock and seccomp, on x86_64 or aarch64"
    )


# Files and signals: Landlock

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""The numbers of Landlock's system calls, the same on every architecture."""
VERSION_FLAG, PATH_BENEATH = 1, 1
WRITE_FILE, READ_FILE, READ_DIRECTORY, EXECUTE = 1 << 1, 1 << 2, 1 << 3, 1 << 0
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
NETWORK_RIGHTS = {4: 0b11}
SCOPES = {6: 0b11}
"""All rights that a ruleset can withhold, by the first Landlock version that knows them.

They are rights to files, to bind and connect TCP sockets, and to use abstract sockets and signals
across the border of the sandbox.
"""


def _restrict_files(readable: tuple[str, ...]) -> bool:
    """Restrict this process by Landlock; return whether the kernel enforces it.

    The process may open only `readable` files, and may not signal processes outside the sandbox.
    Landlock before version 6 does not restrict signals; there the system call filter does.
    """
    system = c_library()
    if system is None:
        return False
    version = system.syscall(CREATE_RULESET, None, 0, VERSION_FLAG)
    if version < 1:
        return False
    words = [
        max((bits for first, bits in rights.items() if first <= version), default=0)
        for rights in (FILE_RIGHTS, NETWORK_RIGHTS, SCOPES)
    ]
    attributes = struct.pack("QQQ", *words)[: 8 if version < 4 else 16 if version < 6 else 24]
    rules = system.syscall(CREATE_RULESET, attributes, len(attributes), 0)
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow(system, rules, path)
        return forbid_new_privileges(system) and system.syscall(RESTRICT_SELF, rules, 0) == 0
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


# The audit hook of Python

STARTS = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec")
NETWORK = ("socket.__new__", "socket.connect", "socket.bind", "socket.getaddrinfo")
READS = ("open", "os.listdir", "os.scandir", "os.chdir")
CHANGES = (
    "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate",
    "os.chmod", "os.chown", "os.chflags", "os.utime", "os.setxattr", "os.removexattr", "os.lockf",
    "fcntl.flock", "fcntl.lockf",
)  # fmt: skip
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
"""Flags of `open`, any of which can change a file."""


class _AuditHook:
    """An audit hook that refuses and reports operations that the sandbox forbids, if Python raises
    an audit event for them."""

    def __init__(self, readable: tuple[str, ...], report: Callable[[str], None]) -> None:
        self.readable, self.report = readable, report
        self.reported: set[str] = set()

    def __call__(self, event: str, given: tuple[Any, ...]) -> None:
        """Raise PermissionError for an audit event of a forbidden operation."""
        if event in READS:
            path = given[0] if given else None
            if isinstance(path, str | bytes | os.PathLike):
                real = os.path.realpath(os.fsdecode(path))
                roots = self.readable
                if not any(real == root or real.startswith(f"{root}{os.sep}") for root in roots):
                    self._refuse(f"tried to open {_name(path)}")
                if event == "open" and given[2] & WRITING and os.fsdecode(path) not in WRITABLE:
                    self._refuse(f"tried to write {_name(path)}")
        elif event in CHANGES:
            self._refuse(f"tried to change {_name(given[0])} ({event.rpartition('.')[2]})")
        elif event in STARTS:
            self._refuse("tried to start a process")
        elif event in NETWORK:
            self._refuse("tried to use the network")
        elif event == "resource.setrlimit" or (event == "resource.prlimit" and any(given[2:])):
            self._refuse("tried to change its limits")
        elif event == "fcntl.fcntl" and given[1] not in (*FCNTL, SET_FLAGS):
            self._refuse("tried to change a file's owner, signal or lock (fcntl)")
        elif event == "os.kill" and given[0] != os.getpid():
            self._refuse("tried to signal another process")

    def _refuse(self, attempt: str) -> None:
        is_pythons = attempt.endswith(".pyc'")  # Python tries to cache bytecode, and can do without
        if not is_pythons and attempt not in self.reported and len(self.reported) < MAX_REPORTED:
            self.reported.add(attempt)
            self.report(attempt)
        raise PermissionError(errno.EPERM, f"{attempt}, which is outside its sandbox")


def _name(path: Any) -> str:
    is_path = isinstance(path, str | bytes | os.PathLike)
    return repr(os.path.basename(os.fsdecode(path))[:60]) if is_path else "a file"


if __name__ == "__main__":
    main()
