"""`plyscope eval`: explain a heuristic's evaluation of a position, line by line, without search."""

from __future__ import annotations

import argparse

from plyscope.faces.cli.options import (
    JSON,
    SEVERAL_HEURISTICS,
    console,
    given_position,
    position_rows,
    print_json,
    say,
)
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import DONE

HELP = "explain a heuristic's evaluation of a position, line by line"
OPTIONS = (
    *position_rows(),
    SEVERAL_HEURISTICS,
    Option("--side x|o", "evaluate for this side (default: the side to move)"),
    Option("--all", "also show the lines that count 0"),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Print the evaluation and its parts."""
    from plyscope.evaluation.evaluate import explain

    position = given_position(arguments)
    names = arguments.heuristic or [None]
    explanations = [explain(position, name, arguments.side) for name in names]
    say(note for explanation in explanations for note in explanation.notes)
    if arguments.json:
        found = [explanation.as_dict() for explanation in explanations]
        print_json(found if len(found) > 1 else found[0])
        return DONE
    from plyscope.faces.findings.explanations import explanation_section
    from plyscope.faces.texts import finding

    hidden = " (--all shows them)"
    sections = [explanation_section(each, arguments.all, hidden) for each in explanations]
    for section in sections[:-1]:
        console().print([finding(section), ""])
    console().print(finding(sections[-1]))
    return DONE
