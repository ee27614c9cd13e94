"""Ends processes, and removes folders, once whoever started or made them is gone, however that
ended. Run as a program, and by nobody but `processes`.

It reads lines from its input: `+ group 5012` takes the process group 5012 into its care,
`- group 5012` lets it go; likewise `process 5012` for one process, and `folder 2f746d702f78` for a
folder, its path in hexadecimal. Its input ends when the process that holds the other end does,
kill −9 included; then everything in its care is killed or removed.
"""

import os
import shutil
import signal
import sys
from contextlib import suppress


def main() -> None:
    """Keep the list until the input ends, then kill and remove what is on it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    kept: set[tuple[str, str]] = set()
    for line in sys.stdin:
        sign, kind, name = line.split()
        (kept.add if sign == "+" else kept.discard)((kind, name))
    kills = {"group": os.killpg, "process": os.kill}
    for kind, name in kept:
        if kind in kills:
            with suppress(OSError):  # gone already, or no longer ours
                kills[kind](int(name), signal.SIGKILL)
    for kind, name in kept:
        if kind == "folder":
            shutil.rmtree(os.fsdecode(bytes.fromhex(name)), ignore_errors=True)


if __name__ == "__main__":
    main()
