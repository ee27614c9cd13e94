"""`plyscope eval`: what a heuristic says of one position, line by line, without search."""

from __future__ import annotations

import argparse
from typing import Any

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
from plyscope.jsonable import by_name

HELP = "what a heuristic says of a position, line by line"
OPTIONS = (
    *position_rows(),
    HEURISTIC,
    Option("--side x|o", "whose view (default: the side to move)"),
    Option("--all", "show the lines that count 0 too"),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Print the evaluation and its parts."""
    from plyscope.evaluation.evaluate import explain

    explanation = explain(given_position(arguments), arguments.heuristic, arguments.side)
    say(explanation.notes)
    if arguments.json:
        print_json(as_dict(explanation))
        return DONE
    from plyscope.faces.findings.explanations import explanation_section
    from plyscope.faces.texts import finding

    section = explanation_section(explanation, arguments.all, " (--all shows them)")
    console().print(finding(section))
    return DONE


def as_dict(explanation: Any) -> dict[str, Any]:
    """Return the explanation as JSON-ready data."""
    from plyscope.rules.game import SIDES

    return by_name(
        explanation,
        *("position", "game", "heuristic", "side", "value", "lines", "terms", "notes"),
        game=explanation.position.game.name,
        side=SIDES[explanation.side],
        value=explanation.total,
    )
