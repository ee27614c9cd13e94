"""`plyscope verify`: check a proof written by `solve --proof`.

The checker is a single file that needs only Python, plyscope/solving/verify.py. It also runs
without plyscope.
"""

from __future__ import annotations

import argparse

from plyscope.errors import OptionError
from plyscope.faces.cli.options import JSON
from plyscope.faces.cli.rows import Option
from plyscope.version import version_and_commit

HELP = "check a proof written by `solve --proof`"
OPTIONS = (Option("file FILE", "the proof"), JSON)


def run(arguments: argparse.Namespace) -> int:
    """Check the proof and return the status: 0 if it holds, 1 if it does not or is not a proof."""
    from os.path import exists

    from plyscope.solving.verify import main

    if not exists(arguments.file):
        raise OptionError(
            f"no file {arguments.file!r}; expected a proof written by `solve --proof`"
        )
    return int(main(arguments.file, arguments.json, plyscope=version_and_commit()))
