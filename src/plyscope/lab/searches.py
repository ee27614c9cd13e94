"""Agents that search: in this process, or with the heuristic of a stranger's file in a process of
its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from plyscope.errors import AgentError, NotationError
from plyscope.evaluation.function import is_of_file
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.lab.agent import Choice
from plyscope.lab.apart import MEGABYTES, Failed, failed, packed, stranger
from plyscope.lab.files import Version, files_of_heuristic, version_of_heuristic
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.driver import search
from plyscope.searching.forms import choose_form, form_of_many
from plyscope.searching.limit import Limit

__all__ = ["LIMITS", "Found", "SearchAgent", "look", "prepare_search"]

LIMITS = ("depth", "nodes", "seconds")
MOVE_SECONDS = 60.0
"""What a move of a search with a stranger's heuristic may take where no `seconds` are given."""
MOST = 1 << 53
"""More than any value, depth or number of nodes that a search can answer with."""
LATE = 0.5
"""Seconds by which such a search may exceed those it was given."""


@dataclass(frozen=True)
class SearchAgent:
    """Plays the best move of a search: the first (`ties="first"`), or any of those proven best
    (`ties="random"`).

    `random_opening` plays the first move of the game at random. Where the heuristic is a function
    in a file, the search runs in a process of its own, within `memory` megabytes, and a move takes
    MOVE_SECONDS at most, or what `seconds` say and half a second.
    """

    name: str
    summary: str = "a search"
    algorithm: str = "alphabeta"
    options: tuple[tuple[str, Any], ...] = ()
    ties: str = "first"
    random_opening: bool = False
    memory: int = MEGABYTES

    @property
    def files(self) -> tuple[str, ...]:
        """What it is made of."""
        return files_of_heuristic(dict(self.options).get("heuristic"))

    def start(self) -> None:
        """Have a stranger's heuristic run, so that what it lacks is said before the first game.
        Raises NotationError."""
        if self.stranger is not None:
            with stranger("heuristic", self.stranger, self.memory):
                pass

    def choices(self, position: Any) -> Sequence[Any]:
        """Return the best move, or with random ties the best moves, each with an open root window
        if need be; any move where the budget was too small to tell."""
        legal = tuple(position.game.moves(position))
        if self.random_opening and position == position.game.start():
            return legal
        return self._search(position).moves or legal

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move it plays."""
        if self.algorithm == "uct":
            found = self._search(
                position, (("seed", random.randrange(1 << 30)), *self.options), is_all=True
            )
        elif self.random_opening and position == position.game.start():
            return Choice(random.choice(tuple(position.game.moves(position))))
        else:
            found = self._search(position)
        moves = found.moves or tuple(position.game.moves(position))
        return Choice(random.choice(moves), found.value, found.depth, found.nodes, found.output)

    @property
    def stranger(self) -> str | None:
        """The heuristic that is a function in a file, `file.py:name`, None where there is none."""
        heuristic = dict(self.options).get("heuristic")
        return heuristic if isinstance(heuristic, str) and is_of_file(heuristic) else None

    @property
    def _version(self) -> Version:
        return version_of_heuristic(dict(self.options).get("heuristic"))

    def _search(
        self,
        position: Any,
        options: tuple[tuple[str, Any], ...] | None = None,
        is_all: bool | None = None,
    ) -> Found:
        given = self.options if options is None else options
        is_timed = any(key == "seconds" for key, _ in given)
        is_new = (
            is_timed or options is not None
        )  # what depends on the clock, or on a seed of its own, is not remembered
        is_every = self.ties == "random" if is_all is None else is_all
        if self.stranger is None:
            wanted: tuple[Any, ...] = self.algorithm, given, is_every, position
            return look(*wanted) if is_new else _remembered(self._version, *wanted)
        try:
            wanted = self.stranger, self.memory, self.algorithm, given, is_every, position
            return look_apart(*wanted) if is_new else _remembered_apart(self._version, *wanted)
        except Failed as failure:
            raise failed(self.name, failure, position) from None
        except NotationError as error:
            raise AgentError(f"agent {self.name!r} could not be started again: {error}") from None


class Found(NamedTuple):
    """What is remembered of a search: its first best move, or all of them, and what a stranger's
    heuristic printed."""

    moves: tuple[Any, ...]
    value: float
    depth: int
    nodes: int
    output: str = ""


def look(
    algorithm: str, options: tuple[tuple[str, Any], ...], is_all: bool, position: Any
) -> Found:
    """Return what a search finds, with `is_all` every best move where its convention can tell them;
    the form is that for many searches."""
    chosen = _chosen(algorithm, options, position)
    root = {"root": "open"} if is_all and "root" in ALGORITHMS[algorithm].takes else {}
    found = search(position, algorithm, **{**chosen, **root})
    return Found(
        found.best_moves if is_all else found.best_moves[:1], found.value, found.depth, found.nodes
    )


def prepare_search(algorithm: str, options: tuple[tuple[str, Any], ...], position: Any) -> None:
    """Compile or load whatever a search needs that is `look`ed for with these options, so that no
    move is charged for it."""
    chosen = _chosen(algorithm, options, position)
    opinion = find_heuristic(chosen.get("heuristic"), position.game)
    form = choose_form(
        chosen["engine"], algorithm, position.game, position, opinion, _limit(chosen), False
    )
    if form.name == "compiled":
        from plyscope.searching.compiled.run import prepare

        prepare(algorithm)


def _chosen(algorithm: str, options: tuple[tuple[str, Any], ...], position: Any) -> dict[str, Any]:
    """Return the options of `search`: the heuristic itself, and the form that is asked for, or else
    the one for many searches."""
    chosen = dict(options)
    form = chosen.pop("form", None)
    opinion = find_heuristic(chosen.get("heuristic"), position.game)
    if "heuristic" in chosen:
        chosen["heuristic"] = opinion  # so that a file is not read twice
    chosen["engine"] = form or form_of_many(algorithm, position, opinion, _limit(chosen))
    return chosen


def _limit(options: dict[str, Any]) -> Limit:
    return Limit(**{key: value for key, value in options.items() if key in LIMITS})


@lru_cache(maxsize=1 << 16)
def _remembered(version: Version, *wanted: Any) -> Found:
    """Return what `look` has found, with the files of the heuristic in this version."""
    return look(*wanted)


def look_apart(
    file: str,
    memory: int,
    algorithm: str,
    options: tuple[tuple[str, Any], ...],
    is_all: bool,
    position: Any,
) -> Found:
    """Return the same of a search with the heuristic of a stranger's file. Raises Failed,
    NotationError."""
    seconds = dict(options).get("seconds")
    limit = MOVE_SECONDS if seconds is None else seconds + LATE
    with stranger("heuristic", file, memory) as worker:
        worker.begin(position.game, algorithm, options)
        told, output = worker.ask(
            ("search", algorithm, options, is_all, packed(position)), limit, "move"
        )
        legal = list(position.game.moves(position))
        try:
            moves = tuple(legal[index] for index in told["moves"])
            value, depth, nodes = told["value"], told["depth"], told["nodes"]
        except (KeyError, TypeError, IndexError):
            raise Failed("gave an answer that cannot be read", output) from None
        is_number = type(value) in (int, float) and -MOST <= value <= MOST
        if not is_number or not all(
            type(count) is int and 0 <= count <= MOST for count in (depth, nodes)
        ):
            raise Failed("gave an answer that cannot be read", output)
    return Found(moves, value, depth, nodes, output)


@lru_cache(maxsize=1 << 16)
def _remembered_apart(version: Version, *wanted: Any) -> Found:
    """Return what `look_apart` has found, with the files of the heuristic in this version."""
    return look_apart(*wanted)
