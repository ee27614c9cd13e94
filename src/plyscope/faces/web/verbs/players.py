"""Which agents of the catalogue are offered for a game, and what they search with."""

from __future__ import annotations

from typing import Any

from plyscope.lab.agents import AGENTS
from plyscope.lab.players import LevelAgent, PerfectAgent, RandomAgent
from plyscope.lab.searches import SearchAgent
from plyscope.rules.linegame import LineGame
from plyscope.searching.algorithms import ALGORITHMS

MOST_CELLS = {"full-alphabeta": 12, "accumulating": 12, "two-ply": 100}
"""Cells of the largest board on which an agent that sets itself no limit answers in seconds."""


def agents_for(game: Any) -> list[str]:
    """Return the names of the agents that play the game, and answer soon."""
    if isinstance(game, LineGame):
        return [name for name in AGENTS if game.size <= MOST_CELLS.get(name, game.size)]
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
