"""Machine code of people's games and heuristics on disk: who reads it, and that nobody reads
another's."""

from __future__ import annotations

import cmath
import math
import os
from array import array
from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

import sizes
from plyscope import search
from plyscope.errors import OptionError
from plyscope.identity import Identity
from plyscope_fast.machine import own_types, store
from plyscope_fast.machine.own import OwnGame
from plyscope_fast.machine.python import compiler
from plyscope_fast.searching import run as line_run
from plyscope_fast.searching.own import run as own_run
from sentences import refuses


class Subtract:
    """Take one to `most` of a heap; who takes the last has won."""

    name = "subtract"

    def __init__(self, most: int = 3) -> None:
        self.most = most

    def start(self) -> Any:
        return 21, 0

    def side(self, state: Any) -> int:
        return int(state[1])

    def moves(self, state: Any) -> list[int]:
        return [take for take in range(1, self.most + 1) if take <= state[0]]

    def play(self, state: Any, move: int) -> Any:
        return state[0] - move, 1 - state[1]

    def payoff(self, state: Any) -> int | None:
        if state[0] > 0:
            return None
        return 1 if state[1] else -1


def heap(state: Any) -> int:
    return int(state[0]) % 5


def counted(mine: int, theirs: int, lines: Any) -> int:
    return sum(1 for line in lines if mine & line == mine) - theirs % 7


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What a process begins with, and fails where it compiles."""

    def compiles(*_: Any) -> Any:
        raise AssertionError("compiled anew")

    def begin() -> None:
        monkeypatch.setattr(own_run, "_known", {})
        monkeypatch.setattr(line_run, "_compiled", {})
        monkeypatch.setattr(line_run, "_tested", set())
        monkeypatch.setattr(own_types, "compile_entry", compiles)
        monkeypatch.setattr(compiler.Scope, "form", compiles)

    return begin


def found(game: Any, algorithm: str, **options: Any) -> tuple[Any, ...]:
    result = search(game.start(), algorithm, heap, game=game, **options)
    return result.form, result.value, result.nodes, result.leaves, result.pv, result.stopped


def test_reads_the_code_of_a_game_in_the_next_process(anew: Callable[[], None]) -> None:
    game = Subtract()
    for algorithm in ("alphabeta", "mtdf"):
        compiled = found(game, algorithm, depth=9, form="compiled")
        assert compiled[1:] == found(game, algorithm, depth=9, form="reference")[1:]
    anew()
    for algorithm in ("alphabeta", "mtdf"):
        again = found(Subtract(), algorithm, depth=9, form="compiled")
        assert again == ("compiled", *found(game, algorithm, depth=9, form="reference")[1:])
        stopped = found(Subtract(), algorithm, depth=9, form="compiled", nodes=50)
        assert stopped[-1] == "nodes"
    with pytest.raises(AssertionError, match="compiled anew"):
        found(Subtract(most=4), "alphabeta", depth=9, form="compiled")


def test_reads_the_code_of_a_heuristic_in_the_next_process(anew: Callable[[], None]) -> None:
    def result() -> tuple[Any, ...]:
        made = search("3,3,3", "alphabeta", counted, depth=5, form="compiled")
        return made.value, made.nodes, made.pv

    expected = result()
    anew()
    assert result() == expected


def _of_no_process(data: bytes) -> bytes:
    head, _, code = data.partition(b"\n")
    return head.replace(b"NRT_Free", b"NRT_Fred") + b"\n" + code


@pytest.mark.parametrize("spoil", [lambda data: b"", lambda data: b"{}\n", _of_no_process])
def test_compiles_anew_code_that_cannot_be_linked(
    spoil: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, read = Subtract(), store.read
    expected = found(game, "alphabeta", depth=6, form="compiled")
    monkeypatch.setattr(own_run, "_known", {})
    monkeypatch.setattr(store, "read", lambda name: spoil(read(name)))
    written: list[str] = []
    monkeypatch.setattr(store, "write_function", lambda name, data: written.append(name))
    assert found(game, "alphabeta", depth=6, form="compiled") == expected
    assert len(written) == 2


def test_ignores_a_damaged_file_and_deletes_the_oldest_of_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_folder", [tmp_path / "kernels"])
    monkeypatch.setattr(store, "MAX_FUNCTIONS", 3)
    for number in range(5):
        store.write_function(f"{number}", b"code" * 9)
        for file in tmp_path.rglob("function-*"):
            os.utime(file, ns=(file.stat().st_atime_ns - 10**9, file.stat().st_mtime_ns - 10**9))
    assert [store.has_function(f"{number}") for number in range(5)] == [False] * 2 + [True] * 3
    assert store.read("function-4.o") == b"code" * 9
    (file,) = tmp_path.rglob("function-4*")
    file.write_bytes(file.read_bytes()[:-1])
    assert store.read("function-4.o") == b""


def steep(state: Any) -> int:
    """Leave 64 bits where the heap is low."""
    return 3 ** (4 * (21 - state[0])) % 5


def test_writes_no_code_of_methods_that_answer_differently(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(store, "write_function", lambda name, data: written.append(name))
    game = Subtract(most=5)
    for _ in range(2):
        own_run._known.clear()
        with pytest.raises(OptionError, match="the compiled method returns another result"):
            search(game.start(), "alphabeta", steep, game=game, depth=3, form="compiled")
    assert written == []


def test_writes_no_code_of_a_source_changed_during_compilation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[str] = []
    monkeypatch.setattr(store, "write_function", lambda name, data: written.append(name))
    compile_entry = own_types.compile_entry

    def changes(own: Any, *rest: Any) -> Any:
        made = compile_entry(own, *rest)
        own.game.most = 6
        return made

    monkeypatch.setattr(own_types, "compile_entry", changes)
    game = Subtract(most=2)
    with refuses(OptionError):
        found(game, "alphabeta", depth=3, form="compiled")
    assert written == []


def test_compiles_anew_code_from_disk_that_answers_differently(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, read = Subtract(), store.read
    expected = found(game, "alphabeta", depth=6, form="compiled")
    found(Subtract(most=2), "alphabeta", depth=6, form="compiled")
    (of_three, of_two) = (own.name_of(own_run.ask_methods, own_run.Trial) for own in owns())
    names = {f"function-{of_three}.o": f"function-{of_two}.o"}
    monkeypatch.setattr(own_run, "_known", {})
    monkeypatch.setattr(store, "read", lambda name: read(names.get(name, name)))
    written: list[str] = []
    monkeypatch.setattr(store, "write_function", lambda name, data: written.append(name))
    assert found(game, "alphabeta", depth=6, form="compiled") == expected
    assert written == []  # nothing of this name is believed


def owns() -> list[Any]:
    """The games of this file that are compiled: three may be taken, and two."""
    known = [own for own in own_run._known.values() if isinstance(own, OwnGame)]
    return sorted(
        (own for own in known if own.game.name == "subtract"), key=lambda own: -own.game.most
    )[-2:]


def test_searches_games_without_class_methods_in_python() -> None:
    game = Subtract()
    bound = {name: getattr(game, name) for name in ("start", "side", "moves", "play", "payoff")}
    result = search(
        game.start(), "alphabeta", heap, game=SimpleNamespace(name="bound", **bound), depth=3
    )
    assert result.value == found(game, "alphabeta", depth=3, form="reference")[1]


# What has one name


class Unhelpful:
    """Has no attribute that can be asked for."""

    def __getattr__(self, name: str) -> Any:
        raise ValueError(name)


class Pair(NamedTuple):
    first: int
    second: int


class Swapped(NamedTuple):
    second: int
    first: int


Swapped.__qualname__ = Swapped.__name__ = "Pair"


class Colour(IntEnum):
    RED = 1


class Shown(IntEnum):
    ONE = 1
    TWO = 2

    def __repr__(self) -> str:
        return "mark"


HOLDS_ITSELF: list[Any] = []
HOLDS_ITSELF.append(HOLDS_ITSELF)


def _digest(text: str, owner: type = object, **names: Any) -> str:
    scope = dict(names)
    exec(text, scope)
    return Identity([scope["f"]], of=owner()).digest


def _closed(value: Any) -> str:
    def f() -> Any:
        return value

    return Identity([f]).digest


def _with(base: type = object, **attributes: Any) -> type:
    return type("Game", (base,), attributes)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda: _digest("def f(x): return x + 1"), lambda: _digest("def f(x): return x + 2")),
        (lambda: _digest("def f(x): return x + 1"), lambda: _digest("def f(x): return x + 1.0")),
        (lambda: _digest("def f(x): return x + 1"), lambda: _digest("def f(x): return x + True")),
        (lambda: _digest("def f(x=1): return x"), lambda: _digest("def f(x=2): return x")),
        (lambda: _digest("def f(*, x=1): return x"), lambda: _digest("def f(*, x=2): return x")),
        (lambda: _digest("def f(): return N", N=3), lambda: _digest("def f(): return N", N=4)),
        (lambda: _digest("def f(): return N", N=[3]), lambda: _digest("def f(): return N", N=(3,))),
        (
            lambda: _digest("def f(): return N[1]", N={1: 2}),
            lambda: _digest("def f(): return N[1]", N={1: 3}),
        ),
        (
            lambda: _digest("def f(): return N[0]", N=np.arange(3)),
            lambda: _digest("def f(): return N[0]", N=np.arange(3.0)),
        ),
        (
            lambda: _digest("def g(): return 1\ndef f(): return g()"),
            lambda: _digest("def g(): return 2\ndef f(): return g()"),
        ),
        (
            lambda: _digest("def f(): return [N for _ in range(3)]", N=1),
            lambda: _digest("def f(): return [N for _ in range(3)]", N=2),
        ),
        (
            lambda: _digest("def f(x): return P(x, 1).first", P=Pair),
            lambda: _digest("def f(x): return P(x, 1).first", P=Swapped),
        ),
        (lambda: _closed(1), lambda: _closed(2)),
        (lambda: _closed(Pair(1, 2)), lambda: _closed(Swapped(1, 2))),
        (lambda: _closed(Shown.ONE), lambda: _closed(Shown.TWO)),
        (lambda: _closed({0, 8}), lambda: _closed({8, 0})),
        (
            lambda: _closed(np.array([(1, 2)], [("a", int), ("b", int)])),
            lambda: _closed(np.array([(1, 2)], [("b", int), ("a", int)])),
        ),
        (
            lambda: _digest("def g(x): return len(x)\ndef f(x): return g(x)"),
            lambda: _digest("def g(*x): return len(x)\ndef f(x): return g(x)"),
        ),
        (
            lambda: _digest("def f(self): return self.g()", _with(g=lambda self: 1)),
            lambda: _digest("def f(self): return self.g()", _with(g=lambda self: 2)),
        ),
        (
            lambda: _digest("def f(self): return self.g", _with(g=property(lambda self: 1))),
            lambda: _digest("def f(self): return self.g", _with(g=property(lambda self: 2))),
        ),
        (
            lambda: _digest("def f(self): return self.g()", _with(g=staticmethod(lambda: 1))),
            lambda: _digest("def f(self): return self.g()", _with(g=staticmethod(lambda: 2))),
        ),
        (
            lambda: _digest("def f(self): return self.g()", _with(_with(g=lambda self: 1))),
            lambda: _digest("def f(self): return self.g()", _with(_with(g=lambda self: 2))),
        ),
    ],
)
def test_gives_different_code_a_different_name(
    one: Callable[[], str], other: Callable[[], str]
) -> None:
    assert one() == one() != ""
    assert other() != ""
    assert one() != other()


@pytest.mark.parametrize(
    "value",
    [
        SimpleNamespace(x=1),
        object(),
        np.array([object()]),
        [object()],
        {1: object()},
        array("q", [1]),
        Unhelpful(),
        memoryview(b"1"),
        iter([1]),
        lru_cache(lambda: 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_gives_no_name_to_code_that_reads_an_object(value: Any) -> None:
    assert _digest("def f(): return N", N=value) == ""
    assert _closed(value) == ""


@pytest.mark.parametrize(
    "value",
    [sizes, partial(heap, (1, 2)), HOLDS_ITSELF, numba.njit(heap), type("Config", (), {"A": 1})],
    ids=lambda value: type(value).__name__,
)
def test_names_code_that_reads_modules_classes_and_partial_functions(value: Any) -> None:
    assert _digest("def f(): return N", N=value) == _digest("def f(): return N", N=value) != ""
    assert _closed(value) != ""


def test_includes_members_of_an_enumeration_in_the_name() -> None:
    other = IntEnum("Colour", {"RED": 2})
    text = "def f(): return N.RED"
    assert "" != _digest(text, N=Colour) != _digest(text, N=other) != ""


def test_includes_used_libraries_in_the_name() -> None:
    text = "def f(x): return N(x)"
    given = abs, int, math.sqrt, cmath.sqrt, math.floor, np.sqrt, np.sum
    found = {_digest(text, N=value) for value in given}
    assert len(found) == len(given)
    assert "" not in found | {
        _digest("def f(x): return N.sqrt(x)", N=value) for value in (math, np)
    }


def test_names_functions_that_call_one_another() -> None:
    text = "def g(x): return f(x - 1) if x else 0\ndef f(x): return g(x) + {}"
    assert _digest(text.format(1)) == _digest(text.format(1)) != _digest(text.format(2))
