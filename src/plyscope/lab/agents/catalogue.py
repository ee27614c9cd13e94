"""The catalogue of agents; `parse_agent` reads the text that describes an agent.

An agent combines an algorithm, a heuristic, a limit, conventions and a tie rule, written as text:

    alphabeta heuristic=counted-lines depth=4 ties=random
    mine=alphabeta heuristic=mine.py:f depth=3

The second has the name `mine` in tables. A Python function is written `bots.py:my_bot seconds=2`,
an external program `program command='./brain --fast' seconds=5`. Code from a user's file runs in a
separate process, within `memory=` megabytes.

If a function may be an agent or a heuristic, write `agent:bots.py:f`, or `heuristic:bots.py:f
depth=3` for alpha-beta with this heuristic.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import plyscope.houses as houses
from plyscope.catalogue import Catalogue, nearest_name
from plyscope.errors import OptionError
from plyscope.evaluation.boardform import KEYS, KEYWORDS, form_of
from plyscope.evaluation.function import Declared, check_signature
from plyscope.evaluation.heuristics import HEURISTICS
from plyscope.lab.agents.agent import Agent as Agent
from plyscope.lab.agents.agent import AgentLike, AgentType, spec_of
from plyscope.lab.agents.functions import FileAgent, FunctionAgent
from plyscope.lab.agents.players import (
    LevelAgent,
    PerfectAgent,
    RandomAgent,
    TwoPlyAgent,
)
from plyscope.lab.agents.programs import ProgramAgent
from plyscope.lab.agents.readings import (
    BOTS,
    IsHeuristic,
    Unclear,
    as_player,
    reading_of,
)
from plyscope.lab.agents.searches import SearchAgent
from plyscope.lab.people.sandbox import require_sandbox
from plyscope.pythonfile import is_of_file, path_of
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.request import check_options, read_option, written_options
from plyscope.searching.score import MAX_PLY, plies_text

LEVELS = ((1, 70), (1, 40), (1, 20), (2, 15), (2, 5), (3, 0), (4, 0), (6, 0), (8, 0), (10_000, 0))
"""Depth of the search and percentage of random moves, for levels 1 to 10."""
ENGINE_LEVEL = 7
"""The first level played by the engine, on boards with more than nine cells."""
PLAYOUTS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 1_000_000)
"""Playouts a move on user-defined games, for levels 1 to 10."""
LEVEL_SECONDS = 3.0
LEVEL_PLIES = 400
"""The limit of plies of a playout, since random play may not end."""
MAX_SECONDS = 86_400
SEARCH_ONLY_OPTIONS = ("clock", "multipv")
"""Options of `search` that an agent does not take."""
TIES = ("first", "random")
MIN_MEGABYTES, MAX_MEGABYTES = 200, 1_000_000


def level(number: int) -> LevelAgent:
    """Return the agent of level 1 (weak) to 10 (the engine, three seconds a move; with gravity the
    solver first)."""
    if not 1 <= number <= len(LEVELS):
        raise OptionError(f"level {number}; expected 1 to {len(LEVELS)}")
    depth, random_percent = LEVELS[number - 1]
    name, is_engine = f"level-{number}", number >= ENGINE_LEVEL
    options = (("heuristic", "counted-lines"), ("depth", depth), ("seconds", LEVEL_SECONDS))
    textbook = (*options, ("scoring", "distance"))
    plain = SearchAgent(name, algorithm="iterative-deepening", options=textbook)
    engine, patterns = plain, plain
    if is_engine:
        engine = SearchAgent(name, algorithm="engine", options=options)
        patterns = dataclasses.replace(engine, options=(("heuristic", "patterns"), *options[1:]))
    seconds = ("seconds", LEVEL_SECONDS)
    limits = (("nodes", PLAYOUTS[number - 1] + 1), ("depth", LEVEL_PLIES), seconds)
    playouts = SearchAgent(name, algorithm="uct", options=limits)
    reach = plies_text(depth) if depth < MAX_PLY else f"{LEVEL_SECONDS:.0f} seconds"
    blunders = f", {random_percent} % random moves" if random_percent else ""
    summary = f"searches {reach}{blunders}{' (the engine)' if is_engine else ''}"
    solver = None
    if depth >= MAX_PLY:
        solver = PerfectAgent(name, LEVEL_SECONDS)
        summary += "; with gravity it asks the solver first"
    most = f"{PLAYOUTS[number - 1]:,} playouts" if number < len(LEVELS) else reach
    own_summary = f"UCT, {most} a move{blunders}"
    return LevelAgent(
        name, summary, plain, engine, patterns, playouts, random_percent, own_summary, solver
    )


AGENTS: Catalogue[Agent] = Catalogue(
    "agent",
    (
        RandomAgent(),
        SearchAgent(
            "greedy",
            "the best position after its own move, counted lines",
            options=(("heuristic", "counted-lines"), ("depth", 1)),
            ties="random",
        ),
        TwoPlyAgent(),
        SearchAgent(
            "one-ply",
            "the best position after its own move, weighted lines (B)",
            options=(("heuristic", "weighted-lines"), ("depth", 1)),
            ties="random",
        ),
        SearchAgent(
            "accumulating", "blocks first, else the accumulating search (D)", "accumulating"
        ),
        SearchAgent(
            "engine",
            "the playing engine with patterns, one second a move",
            "engine",
            (("heuristic", "patterns"), ("seconds", 1.0)),
        ),
        SearchAgent(
            "full-alphabeta",
            "alpha-beta to the end, first best move, random opening (E)",
            options=(("heuristic", "result"), ("bound", "hard")),
            random_opening=True,
        ),
        PerfectAgent(),
        SearchAgent("uct", "2000 playouts a move", "uct", (("scoring", "result"), ("nodes", 2001))),
        *(level(number) for number in range(1, len(LEVELS) + 1)),
    ),
)


def parse_agent(agent: AgentLike, sandbox: bool = False) -> Agent:
    """Return the agent that a text or a Python function describes; an agent is returned unchanged.

    A text is a name of the catalogue; an algorithm, followed by options of `search` as
    `option=value` and by `ties=`; or `file.py:name` or `program command=...`, both with `seconds=`
    for each move. A name for tables may precede it: `mine=alphabeta depth=3`. A function is
    `f(position)`, `f(board)` or `f(board, player)` and returns a move. A house may add other
    arguments, and prefixes such as `connectx:submission.py`, the last function of the file. Write
    `agent:file.py:name` or `heuristic:file.py:name` if a function's arguments and annotation leave
    open which of the two it is. With `sandbox`, files and programs run in a sandbox; Python
    functions run in this process, without one. Raises UnknownNameError, OptionError or
    NotationError.

    >>> parse_agent("mine=alphabeta depth=4 ties=random").name
    'mine'
    """
    if not isinstance(agent, str):
        return _in_sandbox(_given(agent)) if sandbox else _given(agent)
    if (match := NAME_PATTERN.match(agent)) is not None:
        _check_name(match[1], agent)
        return _named(_of_text(agent[match.end() :], sandbox), match[1], agent.strip())
    return _of_text(agent, sandbox)


def _in_sandbox(agent: Agent) -> Agent:
    """Return the agent; if it runs in its own process, with a sandbox for that process."""
    is_search = isinstance(agent, SearchAgent) and agent.heuristic_file is not None
    if isinstance(agent, FileAgent | ProgramAgent) or is_search:
        require_sandbox()
        made: Agent = dataclasses.replace(cast(Any, agent), sandbox=True)
        return made
    return agent


NAME_PATTERN = re.compile(r"\s*([\w.+-]+)=(?=\S)")
"""The pattern of a name before the text of an agent."""
MAX_NAME_CHARS = 60


def make_agent(
    agent: str | Agent | Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    algorithm: str | None = None,
    ties: str | None = None,
    memory: int | None = None,
    **options: Any,
) -> Agent:
    """Return the agent that the arguments of `Agent(...)` describe; without `agent`, a search by
    `algorithm`.

    The default algorithm is alpha-beta. Raises OptionError and the errors of `parse_agent`.
    """
    if agent is None:
        base: Agent = _of_algorithm(algorithm or "alphabeta")
    elif callable(agent) and not isinstance(agent, Agent) and set(options) & set(KEYWORDS):
        given = {key: options.pop(word) for word, key in KEYWORDS.items() if word in options}
        form = form_of(given)
        called = str(getattr(agent, "__name__", type(agent).__name__))
        base = FunctionAgent(called, as_player(called, agent, form))
    elif algorithm is None:
        base = parse_agent(agent) if isinstance(agent, str) else _given(agent, is_declared=True)
    else:
        raise OptionError(f"algorithm {algorithm!r} and an agent; expected only one of them")
    more = {"ties": ties, "memory": memory, **options}
    given = {key: value for key, value in more.items() if value is not None}
    if isinstance(base, SearchAgent):
        made: Agent = _searching(base, given)
    else:
        fields = {field.name for field in dataclasses.fields(base)} if given else set()
        for key in given:
            if key not in fields - {"name", "summary", "spec"}:
                raise OptionError(
                    f"option {key!r} of the agent {base.name!r}; "
                    "expected search options only for an agent that searches"
                )
        made = dataclasses.replace(base, **given) if given else base
    if name is None:
        return made
    _check_name(name, f"{name}={spec_of(made)}")
    return _named(made, name, f"{name}={spec_of(made)}")


AgentType.make = staticmethod(make_agent)


def _searching(base: SearchAgent, given: dict[str, Any]) -> SearchAgent:
    """Return a searching agent with options that are Python objects."""
    if not given:
        return base
    ties, memory = given.pop("ties", base.ties), given.pop("memory", base.memory)
    options = {**dict(base.options), **given}
    for key in options:
        if key in SEARCH_ONLY_OPTIONS:
            raise OptionError(
                f"option {key!r} of an agent; expected an option that applies to one move"
            )
    check_signature(options.get("heuristic"))
    try:
        hash(tuple(options.items()))
    except TypeError as error:
        raise OptionError(f"agent with {error}; expected hashable options") from None
    words = [f"{key}={_written(value)}" for key, value in options.items()]
    words += ["ties=random"] * (ties == "random")
    agent = _with(base, [base.algorithm, *words], options, ties, memory)
    agent.start()
    return agent


def _with(
    base: SearchAgent,
    words: list[str],
    options: dict[str, Any],
    ties: str,
    memory: int,
    where: str = "",
) -> SearchAgent:
    """Return the search `base` with other options, described by `words`. Raises OptionError."""
    if ties not in TIES:
        raise OptionError(f"ties {str(ties)[:40]!r}{where}; expected {' or '.join(TIES)}")
    searched = {key: value for key, value in options.items() if key != "heuristic"}
    check_options(ALGORITHMS[base.algorithm], searched)
    return dataclasses.replace(
        base,
        name=" ".join(words),
        summary=ALGORITHMS[base.algorithm].summary,
        options=tuple(options.items()),
        ties=ties,
        memory=memory,
    )


def _written(value: Any) -> str:
    """Return the text of an option's value; for a heuristic, its name."""
    if isinstance(value, str | int | float):
        return str(value)
    return str(getattr(value, "name", "") or getattr(value, "__name__", type(value).__name__))


def _given(agent: Agent | Callable[..., Any], is_declared: bool = False) -> Agent:
    """Return an agent given as a Python object: an agent or a function.

    `is_declared` means that the caller declared the function to be an agent."""
    if isinstance(agent, Agent):
        return agent
    if callable(agent):
        name = getattr(agent, "__name__", type(agent).__name__)
        if is_declared and not isinstance(agent, Declared):
            with suppress(OptionError):
                return FunctionAgent(name, as_player(name, agent))
        reading = reading_of(agent)
        if reading != "agent":
            may_be = "is" if reading else "may be"
            error = IsHeuristic if reading else Unclear
            raise error(
                f"function {name!r} {may_be} a heuristic; expected ps.Agent(heuristic={name}) to "
                f"search with it, or ps.Agent({name}) for {BOTS} that returns a move"
            )
        return FunctionAgent(name, as_player(name, agent))
    raise OptionError(
        f"agent {str(agent)[:40]!r}; expected a name, a function that returns a move, or an object "
        "with name, choices and choose"
    )


def _check_name(name: str, text: str) -> None:
    """Raise OptionError if `name` cannot label the agent in `name=agent`."""
    where = _in(text)
    if name in written_options() or name in ("heuristic", "ties", "memory", "command"):
        raise OptionError(
            f"option {name!r}{where} before the agent; expected 'alphabeta {name}=...', "
            "or a label that is no option's name"
        )
    if name in AGENTS or name in ALGORITHMS:
        raise OptionError(f"name {name!r}{where} belongs to another agent; expected a new name")
    if not name.strip() or len(name) > MAX_NAME_CHARS or not name.isprintable():
        raise OptionError(f"name {name[:80]!r}; expected 1 to {MAX_NAME_CHARS} characters")


def _named(agent: Agent, name: str, text: str) -> Agent:
    if not dataclasses.is_dataclass(agent):
        raise OptionError(f"name {name!r} for your own agent; set its attribute name instead")
    changes: dict[str, Any] = {"name": name, "spec": text}
    if isinstance(agent, SearchAgent):
        changes["summary"] = agent.name
    return dataclasses.replace(agent, **changes)


def _of_text(agent: str, sandbox: bool) -> Agent:
    """Return the agent of a text that has no name before it."""
    head, *rest = _words(agent)
    if head == "perfect" and rest:
        return PerfectAgent(agent, **_limits(_pairs(rest, agent), agent, "seconds"))
    if head.startswith(HEURISTIC_PREFIX):
        return heuristic_agent(head.removeprefix(HEURISTIC_PREFIX), rest, sandbox)
    if head == "program" or is_of_file(head):
        return _foreign(head, _pairs(rest, agent), agent, sandbox)
    base = AGENTS[head] if head in AGENTS else _of_algorithm(head)
    if not rest:
        return base
    if not isinstance(base, SearchAgent):
        raise OptionError(
            f"option {rest[0][:40]!r} of the agent {head!r}, which takes none; "
            "expected an algorithm before options"
        )
    return _with_options(base, head, rest, agent, sandbox)


def heuristic_agent(heuristic: str, words: Sequence[str], sandbox: bool) -> Agent:
    """Return an alpha-beta agent with a heuristic that was given in place of an agent, named after
    it.

    `words` are further options; the default depth is HEURISTIC_DEPTH."""
    plain = re.sub(r"\.(toml|json|py(:[\w.]+)?( \w+=.*)?)$", "", heuristic)
    name = re.sub(r"[^\w.+-]", "", Path(plain).name)
    if name in AGENTS or name in ALGORITHMS:
        name += "-heuristic"
    given = [f"heuristic={heuristic}", *words]
    if not any(word.startswith("depth=") for word in words):
        given.append(f"depth={HEURISTIC_DEPTH}")
    return parse_agent(f"{name}=alphabeta {shlex.join(given)}", sandbox)


AGENT_PREFIX, HEURISTIC_PREFIX = "agent:", "heuristic:"
"""Prefixes that declare a function of a file to be an agent or a heuristic."""
HEURISTIC_DEPTH = 2
"""The search depth for a heuristic where an agent was expected."""


def _words(text: str) -> list[str]:
    """Return the words of an agent's text, at least one."""
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


def _with_options(
    base: SearchAgent, head: str, words: list[str], text: str, sandbox: bool
) -> Agent:
    """Return the agent `base`, whose text is `head`, with the options in `words`."""
    given = _pairs(words, text)
    memory = _memory(given.pop("memory"), text) if "memory" in given else base.memory
    ties = given.pop("ties", base.ties)
    if form := _form(given, "scale", *KEYS):
        heuristic = given.get("heuristic", "")
        if not is_of_file(heuristic):
            raise OptionError(f"{form}{_in(text)} without heuristic=file.py:name; expected one")
        given["heuristic"] = f"{heuristic} {form}"
    options = dict(base.options)
    options |= {key: _option(key, value, text) for key, value in given.items()}
    return _started(_with(base, [head, *words], options, ties, memory, _in(text)), sandbox)


def _form(given: dict[str, str], *known: str) -> str:
    """Take the options of a function that are `known` out of `given`, and return their text."""
    taken = {key: given.pop(key) for key in known if key in given}
    return " ".join(f"{key}={_unspaced(value)}" for key, value in taken.items())


def _unspaced(value: str) -> str:
    """Return an option's value without the spaces that the quotes of a command line have left."""
    parts = value.split(",") if "," in value else list(value) if " " in value else [value]
    return ",".join("space" if part == " " else part for part in parts)


def _started(agent: Agent, sandbox: bool) -> Agent:
    """Run the agent's file, in a sandbox if requested, and return the agent."""
    made = _in_sandbox(agent) if sandbox else agent
    made.start()
    return made


def _in(text: str) -> str:
    """Return the phrase that locates an error in an agent's text."""
    return f" in the agent {text[:80]!r}"


def _pairs(words: list[str], text: str) -> dict[str, str]:
    for word in words:
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            raise OptionError(f"{word[:40]!r}{_in(text)}; expected option=value")
    given = dict(word.split("=", 1) for word in words)
    if len(given) < len(words):
        names = [word.partition("=")[0] for word in words]
        twice = next(name for name in names if names.count(name) > 1)
        raise OptionError(f"{twice!r} twice{_in(text)}; expected it once")
    return given


def _limits(given: dict[str, str], text: str, *known: str) -> dict[str, Any]:
    """Return the limits of time and memory in the options. Raises UnknownNameError for an option
    that is not `known`."""
    for key in given:
        if key not in known:
            raise nearest_name("option", key, list(known))
    readers = {"seconds": _seconds, "memory": _memory}
    return {key: read(given[key], text) for key, read in readers.items() if key in given}


def _seconds(written: str, text: str) -> float:
    seconds: float = read_option("seconds", written, _in(text))
    if not 0 < seconds <= MAX_SECONDS:
        raise OptionError(
            f"seconds {written[:40]!r}{_in(text)}; expected more than 0, at most {MAX_SECONDS:,}"
        )
    return seconds


def _memory(written: str, text: str) -> int:
    if re.fullmatch(r"\d{1,9}", written) and MIN_MEGABYTES <= int(written) <= MAX_MEGABYTES:
        return int(written)
    raise OptionError(
        f"memory {written[:40]!r}{_in(text)}; "
        f"expected {MIN_MEGABYTES} to {MAX_MEGABYTES:,} megabytes"
    )


def _foreign(head: str, given: dict[str, str], text: str, sandbox: bool) -> Agent:
    """Return the agent for a Python function in a file, or for an external program."""
    own = ["command"] if head == "program" else KEYS
    form = "" if head == "program" else _form(given, *KEYS)
    limits = _limits(given, text, *own, "seconds", "memory")
    if head == "program":
        if "command" not in given:
            raise OptionError(
                f"agent {text[:80]!r} names no program; expected program command='./brain --option'"
            )
        return _started(ProgramAgent(text, given["command"], **limits), sandbox)
    kind, file = "either", head
    if head.startswith(AGENT_PREFIX):
        kind, file = "agent", head.removeprefix(AGENT_PREFIX)
    elif ":" in path_of(head) and not os.path.isfile(path_of(head)):
        prefix, _, rest = head.partition(":")
        if houses.find("AGENTS", prefix, "agent") is not None:
            kind, file = prefix, rest
    file = f"{file} {form}" if form else file
    return _started(FileAgent(text, file, kind=kind, **limits), sandbox)


def _of_algorithm(name: str) -> SearchAgent:
    if name in HEURISTICS or name.endswith((".toml", ".json")):
        raise OptionError(
            f"{name[:80]!r} is a heuristic, not an agent; "
            f"expected a search with it, such as 'alphabeta heuristic={name[:80]} depth=4'"
        )
    if name not in ALGORITHMS:
        raise nearest_name("agent", name, list(dict.fromkeys([*AGENTS, *ALGORITHMS])))
    return SearchAgent(name, ALGORITHMS[name].summary, name)


def _option(key: str, value: str, text: str) -> Any:
    if key == "heuristic":
        return value
    known = [name for name in written_options() if name not in SEARCH_ONLY_OPTIONS]
    if key not in known:
        raise nearest_name("option", key, ["heuristic", *known, "ties", "memory"])
    return read_option(key, value, _in(text))
