"""`plyscope records`: list the games in a file of records or a text of games, or write a report.

A text of games, such as --text prints, is read by replaying each game. The report has ratings with
intervals, who beat whom, results by side, moves to win, time and nodes by ply, and the report cards
and tunings stored by `report-card --record` and `tune --record`.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from plyscope.datafile import write_file
from plyscope.errors import NotationError, OptionError
from plyscope.faces.cli.options import JSON, console, print_csv, print_json, say
from plyscope.faces.cli.rows import OneOf, Option
from plyscope.faces.cli.statuses import DONE

if TYPE_CHECKING:
    from plyscope.lab.matches.records import Records

VIEWS = ("plies", "printed", "report")
"""Options that print something other than games."""
SQLITE = b"SQLite format 3\0"


HELP = "list the games in a file of records, or write a report"
OPTIONS = (
    Option(
        "file FILE",
        "a file written by `match --record`, a text of games, or a game of another program: SGF, "
        "PSQ, RIF, RenLib or POS (FILE#3 is its third game)",
    ),
    OneOf(
        Option("--plies", "list every move, with the time, value, depth and nodes of its search"),
        Option("--printed", "show the output that agents printed"),
        Option("--report", "print a report of the results as Markdown"),
    ),
    Option("-o --output FILE", "write the report to this .html or .md file"),
    OneOf(
        Option("--csv", "print CSV instead of a table"),
        Option("--text", "print the games as text that this command can read"),
        JSON,
    ),
)


def run(arguments: argparse.Namespace) -> int:
    """Print the games."""
    from pathlib import Path

    from plyscope.rules.gamefiles import CHOICE

    arguments.report |= arguments.output is not None
    wanted = next((f"--{name}" for name in VIEWS if getattr(arguments, name)), None)
    form = "--text" if arguments.text else "--csv" if arguments.csv else None
    if wanted and (form == "--text" or (form and arguments.report)):
        raise OptionError(f"{form} with {wanted}; expected one of them")
    path = Path(arguments.file)
    if not path.is_file():  # perhaps it ends with the number of a game in the file
        path = Path(CHOICE.sub("", arguments.file))
    if not path.is_file():
        raise NotationError(
            f"no file {arguments.file!r}; "
            "expected one written by `match --record`, or a text of games"
        )
    with path.open("rb") as file:
        is_text = file.read(len(SQLITE)) != SQLITE and path.stat().st_size > 0
    if is_text:
        return _show_text(path, arguments, wanted)
    from plyscope.lab.matches.records import Records

    with Records(path, reading=True) as records:
        warn_of_changed_games(records)
        if arguments.report:
            return _report(records, path.name, arguments)
        if arguments.text:
            from plyscope.lab.matches.gametext import write_games

            for experiment in records.experiments():
                for pair in records.pairs(experiment.number).values():
                    print(*write_games(pair), sep="\n")
            return DONE
        tables = {"--plies": records.plies, "--printed": records.outputs, None: records.games}
        return _show(list(tables[wanted]()), arguments)


def _report(records: Records, name: str, arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from plyscope.faces.findings.records import sections
    from plyscope.faces.report.write import report_html, report_markdown
    from plyscope.lab.matches.findings import findings

    output = None if arguments.output is None else Path(arguments.output)
    if output is not None and output.suffix not in (".html", ".md"):
        raise OptionError(f"output {arguments.output!r}; expected a name that ends in .html or .md")
    games, cards, tunings = findings(records), records.cards(), records.tunings()
    write = report_html if output is not None and output.suffix == ".html" else report_markdown
    text = write(f"Report of {name}", sections(games, cards, tunings))
    if output is not None:
        write_file("output", arguments.output, text)
    if arguments.json:
        data = {"games": [item.as_dict() for item in games], "cards": cards, "tunings": tunings}
        print_json(data)
    else:
        print(text.rstrip("\n") if output is None else f"wrote {output}")
    return DONE


def warn_of_changed_games(records: Records) -> None:
    """Warn about matches whose game file has changed since."""
    for experiment in records.experiments():
        if path := experiment.changed_game:
            text = f"match {experiment.number}: {path!r} has changed since its games were played"
            console(stderr=True).print(text, style="bold")


def _show_text(path: Any, arguments: argparse.Namespace, wanted: str | None) -> int:
    from plyscope.lab.matches.gametext import read_game_file, read_games, write_games
    from plyscope.rules.gamefiles import file_reader
    from plyscope.rules.source import text_of

    if wanted:
        raise OptionError(
            f"{wanted} with the text {str(path)!r}, which contains only moves; "
            "expected a file written by `match --record`"
        )
    try:
        if file_reader(text_of(arguments.file)) is not None:
            game, said = read_game_file(arguments.file)
            say([] if arguments.json else [f"read as {said}"])
            games = [game]
        else:
            games = list(read_games(path.read_text(encoding="utf-8"), path.name))
    except UnicodeDecodeError:
        raise NotationError(
            f"{str(path)!r} is neither text nor a file of records; expected one of the two"
        ) from None
    if arguments.text:
        print(*write_games(games), sep="\n")
        return DONE
    return _show([game.as_row(at) for at, game in enumerate(games)], arguments)


def _show(rows: list[dict[str, Any]], arguments: argparse.Namespace) -> int:
    if arguments.json:
        print_json(rows)
    elif arguments.csv:
        print_csv(rows, ["experiment"])
    else:
        from plyscope.faces.findings.matches import outputs_section, plies_section, records_section
        from plyscope.faces.texts import finding

        moves_or_games = plies_section if arguments.plies else records_section
        section_of = outputs_section if arguments.printed else moves_or_games
        console().print(finding(section_of(rows)))
    return DONE
