"""`plyscope verify`: check a proof that `solve --proof` has written.

The checker is one file that needs nothing but Python, plyscope/solving/verify.py: take it anywhere
and run it alone.
"""

from __future__ import annotations

import argparse

from plyscope.errors import OptionError
from plyscope.faces.cli.options import JSON
from plyscope.faces.cli.rows import Option

HELP = "check a proof that `solve --proof` has written"
OPTIONS = (Option("file FILE", "the proof"), JSON)


def run(arguments: argparse.Namespace) -> int:
    """Check the proof: 0 when it holds, 1 when the file, whatever it is, proves nothing."""
    from os.path import exists

    from plyscope.solving.verify import main

    if not exists(arguments.file):
        raise OptionError(
            f"no file {arguments.file!r}; expected a proof that `solve --proof` has written"
        )
    return int(main(arguments.file, arguments.json))
