"""`plyscope games`, `heuristics`, `algorithms`, `agents`: what there is, by the names people
type."""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.options import add_json, console, print_json
from plyscope.faces.cli.statuses import DONE

__all__ = ["add", "run"]

SUMMARIES = {
    "games": "the games, beside any m,n,k",
    "heuristics": "the heuristics, beside tables and functions of your own",
    "algorithms": "the search algorithms, their sources and conventions",
    "agents": "the agents, beside any algorithm with options",
}


def add(commands: Any) -> None:
    """Describe the four commands."""
    for name, summary in SUMMARIES.items():
        parser = commands.add_parser(name, help=f"list {summary}", description=f"List {summary}.")
        add_json(parser)
        parser.set_defaults(run=run, catalogue=name)


def run(arguments: argparse.Namespace) -> int:
    """Print the catalogue."""
    rows = ROWS[arguments.catalogue]()
    if arguments.json:
        print_json(rows)
        return DONE
    from plyscope.faces.tables.catalogues import catalogue_table

    console().print(catalogue_table(arguments.catalogue, rows))
    return DONE


def _games() -> list[dict[str, Any]]:
    from plyscope.rules.games import GAMES

    return [
        {
            "name": game.name,
            "board": "×".join(map(str, game.shape)),
            "cells": game.size,
            "lines": len(game.lines),
            "gravity": game.gravity,
            "misere": game.misere,
            "summary": game.summary,
        }
        for game in GAMES.values()
    ]


def _heuristics() -> list[dict[str, Any]]:
    from plyscope.evaluation.heuristics import HEURISTICS

    return [
        {"name": entry.name, "summary": entry.summary, "beyond 3 in a line": entry.general}
        for entry in HEURISTICS.values()
    ]


def _algorithms() -> list[dict[str, Any]]:
    from plyscope.searching.algorithms import ALGORITHMS

    return [
        {
            "name": entry.name,
            "summary": entry.summary,
            "source": entry.source,
            "exact": entry.is_exact,
            "options": sorted(entry.takes),
        }
        for entry in ALGORITHMS.values()
    ]


def _agents() -> list[dict[str, Any]]:
    from plyscope.lab.agents import AGENTS

    return [{"name": agent.name, "summary": agent.summary} for agent in AGENTS.values()]


ROWS = {"games": _games, "heuristics": _heuristics, "algorithms": _algorithms, "agents": _agents}
