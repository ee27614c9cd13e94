"""`plyscope report`: what a file of records tells, as a page with charts or as Markdown.

Ratings with their intervals, who beat whom, results by side, moves to win, time and nodes by ply,
the report cards that `report-card --record` has kept, and the tunings that `tune --record` has.
"""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.options import add_json, print_json, write_file
from plyscope.faces.cli.statuses import DONE


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "report", help="what a file of records tells, as a page or Markdown", description=__doc__
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="what `match`, `report-card` and `tune` have written with --record",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write to this .html or .md file (default: print Markdown)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the records and write the report."""
    from pathlib import Path

    from plyscope.errors import NotationError, OptionError
    from plyscope.faces.cli.records import tell_changed_games
    from plyscope.faces.report.sections import sections
    from plyscope.faces.report.write import report_html, report_markdown
    from plyscope.lab.findings import findings
    from plyscope.lab.records import Records

    path = Path(arguments.file)
    output = None if arguments.output is None else Path(arguments.output)
    if not path.is_file():
        raise NotationError(
            f"no file {arguments.file!r}; expected one that `match --record` has written"
        )
    if output is not None and output.suffix not in (".html", ".md"):
        raise OptionError(f"output {arguments.output!r}; expected a name that ends in .html or .md")
    with Records(path, reading=True) as records:
        tell_changed_games(records)
        games, cards, tunings = findings(records), records.cards(), records.tunings()
    if arguments.json:
        data = {"games": [item.as_dict() for item in games], "cards": cards, "tunings": tunings}
        print_json(data)
        return DONE
    write = report_html if output is not None and output.suffix == ".html" else report_markdown
    text = write(f"What {path.name} tells", sections(games, cards, tunings))
    if output is None:
        print(text, end="")
        return DONE
    write_file("output", arguments.output, text)
    print(f"wrote {output}")
    return DONE
