"""The sandbox of a process that runs a user's code: limits on files, processes and connections.

The process may read its own folder, Python and the system's libraries. It may not write files,
start processes, open connections or signal other processes. The Linux kernel enforces this without
special privileges: Landlock (Salaün 2021) restricts files and signals, and an allow-list of system
calls (`syscalls.py`) restricts the rest. Only where a kernel lacks one of them, an audit hook of
Python (PEP 578) refuses the operations that it sees. It prevents accidents, not attacks, and makes
code slower: `copy.deepcopy` raises an audit event for each object.

Run as a program, this module starts another command in the sandbox: `sandbox_command`.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from glob import escape, glob
from typing import Any

from plyscope.errors import OptionError
from plyscope.lab.people.syscalls import (
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
    "/proc/self/maps",
    "/proc/self/stat",
    "/proc/self/statm",
    "/proc/self/status",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system",
)
"""Paths of the system that every sandbox may read: programs, libraries, devices, the time zone."""
WRITABLE = ("/dev/null",)
MAX_OPEN_FILES = 64
"""The soft and hard limit of open file descriptors (RLIMIT_NOFILE)."""
SANDBOX_PARTS = "files", "processes"
"""The parts of a sandbox that a kernel can enforce."""


@dataclass(frozen=True)
class Sandbox:
    """The limits of a process that may read `folder` and `files`, in addition to Python itself."""

    folder: str
    files: tuple[str, ...] = ()
    cpu_seconds: int | None = None
    """CPU time of the whole process; None for no limit."""
    hides_plyscope: bool = False
    """Whether the modules of plyscope and of its houses cannot be read, wherever they are on
    Python's path."""

    @property
    def hidden(self) -> tuple[str, ...]:
        """The folders of plyscope's modules, and of houses called `plyscope_...`, if they are
        hidden."""
        places = (home_of_plyscope(), *sys.path) if self.hides_plyscope else ()
        packages = [os.path.join(each, PACKAGE) for each in places]
        found = [*packages, *(path for each in packages for path in glob(f"{escape(each)}_*"))]
        return tuple(dict.fromkeys(map(os.path.realpath, found)))

    @property
    def readable(self) -> tuple[str, ...]:
        """Every path that the process may read, including everything below it."""
        libraries = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
        python = (sys.prefix, sys.base_prefix, sys.exec_prefix, *sys.path, home_of_plyscope())
        system = (*filter(None, (*python, *libraries)), *SYSTEM)
        paths = dict.fromkeys(map(os.path.realpath, (*system, self.folder, *self.files)))
        known = [path for path in paths if path != "/" and os.path.exists(path)]
        return tuple(part for path in known for part in _without(path, self.hidden))

    def enter(self, *, may_execute: bool = False) -> tuple[str, ...]:
        """Enter the sandbox permanently; return the SANDBOX_PARTS that the kernel enforces.

        If these are not all, Python's audit hook refuses what it sees. With `may_execute`, the
        process may execute another program in its place.
        """
        readable, listed = self.readable, frozenset(map(os.path.dirname, self.hidden))
        self._limit()
        held = []
        # Landlock restricts only the calling thread and those it starts: there must be no other
        has_files = _threads() == 1 and _restrict_files(readable, listed)
        if has_files:
            held.append("files")
        if refuse_other_calls(os.getpid(), may_execute=may_execute, may_write=has_files):
            held.append("processes")
        if tuple(held) != SANDBOX_PARTS:
            sys.addaudithook(_AuditHook(readable, listed))
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


PACKAGE = __name__.partition(".")[0]


def _without(path: str, hidden: tuple[str, ...]) -> Iterator[str]:
    """Yield a path, or, above a hidden one, as many paths below it as leave out the hidden ones."""
    if any(_is_below(path, each) for each in hidden):
        return
    if not any(_is_below(each, path) for each in hidden):
        yield path
        return
    with os.scandir(path) as entries:
        below = [entry.path for entry in entries if not entry.is_symlink()]
    for each in below:
        yield from _without(each, hidden)


def _is_below(path: str, top: str) -> bool:
    return path == top or path.startswith(f"{top}{os.sep}")


def home_of_plyscope() -> str:
    """Return the folder that contains the `plyscope` package."""
    return os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def _threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 1


def sandbox_command(sandbox: Sandbox, command: list[str]) -> list[str]:
    """Return a command that enters the sandbox and then executes `command`."""
    words = json.dumps(asdict(sandbox)), json.dumps(command)
    return [*module_command("plyscope.lab.people.sandbox"), *words]


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


def _restrict_files(readable: tuple[str, ...], listed: Iterable[str] = ()) -> bool:
    """Restrict this process by Landlock; return whether the kernel enforces it.

    The process may open only `readable` files and list the folders `listed` and those below them,
    and may not signal processes outside the sandbox. Landlock before version 6 does not restrict
    signals; there the system call filter does.
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
            _allow(system, rules, path, READ_FILE | EXECUTE | READ_DIRECTORY)
        for path in listed:
            _allow(system, rules, path, READ_DIRECTORY)
        return forbid_new_privileges(system) and system.syscall(RESTRICT_SELF, rules, 0) == 0
    finally:
        os.close(rules)


def _allow(system: Any, rules: int, path: str, rights: int) -> None:
    if not os.path.isdir(path):
        rights &= ~READ_DIRECTORY
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
    """An audit hook that refuses operations that the sandbox forbids, if Python raises an audit
    event for them."""

    def __init__(self, readable: tuple[str, ...], listed: frozenset[str]) -> None:
        self.readable, self.listed = readable, listed

    def __call__(self, event: str, given: tuple[Any, ...]) -> None:
        """Raise PermissionError for an audit event of a forbidden operation."""
        if event in READS:
            path = given[0] if given else None
            if isinstance(path, str | bytes | os.PathLike):
                real = os.path.realpath(os.fsdecode(path))
                is_listed = event != "open" and real in self.listed
                if not is_listed and not any(_is_below(real, root) for root in self.readable):
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
        raise PermissionError(errno.EPERM, f"{attempt}, which is outside its sandbox")


def _name(path: Any) -> str:
    is_path = isinstance(path, str | bytes | os.PathLike)
    return repr(os.path.basename(os.fsdecode(path))[:60]) if is_path else "a file"


if __name__ == "__main__":
    main()
