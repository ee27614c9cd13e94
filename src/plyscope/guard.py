"""Ends processes, and removes folders, once whoever started or made them is gone, however that
ended. Run as a program, and by nobody but `processes`.

It reads lines from its input: `+ group 5012` takes the process group 5012 into its care,
`- group 5012` lets it go; likewise `process 5012` for one process, `sandbox 5012` for a group that
is killed at once when its leader has more than MAX_THREADS threads, and `folder 2f746d702f78` for a
folder, its path in hexadecimal. Its input ends when the process that holds the other end does,
kill −9 included; then everything in its care is killed or removed.
"""

import os
import select
import shutil
import signal
from collections.abc import Iterable
from contextlib import suppress

MAX_THREADS = 500
"""Threads that a sandboxed process may have: many thousands would leave no numbers to others."""
POLL_SECONDS = 0.1
"""Between two looks at the threads of sandboxed processes."""

Kept = tuple[str, str]
"""A kind, and a number or a path."""


def main() -> None:
    """Keep the list until the input ends, then kill and remove what is on it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    kept: set[Kept] = set()
    rest = b""
    while True:
        sandboxes = [name for kind, name in kept if kind == "sandbox"]
        if not select.select([0], [], [], POLL_SECONDS if sandboxes else None)[0]:
            _kill(("sandbox", name) for name in sandboxes if threads_of(name) > MAX_THREADS)
            continue
        if not (chunk := os.read(0, 1 << 16)):
            break
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            sign, kind, name = line.decode().split()
            (kept.add if sign == "+" else kept.discard)((kind, name))
    _kill(kept)
    for kind, name in kept:
        if kind == "folder":
            shutil.rmtree(os.fsdecode(bytes.fromhex(name)), ignore_errors=True)


def _kill(kept: Iterable[Kept]) -> None:
    kills = {"group": os.killpg, "sandbox": os.killpg, "process": os.kill}
    for kind, name in kept:
        if kind in kills:
            with suppress(OSError):  # gone already, or no longer ours
                kills[kind](int(name), signal.SIGKILL)


def threads_of(pid: str) -> int:
    """Return how many threads a process has, 0 where nobody says."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[17])
    except (OSError, IndexError):
        return 0


if __name__ == "__main__":
    main()
