"""`python -m plyscope` and the command `plyscope`."""

from __future__ import annotations

import signal
import sys

__all__ = ["main"]


def main() -> int:
    """Run the command line and return its exit status. To be told to end (SIGTERM) is to be interrupted (Ctrl-C)."""
    from plyscope.faces.cli import run

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
