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
from plyscope.lab.searches import SearchAgent
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.request import check_options, read_option, written_options
from plyscope.searching.score import MAX_PLY, plies_text

LEVELS = ((1, 70), (1, 40), (1, 20), (2, 15), (2, 5), (3, 0), (4, 0), (6, 0), (8, 0), (10_000, 0))
"""For levels 1 to 10 the depth of the search and the slips in a hundred moves."""
ENGINE_FROM = 7
"""The first level that is played by the engine, on boards of more cells than 3×3 has."""
LEVEL_SECONDS = 3.0
MOST_SECONDS = 86_400
NOT_OF_A_MOVE = ("clock", "multipv")
"""Options of a search that mean nothing to an agent."""
LEAST_MEGABYTES, MOST_MEGABYTES = 200, 1_000_000


def level(number: int) -> LevelAgent:
    """Return the agent of level 1 (weak) to 10 (the engine, three seconds a move)."""
    if not 1 <= number <= len(LEVELS):
        raise OptionError(f"level {number}; expected 1 to {len(LEVELS)}")
    depth, slips = LEVELS[number - 1]
    name, is_engine = f"level-{number}", number >= ENGINE_FROM
    options = (("heuristic", "counted-lines"), ("depth", depth), ("seconds", LEVEL_SECONDS))
    textbook = (*options, ("scoring", "distance"))
    plain = SearchAgent(name, algorithm="iterative-deepening", options=textbook)
    engine = SearchAgent(name, algorithm="engine", options=options) if is_engine else plain
    reach = plies_text(depth) if depth < MAX_PLY else f"{LEVEL_SECONDS:.0f} seconds"
    summary = f"searches {reach}, {slips} slips in 100 moves{' (the engine)' if is_engine else ''}"
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
    """Return the agent of a text, of a Python function, or the agent itself.

    A text is a name of the catalogue, or an algorithm and then `option=value` words that `search`
    takes, and `ties=`; or `file.py:name` or `program command=...`, each with `seconds=` a move. A
    function is `f(position)` and returns a move. Raises UnknownNameError, OptionError or
    NotationError.

    >>> parse_agent("alphabeta depth=4 ties=random").ties
    'random'
    """
    if not isinstance(agent, str):
        if callable(agent):
            return FunctionAgent(getattr(agent, "__name__", "function"), agent)
        return agent
    head, *rest = _words(agent)
    if head == "perfect" and rest:
        given = _only(_pairs(rest, agent), ["seconds"])
        return PerfectAgent(agent, **_seconds(given, agent))
    if head == "program" or ".py:" in head:
        return _foreign(head, _pairs(rest, agent), agent)
    base = AGENTS[head] if head in AGENTS else _of_algorithm(head)
    if not rest:
        return base
    if not isinstance(base, SearchAgent):
        raise OptionError(
            f"agent {head!r} takes no options and {rest[0][:40]!r} is one; "
            "expected an algorithm before options"
        )
    return _with_options(base, head, rest, agent)


def _words(text: str) -> list[str]:
    """Return the words of an agent's text, of which there is at least one."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise OptionError(
            f"agent {text[:80]!r}: {str(error).lower()}; expected quotes in pairs"
        ) from None
    if not words:
        raise OptionError(
            f"agent {text!r}; expected a name such as 'two-ply', "
            "or 'alphabeta heuristic=counted-lines depth=4'"
        )
    return words


def _with_options(base: SearchAgent, head: str, words: list[str], text: str) -> SearchAgent:
    """Return the agent `base`, called `head`, with the options that the words give."""
    given = _pairs(words, text)
    memory = _memory(given, text)
    given.pop("memory", None)
    ties = given.pop("ties", base.ties)
    if ties not in ("first", "random"):
        raise OptionError(f"ties {ties[:40]!r}{_in(text)}; expected first or random")
    options = dict(base.options)
    options |= {key: _option(key, value, text) for key, value in given.items()}
    check_options(
        ALGORITHMS[base.algorithm],
        {key: value for key, value in options.items() if key != "heuristic"},
    )
    agent = replace(
        base,
        name=" ".join([head, *words]),
        summary=f"{head} with options",
        options=tuple(options.items()),
        ties=ties,
        **memory,
    )
    agent.start()
    return agent


def _in(text: str) -> str:
    """Return the words that place an error in the agent's text."""
    return f" in the agent {text[:80]!r}"


def _pairs(words: list[str], text: str) -> dict[str, str]:
    for word in words:
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            raise OptionError(f"{word[:40]!r}{_in(text)}; expected option=value")
    return dict(word.split("=", 1) for word in words)


def _only(given: dict[str, str], known: list[str]) -> dict[str, str]:
    """Return the options, all of which must be known."""
    for key in given:
        if key not in known:
            raise nearest_name("option", key, known)
    return given


def _seconds(given: dict[str, str], text: str) -> dict[str, Any]:
    """Return the seconds a move, if they are given."""
    if "seconds" not in given:
        return {}
    seconds = read_option("seconds", given["seconds"], _in(text))
    if not 0 < seconds <= MOST_SECONDS:
        raise OptionError(
            f"seconds {given['seconds'][:40]!r}{_in(text)}; "
            f"expected more than 0, at most {MOST_SECONDS:,}"
        )
    return {"seconds": seconds}


def _memory(given: dict[str, str], text: str) -> dict[str, Any]:
    """Return the megabytes of a stranger's process, if they are given."""
    if "memory" not in given:
        return {}
    try:
        megabytes = int(given["memory"])
    except ValueError:
        raise OptionError(
            f"memory {given['memory'][:40]!r}{_in(text)}; expected a number"
        ) from None
    if not LEAST_MEGABYTES <= megabytes <= MOST_MEGABYTES:
        raise OptionError(
            f"memory {given['memory'][:40]!r}{_in(text)}; "
            f"expected {LEAST_MEGABYTES} to {MOST_MEGABYTES:,} megabytes"
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


def _option(key: str, value: str, text: str) -> Any:
    """Return the value of an option of `search`."""
    if key == "heuristic":
        return value
    known = [name for name in written_options() if name not in NOT_OF_A_MOVE]
    if key not in known:
        raise nearest_name("option", key, ["heuristic", *known, "ties", "memory"])
    return read_option(key, value, _in(text))
