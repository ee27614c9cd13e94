"""Which agents are offered for a game, what they search with, and line tables as agents."""

from __future__ import annotations

from typing import Any

from plyscope.errors import OptionError
from plyscope.faces.web.endpoints.inputs import heuristic_of
from plyscope.faces.web.requests import TableAgent
from plyscope.lab.agents.catalogue import AGENTS
from plyscope.lab.agents.players import LevelAgent, PerfectAgent, RandomAgent
from plyscope.lab.agents.searches import SearchAgent
from plyscope.rules.linegame import LineGame
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.score import plies_text

MAX_CELLS = {"full-alphabeta": 12, "accumulating": 12, "two-ply": 100}
"""Cells of the largest board on which an agent that sets itself no limit answers in seconds."""
MAX_PLIES = {49: 6, 100: 4}
"""Plies that a line table looks ahead in seconds, on boards of so many cells at most."""
MIN_PLIES = 2
"""The same on larger boards."""


def agent_of(given: str | TableAgent, game: Any) -> Any:
    """Return the agent of the catalogue, or the search with the line table: any of the best moves
    of its depth. Raises OptionError for one that does not play the game, or not soon."""
    if isinstance(given, str):
        agent = AGENTS[given]
        if given not in agents_for(game):
            why = "answers soon" if isinstance(game, LineGame) else "needs no lines"
            raise OptionError(f"agent {given!r} on {game.name!r}; expected one that {why}")
        return agent
    if not isinstance(game, LineGame):
        raise OptionError(f"a line table on {game.name!r}; expected a line game")
    most = next((plies for cells, plies in MAX_PLIES.items() if game.size <= cells), MIN_PLIES)
    name = f"{given.table.name}, {plies_text(given.depth)}"
    if given.depth > most:
        raise OptionError(f"{name} on {game.name!r}; expected at most {plies_text(most)}")
    options = ("heuristic", heuristic_of(given.table, game)), ("depth", given.depth)
    return SearchAgent(name, "a search with a line table", options=options, ties="random")


def agents_for(game: Any) -> list[str]:
    """Return the names of the agents that play the game, and answer soon."""
    if isinstance(game, LineGame):
        return [name for name in AGENTS if game.size <= MAX_CELLS.get(name, game.size)]
    return [name for name, agent in AGENTS.items() if _needs_no_lines(agent)]


def _needs_no_lines(agent: Any) -> bool:
    """Return whether an agent plays games of one's own too: without a heuristic of lines."""
    if isinstance(agent, SearchAgent):
        return ALGORITHMS[agent.algorithm].counts_playouts
    return isinstance(agent, LevelAgent | PerfectAgent | RandomAgent)


def search_of(agent: Any, position: Any) -> str | None:
    """Return the algorithm with which an agent searches on a board, None for none."""
    if isinstance(agent, LevelAgent):
        return agent.searcher(position).algorithm
    if isinstance(agent, PerfectAgent):
        return "engine"
    return agent.algorithm if isinstance(agent, SearchAgent) else None
