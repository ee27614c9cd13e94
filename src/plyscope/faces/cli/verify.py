"""`plyscope verify`: check a proof that `solve --proof` has written.

The checker is one file that needs nothing but Python, plyscope/solving/verify.py: take it anywhere and run it alone.
"""

from __future__ import annotations

import argparse
from typing import Any

__all__ = ["add", "run"]


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser("verify", help="check a proof that `solve --proof` has written", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="the proof")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the proof: 0 when it holds, 1 when it proves nothing, 2 when it cannot be read."""
    from plyscope.solving.verify import main

    return int(main(arguments.file))
