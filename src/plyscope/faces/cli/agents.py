"""Agents on the command line: as in `parse_agent`, and heuristics, which play by alpha-beta."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from plyscope.errors import OptionError, PlyscopeError, UnknownNameError
from plyscope.faces.cli.options import say, whole
from plyscope.faces.cli.rows import Option

if TYPE_CHECKING:
    from plyscope.lab.agents.agent import Agent

TABLES = (".toml", ".json")
AGENT = (
    "an agent, such as two-ply or 'alphabeta depth=4' ('NAME=alphabeta depth=4' names it), "
    "or a heuristic, such as mine.toml; agent:bot.py:f or heuristic:bot.py:f if f could be either"
)


AGENT_DEPTH = Option(
    "-d --depth N",
    "the search depth of agents given as a heuristic (default: 2)",
    whole(1, 10_000),
)


SANDBOX = Option(
    "--sandbox",
    "run programs and the agents and heuristics of .py files in a sandbox: they can read their "
    "own folder, but not write files, start or signal processes, or use the network (Linux)",
)


def given_agents(
    texts: Sequence[str], depth: int | None = None, game: str | None = None, sandbox: bool = False
) -> list[Agent]:
    """Return the agents of the texts; print notes on those given as heuristics.

    Raises OptionError, and the errors of `parse_agent`.
    """
    from plyscope.lab.agents.catalogue import HEURISTIC_DEPTH

    searched: list[str] = []
    agents = [_agent(text, depth or HEURISTIC_DEPTH, searched, sandbox) for text in texts]
    if depth is not None and not searched:
        raise OptionError(
            f"depth {depth} of {', '.join(map(repr, texts))}; "
            "expected a heuristic among them, or 'alphabeta depth=...'"
        )
    if searched:
        another = " (--depth for another)" if depth is None and game is not None else ""
        *most, last = dict.fromkeys(searched)
        which = f"{', '.join(most)} and {last} are heuristics" if most else f"{last} is a heuristic"
        say([f"{which}: played by alpha-beta to depth {depth or HEURISTIC_DEPTH}{another}"])
    if game is not None:
        from plyscope.rules.games import parse_game

        say(agent_notes(agents, parse_game(game)))
    return agents


def _agent(text: str, depth: int, searched: list[str], sandbox: bool) -> Agent:
    """Return the agent of a text; add it to `searched` if it is a heuristic."""
    from pathlib import Path

    from plyscope.catalogue import nearest_name
    from plyscope.evaluation.heuristics import HEURISTICS
    from plyscope.lab.agents.catalogue import AGENTS, HEURISTIC_PREFIX, parse_agent
    from plyscope.lab.agents.readings import Unclear
    from plyscope.pythonfile import is_of_file
    from plyscope.searching.algorithms import ALGORITHMS

    if text.startswith(HEURISTIC_PREFIX) and " " not in text:
        return _searching(text.removeprefix(HEURISTIC_PREFIX), depth, searched, sandbox)
    if text.endswith(TABLES) or (text in HEURISTICS and text not in AGENTS):
        return _searching(text, depth, searched, sandbox)
    if Path(text).is_dir():
        raise OptionError(f"{text!r} is a folder; expected its agents, such as {text}/*.py")
    try:
        return parse_agent(text, sandbox)
    except UnknownNameError:
        if text.isprintable() and not set(text) & {" ", "=", ":"}:  # a name, and nothing else
            known = dict.fromkeys((*AGENTS, *ALGORITHMS, *HEURISTICS))
            raise nearest_name("agent", text, list(known)) from None
        raise
    except Unclear:
        raise
    except PlyscopeError:  # a function of a file may be a heuristic
        if is_of_file(text):
            with suppress(PlyscopeError):
                return _searching(text, depth, searched, sandbox)
        raise


def _searching(heuristic: str, depth: int, searched: list[str], sandbox: bool) -> Agent:
    """Return an agent that plays alpha-beta with a heuristic."""
    from plyscope.lab.agents.catalogue import heuristic_agent

    agent = heuristic_agent(heuristic, [f"depth={depth}"], sandbox)
    searched.append(heuristic)
    return agent


def agent_notes(agents: Iterable[Agent | None], rules: Any) -> list[str]:
    """Return the notes on the agents' heuristics; None stands for a person."""
    told = [getattr(agent, "notes", lambda game: ()) for agent in agents]
    return [note for notes in told for note in notes(rules)]
