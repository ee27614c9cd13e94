"""`plyscope completion`: print the completion script of a shell, or the manual page.

bash: `eval "$(plyscope completion bash)"` in ~/.bashrc. zsh: `source <(plyscope completion zsh)`
in ~/.zshrc, below compinit. fish: `plyscope completion fish | source` in its config.fish. The page:
`plyscope completion man > plyscope.1`, which `man ./plyscope.1` shows.
"""

from __future__ import annotations

import argparse

from plyscope.faces.cli.options import print_json
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import DONE
from plyscope.jsonable import jsonable

KINDS = ("bash", "zsh", "fish", "man")


HELP = "print the completion script of a shell, or the manual page"
OPTIONS = (
    Option("kind KIND", ", ".join(KINDS), KINDS),
    Option("--json", "print the commands with their options and values as JSON"),
)


def run(arguments: argparse.Namespace) -> int:
    """Print the script or the page."""
    from plyscope.faces.cli import parser
    from plyscope.faces.shells.described import commands_of
    from plyscope.faces.shells.manual import manual
    from plyscope.faces.shells.scripts import SCRIPTS

    described = commands_of(parser())
    if arguments.json:
        print_json(jsonable(described))
    else:
        write = manual if arguments.kind == "man" else SCRIPTS[arguments.kind]
        print(write(described), end="")
    return DONE
