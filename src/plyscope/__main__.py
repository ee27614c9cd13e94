"""`python -m plyscope` and the command `plyscope`."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> int:
    """Run the command line and return its exit status."""
    from plyscope.faces.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
