"""`plyscope verify`: check a proof that `solve --proof` has written.

The checker is one file that needs nothing but Python, plyscope/solving/verify.py: take it anywhere
and run it alone.
"""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.options import add_json


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "verify", help="check a proof that `solve --proof` has written", description=__doc__
    )
    parser.add_argument("file", metavar="FILE", help="the proof")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the proof: 0 when it holds, 1 when the file, whatever it is, proves nothing."""
    from os.path import exists

    from plyscope.errors import OptionError
    from plyscope.solving.verify import main

    if not exists(arguments.file):
        raise OptionError(
            f"no file {arguments.file!r}; expected a proof that `solve --proof` has written"
        )
    return int(main(arguments.file, arguments.json))
