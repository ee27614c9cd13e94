"""plyscope: a laboratory for heuristic game-tree search."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from plyscope import display
from plyscope.version import __version__ as __version__

if TYPE_CHECKING:
    from plyscope.evaluation.evaluate import evaluate, explain
    from plyscope.evaluation.heuristics import HEURISTICS
    from plyscope.evaluation.linetable import LineTable
    from plyscope.faces.web.widget import widget
    from plyscope.lab.agent import Agent
    from plyscope.lab.agents import AGENTS, parse_agent
    from plyscope.lab.certify import certify
    from plyscope.lab.match import play_match
    from plyscope.lab.reportcard import report_card
    from plyscope.rules.games import GAMES, parse_game
    from plyscope.rules.linegame import Line, LineGame, Position
    from plyscope.rules.notation import parse
    from plyscope.rules.perft import perft
    from plyscope.rules.symmetry import canonical, symmetries
    from plyscope.rules.tree import ExplicitTree, parse_tree
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope.searching.driver import search, trace
    from plyscope.searching.result import SearchResult
    from plyscope.solving.solve import solve
    from plyscope.solving.verdict import Verdict

display.painter = "plyscope.faces.notebook"

_HOMES = {
    "AGENTS": "lab.agents",
    "ALGORITHMS": "searching.algorithms",
    "Agent": "lab.agent",
    "ExplicitTree": "rules.tree",
    "GAMES": "rules.games",
    "HEURISTICS": "evaluation.heuristics",
    "Line": "rules.linegame",
    "LineGame": "rules.linegame",
    "LineTable": "evaluation.linetable",
    "Position": "rules.linegame",
    "SearchResult": "searching.result",
    "Verdict": "solving.verdict",
    "canonical": "rules.symmetry",
    "certify": "lab.certify",
    "evaluate": "evaluation.evaluate",
    "explain": "evaluation.evaluate",
    "parse": "rules.notation",
    "parse_agent": "lab.agents",
    "parse_game": "rules.games",
    "parse_tree": "rules.tree",
    "perft": "rules.perft",
    "play_match": "lab.match",
    "report_card": "lab.reportcard",
    "search": "searching.driver",
    "solve": "solving.solve",
    "symmetries": "rules.symmetry",
    "trace": "searching.driver",
    "widget": "faces.web.widget",
}

__all__ = [
    "AGENTS",
    "ALGORITHMS",
    "GAMES",
    "HEURISTICS",
    "Agent",
    "ExplicitTree",
    "Line",
    "LineGame",
    "LineTable",
    "Position",
    "SearchResult",
    "Verdict",
    "canonical",
    "certify",
    "evaluate",
    "explain",
    "parse",
    "parse_agent",
    "parse_game",
    "parse_tree",
    "perft",
    "play_match",
    "report_card",
    "search",
    "solve",
    "symmetries",
    "trace",
    "widget",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its room when it is first asked for, so that importing plyscope costs
    nothing."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'plyscope' has no attribute {name!r}")
    value = getattr(import_module(f"plyscope.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
