"""`plyscope examples`: the example games and heuristics that plyscope comes with.

Without FOLDER it lists them; with FOLDER it copies them there. Files that exist are not
overwritten.
"""

from __future__ import annotations

import argparse
import ast
import tomllib
from os.path import lexists
from pathlib import Path

from plyscope import version
from plyscope.datafile import write_file
from plyscope.errors import OptionError
from plyscope.faces.cli.options import JSON, print_json
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import DONE

HELP = "example games and heuristics, listed or copied into a folder"
OPTIONS = (Option("folder FOLDER?", "where to copy them (default: list them)"), JSON)


def run(arguments: argparse.Namespace) -> int:
    """List the examples, or copy them."""
    files = example_files()
    if arguments.folder is None:
        listed = {file.name: _summary(file) for file in files}
        if arguments.json:
            print_json({"examples": listed})
            return DONE
        width = max(map(len, listed))
        for name, summary in listed.items():
            print(f"{name:{width}}  {summary}")
        return DONE
    folder = Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    copied, kept = [], []
    for file in files:
        if lexists(folder / file.name):
            kept.append(file.name)
        else:
            write_file("example", folder / file.name, file.read_bytes())
            copied.append(file.name)
    if arguments.json:
        print_json({"folder": str(folder), "copied": copied, "kept": kept})
        return DONE
    print(f"copied {len(copied)} files to {folder}")
    if kept:
        print(f"not overwritten: {', '.join(kept)}")
    return DONE


def example_files() -> list[Path]:
    """Return the example files; raise OptionError where they are not installed."""
    package = Path(version.__file__).parent
    for folder in (package / "examples", package.parents[1] / "examples"):  # a wheel, a checkout
        if folder.is_dir():
            return sorted(file for file in folder.iterdir() if file.suffix in (".py", ".toml"))
    raise OptionError(f"no examples in {str(package)!r}; expected a wheel or a checkout")


def _summary(file: Path) -> str:
    """Return the first sentence of an example's docstring, or the summary of a table."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".toml":
        return str(tomllib.loads(text).get("summary", ""))
    about = " ".join((ast.get_docstring(ast.parse(text)) or "").split())
    return about.partition(". ")[0].rstrip(".")
