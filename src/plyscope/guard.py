"""Ends process groups once whoever started them is gone, however that ended. Run as a program, and
by nobody but `processes`.

It reads lines from its input: `+5012` takes the group 5012 into its care, `-5012` lets it go. Its
input ends when the process that holds the other end does, kill −9 included; then every group in its
care is killed.
"""

import os
import signal
import sys
from contextlib import suppress


def main() -> None:
    """Keep the list until the input ends, then kill what is on it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        with suppress(OSError):  # gone already, or no longer ours
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
