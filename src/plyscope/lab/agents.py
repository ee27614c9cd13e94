"""Agents: what plays. An agent is a frozen value made of an algorithm, a heuristic, a limit and conventions, and a tie rule, written as
text.

alphabeta heuristic=counted-lines depth=4 ties=random
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, Protocol

from plyscope.catalogue import Catalogue, nearest_name
from plyscope.errors import OptionError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.conventions import CHOICES, make_conventions
from plyscope.searching.driver import search
from plyscope.searching.forms import SMALL
from plyscope.searching.limit import Limit
from plyscope.searching.options import make_engine_options
from plyscope.searching.score import MAX_PLY

__all__ = ["AGENTS", "Agent", "LevelAgent", "RandomAgent", "SearchAgent", "TwoPlyAgent", "level", "parse_agent"]


class Agent(Protocol):
    """What plays: `choices` are all moves it may choose here, which `choose` narrows to one."""

    @property
    def name(self) -> str:
        """What people type."""

    @property
    def summary(self) -> str:
        """How it plays, in a line."""

    def choices(self, position: Any) -> Sequence[Any]:
        """Return every move that the agent may play in `position`, all ties included; never empty while the game goes on."""

    def choose(self, position: Any, random: Random) -> Any:
        """Return the move it plays; `random` decides whatever is random about it."""


@dataclass(frozen=True)
class SearchAgent:
    """Plays the best move of a search: the first (`ties="first"`), or any of those proven best (`ties="random"`).

    `random_opening` plays the first move of the game at random.
    """

    name: str
    summary: str = "a search"
    algorithm: str = "alphabeta"
    options: tuple[tuple[str, Any], ...] = ()
    ties: str = "first"
    random_opening: bool = False

    def choices(self, position: Any) -> Sequence[Any]:
        """Return the best move, or with random ties the best moves, each with an open root window if need be; any move where the budget was
        too small to tell."""
        legal = tuple(position.game.moves(position))
        if self.random_opening and position == position.game.start():
            return legal
        is_timed = any(key == "seconds" for key, _ in self.options)
        best = _best_moves.__wrapped__ if is_timed else _best_moves  # what depends on the clock is not remembered
        return best(self.algorithm, self.options, self.ties == "random", position) or legal

    def choose(self, position: Any, random: Random) -> Any:
        """Return the move it plays."""
        if self.algorithm == "uct":
            found = search(position, "uct", **{"seed": random.randrange(1 << 30), **dict(self.options)})
            return random.choice(found.best_moves or position.game.moves(position))
        return random.choice(self.choices(position))


@lru_cache(maxsize=1 << 16)
def _best_moves(algorithm: str, options: tuple[tuple[str, Any], ...], is_all: bool, position: Any) -> tuple[Any, ...]:
    """Return the best move of a search, or all of them; asked again in the games of a match, it remembers."""
    root = {"root": "open"} if is_all and "root" in ALGORITHMS[algorithm].takes else {}
    found = search(position, algorithm, **{**dict(options), **root})
    return found.best_moves if is_all else found.best_moves[:1]


@dataclass(frozen=True)
class TwoPlyAgent:
    """Plays a move m of the largest (value for me after m) − (largest value for the opponent over its replies, 0 if there is none).

    One look at the own move and one at the answer, both counted: system B.
    """

    name: str = "two-ply"
    summary: str = "own value after the move less the opponent's best after its reply, weighted lines (B)"
    heuristic: str = "weighted-lines"

    def score(self, position: Any, move: Any) -> int:
        """Return the score of `move`."""
        game, side = position.game, position.game.side(position)
        heuristic = find_heuristic(self.heuristic, game)
        after = game.play(position, move)
        replies = (heuristic.evaluate(game.play(after, reply), 1 - side) for reply in game.moves(after))
        return heuristic.evaluate(after, side) - max(replies, default=0)

    def choices(self, position: Any) -> Sequence[Any]:
        """Return all moves of the largest score."""
        scores = {move: self.score(position, move) for move in position.game.moves(position)}
        best = max(scores.values())
        return tuple(move for move, score in scores.items() if score == best)

    def choose(self, position: Any, random: Random) -> Any:
        """Return one of them at random."""
        return random.choice(self.choices(position))


@dataclass(frozen=True)
class RandomAgent:
    """Plays any legal move."""

    name: str = "random"
    summary: str = "any legal move"

    def choices(self, position: Any) -> Sequence[Any]:
        """Return all legal moves."""
        return tuple(position.game.moves(position))

    def choose(self, position: Any, random: Random) -> Any:
        """Return one of them at random."""
        return random.choice(self.choices(position))


@dataclass(frozen=True)
class LevelAgent:
    """For people: a search that now and then plays any move instead, `slips` times in a hundred.

    On boards of 3×3 it is the `plain` one, which is done before the engine had started.
    """

    name: str
    summary: str
    plain: SearchAgent
    engine: SearchAgent
    slips: int = 0

    def choices(self, position: Any) -> Sequence[Any]:
        """Return every move it may play: all of them, as long as it may slip."""
        return tuple(position.game.moves(position)) if self.slips else self._searcher(position).choices(position)

    def choose(self, position: Any, random: Random) -> Any:
        """Return the move it plays."""
        if random.randrange(100) < self.slips:
            return random.choice(tuple(position.game.moves(position)))
        return self._searcher(position).choose(position, random)

    def _searcher(self, position: Any) -> SearchAgent:
        return self.plain if getattr(position.game, "size", 0) <= SMALL else self.engine


LEVELS = ((1, 70), (1, 40), (1, 20), (2, 15), (2, 5), (3, 0), (4, 0), (6, 0), (8, 0), (10_000, 0))
"""For levels 1 to 10 the depth of the search and the slips in a hundred moves."""
ENGINE_FROM = 7
"""The first level that is played by the engine, on boards of more cells than 3×3 has."""
LEVEL_SECONDS = 3.0


def level(number: int) -> LevelAgent:
    """Return the agent of level 1 (weak) to 10 (the engine, as deep as it comes in three seconds a move)."""
    if not 1 <= number <= len(LEVELS):
        raise OptionError(f"level {number}; expected 1 to {len(LEVELS)}")
    depth, slips = LEVELS[number - 1]
    name = f"level-{number}"
    options = (("heuristic", "counted-lines"), ("depth", depth), ("seconds", LEVEL_SECONDS))
    plain = SearchAgent(name, algorithm="iterative-deepening", options=(*options, ("scoring", "distance")))
    engine = SearchAgent(name, algorithm="engine", options=options) if number >= ENGINE_FROM else plain
    reach = f"searches {depth} pl{'y' if depth == 1 else 'ies'}" if depth < MAX_PLY else f"searches {LEVEL_SECONDS:.0f} seconds"
    summary = f"{reach}, {slips} slips in 100 moves" + (" (the engine)" if number >= ENGINE_FROM else "")
    return LevelAgent(name, summary, plain, engine, slips)


def _search_agent(
    name: str, summary: str, algorithm: str = "alphabeta", ties: str = "first", random_opening: bool = False, **options: Any
) -> SearchAgent:
    return SearchAgent(name, summary, algorithm, tuple(options.items()), ties, random_opening)


AGENTS: Catalogue[Any] = Catalogue(
    "agent",
    (
        RandomAgent(),
        _search_agent("greedy", "the best position after its own move, counted lines", heuristic="counted-lines", depth=1, ties="random"),
        TwoPlyAgent(),
        _search_agent(
            "one-ply", "the best position after its own move, weighted lines (B)", heuristic="weighted-lines", depth=1, ties="random"
        ),
        _search_agent("accumulating", "blocks first, else the accumulating search (D)", "accumulating"),
        _search_agent("engine", "the playing engine, one second a move", "engine", seconds=1.0),
        _search_agent(
            "full-alphabeta",
            "alpha-beta to the end, first best move, random opening (E)",
            heuristic="result",
            bound="hard",
            random_opening=True,
        ),
        _search_agent("uct", "2000 playouts a move", "uct", scoring="result", nodes=2001),
        *(level(number) for number in range(1, len(LEVELS) + 1)),
    ),
)


def parse_agent(text: str) -> Agent:
    """Return the agent of `text`: a name of the catalogue, or an algorithm, then `option=value` words that `search` takes, and `ties=`.

    Raises UnknownNameError or OptionError.
    """
    words = text.split()
    if not words:
        raise OptionError(f"agent {text!r}; expected a name such as 'two-ply', or 'alphabeta heuristic=counted-lines depth=4'")
    head, *rest = words
    base = AGENTS[head] if head in AGENTS else _of_algorithm(head)
    if not rest:
        return base
    if not isinstance(base, SearchAgent):
        raise OptionError(f"agent {head!r} takes no options and {rest[0][:40]!r} is one; expected an algorithm before options")
    options, ties = dict(base.options), base.ties
    for word in rest:
        key, equals, value = word.partition("=")
        if not equals or not value:
            raise OptionError(f"{word[:40]!r} in the agent {text[:80]!r}; expected option=value")
        if key == "ties":
            ties = value
        else:
            options[key] = _option(key, value, text)
    if ties not in ("first", "random"):
        raise OptionError(f"ties {ties[:40]!r} in the agent {text[:80]!r}; expected first or random")
    conventions = {key: value for key, value in options.items() if key in CHOICES or key == "seed"}
    chosen = ALGORITHMS[base.algorithm]
    make_conventions(base.algorithm, chosen.takes, conventions, chosen.scoring)
    make_engine_options(base.algorithm, chosen.is_engine, {key: options.get(key) for key in ("threads", "megabytes")})
    Limit(**{key: value for key, value in options.items() if key in ("depth", "nodes", "seconds")})
    return replace(base, name=" ".join(words), summary=f"{head} with options", options=tuple(options.items()), ties=ties)


def _of_algorithm(name: str) -> SearchAgent:
    if name not in ALGORITHMS:
        raise nearest_name("agent", name, list(dict.fromkeys([*AGENTS, *ALGORITHMS])))
    return SearchAgent(name, ALGORITHMS[name].summary, name)


def _option(key: str, value: str, text: str) -> Any:
    if key in CHOICES:
        if value not in CHOICES[key]:
            raise OptionError(f"{key} {value[:40]!r} in the agent {text[:80]!r}; expected {', '.join(CHOICES[key])}")
        return value
    if key == "heuristic":
        return value
    try:
        if key in ("depth", "nodes", "seed", "threads", "megabytes"):
            return int(value)
        if key == "seconds":
            return float(value)
    except ValueError:
        raise OptionError(f"{key} {value[:40]!r} in the agent {text[:80]!r}; expected a number") from None
    raise nearest_name("option", key, ["heuristic", "depth", "nodes", "seconds", "seed", "ties", "threads", "megabytes", *CHOICES])
