"""The system calls that sandboxed code may make: an allow-list, as a seccomp filter of Linux.

All other calls fail with EPERM, which Python raises as PermissionError; this includes calls that
future kernels add. (`clone3` fails with ENOSYS.) Some calls are allowed only with certain
arguments. Calls for another architecture (32-bit calls, x32) are refused.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The kernel's number of each architecture, and the architecture's column in ALLOWED."""
ALLOWED: Mapping[str, tuple[int | None, int | None]] = {
    # reading, and writing to open files
    "read": (0, 63), "readv": (19, 65), "pread64": (17, 67), "preadv": (295, 69),
    "write": (1, 64), "writev": (20, 66), "lseek": (8, 62),
    "close": (3, 57), "close_range": (436, 436),
    "stat": (4, None), "fstat": (5, 80), "lstat": (6, None), "newfstatat": (262, 79),
    "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44),
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "readlink": (89, None), "readlinkat": (267, 78),
    "getdents": (78, None), "getdents64": (217, 61),
    "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50),
    "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "pipe": (22, None), "pipe2": (293, 59),
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72),
    "epoll_create": (213, None), "epoll_create1": (291, 20), "epoll_ctl": (233, 21),
    "epoll_wait": (232, None), "epoll_pwait": (281, 22), "eventfd2": (290, 19),
    # memory and threads of its own
    "mmap": (9, 222), "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226),
    "madvise": (28, 233), "brk": (12, 214), "futex": (202, 98), "rseq": (334, 293),
    "set_robust_list": (273, 99), "set_tid_address": (218, 96), "arch_prctl": (158, None),
    "sched_yield": (24, 124), "exit": (60, 93), "exit_group": (231, 94),
    # signals and timers of its own
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136), "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132), "pause": (34, None), "restart_syscall": (219, 128),
    "alarm": (37, None), "getitimer": (36, 102), "setitimer": (38, 103),
    "nanosleep": (35, 101), "clock_nanosleep": (230, 115),
    "wait4": (61, 260), "waitid": (247, 95),
    # information
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "gettimeofday": (96, 169),
    "time": (201, None), "times": (100, 153), "getrandom": (318, 278),
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178),
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getresuid": (118, 148), "getresgid": (120, 150), "getgroups": (115, 158),
    "getpgrp": (111, None), "getpgid": (121, 155), "getsid": (124, 156),
    "getrlimit": (97, 163), "getrusage": (98, 165), "getpriority": (140, 141),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126),
    "getcpu": (309, 168), "uname": (63, 160), "sysinfo": (99, 179),
}  # fmt: skip
"""The calls that are allowed with any arguments: their numbers on x86_64 and on aarch64, None if
the architecture lacks the call."""
CONDITIONAL: Mapping[str, tuple[int | None, int | None]] = {
    "open": (2, None), "openat": (257, 56),
    "clone": (56, 220), "kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261),
    "fcntl": (72, 25), "ioctl": (16, 29), "prctl": (157, 167),
}  # fmt: skip
"""The calls that are allowed only with some arguments (`allowed_arguments`): their numbers on
x86_64 and on aarch64."""
EXECVE = 59, 221
CLONE3 = 435
"""`clone3` has its flags in memory, which a filter cannot read. It is refused with ENOSYS, so that
the C library calls `clone` instead."""
SECCOMP = 317, 277

THREAD, NOT_A_THREAD = 0x0001_0F00, 0xFE82_F0FF
"""Flags of `clone`: those of every thread (memory, files, signals, thread), and those that no
thread needs (namespaces, tracing, vfork, another parent, a pidfd, a signal at its end)."""
FCNTL = (0, 1, 2, 3, 1030, 1032)
"""Commands of `fcntl`: duplicate a descriptor, get and set its flags, get the file's flags,
duplicate with close-on-exec, get the size of a pipe.

Owners and signals of a file, leases, notifications, locks and seals are not allowed.
"""
SET_FLAGS, ASYNCHRONOUS = 4, 0x2000
"""The `fcntl` command that sets a file's flags, and the flag O_ASYNC, by which a file signals its
owner."""
IOCTL = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Commands of `ioctl`: get a terminal's settings and size, count the bytes to read, set
non-blocking mode, clear and set close-on-exec."""
PRCTL = (15, 16, 0x53564D41)
"""Commands of `prctl`: set and get a thread's name, name a range of memory."""

ACCESS, WRITE_ACCESS, CREATE, TRUNCATE = 0b11, (1, 2), 0o100, 0o1000
"""Flags of `open`: the mask of the access mode, the modes that write, O_CREAT, O_TRUNC.

O_TRUNC is allowed only in a mode that writes, which Landlock refuses. Before version 3, Landlock
lets a file that is opened for reading be truncated.
"""

LOAD, EQUALS, AT_LEAST, RETURN, MASK = 0x20, 0x15, 0x35, 0x06, 0x54
"""Instructions of a filter: load a word of the call, two jumps, return, bitwise and."""
NUMBER_WORD, MACHINE_WORD, FIRST_ARGUMENT = 0, 4, 16
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
X32 = 0x40000000
"""The first number of the x32 calls."""
SET_MODE_FILTER, ALL_THREADS = 1, 1

Line = tuple[int, int, int, int]
"""An instruction of a filter: its code, the number of instructions to skip if its test holds, the
number to skip if not, its operand."""


class Condition(NamedTuple):
    """The value that a 32-bit word of an argument must have after masking."""

    argument: int
    value: int
    mask: int = 0xFFFF_FFFF
    is_high: bool = False
    """Whether the word is the high one of the 64-bit argument, or the low one."""

    def lines(self, otherwise: int) -> list[Line]:
        """Return instructions that skip `otherwise` further ones if the condition does not hold."""
        word = FIRST_ARGUMENT + 8 * self.argument + 4 * self.is_high
        masks = [] if self.mask == 0xFFFF_FFFF else [(MASK, 0, 0, self.mask)]
        return [(LOAD, 0, 0, word), *masks, (EQUALS, 0, otherwise, self.value)]


def refuse_other_calls(process: int, *, may_execute: bool = False, may_write: bool = True) -> bool:
    """Install the filter permanently for all threads of this process; return whether the kernel
    has accepted it.

    `process` is the id of this process. With `may_execute`, it may execute another program, which
    inherits the filter. Without `may_write`, it may open files for reading only, as is needed where
    Landlock does not refuse the rest.
    """
    system, machine = c_library(), MACHINES.get(platform.machine())
    if system is None or machine is None or sys.byteorder != "little":
        return False
    architecture, column = machine
    lines = b"".join(
        struct.pack("HBBI", *line)
        for line in filter_lines(architecture, column, process, may_execute, may_write)
    )
    buffer = ctypes.create_string_buffer(lines)
    program = struct.pack("HxxxxxxQ", len(lines) // 8, ctypes.addressof(buffer))
    call = SECCOMP[column], SET_MODE_FILTER, ALL_THREADS, program
    return forbid_new_privileges(system) and system.syscall(*call) == 0


def filter_lines(
    architecture: int, column: int, process: int, may_execute: bool, may_write: bool = True
) -> Iterator[Line]:
    """Yield the instructions of the filter."""
    refused = RETURN, 0, 0, REFUSE | errno.EPERM
    allowed = RETURN, 0, 0, ALLOW
    yield LOAD, 0, 0, MACHINE_WORD
    yield EQUALS, 1, 0, architecture
    yield refused
    yield LOAD, 0, 0, NUMBER_WORD
    yield AT_LEAST, 0, 1, X32
    yield refused
    yield EQUALS, 0, 1, CLONE3
    yield RETURN, 0, 0, REFUSE | errno.ENOSYS
    always = [numbers[column] for numbers in ALLOWED.values()] + [EXECVE[column]] * may_execute
    for number in always:
        if number is not None:
            yield EQUALS, 0, 1, number
            yield allowed
    for name, alternatives in allowed_arguments(process, may_write).items():
        body: list[Line] = []
        for together in alternatives:
            part: list[Line] = [allowed]
            for condition in reversed(together):
                part = condition.lines(len(part)) + part
            body += part
        if (number := CONDITIONAL[name][column]) is not None:
            yield EQUALS, 0, len(body) + 1, number
            yield from body
            yield refused
    yield refused


def allowed_arguments(process: int, may_write: bool) -> dict[str, list[tuple[Condition, ...]]]:
    """Return, for each conditional call, alternative groups of conditions.

    The process may make the call if all conditions of one group hold.
    """
    no_limit = Condition(2, 0), Condition(2, 0, is_high=True)
    opening: dict[str, list[tuple[Condition, ...]]] = {
        name: [
            (Condition(flags, 0, TRUNCATE),),
            *((Condition(flags, access, ACCESS),) for access in WRITE_ACCESS),
        ]
        if may_write
        else [(Condition(flags, 0, ACCESS | TRUNCATE | CREATE),)]
        for name, flags in (("open", 1), ("openat", 2))
    }
    return {
        **opening,
        "clone": [(Condition(0, THREAD, THREAD | NOT_A_THREAD),)],
        "kill": [(Condition(0, process),)],
        "tgkill": [(Condition(0, process),)],
        "prlimit64": [(Condition(0, own), *no_limit) for own in (0, process)],
        "fcntl": [
            *((Condition(1, command),) for command in FCNTL),
            (Condition(1, SET_FLAGS), Condition(2, 0, ASYNCHRONOUS)),
        ],
        "ioctl": [(Condition(1, command),) for command in IOCTL],
        "prctl": [(Condition(0, command),) for command in PRCTL],
    }


def c_library() -> Any:
    """Return the C library on Linux; None on other systems."""
    if not sys.platform.startswith("linux"):
        return None
    system = ctypes.CDLL(None, use_errno=True)
    system.syscall.restype = ctypes.c_long
    return system


def forbid_new_privileges(system: Any) -> bool:
    """Forbid this process to gain privileges from programs (setuid); return whether this worked.

    The kernel requires this before an unprivileged process may use Landlock or a filter.
    """
    return bool(system.prctl(38, 1, 0, 0, 0) == 0)
