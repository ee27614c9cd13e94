"""The process in which a user's file runs, started by `apart.py`: what it harms is itself.

In come pickles: first `("agent" | "either" | "connectx" | "heuristic" | "values", "file.py:name",
sandbox, is_strict, forbidden)`, in a sandbox then `("load",)`; and any number of `("game", game)`,
of `("prepare", seconds)`, `("watch",)` and `("move", seed, position, how)` for an agent, of
`("prepare", algorithm, options)`, `("search", algorithm, options, is_all, position)` and
`("notes",)` for a heuristic, of `("values", seed, [(position, side), ...])` where values alone are
asked for. Out go lines of JSON: any number of `{"said": ...}`, what the file prints, of
`{"tried": ...}`, what its sandbox has refused, and of `{"forbidden": ...}`, what it used of the
modules that are `forbidden` to it, then the answer, or `{"error": ...}`: what the file did instead,
in words.
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
from plyscope.lab.agents.connectx import TIMEOUT, ConnectXPlayer
from plyscope.lab.agents.readings import BOTS, as_player, reading_of
from plyscope.lab.apart import BATCH_SECONDS, MAX_OUTPUT_CHARS
from plyscope.lab.forbidden import Ban
from plyscope.lab.kept_state import kept_state, what_moved
from plyscope.lab.watching import Watch, prepare
from plyscope.processes import channel
from plyscope.pythonfile import in_one_line, load_callable, load_last, path_of
from plyscope.rules.game import GamePosition, position_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree


def main() -> None:
    """Run the file and answer until there is nothing more to read."""
    questions, answers = channel()
    replies = _Replies(answers)
    sys.stdout = sys.stderr = _Printed(replies)
    kind, text, sandbox, replies.is_strict, forbidden = pickle.load(questions)
    handler = HANDLERS[kind](text)
    if sandbox is None:
        is_ready = replies.answer(handler.load)
    else:
        Ban(forbidden, sandbox.folder, sandbox.files, partial(replies.tell, "forbidden")).put_up()
        is_ready = replies.answer(lambda: {"held": sandbox.enter(partial(replies.tell, "tried"))})
    if not is_ready:
        return
    while True:
        try:
            word, *question = pickle.load(questions)
        except EOFError:
            return
        replies.answer(partial(getattr(handler, word), *question))


class _Replies:
    """The one way out: lines of JSON, each whole."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.lock, self.room, self.begun = stream, RLock(), MAX_OUTPUT_CHARS, ""
        self.is_strict = False

    def print(self, text: str) -> None:
        """Say what was printed, a line at a time, as much as there is room for; with
        `is_strict` raise OSError for more."""
        if self.is_strict and self.room < 0:
            raise OSError(f"printed more than {MAX_OUTPUT_CHARS:,} characters")
        with self.lock:
            self.begun += text[: max(0, self.room)]
            self.room -= len(text)
            if "\n" in text or self.room < 0:
                self.flush()

    def flush(self) -> None:
        """Say what is left of a line."""
        with self.lock:
            begun, self.begun = self.begun, ""
            if begun:
                self._say({"said": begun})

    def tell(self, what: str, words: str) -> None:
        """Say what was refused: `tried` by the sandbox, or `forbidden`."""
        with self.lock:
            self._say({what: words})

    def answer(self, question: Callable[[], dict[str, Any]]) -> bool:
        """Say what comes of the question; return whether it was an answer."""
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
    """What the file prints to."""

    def __init__(self, replies: _Replies) -> None:
        self.replies = replies

    def write(self, text: str) -> int:
        """Say it."""
        self.replies.print(str(text))
        return len(text)

    def writable(self) -> bool:
        """Whether anything can be printed."""
        return True

    def fileno(self) -> int:
        """Return where complaints go."""
        return 2


def _in_words(error: BaseException) -> str:
    try:
        return in_one_line(error)
    except BaseException:  # an error that cannot even be printed
        return type(error).__name__


class _Handler:
    """What answers: a function in a file, and the game that is played."""

    def __init__(self, text: str) -> None:
        self.text, self.folder = text, os.path.dirname(os.path.abspath(path_of(text)))
        self.rules: Any = None

    def load(self) -> dict[str, Any]:
        """Run the file."""
        raise NotImplementedError

    def game(self, rules: Any) -> dict[str, Any]:
        """Take the game that is played."""
        self.rules = rules
        return {}


class _AgentHandler(_Handler):
    """Asks a function for moves."""

    def load(self) -> dict[str, Any]:
        """Run the file."""
        sys.path.insert(0, self.folder)
        _begin_chance(self.text)
        name, function = self._loaded()
        self.function = self._player(name, function)
        return {"name": name}

    def _player(self, name: str, function: Any) -> Any:
        return as_player(name, function)

    def _loaded(self) -> tuple[str, Any]:
        return load_callable(self.text, "agent", f"a function {BOTS} that returns a move")

    def prepare(self, seconds: float) -> dict[str, Any]:
        """Take the time for a move, which Kaggle tells its agents."""
        if isinstance(self.function, ConnectXPlayer):
            self.function = replace(self.function, seconds=min(TIMEOUT, seconds))
        return {}

    def watch(self) -> dict[str, Any]:
        """Load what watching needs."""
        prepare()
        return {}

    def move(self, seed: str, packed: Any, how: str = "") -> dict[str, Any]:
        """Return the number of the function's move among the legal ones; `seed` is for chance.

        `how` says what else: `watched`, what it draws on besides the position; `compared`, what it
        keeps since before.
        """
        position, watch = _position(self.rules, packed), Watch()
        before = kept_state(self.function) if how == "compared" else None
        _begin_chance(seed)
        function = partial(watch.call, self.function) if how == "watched" else self.function
        move = legal_move(position, function(position))
        moved = list(watch.moved)
        if how == "compared" and (kept := what_moved(before, kept_state(self.function))):
            moved.append(kept)
        return {"move": list(position.moves).index(move), "moved": moved}


class _EitherHandler(_AgentHandler):
    """Says whether a function is an agent or a heuristic, and asks an agent for moves."""

    def load(self) -> dict[str, Any]:
        """Run the file; the answer has no `reading` where it may be either."""
        sys.path.insert(0, self.folder)
        _begin_chance(self.text)
        name, function = self._loaded()
        reading = reading_of(name, function)
        if reading == "agent":
            self.function = self._player(name, function)
        return {"name": name, "reading": reading}


class _ConnectXHandler(_AgentHandler):
    """Asks the last function of a file that was written for Kaggle's ConnectX."""

    def _loaded(self) -> tuple[str, Any]:
        return load_last(self.text, "agent", "a function agent(observation, configuration)")

    def _player(self, name: str, function: Any) -> Any:
        return ConnectXPlayer(function)


class _HeuristicHandler(_Handler):
    """Searches with a function as heuristic."""

    def load(self) -> dict[str, Any]:
        """Run the file once all modules for searches are there, whatever it calls its own."""
        self.searches = import_module("plyscope.lab.agents.searches")
        sys.path.insert(0, self.folder)
        return {"name": load_function(self.text).name}

    def prepare(self, algorithm: str, options: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
        """Compile or load what a search of this kind needs, so that no move is charged for it."""
        start = position_of(self.rules, self.rules.start())
        self.searches.prepare_search(algorithm, options, start)
        return {}

    def search(
        self, algorithm: str, options: tuple[tuple[str, Any], ...], is_all: bool, packed: Any
    ) -> dict[str, Any]:
        """Return the result: best moves as numbers among the legal ones, value, depth and nodes."""
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
        """Return the notes on the heuristic on the game."""
        return {"notes": list(notes_on(find_heuristic(self.text, self.rules), self.rules))}


class _ValuesHandler(_HeuristicHandler):
    """Evaluates positions with the heuristic, and searches nothing."""

    def load(self) -> dict[str, Any]:
        """Run the file; chance begins with a number of its own there too."""
        sys.path.insert(0, self.folder)
        _begin_chance(self.text)
        function = load_function(self.text)
        return {"name": function.name, "form": function.signature.text}

    def game(self, rules: Any) -> dict[str, Any]:
        """Take the game, and make the heuristic for it."""
        self.rules, self.heuristic = rules, find_heuristic(self.text, rules)
        return {}

    def values(self, seed: str, asked: Sequence[tuple[Any, int]]) -> dict[str, Any]:
        """Return the values of the first positions, each for a side.

        There are as many as BATCH_SECONDS allows, and at least one, or the error of the first.
        """
        end, values = perf_counter() + BATCH_SECONDS, list[int]()
        for packed, side in asked:
            is_lines = isinstance(self.rules, LineGame)
            position = Position(self.rules, *packed) if is_lines else packed  # a bare state
            _begin_chance(f"{seed} {position} {side}")
            try:
                values.append(self.heuristic.evaluate(position, side))
            except BaseException:  # which the next question is about
                if not values:
                    raise
                break
            if perf_counter() > end:
                break
        return {"values": values}


def _begin_chance(seed: str) -> None:
    """Begin Python's and NumPy's common random numbers anew."""
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(crc32(seed.encode()))
    random.seed(seed)


HANDLERS: dict[str, Callable[[str], _Handler]] = {
    "agent": _AgentHandler,
    "either": _EitherHandler,
    "connectx": _ConnectXHandler,
    "heuristic": _HeuristicHandler,
    "values": _ValuesHandler,
}
"""By the kind of the file."""


def _position(rules: Any, packed: Any) -> Any:
    """Return the position that was handed over."""
    if isinstance(rules, LineGame):
        return Position(rules, *packed)
    return packed if isinstance(rules, ExplicitTree) else GamePosition(rules, *packed)


if __name__ == "__main__":
    main()
