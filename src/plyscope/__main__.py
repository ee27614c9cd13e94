"""`python -m plyscope` and the command `plyscope`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit status."""
    try:
        from plyscope.faces.cli import main as run

        return run()
    except KeyboardInterrupt:  # before the command line handles it
        return 1


if __name__ == "__main__":
    sys.exit(main())
