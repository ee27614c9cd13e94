"""Agents: what plays, as people type it.

An agent is a frozen value made of an algorithm, a heuristic, a limit and conventions, and a tie
rule, written as text:

    alphabeta heuristic=counted-lines depth=4 ties=random

So are a Python function, `bots.py:my_bot seconds=2`, and an external program, `program
command='./brain --fast' seconds=5`. Whatever comes from a stranger's file plays in a process of its
own, within `memory=` megabytes.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from plyscope.catalogue import Catalogue, nearest_name
from plyscope.errors import OptionError
from plyscope.lab.agent import Agent
from plyscope.lab.functions import FileAgent, FunctionAgent
from plyscope.lab.players import LevelAgent, PerfectAgent, RandomAgent, TwoPlyAgent
from plyscope.lab.programs import ProgramAgent
from plyscope.lab.searches import LIMITS, SearchAgent
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.conventions import CHOICES, make_conventions
from plyscope.searching.forms import FORMS
from plyscope.searching.limit import Limit
from plyscope.searching.options import make_engine_options
from plyscope.searching.score import MAX_PLY

__all__ = ["AGENTS", "level", "parse_agent"]

LEVELS = ((1, 70), (1, 40), (1, 20), (2, 15), (2, 5), (3, 0), (4, 0), (6, 0), (8, 0), (10_000, 0))
"""For levels 1 to 10 the depth of the search and the slips in a hundred moves."""
ENGINE_FROM = 7
"""The first level that is played by the engine, on boards of more cells than 3×3 has."""
LEVEL_SECONDS = 3.0
MOST_SECONDS = 86_400
LEAST_MEGABYTES, MOST_MEGABYTES = 200, 1_000_000


def level(number: int) -> LevelAgent:
    """Return the agent of level 1 (weak) to 10 (the engine, as deep as it comes in three seconds a
    move)."""
    if not 1 <= number <= len(LEVELS):
        raise OptionError(f"level {number}; expected 1 to {len(LEVELS)}")
    depth, slips = LEVELS[number - 1]
    name = f"level-{number}"
    options = (("heuristic", "counted-lines"), ("depth", depth), ("seconds", LEVEL_SECONDS))
    plain = SearchAgent(
        name, algorithm="iterative-deepening", options=(*options, ("scoring", "distance"))
    )
    engine = (
        SearchAgent(name, algorithm="engine", options=options) if number >= ENGINE_FROM else plain
    )
    reach = (
        f"searches {depth} pl{'y' if depth == 1 else 'ies'}"
        if depth < MAX_PLY
        else f"searches {LEVEL_SECONDS:.0f} seconds"
    )
    summary = f"{reach}, {slips} slips in 100 moves" + (
        " (the engine)" if number >= ENGINE_FROM else ""
    )
    return LevelAgent(name, summary, plain, engine, slips)


def _search_agent(
    name: str,
    summary: str,
    algorithm: str = "alphabeta",
    ties: str = "first",
    random_opening: bool = False,
    **options: Any,
) -> SearchAgent:
    return SearchAgent(name, summary, algorithm, tuple(options.items()), ties, random_opening)


AGENTS: Catalogue[Any] = Catalogue(
    "agent",
    (
        RandomAgent(),
        _search_agent(
            "greedy",
            "the best position after its own move, counted lines",
            heuristic="counted-lines",
            depth=1,
            ties="random",
        ),
        TwoPlyAgent(),
        _search_agent(
            "one-ply",
            "the best position after its own move, weighted lines (B)",
            heuristic="weighted-lines",
            depth=1,
            ties="random",
        ),
        _search_agent(
            "accumulating", "blocks first, else the accumulating search (D)", "accumulating"
        ),
        _search_agent("engine", "the playing engine, one second a move", "engine", seconds=1.0),
        _search_agent(
            "full-alphabeta",
            "alpha-beta to the end, first best move, random opening (E)",
            heuristic="result",
            bound="hard",
            random_opening=True,
        ),
        PerfectAgent(),
        _search_agent("uct", "2000 playouts a move", "uct", scoring="result", nodes=2001),
        *(level(number) for number in range(1, len(LEVELS) + 1)),
    ),
)


def parse_agent(agent: str | Agent | Callable[..., Any]) -> Agent:
    """Return the agent of a text: a name of the catalogue, or an algorithm and then `option=value`
    words that `search` takes, and `ties=`; or `file.py:name` or `program command=...`, each with
    `seconds=` a move.

    A Python function, `f(position)` that returns a move, becomes an agent; an agent is one. Raises
    UnknownNameError, OptionError or NotationError.
    """
    if not isinstance(agent, str):
        if callable(agent):
            return FunctionAgent(getattr(agent, "__name__", "function"), agent)
        return agent
    text = agent
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise OptionError(
            f"agent {text[:80]!r}: {str(error).lower()}; expected quotes in pairs"
        ) from None
    if not words:
        raise OptionError(
            f"agent {text!r}; expected a name such as 'two-ply', or 'alphabeta heuristic=counted-lines depth=4'"
        )
    head, *rest = words
    if head == "perfect" and rest:
        return PerfectAgent(text, **_seconds(_only(_pairs(rest, text), ["seconds"]), text))
    if head == "program" or ".py:" in head:
        return _foreign(head, _pairs(rest, text), text)
    base = AGENTS[head] if head in AGENTS else _of_algorithm(head)
    if not rest:
        return base
    if not isinstance(base, SearchAgent):
        raise OptionError(
            f"agent {head!r} takes no options and {rest[0][:40]!r} is one; expected an algorithm before options"
        )
    given = _pairs(rest, text)
    memory = _memory(given, text)
    given.pop("memory", None)
    ties = given.pop("ties", base.ties)
    options = {
        **dict(base.options),
        **{key: _option(key, value, text) for key, value in given.items()},
    }
    if ties not in ("first", "random"):
        raise OptionError(
            f"ties {ties[:40]!r} in the agent {text[:80]!r}; expected first or random"
        )
    conventions = {key: value for key, value in options.items() if key in CHOICES or key == "seed"}
    chosen = ALGORITHMS[base.algorithm]
    make_conventions(base.algorithm, chosen.takes, conventions, chosen.scoring)
    make_engine_options(
        base.algorithm,
        chosen.is_engine,
        {key: options.get(key) for key in ("threads", "megabytes")},
    )
    Limit(**{key: value for key, value in options.items() if key in LIMITS})
    agent = replace(
        base,
        name=" ".join(words),
        summary=f"{head} with options",
        options=tuple(options.items()),
        ties=ties,
        **memory,
    )
    agent.start()
    return agent


def _pairs(words: list[str], text: str) -> dict[str, str]:
    for word in words:
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            raise OptionError(f"{word[:40]!r} in the agent {text[:80]!r}; expected option=value")
    return dict(word.split("=", 1) for word in words)


def _only(given: dict[str, str], known: list[str]) -> dict[str, str]:
    """Return the options, all of which must be known."""
    for key in given:
        if key not in known:
            raise nearest_name("option", key, known)
    return given


def _seconds(given: dict[str, str], text: str) -> dict[str, Any]:
    """Return the seconds a move, if they are given."""
    limit = (
        {"seconds": float(_option("seconds", given["seconds"], text))} if "seconds" in given else {}
    )
    if any(not 0 < value <= MOST_SECONDS for value in limit.values()):
        raise OptionError(
            f"seconds {given['seconds'][:40]!r} in the agent {text[:80]!r}; expected more than 0, at most {MOST_SECONDS:,}"
        )
    return limit


def _memory(given: dict[str, str], text: str) -> dict[str, Any]:
    """Return the megabytes of a stranger's process, if they are given."""
    if "memory" not in given:
        return {}
    megabytes = _option("memory", given["memory"], text)
    if not LEAST_MEGABYTES <= megabytes <= MOST_MEGABYTES:
        raise OptionError(
            f"memory {given['memory'][:40]!r} in the agent {text[:80]!r}; expected {LEAST_MEGABYTES} to {MOST_MEGABYTES:,} megabytes"
        )
    return {"memory": megabytes}


def _foreign(head: str, given: dict[str, str], text: str) -> Agent:
    """Return the agent that is a Python function in a file, or an external program."""
    _only(given, ["command", "seconds", "memory"] if head == "program" else ["seconds", "memory"])
    limits = {**_seconds(given, text), **_memory(given, text)}
    if head == "program":
        if "command" not in given:
            raise OptionError(
                f"agent {text[:80]!r} names no program; expected program command='./brain --option'"
            )
        return ProgramAgent(text, given["command"], **limits)
    agent = FileAgent(text, head, **limits)
    agent.start()
    return agent


def _of_algorithm(name: str) -> SearchAgent:
    if name not in ALGORITHMS:
        raise nearest_name("agent", name, list(dict.fromkeys([*AGENTS, *ALGORITHMS])))
    return SearchAgent(name, ALGORITHMS[name].summary, name)


OPTIONS = (
    "heuristic",
    "depth",
    "nodes",
    "seconds",
    "seed",
    "ties",
    "form",
    "memory",
    "threads",
    "megabytes",
)


def _option(key: str, value: str, text: str) -> Any:
    if key in CHOICES:
        if value not in CHOICES[key]:
            raise OptionError(
                f"{key} {value[:40]!r} in the agent {text[:80]!r}; expected {', '.join(CHOICES[key])}"
            )
        return value
    if key == "heuristic":
        return value
    if key == "form":
        if value not in FORMS:
            raise OptionError(
                f"form {value[:40]!r} in the agent {text[:80]!r}; expected {', '.join(FORMS)}"
            )
        return value
    try:
        if key in ("depth", "nodes", "seed", "threads", "megabytes", "memory"):
            return int(value)
        if key == "seconds":
            return float(value)
    except ValueError:
        raise OptionError(
            f"{key} {value[:40]!r} in the agent {text[:80]!r}; expected a number"
        ) from None
    raise nearest_name("option", key, [*OPTIONS, *CHOICES])
