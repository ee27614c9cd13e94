"""`plyscope eval`: explain a heuristic's evaluation of a position, line by line, without search."""

from __future__ import annotations

import argparse

from plyscope.faces.cli.options import (
    HEURISTIC,
    JSON,
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
    HEURISTIC,
    Option("--side x|o", "evaluate for this side (default: the side to move)"),
    Option("--all", "also show the lines that count 0"),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Print the evaluation and its parts."""
    from plyscope.evaluation.evaluate import explain

    explanation = explain(given_position(arguments), arguments.heuristic, arguments.side)
    say(explanation.notes)
    if arguments.json:
        print_json(explanation.as_dict())
        return DONE
    from plyscope.faces.findings.explanations import explanation_section
    from plyscope.faces.texts import finding

    section = explanation_section(explanation, arguments.all, " (--all shows them)")
    console().print(finding(section))
    return DONE
