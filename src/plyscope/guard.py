"""The guard: a program that kills processes and removes folders when its parent process is gone.

`processes` starts it. It reads lines from its input: `+ group 5012` adds the process group 5012 to
its list, `- group 5012` removes it. Other kinds are `process 5012`, a single process; `sandbox
5012`, a group that is killed at once when its leader has more than MAX_THREADS threads; and `folder
2f746d702f78`, a folder with its path in hexadecimal. The input ends with the parent, even by
kill −9; then everything on the list is killed or removed.
"""

import os
import select
import shutil
import signal
from collections.abc import Iterable
from contextlib import suppress

MAX_THREADS = 500
"""The limit of threads of a sandboxed process; many thousands would use up all process numbers."""
POLL_SECONDS = 0.1
"""The interval between checks of the threads of sandboxed processes."""

Entry = tuple[str, str]
"""An entry of the list: a kind, and a number or a path."""


def main() -> None:
    """Read the list until the input ends, then kill and remove everything on it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    entries: set[Entry] = set()
    rest = b""
    while True:
        sandboxes = [name for kind, name in entries if kind == "sandbox"]
        if not select.select([0], [], [], POLL_SECONDS if sandboxes else None)[0]:
            _kill(("sandbox", name) for name in sandboxes if threads_of(name) > MAX_THREADS)
            continue
        if not (chunk := os.read(0, 1 << 16)):
            break
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            sign, kind, name = line.decode().split()
            (entries.add if sign == "+" else entries.discard)((kind, name))
    _kill(entries)
    for kind, name in entries:
        if kind == "folder":
            shutil.rmtree(os.fsdecode(bytes.fromhex(name)), ignore_errors=True)


def _kill(entries: Iterable[Entry]) -> None:
    kills = {"group": os.killpg, "sandbox": os.killpg, "process": os.kill}
    for kind, name in entries:
        if kind in kills:
            with suppress(OSError):  # already gone, or no longer ours
                kills[kind](int(name), signal.SIGKILL)


def threads_of(pid: str) -> int:
    """Return the number of threads of a process, 0 if unknown."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[17])
    except (OSError, IndexError):
        return 0


if __name__ == "__main__":
    main()
