"""Writes what `--help` prints for each command, which the pages of the commands include.

python docs/making/help.py      into docs/help/
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from plyscope.faces.cli import parser

FOLDER = Path(__file__).resolve().parents[1] / "help"


def helps(words: str, described: Any) -> dict[str, str]:
    """Return the help of a parser and of its subcommands, by their words."""
    described.complete()
    found = {words: described.format_help()}
    for action in described._actions:
        if isinstance(action.choices, dict):
            for name, inner in action.choices.items():
                found |= helps(f"{words} {name}", inner)
    return found


def main() -> None:
    """Write a file for each command."""
    os.environ["COLUMNS"] = "100"
    FOLDER.mkdir(exist_ok=True)
    for words, text in helps("plyscope", parser()).items():
        name = words.replace(" ", "-")
        (FOLDER / f"{name}.txt").write_text(f"$ {words} --help\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
