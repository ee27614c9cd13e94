"""Searches follow a function or a game as it is now: each kind of change, in each form."""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable, Iterator
from itertools import product
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import plyscope as ps
from plyscope.identity import Identity, identity_of
from plyscope.pythonrun import load_named
from plyscope.rules.game import GamePosition
from sentences import refuses, says
from sizes import sized

Change = Callable[[Any, int], None]
"""A change of the module of a function, or of the function, so that it reads another number."""


def _replace_helper(module: Any, weight: int) -> None:
    exec(f"def helper(): return {weight}", vars(module))


def _set_inner(module: Any, weight: int) -> None:
    exec(f"def inner(): return {weight}", vars(module))


def _set_cell(module: Any, weight: int) -> None:
    module.h.__closure__[0].cell_contents = weight


def _set_default(module: Any, weight: int) -> None:
    module.h.__defaults__ = (weight,)


def _set_code(module: Any, weight: int) -> None:
    made: dict[str, Any] = {}
    exec(f"def weight(): return {weight}", made)
    module.weight.__code__ = made["weight"].__code__


HEAD = """
import numpy as np
import plyscope_test_helper as mod
from plyscope_test_helper import read as imported
from typing import NamedTuple
W, L, D, T, S = 1, [1], {1: 1}, (1,), {1}
A = np.array([1])
class Pair(NamedTuple):
    w: int
P = Pair(1)
def inner(): return 1
def helper(): return 1
def outer(): return inner()
def weight(): return 1
"""
LINE_KINDS: dict[str, tuple[str, Change]] = {
    "number": ("W", lambda m, w: setattr(m, "W", w)),
    "list in place": ("L[0]", lambda m, w: m.L.__setitem__(0, w)),
    "new list": ("L[0]", lambda m, w: setattr(m, "L", [w])),
    "dict in place": ("D[1]", lambda m, w: m.D.__setitem__(1, w)),
    "new tuple": ("T[0]", lambda m, w: setattr(m, "T", (w,))),
    "named tuple": ("P.w", lambda m, w: setattr(m, "P", m.Pair(w))),
    "array in place": ("A[0]", lambda m, w: m.A.__setitem__(0, w)),
    "function": ("helper()", _replace_helper),
    "function of a function": ("outer()", _set_inner),
    "code of a function": ("weight()", _set_code),
    "number of a module": ("mod.W", lambda m, w: setattr(m.mod, "W", w)),
    "list of a module": ("mod.L[0]", lambda m, w: m.mod.L.__setitem__(0, w)),
    "number that an imported function reads": ("imported()", lambda m, w: setattr(m.mod, "W", w)),
    "closure": ("w", _set_cell),
    "default": ("d", _set_default),
}
"""Each kind of change of a heuristic on line games: the expression that reads the number."""
SIGNATURES = {
    "board": ("board", "for r in board:\n  for c in r:\n   if c == 1: s += {}\n   elif c: s -= 3"),
    "player": (
        "board, player",
        "for r in board:\n  for c in r:\n   if c == player: s += {}\n   elif c: s -= 3",
    ),
    "players": (
        "board, player, opponent",
        "for r in board:\n  for c in r:\n   if c == player: s += {}\n   elif c == opponent: s -= 3",
    ),
    "bitboards": (
        "mine, theirs, lines",
        "for line in lines:\n  if mine & line: s += {} * s + 2\n  if theirs & line: s -= 3\n  s = s % 1000",
    ),
    "counts": ("mine, theirs", "s = mine.bit_count() * {} - 3 * theirs.bit_count()"),
}
ALGORITHMS = ("minimax", "negamax", "alphabeta", "pvs", "mtdf", "iterative-deepening")
HELPER = "W, L = 1, [1]\ndef read(): return W\n"


@pytest.fixture
def helper(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "plyscope_test_helper.py").write_text(HELPER)
    sys.path.insert(0, str(tmp_path))
    yield tmp_path
    sys.path.remove(str(tmp_path))
    sys.modules.pop("plyscope_test_helper", None)


def heuristic_of(folder: Path, signature: str, read: str) -> Any:
    """Return the module of a heuristic that reads a number by the expression `read`."""
    given, body = SIGNATURES[signature]
    text = f"def h({given}{', d=1' if read == 'd' else ''}):\n s = 0\n {body.format(read)}\n return s\n"
    if read == "w":
        text = (
            "def make(w):\n"
            + "".join(f" {line}\n" for line in text.splitlines())
            + " return h\nh = make(1)\n"
        )
    file = folder / f"heuristic_{signature}.py"
    file.write_text(HEAD + text)
    load_named(f"{file}:h", "heuristic", "a function")
    return next(m for m in sys.modules.values() if getattr(m, "__file__", "") == str(file))


def agree(function: Any, algorithm: str = "alphabeta", **options: Any) -> tuple[int, str]:
    """Return the value of a compiled search, after comparing it with the reference."""
    position = ps.parse("connect4 4455")
    given = {"algorithm": algorithm, "heuristic": function, "depth": 3, **options}
    found = ps.search(position, form="compiled", **given)
    expected = ps.search(position, form="reference", **given)
    told = attrgetter("value", "best_moves", "nodes")
    assert told(found) == told(expected)
    return int(found.value), found.form


@pytest.mark.parametrize("kind", LINE_KINDS)
def test_digests_follow_each_kind_of_change(helper: Path, kind: str) -> None:
    read, change = LINE_KINDS[kind]
    module = heuristic_of(helper, "player", read)
    digests = []
    for weight in (1, 7, 1):
        change(module, weight)
        found = Identity([module.h])
        assert found.unknown == ""
        digests.append(found.digest)
    assert digests[0] != digests[1]
    assert digests[0] == digests[2]


def pairs() -> list[tuple[str, str]]:
    """Return each kind of change with one signature, and each signature with one kind; all pairs
    at the large size."""
    crossed = list(product(LINE_KINDS, SIGNATURES))
    few = [(kind, "player") for kind in LINE_KINDS] + [("number", each) for each in SIGNATURES]
    return crossed if sized(0, 1) else list(dict.fromkeys(few))


@pytest.mark.parametrize(("kind", "signature"), pairs())
def test_compiled_searches_follow_a_changed_heuristic(
    helper: Path, kind: str, signature: str
) -> None:
    if kind == "default" and signature != "player":
        pytest.skip("a default is an argument of its own")
    read, change = LINE_KINDS[kind]
    module = heuristic_of(helper, signature, read)
    for weight in (1, 70, 1):
        change(module, weight)
        if kind == "list of a module":  # which Numba does not compile
            with pytest.raises(ps.OptionError, match="cannot be compiled"):
                agree(module.h)
        else:
            assert agree(module.h)[1] == "compiled"


def test_all_algorithms_follow_a_changed_heuristic(helper: Path) -> None:
    module = heuristic_of(helper, "player", "W")
    for module.W in (1, 70):
        for algorithm in ALGORITHMS:
            agree(module.h, algorithm)
        agree(ps.heuristic(module.h, scale=2))


def test_a_sum_over_lines_follows_each_change_also_to_no_sum(helper: Path) -> None:
    text = (
        "def h(mine, theirs, lines):\n"
        " return sum(W * (mine & line).bit_count() for line in lines)\n"
    )
    (helper / "sum.py").write_text(HEAD + text + "def other(mine, theirs, lines):\n return mine\n")
    function = load_named(f"{helper / 'sum.py'}:h", "heuristic", "a function")[1]
    scope, position = function.__globals__, ps.parse("4,4,4 a1 b1 a2")
    other = scope["other"]
    for weight in (1, 5):
        scope["W"] = weight
        expected = sum(weight * (position.stones(0) & m).bit_count() for m in position.game.masks)
        assert ps.evaluate(position, function, side="x") == expected
    function.__code__ = other.__code__
    assert ps.evaluate(position, function, side="x") == position.stones(0)


def test_agents_follow_a_changed_heuristic(helper: Path) -> None:
    module = heuristic_of(helper, "player", "L[0]")
    exec("def h(board, player): return L[0] * (board[0][0] - board[2][2])", vars(module))
    agent = ps.Agent(heuristic=module.h, depth=1, ties="first")
    start = ps.parse("tictactoe")
    first = agent.choices(start)
    module.L[0] = -1
    assert agent.choices(start) != first


def test_a_heuristic_that_cannot_be_compared_runs_in_the_reference_form(helper: Path) -> None:
    box = array("q", [1])

    def h(board: Any, player: Any) -> int:
        return 0 if box else 1

    found = Identity([h])
    assert found.digest == ""
    says(found.unknown)
    assert ps.search("connect4", heuristic=h, depth=2).form == "reference"
    with refuses(ps.OptionError):
        ps.search("connect4", heuristic=h, depth=2, form="compiled")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("eval('W')", "calls 'eval'"),
        ("getattr(mod, 'W')", "calls 'getattr'"),
        ("globals()['W']", "calls 'globals'"),
    ],
)
def test_treats_what_a_function_reads_by_a_text_as_unknown(
    helper: Path, source: str, reason: str
) -> None:
    module = heuristic_of(helper, "player", source)
    assert Identity([module.h]).unknown.startswith(reason)


# Games


class Heap:
    """Take one to `most` stones; scored by the weight of what the winner takes."""

    name = "heap of a test"
    scored = True

    def __init__(self) -> None:
        self.most, self.list, self.array = 2, [1], np.array([1])

    def start(self) -> tuple[int, int]:
        return (7, 0)

    def side(self, state: Any) -> int:
        return int(state[1])

    def moves(self, state: Any) -> Any:
        return range(1, min(self.most, state[0]) + 1)

    def play(self, state: Any, move: int) -> Any:
        return (state[0] - move, 1 - state[1])

    def weight(self) -> int:
        return 1

    @property
    def factor(self) -> int:
        return 1


def game_class(read: str) -> Any:
    """Return a class of games whose payoff reads a number by an expression."""
    scope = {"Heap": Heap, "W": 1, "L": [1], "A": np.array([1]), "mod": ModuleType("mod_of_a_test")}
    scope["mod"].W = 1  # type: ignore[attr-defined]
    exec(
        "def helper(): return 1\n"
        "class Game(Heap):\n"
        " def payoff(self, state):\n"
        "  if state[0]: return None\n"
        f"  return {read} if state[1] else -{read}\n",
        scope,
    )
    return scope


GAME_KINDS: dict[str, tuple[str, Callable[[dict[str, Any], Any, int], None]]] = {
    "number": ("W", lambda scope, game, w: scope.update(W=w)),
    "list in place": ("L[0]", lambda scope, game, w: scope["L"].__setitem__(0, w)),
    "array in place": ("A[0]", lambda scope, game, w: scope["A"].__setitem__(0, w)),
    "function": ("helper()", lambda scope, game, w: exec(f"def helper(): return {w}", scope)),
    "number of a module": ("mod.W", lambda scope, game, w: setattr(scope["mod"], "W", w)),
    "attribute": ("self.number", lambda scope, game, w: setattr(game, "number", w)),
    "list of the object": ("self.list[0]", lambda scope, game, w: game.list.__setitem__(0, w)),
    "attribute of the class": (
        "self.KIND",
        lambda scope, game, w: setattr(scope["Game"], "KIND", w),
    ),
    "method": (
        "self.weight()",
        lambda scope, game, w: setattr(scope["Game"], "weight", _method(w)),
    ),
    "method of a base": (
        "self.weight()",
        lambda scope, game, w: setattr(Heap, "weight", _method(w)),
    ),
    "property": (
        "self.factor",
        lambda scope, game, w: setattr(scope["Game"], "factor", property(_method(w))),
    ),
    "method set on the object": (
        "self.weight()",
        lambda scope, game, w: setattr(game, "weight", lambda: w),
    ),
}


def _method(weight: int) -> Any:
    made: dict[str, Any] = {}
    exec(f"def weight(self): return {weight}", made)
    return made["weight"]


@pytest.fixture
def _same_heap() -> Iterator[None]:
    weight = Heap.weight
    yield
    Heap.weight = weight  # type: ignore[method-assign]


@pytest.mark.usefixtures("_same_heap")
@pytest.mark.parametrize("kind", GAME_KINDS)
def test_digests_of_games_follow_each_kind_of_change(kind: str) -> None:
    read, change = GAME_KINDS[kind]
    scope = game_class(read)
    game = scope["Game"]()
    change(scope, game, 1)
    before = identity_of(game).digest
    change(scope, game, 7)
    assert before != identity_of(game).digest != ""


@pytest.mark.usefixtures("_same_heap")
@pytest.mark.parametrize("algorithm", ALGORITHMS if sized(0, 1) else ("alphabeta",))
@pytest.mark.parametrize("kind", list(GAME_KINDS)[:: sized(3, 1)])
def test_compiled_searches_follow_a_changed_game(kind: str, algorithm: str) -> None:
    read, change = GAME_KINDS[kind]
    scope = game_class(read)
    game = scope["Game"]()
    for weight in (1, 7):
        change(scope, game, weight)
        expected = ps.search(GamePosition(game), algorithm, form="reference")
        try:
            found = ps.search(GamePosition(game), algorithm, form="compiled")
        except ps.OptionError as error:  # a refusal is right too
            assert "expected auto or reference" in str(error)
        else:
            assert (found.value, found.nodes) == (expected.value, expected.nodes)
        assert abs(expected.value) == weight


@pytest.mark.usefixtures("_same_heap")
@pytest.mark.parametrize("kind", GAME_KINDS)
def test_exact_values_follow_a_changed_game(kind: str) -> None:
    read, change = GAME_KINDS[kind]
    scope = game_class(read)
    game = scope["Game"]()
    for weight in (1, -7, 3):
        change(scope, game, weight)
        expected = ps.search(GamePosition(game), form="reference").value
        assert ps.solve(GamePosition(game)).value in (expected, (expected > 0) - (expected < 0))
        assert ps.Agent("perfect").choices(GamePosition(game))


# Files


def test_an_edited_helper_of_a_file_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "edited_helper.py").write_text("K = 1\n")
    file = tmp_path / "mine.py"
    file.write_text("from edited_helper import K\ndef h(board): return K\n")
    sys.path.insert(0, str(tmp_path))
    try:
        for weight in (1, 2, 3):  # within a second, and of the same size
            (tmp_path / "edited_helper.py").write_text(f"K = {weight}\n")
            os.utime(tmp_path / "edited_helper.py", ns=(weight, weight))
            assert ps.evaluate("tictactoe", f"{file}:h", side="x") == weight
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("edited_helper", None)
