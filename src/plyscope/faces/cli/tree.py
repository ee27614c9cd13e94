"""`plyscope tree`: show the tree of a search, with windows, bounds and cut branches, and a sentence
for every cutoff."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyscope.datafile import write_file
from plyscope.errors import NotationError, OptionError
from plyscope.faces.cli.options import (
    JSON,
    console,
    given_position,
    position_rows,
    print_json,
    say,
    search_options,
    search_rows,
)
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import DONE
from plyscope.jsonable import jsonable

if TYPE_CHECKING:
    from plyscope.searching.trace import Trace

DEFAULT_DEPTH = 2
DRAWINGS = (".svg", ".pdf", ".png", ".tex", ".dot")
"""The file formats of a tree; `.tex` is TikZ, `.dot` Graphviz."""
NUMBERS = ("depth", "seed")
SECOND = (
    *("algorithm", "heuristic", "depth"),
    *("scoring", "order", "root", "bound", "cut", "cutoffs", "seed"),
)
"""Options that a second search may change."""
TREE_FILES = (".json", ".txt", ".dot", ".gv", ".xml", ".lisp", ".py")
"""Endings of files that are read as trees."""
MAX_LINES = 400
"""The most nodes of a tree that is printed."""


HELP = "show the tree of a search: windows, bounds, cut branches, and why"
OPTIONS = (
    *position_rows(
        "a tree such as [[3,5],[6,9]], a file that contains one, - for standard input, or a "
        "position"
    ),
    *search_rows(form=False),
    Option("--step", "step through the search, forward and back"),
    Option(
        "--diff OPTION=VALUE+",
        "show where a second search differs, such as cut=gt or algorithm=pvs (several add up)",
    ),
    Option(
        "-o --output FILE",
        f"draw the tree into a file of the format in its name: {', '.join(DRAWINGS)}",
    ),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Search, and show the tree."""
    from plyscope.rules.tree import TreePosition
    from plyscope.searching.trace import trace

    path = None if arguments.output is None else Path(arguments.output)
    if path is not None and path.suffix not in DRAWINGS:
        raise OptionError(
            f"output {arguments.output!r}; expected a name that ends in {', '.join(DRAWINGS)}"
        )
    if arguments.position is not None:
        arguments.position = (
            _read(arguments.position) if arguments.game is None else arguments.position
        )
    position = given_position(arguments)
    options = search_options(arguments)
    note = ""
    if not isinstance(position, TreePosition) and not {"depth", "nodes", "seconds"} & set(options):
        options["depth"] = DEFAULT_DEPTH
        note = f"searched to depth {DEFAULT_DEPTH}; --depth changes that"
    searched = trace(position, **options)
    say(searched.result.notes)
    if arguments.diff:
        second = trace(position, **{**options, **_second_options(arguments.diff)})
        return _show_difference(searched, second, arguments.json)
    if path is not None:
        write_file("cannot write", path, _drawn(searched, path.suffix))
        if not arguments.json:
            print(f"wrote {path}", file=sys.stderr)
            return DONE
    if arguments.json:
        from plyscope.faces.diagrams.narration import sentences

        print_json(searched.as_dict() | {"sentences": sentences(searched)})
        return DONE
    if arguments.step:
        from plyscope.faces.diagrams.step import step_through

        step_through(searched, console())
        return DONE
    _print(searched)
    if note:
        console(stderr=True).print(note, style="dim")
    return DONE


def _read(text: str) -> str:
    """Return the tree in the file or on standard input that `text` names, else `text` itself.

    Other files are read by `rules.source`, which does not read Python.
    """
    if text.strip().isdigit():
        raise NotationError(
            f"{text.strip()[:20]!r} is a tree of one leaf, or Connect Four after this move; "
            f"expected a tree such as '[{text.strip()[:20]}]', or 'connect4 {text.strip()[:20]}'"
        )
    if text != "-" and not text.endswith(TREE_FILES):
        return text
    try:
        return sys.stdin.read() if text == "-" else Path(text).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise NotationError(
            f"cannot read the tree file {text!r}: {why}; expected a text file"
        ) from None


def _second_options(words: list[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if key not in SECOND or not equals:
            names = ", ".join(SECOND)
            raise OptionError(f"diff {word!r}; expected option=value with one of {names}")
        if key in options:
            raise OptionError(f"{key!r} twice in diff; expected it once")
        if key not in NUMBERS:
            options[key] = value
        elif value.isascii() and value.isdigit() and len(value) < 10:
            options[key] = int(value)
        else:
            raise OptionError(f"{key} {value!r} in diff; expected a whole number")
    return options


def _show_difference(first: Trace, second: Trace, as_json: bool) -> int:
    from plyscope.faces.diagrams.diff import compare_traces

    diff = compare_traces(first, second)
    if as_json:
        print_json(jsonable(diff))
        return DONE
    from plyscope.faces.findings.searches import difference_sections
    from plyscope.faces.texts import finding

    console().print(finding(*difference_sections(diff)))
    return DONE


def _drawn(searched: Trace, suffix: str) -> str | bytes:
    """Return the tree as the content of a file of this kind."""
    from plyscope.faces.diagrams.builders import draw_tree

    picture = draw_tree(searched)
    if suffix == ".tex":
        from plyscope.faces.diagrams.tikz import tree_tikz

        return tree_tikz(picture)
    if suffix == ".dot":
        from plyscope.faces.diagrams.dot import tree_dot

        return tree_dot(picture)
    from plyscope.faces.diagrams.svg import tree_svg

    if suffix == ".svg":
        return tree_svg(picture)
    from plyscope.faces.diagrams.figure import figure

    return figure(tree_svg(picture), suffix)


def _print(searched: Trace) -> None:
    from plyscope.faces.diagrams.builders import draw_tree
    from plyscope.faces.diagrams.narration import sentences
    from plyscope.faces.diagrams.text import tree_text

    out = console()
    result = searched.result
    if result.nodes <= MAX_LINES:
        picture = draw_tree(searched)
        out.print(tree_text(picture))
        out.print()
        for sentence in sentences(searched):
            out.print(sentence)
        out.print(picture.caption, style="dim")
    else:
        out.print(
            f"the tree has {result.nodes:,} nodes, too many to print: "
            "-o FILE draws up to 2,000, --step walks through them"
        )
    from plyscope.faces.findings.searches import counts_line

    out.print(counts_line(result))
