"""The process in which a user's file runs, started by `apart.py`.

Requests are pickles. The first is `(kind, "file.py:name", sandbox, is_strict, forbidden, game)`,
with one of the kinds in HANDLERS, or a prefix of a house's AGENTS. If `sandbox` is not None,
`("load",)` follows. Then come any number of these, depending on the kind:

    all        ("game", game)
    agent, either, or a prefix of a house
               ("prepare", seconds), ("watch",), ("move", seed, position, how)
    heuristic  ("prepare", algorithm, options), ("notes",),
               ("search", algorithm, options, is_all, position)
    values     ("values", seed, [(position, side), ...])
    algorithm  ("run", function, node, arguments)

Responses are lines of JSON. Before the answer to a request there may be `{"said": text}` for
printed output, which is not empty and has at most MAX_OUTPUT_CHARS together, and `{"forbidden":
text}` for the use of a module in `forbidden`; an algorithm's `{"read": [number, what]}` is answered
by another pickle. The answer is an object with the results, or `{"error": message}` if the request
has failed.

A submission to a class (`is_strict`) shares this process. So nothing that could answer for it is
imported here before its kind is known: no catalogue of heuristics, no search, no solver.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from itertools import product
from threading import RLock
from time import perf_counter
from typing import Any, BinaryIO
from zlib import crc32

import plyscope.evaluation.function as heuristics
import plyscope.houses as houses
import plyscope.pythonrun as pythonrun
from plyscope.errors import PlyscopeError
from plyscope.evaluation.boardform import form_of
from plyscope.evaluation.function import FunctionHeuristic, load_function
from plyscope.evaluation.signatures import OF_COUNTS, is_player
from plyscope.lab.agents.agent import legal_move
from plyscope.lab.agents.readings import (
    BOTS,
    Adapter,
    as_player,
    inner_of,
    notes_on_player,
    reading_of,
)
from plyscope.lab.people.forbidden import Ban
from plyscope.lab.people.node import Described, Node, Read, run_algorithm
from plyscope.processes import channel
from plyscope.pythonfile import in_one_line, module_of, options_of, path_of
from plyscope.rules import notation  # noqa: F401  used by positions, and not readable later
from plyscope.rules.game import GamePosition, position_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree

MAX_OUTPUT_CHARS = 10_000
"""The limit of the output stored of one request, of one move, and of one game."""
BATCH_SECONDS = 0.2
"""A request for many values is answered after this time with the values computed so far."""


def main() -> None:
    """Answer requests until the end of the input."""
    questions, answers = channel()
    replies = _Responses(answers)
    sys.stdout = sys.stderr = _Printed(replies)
    kind, text, sandbox, replies.is_strict, forbidden, game = pickle.load(questions)
    if replies.is_strict:
        houses.close()
        pythonrun.limit_seconds = None  # the judge measures the time
        heuristics.offers_forms = False  # which takes modules that no submission may use
    handler = HANDLERS[kind](text) if kind in HANDLERS else _AdaptedHandler(kind, text)
    handler.rules, replies.path = game, path_of(text)
    handler.read = partial(_read, replies, questions)
    if sandbox is None:
        is_ready = replies.answer(handler.load)
    else:
        Ban(forbidden, sandbox.folder, sandbox.files, partial(replies.tell, "forbidden")).enforce()
        is_ready = replies.answer(lambda: {"held": sandbox.enter()})
    if not is_ready:
        return
    while True:
        try:
            word, *question = pickle.load(questions)
        except EOFError:
            return
        replies.answer(partial(getattr(handler, word), *question))


def _read(replies: _Responses, questions: BinaryIO, number: int, what: str) -> Any:
    """Ask the judge about a node and return its answer."""
    with replies.lock:
        replies.tell("read", [number, what])
        return pickle.load(questions)


class _Responses:
    """Writes the responses as complete lines of JSON."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.lock, self.room, self.begun = stream, RLock(), MAX_OUTPUT_CHARS, ""
        self.is_strict, self.path = False, ""

    def print(self, text: str) -> None:
        """Send printed text line by line, up to MAX_OUTPUT_CHARS for each request.

        With `is_strict`, raise OSError for a call after the limit was exceeded.
        """
        if self.is_strict and self.room < 0:
            raise OSError(f"printed more than {MAX_OUTPUT_CHARS:,} characters")
        with self.lock:
            self.begun += text[: max(0, self.room)]
            self.room -= len(text)
            if "\n" in text or self.room < 0:
                self.flush()

    def flush(self) -> None:
        """Send the printed text that has not been sent yet."""
        with self.lock:
            begun, self.begun = self.begun, ""
            if begun:
                self._say({"said": begun})

    def tell(self, what: str, words: Any) -> None:
        """Send a message before the answer; `what` is "forbidden" or "read"."""
        with self.lock:
            self._say({what: words})

    def answer(self, question: Callable[[], dict[str, Any]]) -> bool:
        """Send the answer to a question, or the error that it raised; return whether it raised
        none."""
        try:
            answer = question()
        except PlyscopeError as error:
            answer = {"error": str(error)}
        # SystemExit, KeyboardInterrupt: whatever a user's code raises is reported by name
        except BaseException as error:
            line = "" if self.is_strict else pythonrun.line_of(error, self.path)
            answer = {"error": f"raised {_in_words(error)}{line and f' in {line}'}"}
        with self.lock:
            self.flush()
            self.room = MAX_OUTPUT_CHARS
            self._say(answer)
        return "error" not in answer

    def _say(self, message: dict[str, Any]) -> None:
        self.stream.write(json.dumps(message).encode() + b"\n")
        self.stream.flush()


class _Printed(io.TextIOBase):
    """The standard output and error streams of the file."""

    def __init__(self, replies: _Responses) -> None:
        self.replies = replies

    def write(self, text: str) -> int:
        self.replies.print(str(text))
        return len(text)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        """Return the descriptor of the process's own standard error stream."""
        return 2


def _in_words(error: BaseException) -> str:
    try:
        return in_one_line(error)
    except BaseException:  # an error that cannot even be printed
        return type(error).__name__


class _Handler:
    """Handles the requests to one function in a file; the base class of all handlers."""

    read: Read
    """A function that asks the judge about a node."""

    def __init__(self, text: str) -> None:
        self.text, self.folder = text, os.path.dirname(os.path.abspath(path_of(text)))
        self.rules: Any = None

    def load(self) -> dict[str, Any]:
        """Run the file and find the function."""
        raise NotImplementedError

    def begin(self) -> None:
        """Let the file import its neighbours, and seed the common random number generators."""
        sys.path.insert(0, self.folder)
        _begin_chance(self.text)

    def game(self, rules: Any) -> dict[str, Any]:
        """Set the game."""
        self.rules = rules
        return {}


def _purity(function: Any, rules: Any, path: str) -> dict[str, Any]:
    from plyscope.lab.people.purity import purity_of  # late: no submission needs it

    return purity_of(function, rules, path)._asdict()


class _AgentHandler(_Handler):
    """Gets moves from a function."""

    def load(self) -> dict[str, Any]:
        self.begin()
        name, function = self._loaded()
        self.function = self._player(name, function)
        return {"name": name}

    def _player(self, name: str, function: Any) -> Any:
        form = form_of(options_of(self.text), f" in {self.text[:80]!r}")
        prefix = "" if reading_of(function) else "agent:"  # it may be a heuristic
        return as_player(name, function, form, f"{prefix}{path_of(self.text)}:{name}")

    def _loaded(self) -> tuple[str, Any]:
        expected = f"a function {BOTS} that returns a move"
        return pythonrun.load_named(self.text, "agent", expected, is_player=is_player)

    def prepare(self, seconds: float) -> dict[str, Any]:
        """Set the time for a move, which an adapter may pass to its function."""
        if isinstance(self.function, Adapter):
            self.function = self.function.within(seconds)
        return {}

    def notes(self) -> dict[str, Any]:
        """Return the notes on the function in this game."""
        return {"notes": notes_on_player(self.function, self.rules)}

    def purity(self) -> dict[str, Any]:
        """Return what reading the function, and its file, has shown."""
        return _purity(inner_of(self.function), self.rules, path_of(self.text))

    def move(self, seed: str, packed: Any) -> dict[str, Any]:
        """Return the index of the function's move among the legal moves. `seed` seeds the common
        random number generators."""
        position = _position(self.rules, packed)
        _begin_chance(seed)
        move = legal_move(position, self.function(position))
        return {"move": list(position.moves).index(move)}


class _EitherHandler(_AgentHandler):
    """Finds out whether a function is an agent or a heuristic, and gets moves from an agent."""

    def load(self) -> dict[str, Any]:
        """Run the file; `reading` in the answer is None if the function may be either."""
        self.begin()
        name, function = self._loaded()
        reading = reading_of(function)
        if reading == "agent":
            self.function = self._player(name, function)
        return {"name": name, "reading": reading}


class _AdaptedHandler(_AgentHandler):
    """Gets moves from the last function of a file, by the adapter of a house."""

    def __init__(self, prefix: str, text: str) -> None:
        super().__init__(text)
        self.adapter: type[Adapter] = houses.find("AGENTS", prefix, "agent")

    def _loaded(self) -> tuple[str, Any]:
        return pythonrun.load_last(self.text, "agent", f"a function {self.adapter.text}")

    def _player(self, name: str, function: Any) -> Any:
        return self.adapter(function)


class _HeuristicHandler(_Handler):
    """Searches with a function as heuristic."""

    def load(self) -> dict[str, Any]:
        """Import all modules for searches, then run the file.

        In this order a module of the user with the same name cannot replace one of them.
        """
        self.searches = import_module("plyscope.lab.agents.searches")
        sys.path.insert(0, self.folder)
        return {"name": load_function(self.text).name}

    def purity(self) -> dict[str, Any]:
        """Return what reading the heuristic, and its file, has shown."""
        return _purity(load_function(self.text).function, self.rules, path_of(self.text))

    def prepare(self, algorithm: str, options: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
        """Compile or load the code for such a search, so that this does not count against its first
        move."""
        start = position_of(self.rules, self.rules.start())
        self.searches.prepare_search(algorithm, options, start)
        return {}

    def search(
        self, algorithm: str, options: tuple[tuple[str, Any], ...], is_all: bool, packed: Any
    ) -> dict[str, Any]:
        """Return the value, depth, nodes and best moves, as indices among the legal moves."""
        position = _position(self.rules, packed)
        result = self.searches.search_moves(algorithm, options, is_all, position)
        legal = list(position.moves)
        return {
            "moves": [legal.index(move) for move in result.moves],
            "value": result.value,
            "depth": result.depth,
            "nodes": result.nodes,
        }

    def notes(self) -> dict[str, Any]:
        """Return the notes about the heuristic in this game."""
        from plyscope.evaluation.heuristics import find_heuristic
        from plyscope.evaluation.notes import notes_on

        return {"notes": list(notes_on(find_heuristic(self.text, self.rules), self.rules))}


class _ValuesHandler(_Handler):
    """Evaluates positions with the heuristic."""

    def load(self) -> dict[str, Any]:
        """Seed the common random number generators, then run the file."""
        self.begin()
        self.function = load_function(self.text)
        name, self.evaluate = self.function.name, self.function.evaluate
        form = self.function.signature_on(self.rules)
        if form is OF_COUNTS:
            self.evaluate = partial(_sum_of_lines, _line_values(self.function, self.rules))
        return {"name": name, "form": form.text}

    def values(self, seed: str, asked: Sequence[tuple[Any, int]]) -> dict[str, Any]:
        """Return the heuristic's values of as many pairs of position and side as the time allows.

        Stop after BATCH_SECONDS or at a pair that raises an error, but return at least one value,
        or else raise the error.
        """
        end, values = perf_counter() + BATCH_SECONDS, list[int]()
        for packed, side in asked:
            is_lines = isinstance(self.rules, LineGame)
            position = Position(self.rules, *packed) if is_lines else packed  # a bare state
            _begin_chance(f"{seed} {position} {side}")
            try:
                values.append(self.evaluate(position, side))
            except BaseException:  # the next request begins with this pair and reports the error
                if not values:
                    raise
                break
            if perf_counter() > end:
                break
        return {"values": values}


def _line_values(heuristic: FunctionHeuristic, game: LineGame) -> dict[tuple[int, ...], int]:
    """Return the values of a function f(mine, theirs) by its arguments, the stones on a line."""
    values = {}
    for pair in product(range(game.longest_line + 1), repeat=2):
        if sum(pair) <= game.longest_line:
            where = f"for a line with (mine, theirs) = {pair}"
            values[pair] = heuristic.value_of(heuristic.function(*pair), partial(str, where))
    return values


def _sum_of_lines(values: dict[tuple[int, ...], int], position: Position, side: int) -> int:
    mine, theirs = (position.second, position.first) if side else (position.first, position.second)
    masks = (line.mask for line in position.game.lines)
    return sum(values[(mine & mask).bit_count(), (theirs & mask).bit_count()] for mask in masks)


class _AlgorithmHandler(_Handler):
    """Runs the search algorithms of a file on nodes."""

    def load(self) -> dict[str, Any]:
        """Run the file; `form` in the answer is "class" or "function"."""
        self.begin()
        name, found = pythonrun.load_named(
            self.text, "algorithm", "a function or a class of that name"
        )
        self.functions = vars(module_of(path_of(self.text)))
        return {"name": name, "form": "class" if isinstance(found, type) else "function"}

    def run(self, name: str, node: Described, arguments: Sequence[Any]) -> dict[str, Any]:
        """Return the value and the move of the function `name` on a node."""
        if not callable(function := self.functions.get(name)):
            raise PlyscopeError(f"has no function {name!r}")
        _begin_chance(f"{name} {node} {arguments}")
        return run_algorithm(function, Node(self.read, *node), arguments)


def _begin_chance(seed: str) -> None:
    """Seed Python's common random number generator, and NumPy's if it has been imported."""
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(crc32(seed.encode()))
    random.seed(seed)


HANDLERS: dict[str, Callable[[str], _Handler]] = {
    "agent": _AgentHandler,
    "either": _EitherHandler,
    "heuristic": _HeuristicHandler,
    "values": _ValuesHandler,
    "algorithm": _AlgorithmHandler,
}
"""The handler of each kind of file."""


def _position(rules: Any, packed: Any) -> Any:
    if isinstance(rules, LineGame):
        return Position(rules, *packed)
    return packed if isinstance(rules, ExplicitTree) else GamePosition(rules, *packed)


if __name__ == "__main__":
    main()
