"""The agents that the page offers for a game, including searches with any heuristic."""

from __future__ import annotations

from typing import Any

from plyscope.errors import OptionError
from plyscope.lab.agents.catalogue import AGENTS
from plyscope.lab.agents.players import LevelAgent, PerfectAgent, RandomAgent
from plyscope.lab.agents.searches import SearchAgent
from plyscope.rules.linegame import LineGame
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.engine import has_engine
from plyscope.searching.score import plies_text
from plyscope_web.endpoints.inputs import heuristic_of
from plyscope_web.requests import HeuristicAgent

MAX_CELLS = {"full-alphabeta": 12, "accumulating": 12, "two-ply": 100}
"""Cells of the largest board on which an agent without a limit of its own plays within seconds."""
MAX_PLIES = {49: 6, 100: 4}
"""The greatest depth of a search with a heuristic, in plies, by the greatest number of cells."""
MIN_PLIES = 2
"""The greatest depth on boards with more cells, and in user-defined games."""


def agent_of(given: str | HeuristicAgent, game: Any) -> Any:
    """Return an agent of the catalogue, or a search with a heuristic.

    The search chooses among equally good moves at random. Raise OptionError if the agent cannot
    play the game, or cannot play it within seconds.
    """
    if isinstance(given, str):
        agent = AGENTS[given]
        if given not in agents_for(game):
            why = "answers soon" if isinstance(game, LineGame) else "needs no lines"
            raise OptionError(f"agent {given!r} on {game.name!r}; expected one that {why}")
        return agent
    heuristic, most = heuristic_of(given.heuristic, game), MIN_PLIES
    if heuristic is None:
        raise OptionError(f"a heuristic for lines on {game.name!r}; expected a line game")
    if isinstance(game, LineGame):
        most = next((plies for cells, plies in MAX_PLIES.items() if game.size <= cells), most)
    name = f"{heuristic.name}, {plies_text(given.depth)}"
    if given.depth > most:
        raise OptionError(f"{name} on {game.name!r}; expected at most {plies_text(most)}")
    options = ("heuristic", heuristic), ("depth", given.depth)
    return SearchAgent(name, "a search with a heuristic", options=options, ties="random")


def agents_for(game: Any) -> list[str]:
    """Return the names of the agents that can play the game within seconds."""
    if isinstance(game, LineGame):
        return [name for name in AGENTS if game.size <= MAX_CELLS.get(name, game.size)]
    return [name for name, agent in AGENTS.items() if _needs_no_lines(agent)]


def _needs_no_lines(agent: Any) -> bool:
    """Return whether an agent can play user-defined games: it uses no heuristic on lines."""
    if isinstance(agent, SearchAgent):
        return ALGORITHMS[agent.algorithm].counts_playouts
    return isinstance(agent, LevelAgent | PerfectAgent | RandomAgent)


def search_of(agent: Any, position: Any) -> str | None:
    """Return the search algorithm of an agent in a position, None if it does not search."""
    if isinstance(agent, LevelAgent):
        return search_of(agent.searcher(position), position)
    if isinstance(agent, PerfectAgent):
        return "engine" if has_engine(position) else "iterative-deepening"
    return agent.algorithm if isinstance(agent, SearchAgent) else None
