"""`plyscope list`: list the games, heuristics, algorithms and agents."""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.options import JSON, console, print_json
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import DONE
from plyscope.jsonable import by_name

SUMMARIES = {
    "games": "the games (and any m,n,k)",
    "heuristics": "the heuristics (and your own tables and functions)",
    "algorithms": "the search algorithms, with sources and conventions",
    "agents": "the agents (and any algorithm with options)",
}


HELP = "list the games, heuristics, algorithms and agents"
OPTIONS = (
    Option("kind KIND?", f"{', '.join(SUMMARIES)} (default: all names)", SUMMARIES),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Print one catalogue, or the names of all."""
    kinds = [arguments.kind] if arguments.kind else list(SUMMARIES)
    rows = {kind: ROWS[kind]() for kind in kinds}
    if arguments.json:
        print_json(rows[arguments.kind] if arguments.kind else rows)
        return DONE
    if arguments.kind:
        from plyscope.faces.texts import finding

        console().print(finding(_section(arguments.kind, rows[arguments.kind])))
        return DONE
    from textwrap import fill, indent

    out = console()
    for kind in kinds:
        out.print(f"{SUMMARIES[kind]}:", style="bold")
        names = ", ".join(row["name"] for row in rows[kind])
        out.print(indent(fill(names, out.width - 2, break_on_hyphens=False), "  "))
    return DONE


def _section(kind: str, rows: list[dict[str, Any]]) -> Any:
    from plyscope.faces.findings.section import Section

    def cell(value: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value)

    cells = tuple(tuple(map(cell, row.values())) for row in rows)
    left = tuple(key for key, value in rows[0].items() if type(value) is not int)
    return Section(1, "", (kind,), tuple(rows[0]), cells, names=0, left=left)


def _games() -> list[dict[str, Any]]:
    from plyscope.rules.games import GAMES

    names = ("name", "board", "cells", "lines", "gravity", "misere", "summary")
    return [
        by_name(
            game,
            *names,
            board="×".join(map(str, game.shape)),
            cells=game.size,
            lines=len(game.lines),
        )
        for game in GAMES.values()
    ]


def _heuristics() -> list[dict[str, Any]]:
    from plyscope.evaluation.heuristics import HEURISTICS

    return [
        by_name(entry, "name", "summary", **{"beyond 3 in a line": entry.general})
        for entry in HEURISTICS.values()
    ]


def _algorithms() -> list[dict[str, Any]]:
    from plyscope.searching.algorithms import ALGORITHMS

    names = ("name", "summary", "source")
    return [
        by_name(entry, *names, exact=entry.is_exact, options=sorted(entry.takes))
        for entry in ALGORITHMS.values()
    ]


def _agents() -> list[dict[str, Any]]:
    from plyscope.lab.agents.catalogue import AGENTS

    return [by_name(agent, "name", "summary") for agent in AGENTS.values()]


ROWS = {"games": _games, "heuristics": _heuristics, "algorithms": _algorithms, "agents": _agents}
