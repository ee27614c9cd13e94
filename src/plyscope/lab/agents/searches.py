"""Agents that search, in this process or, with a heuristic from a user's file, in another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

from plyscope.errors import NotationError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.notes import notes_on
from plyscope.identity import cached_while
from plyscope.lab.agents.agent import Agent, AllChoices, Choice
from plyscope.lab.people.apart import (
    DEFAULT_MEGABYTES,
    NOTES_SECONDS,
    failed,
    notes_of_file,
    packed,
    user_process,
)
from plyscope.lab.people.files import files_of_heuristic, version_of_heuristic
from plyscope.lab.people.purity import Purity, purity_of, read_purity
from plyscope.processes import Failed
from plyscope.pythonfile import is_of_file
from plyscope.rules.game import state_of, version_of
from plyscope.searching.algorithm import SearchRequest
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.choice import choose_form, form_of_many
from plyscope.searching.request import make_request
from plyscope.searching.search import search

Options = tuple[tuple[str, Any], ...]
"""Options of a search by name, with its heuristic; a tuple, so that agents are hashable."""
MOVE_SECONDS = 60.0
"""Time limit of a move with a user's heuristic, without `seconds`."""
MAX_NUMBER = 1 << 53
"""Upper bound of values, depths and node counts in an answer."""
GRACE_SECONDS = 0.5
"""The time by which a search with a user's heuristic may exceed its `seconds`."""
DRAWS = "uses different random playouts in every game"
EXHAUSTIVE = ("minimax", "negamax")
"""Algorithms that value every move of the root."""
THREADS = "searches in several threads, and may play another move next time"
LATE_SEARCH = "was stopped by the clock, and may play another move next time"


@dataclass(frozen=True)
class SearchAgent(Agent):
    """An agent that plays the best move of a search: the first (`ties="first"`), or a random one of
    the equal best (`ties="random"`).

    With `random_opening` the first move of the game is random. If the heuristic is a function in a
    file, the search runs in a separate process, within `memory` megabytes. Its time limit is then
    `seconds` plus half a second, or MOVE_SECONDS.
    """

    name: str
    summary: str = "a search"
    algorithm: str = "alphabeta"
    options: Options = ()
    ties: str = "first"
    random_opening: bool = False
    memory: int = DEFAULT_MEGABYTES
    sandbox: bool = False
    """Whether that process runs in a sandbox (`lab/people/sandbox.py`)."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files it depends on."""
        return files_of_heuristic(self.heuristic)

    def start(self) -> None:
        """Run the file of a user's heuristic before the first game. Raises NotationError."""
        if self.heuristic_file is not None:
            with user_process("heuristic", self.heuristic_file, self.memory, self.sandbox):
                pass

    def notes(self, game: Any) -> tuple[str, ...]:
        """Return the notes on its heuristic on `game`."""
        if self.heuristic is None:
            return ()
        if self.heuristic_file is None:
            return notes_on(find_heuristic(self.heuristic, game), game)
        return notes_of_file("heuristic", self.heuristic_file, self.memory, self.sandbox, game)

    def repeats(self, game: Any) -> bool:
        """Return whether its moves depend neither on randomness nor on the clock or threads; a
        function is assumed to be deterministic."""
        options = dict(self.options)
        algorithm = ALGORITHMS[self.algorithm]
        draws = self.random_opening or self.draws_ties or algorithm.counts_playouts
        return not draws and options.get("seconds") is None and options.get("threads", 1) == 1

    @property
    def draws_ties(self) -> bool:
        """Whether it chooses among equal moves at random; only some algorithms can list these."""
        tells_ties = "root" in ALGORITHMS[self.algorithm].takes or self.algorithm in EXHAUSTIVE
        return self.ties == "random" and tells_ties

    def all_choices(self, position: Any) -> AllChoices:
        """Return the moves it may play: the best one, or with random ties all of them; all legal
        moves if none is known. The `doubt` says whether randomness, the clock or threads may lead
        to another one."""
        legal = tuple(position.moves)
        if self._opens_at_random(position):
            return AllChoices(legal)
        searched = self._search(position)
        options = dict(self.options)
        draws = ALGORITHMS[self.algorithm].counts_playouts and "seed" not in options
        doubt = DRAWS if draws else LATE_SEARCH if searched.is_late else None
        if doubt is None and options.get("threads", 1) != 1:
            doubt = THREADS
        if doubt is None and self.calls_user_function:
            unread, version = self.purity(position.game)
            return AllChoices(
                searched.moves or legal, unread or None, 1 if unread else None, version
            )
        return AllChoices(searched.moves or legal, doubt)

    def purity(self, game: Any) -> Purity:
        """Return what reading its heuristic, a user's function, has shown."""
        if self.heuristic_file is None:
            function = getattr(self.heuristic, "function", self.heuristic)
            found = purity_of(function, game)
        else:
            file, memory, sandbox = self.heuristic_file, self.memory, self.sandbox
            with user_process("heuristic", file, memory, sandbox, game) as worker:
                worker.begin(game)
                found = read_purity(worker.ask(("purity",), NOTES_SECONDS)[0])
        unread = found.unread and f"searches with a function that {found.unread}"
        return Purity(unread, found.version)

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move it plays."""
        legal = tuple(position.moves)
        if ALGORITHMS[self.algorithm].counts_playouts:
            seed = ("seed", random.randrange(1 << 30))
            searched = self._search(position, (seed, *self.options), is_all=True)
        elif self._opens_at_random(position):
            return Choice(random.choice(legal))
        else:
            searched = self._search(position)
        move = random.choice(searched.moves or legal)
        return Choice(move, searched.value, searched.depth, searched.nodes, searched.output)

    def _opens_at_random(self, position: Any) -> bool:
        return self.random_opening and bool(state_of(position) == position.game.start())

    @property
    def heuristic(self) -> Any:
        """Its heuristic: a text, a function or a `Heuristic`; None for the default."""
        return dict(self.options).get("heuristic")

    @property
    def heuristic_file(self) -> str | None:
        """The heuristic if it is a function in a file, as `file.py:name`; else None."""
        heuristic = self.heuristic
        return heuristic if isinstance(heuristic, str) and is_of_file(heuristic) else None

    @property
    def calls_user_function(self) -> bool:
        """Whether its heuristic is a user's function."""
        is_function = callable(self.heuristic) or isinstance(self.heuristic, FunctionHeuristic)
        return is_function or self.heuristic_file is not None

    def _search(
        self, position: Any, options: Options | None = None, is_all: bool | None = None
    ) -> Searched:
        """Return the search of `position`. It is cached unless it depends on the clock, or on
        `options` such as a seed."""
        given = self.options if options is None else options
        is_new = options is not None or any(key == "seconds" for key, _ in given)
        is_every = self.ties == "random" if is_all is None else is_all
        find: Callable[..., Searched] = search_moves
        wanted: tuple[Any, ...] = (self.algorithm, given, is_every, position)
        if self.heuristic_file is not None:
            find, wanted = _search_apart, (self.heuristic_file, self.memory, self.sandbox, *wanted)
        try:
            return find(*wanted) if is_new else _remembered(self.heuristic, find, *wanted)
        except (Failed, NotationError) as failure:
            if self.heuristic_file is None:
                raise
            raise failed(self.name, failure, position) from None


class Searched(NamedTuple):
    """The cached part of a search's result."""

    moves: tuple[Any, ...]
    """The first best move, or all best moves."""
    value: float
    depth: int
    nodes: int
    is_late: bool = False
    """Whether the clock ended it."""
    output: str = ""
    """The output that a user's heuristic printed."""


def search_moves(algorithm: str, options: Options, is_all: bool, position: Any) -> Searched:
    """Search in the form for many searches; with `is_all` return every best move if the algorithm
    can list them."""
    if is_all and "root" in ALGORITHMS[algorithm].takes:
        options = (*options, ("root", "open"))
    result = search(_request(algorithm, options, position))
    best = result.best_moves if is_all else result.best_moves[:1]
    is_late = result.stopped == "seconds"
    return Searched(best, result.value, result.depth, result.nodes, is_late)


def prepare_search(algorithm: str, options: Options, position: Any) -> None:
    """Compile or load the code for `search_moves`, so that this does not count against the time of
    a move."""
    choose_form(_request(algorithm, options, position), is_prepared=True)


def _request(algorithm: str, options: Options, position: Any) -> SearchRequest:
    """Return the request in the requested form, by default the one for many searches."""
    given = dict(options)
    request = make_request(position, algorithm, given.pop("heuristic", None), **given)
    form = request.form if "form" in given else form_of_many(request)
    return request if form == request.form else replace(request, form=form)


def _versions(heuristic: Any, search: Callable[..., Searched], *wanted: Any) -> str:
    versions = version_of_heuristic(heuristic), version_of(wanted[-1].game)
    return " ".join(versions) if all(versions) else ""


@cached_while(_versions, maxsize=1 << 16)
def _remembered(heuristic: Any, search: Callable[..., Searched], *wanted: Any) -> Searched:
    """Return the result of a search, cached until the heuristic or the game is changed."""
    return search(*wanted)


def _search_apart(
    file: str,
    memory: int,
    sandbox: bool,
    algorithm: str,
    options: Options,
    is_all: bool,
    position: Any,
) -> Searched:
    """Search with the heuristic of a user's file. Raises Failed, NotationError."""
    seconds = dict(options).get("seconds")
    limit = MOVE_SECONDS if seconds is None else seconds + GRACE_SECONDS
    question = ("search", algorithm, options, is_all, packed(position))
    with user_process("heuristic", file, memory, sandbox, position.game) as worker:
        worker.begin(position.game, algorithm, options)
        answer, output = worker.ask(question, limit, "move")
        try:
            is_timed = any(key == "seconds" for key, _ in options)
            return _read(answer, list(position.moves), is_timed, output)
        except (KeyError, TypeError, IndexError, ValueError):
            raise Failed("gave an answer that cannot be read", output) from None


def _read(answer: Any, legal: list[Any], is_timed: bool, output: str) -> Searched:
    """Return the search result in an answer. Raises an error if it is malformed."""
    moves = tuple(legal[index] for index in answer["moves"])
    value, depth, nodes = answer["value"], answer["depth"], answer["nodes"]
    if type(value) not in (int, float) or not -MAX_NUMBER <= value <= MAX_NUMBER:
        raise ValueError(value)
    if not all(type(count) is int and 0 <= count <= MAX_NUMBER for count in (depth, nodes)):
        raise ValueError(depth, nodes)
    return Searched(moves, value, depth, nodes, is_timed, output)
