"""plyscope: a laboratory for heuristic game-tree search."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from plyscope import display
from plyscope.version import __version__ as __version__

_MODULES = {
    "errors": "AgentError HeuristicError IllegalMoveError NotationError OptionError PlyscopeError"
    " UnknownNameError",
    "evaluation.evaluate": "evaluate explain",
    "evaluation.function": "heuristic",
    "evaluation.heuristic": "Explanation HeuristicLike",
    "evaluation.heuristics": "HEURISTICS",
    "evaluation.linetable": "KindTable LineTable TermSum",
    "lab.agents.agent": "AgentLike",
    "lab.agents.catalogue": "AGENTS Agent parse_agent",
    "lab.judging.certify": "Certificate certify",
    "lab.judging.gamereview": "GameReview review",
    "lab.questions.exam.exam": "Exam exam",
    "lab.matches.match": "MatchOptions play_match",
    "lab.matches.ratings": "Sprt",
    "lab.matches.records": "Records open_records",
    "lab.judging.reportcard": "ReportCard report_card",
    "lab.judging.why": "why",
    "lab.matches.tally": "MatchResult",
    "lab.matches.tournament": "TournamentResult tournament",
    "tuning.result": "TuningResult",
    "tuning.tune": "tune",
    "rules.check": "GameCheck check_game",
    "rules.game": "FIRST SECOND Game GameLike GamePosition PositionLike",
    "rules.games": "GAMES parse_game",
    "rules.linegame": "LineGame",
    "rules.lines": "Line",
    "rules.perft": "Perft PlyCount perft",
    "rules.position": "Position",
    "rules.source": "parse",
    "rules.symmetry": "canonical symmetries",
    "rules.tree": "ExplicitTree parse_tree",
    "searching.algorithms": "ALGORITHMS",
    "searching.algorithm": "Algorithm SearchRequest",
    "searching.compare": "Comparison compare",
    "searching.conventions": "Conventions",
    "searching.limit": "Limit",
    "searching.request": "SearchOptions",
    "searching.result": "SearchResult",
    "searching.score": "Bound",
    "searching.search": "search",
    "searching.trace": "Trace trace",
    "solving.solve": "solve",
    "solving.verdict": "Verdict",
}
"""The public names by module; a module is loaded when one of its names is first used."""
_HOUSES = {
    "plyscope_optima": "Conflicts conflicts",
    "plyscope_web": "widget",
    "plyscope_worlds": "as_openspiel_bot as_pettingzoo_policy connectx_submission from_openspiel "
    "gymnasium_env",
}
"""The names that packages beside plyscope add, by their module; they are there if it is."""

_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}
_HOUSE_OF = {name: house for house, names in _HOUSES.items() for name in names.split()}
__all__ = sorted(_MODULE_OF)

display.painter = "plyscope.faces.notebook.findings"
display.printer = "plyscope.faces.texts"

if TYPE_CHECKING:  # the same names for type checkers and editors; a test compares them
    from plyscope.errors import AgentError as AgentError
    from plyscope.errors import HeuristicError as HeuristicError
    from plyscope.errors import IllegalMoveError as IllegalMoveError
    from plyscope.errors import NotationError as NotationError
    from plyscope.errors import OptionError as OptionError
    from plyscope.errors import PlyscopeError as PlyscopeError
    from plyscope.errors import UnknownNameError as UnknownNameError
    from plyscope.evaluation.evaluate import evaluate as evaluate
    from plyscope.evaluation.evaluate import explain as explain
    from plyscope.evaluation.function import heuristic as heuristic
    from plyscope.evaluation.heuristic import Explanation as Explanation
    from plyscope.evaluation.heuristic import HeuristicLike as HeuristicLike
    from plyscope.evaluation.heuristics import HEURISTICS as HEURISTICS
    from plyscope.evaluation.linetable import KindTable as KindTable
    from plyscope.evaluation.linetable import LineTable as LineTable
    from plyscope.evaluation.linetable import TermSum as TermSum
    from plyscope.lab.agents.agent import AgentLike as AgentLike
    from plyscope.lab.agents.catalogue import AGENTS as AGENTS
    from plyscope.lab.agents.catalogue import Agent as Agent
    from plyscope.lab.agents.catalogue import parse_agent as parse_agent
    from plyscope.lab.judging.certify import Certificate as Certificate
    from plyscope.lab.judging.certify import certify as certify
    from plyscope.lab.judging.gamereview import GameReview as GameReview
    from plyscope.lab.judging.gamereview import review as review
    from plyscope.lab.judging.reportcard import ReportCard as ReportCard
    from plyscope.lab.judging.reportcard import report_card as report_card
    from plyscope.lab.judging.why import why as why
    from plyscope.lab.matches.match import MatchOptions as MatchOptions
    from plyscope.lab.matches.match import play_match as play_match
    from plyscope.lab.matches.ratings import Sprt as Sprt
    from plyscope.lab.matches.records import Records as Records
    from plyscope.lab.matches.records import open_records as open_records
    from plyscope.lab.matches.tally import MatchResult as MatchResult
    from plyscope.lab.matches.tournament import TournamentResult as TournamentResult
    from plyscope.lab.matches.tournament import tournament as tournament
    from plyscope.lab.questions.exam.exam import Exam as Exam
    from plyscope.lab.questions.exam.exam import exam as exam
    from plyscope.rules.check import GameCheck as GameCheck
    from plyscope.rules.check import check_game as check_game
    from plyscope.rules.game import FIRST as FIRST
    from plyscope.rules.game import SECOND as SECOND
    from plyscope.rules.game import Game as Game
    from plyscope.rules.game import GameLike as GameLike
    from plyscope.rules.game import GamePosition as GamePosition
    from plyscope.rules.game import PositionLike as PositionLike
    from plyscope.rules.games import GAMES as GAMES
    from plyscope.rules.games import parse_game as parse_game
    from plyscope.rules.linegame import LineGame as LineGame
    from plyscope.rules.lines import Line as Line
    from plyscope.rules.perft import Perft as Perft
    from plyscope.rules.perft import PlyCount as PlyCount
    from plyscope.rules.perft import perft as perft
    from plyscope.rules.position import Position as Position
    from plyscope.rules.source import parse as parse
    from plyscope.rules.symmetry import canonical as canonical
    from plyscope.rules.symmetry import symmetries as symmetries
    from plyscope.rules.tree import ExplicitTree as ExplicitTree
    from plyscope.rules.tree import parse_tree as parse_tree
    from plyscope.searching.algorithm import Algorithm as Algorithm
    from plyscope.searching.algorithm import SearchRequest as SearchRequest
    from plyscope.searching.algorithms import ALGORITHMS as ALGORITHMS
    from plyscope.searching.compare import Comparison as Comparison
    from plyscope.searching.compare import compare as compare
    from plyscope.searching.conventions import Conventions as Conventions
    from plyscope.searching.limit import Limit as Limit
    from plyscope.searching.request import SearchOptions as SearchOptions
    from plyscope.searching.result import SearchResult as SearchResult
    from plyscope.searching.score import Bound as Bound
    from plyscope.searching.search import search as search
    from plyscope.searching.trace import Trace as Trace
    from plyscope.searching.trace import trace as trace
    from plyscope.solving.solve import solve as solve
    from plyscope.solving.verdict import Verdict as Verdict
    from plyscope.tuning.result import TuningResult as TuningResult
    from plyscope.tuning.tune import tune as tune
    from plyscope_optima import Conflicts as Conflicts
    from plyscope_optima import conflicts as conflicts
    from plyscope_web import widget as widget
    from plyscope_worlds import as_openspiel_bot as as_openspiel_bot
    from plyscope_worlds import as_pettingzoo_policy as as_pettingzoo_policy
    from plyscope_worlds import connectx_submission as connectx_submission
    from plyscope_worlds import from_openspiel as from_openspiel
    from plyscope_worlds import gymnasium_env as gymnasium_env
else:

    def __getattr__(name: str) -> Any:
        """Import the module of a public name on first use, so that `import plyscope` is fast."""
        module = _MODULE_OF.get(name)
        if module is None and name not in _HOUSE_OF:
            raise _no_attribute(name)
        try:
            value = getattr(import_module(_HOUSE_OF.get(name) or f"plyscope.{module}"), name)
        except ImportError as error:
            from plyscope.extras import explained

            if name in _HOUSE_OF:  # so that `hasattr` and `inspect` find no such attribute
                raise AttributeError(str(explained(error, name)), name=name) from None
            raise explained(error, name) from None
        globals()[name] = value
        return value


_COMMANDS = {
    **{"analyze": "search", "check": "check_game", "eval": "explain", "match": "play_match"},
    **{"list": "GAMES", "records": "open_records", "tree": "trace"},
    **{"legal_moves": "parse(text).moves", "load": "parse", "Board": "Position"},
    **dict.fromkeys(("minimax", "alphabeta", "negamax", "uct"), "search, with algorithm="),
}
"""Names of commands and of other libraries, and the public names that do the same."""


def _no_attribute(name: str) -> AttributeError:
    """Return the error for an unknown name: it names the nearest public names."""
    from difflib import get_close_matches

    public = [] if name.startswith("_") else [*__all__, *_HOUSE_OF]
    near = get_close_matches(name, public, n=2, cutoff=0.6)
    meant = _COMMANDS.get(name, ", ".join(near))
    hint = f"; expected perhaps {meant}" if meant else ""
    return AttributeError(f"module 'plyscope' has no attribute {name!r}{hint}", name=name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__", *_HOUSE_OF])
