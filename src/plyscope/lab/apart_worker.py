"""The process in which a user's file runs, started by `apart.py`.

Requests are pickles. The first is `(kind, "file.py:name", sandbox, is_strict, forbidden)`, with one
of the kinds in HANDLERS. If `sandbox` is not None, `("load",)` follows. Then come any number of
these, depending on the kind:

    all        ("game", game)
    agent, either, connectx
               ("prepare", seconds), ("watch",), ("move", seed, position, how)
    heuristic  ("prepare", algorithm, options), ("notes",),
               ("search", algorithm, options, is_all, position)
    values     ("values", seed, [(position, side), ...])
    algorithm  ("run", function, node, arguments)

Responses are lines of JSON. Before the answer to a request there may be any number of
`{"said": text}` for printed output, `{"tried": text}` for an attempt that the sandbox refused, and
`{"forbidden": text}` for the use of a module in `forbidden`; an algorithm's `{"read": [number,
what]}` is answered by another pickle. The answer is an object with the
results, or `{"error": message}` if the request has failed.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from threading import RLock
from time import perf_counter
from typing import Any, BinaryIO
from zlib import crc32

from plyscope.errors import PlyscopeError
from plyscope.evaluation.function import load_function
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.notes import notes_on
from plyscope.lab.agents.agent import legal_move
from plyscope.lab.agents.connectx import MOVE_SECONDS, ConnectXPlayer
from plyscope.lab.agents.readings import BOTS, as_player, reading_of
from plyscope.lab.apart import BATCH_SECONDS, MAX_OUTPUT_CHARS
from plyscope.lab.forbidden import Ban
from plyscope.lab.kept_state import changed_state, kept_state
from plyscope.lab.node import Described, Node, Read, run_algorithm
from plyscope.lab.watching import Watch, prepare
from plyscope.processes import channel
from plyscope.pythonfile import in_one_line, load_callable, load_last, module_of, path_of
from plyscope.rules.game import GamePosition, position_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree


def main() -> None:
    """Answer requests until the end of the input."""
    questions, answers = channel()
    replies = _Responses(answers)
    sys.stdout = sys.stderr = _Printed(replies)
    kind, text, sandbox, replies.is_strict, forbidden = pickle.load(questions)
    handler = HANDLERS[kind](text)
    handler.read = partial(_read, replies, questions)
    if sandbox is None:
        is_ready = replies.answer(handler.load)
    else:
        Ban(forbidden, sandbox.folder, sandbox.files, partial(replies.tell, "forbidden")).enforce()
        is_ready = replies.answer(lambda: {"held": sandbox.enter(partial(replies.tell, "tried"))})
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
        self.is_strict = False

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
        """Send a message before the answer; `what` is "tried", "forbidden" or "read"."""
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
            answer = {"error": f"raised {_in_words(error)}"}
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


class _AgentHandler(_Handler):
    """Gets moves from a function."""

    def load(self) -> dict[str, Any]:
        self.begin()
        name, function = self._loaded()
        self.function = self._player(name, function)
        return {"name": name}

    def _player(self, name: str, function: Any) -> Any:
        return as_player(name, function)

    def _loaded(self) -> tuple[str, Any]:
        return load_callable(self.text, "agent", f"a function {BOTS} that returns a move")

    def prepare(self, seconds: float) -> dict[str, Any]:
        """Set the time for a move, which a ConnectX agent finds in its configuration."""
        if isinstance(self.function, ConnectXPlayer):
            self.function = replace(self.function, seconds=min(MOVE_SECONDS, seconds))
        return {}

    def watch(self) -> dict[str, Any]:
        """Import the modules for watching a function."""
        prepare()
        return {}

    def move(self, seed: str, packed: Any, how: str = "") -> dict[str, Any]:
        """Return the index of the function's move among the legal moves.

        `seed` seeds the common random number generators. `moved` in the answer is a list of
        phrases: with `how` "watched", the sources of randomness that the function used; with
        "compared", the state that the call changed.
        """
        position, watch = _position(self.rules, packed), Watch()
        before = kept_state(self.function) if how == "compared" else None
        _begin_chance(seed)
        function = partial(watch.call, self.function) if how == "watched" else self.function
        move = legal_move(position, function(position))
        moved = list(watch.moved)
        if how == "compared" and (kept := changed_state(before, kept_state(self.function))):
            moved.append(kept)
        return {"move": list(position.moves).index(move), "moved": moved}


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


class _ConnectXHandler(_AgentHandler):
    """Gets moves from the last function of a file written for Kaggle's ConnectX."""

    def _loaded(self) -> tuple[str, Any]:
        return load_last(self.text, "agent", "a function agent(observation, configuration)")

    def _player(self, name: str, function: Any) -> Any:
        return ConnectXPlayer(function)


class _HeuristicHandler(_Handler):
    """Searches with a function as heuristic."""

    def load(self) -> dict[str, Any]:
        """Import all modules for searches, then run the file.

        In this order a module of the user with the same name cannot replace one of them.
        """
        self.searches = import_module("plyscope.lab.agents.searches")
        sys.path.insert(0, self.folder)
        return {"name": load_function(self.text).name}

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
        return {"notes": list(notes_on(find_heuristic(self.text, self.rules), self.rules))}


class _ValuesHandler(_HeuristicHandler):
    """Evaluates positions with the heuristic, without a search."""

    def load(self) -> dict[str, Any]:
        """Seed the common random number generators, then run the file."""
        self.begin()
        function = load_function(self.text)
        return {"name": function.name, "form": function.signature.text}

    def game(self, rules: Any) -> dict[str, Any]:
        """Set the game, and create the heuristic for it."""
        self.rules, self.heuristic = rules, find_heuristic(self.text, rules)
        return {}

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
                values.append(self.heuristic.evaluate(position, side))
            except BaseException:  # the next request begins with this pair and reports the error
                if not values:
                    raise
                break
            if perf_counter() > end:
                break
        return {"values": values}


class _AlgorithmHandler(_Handler):
    """Runs the search algorithms of a file on nodes."""

    def load(self) -> dict[str, Any]:
        """Run the file; `form` in the answer is "class" or "function"."""
        self.begin()
        name, found = load_callable(self.text, "algorithm", "a function or a class of that name")
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
    "connectx": _ConnectXHandler,
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
