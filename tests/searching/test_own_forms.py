"""When a game of one's own is searched compiled, and when and why it is not."""

from __future__ import annotations

import re
import sys
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from commands import python
from plyscope import search
from plyscope.errors import OptionError
from plyscope.searching import choice
from plyscope.searching.events import Event
from plyscope.searching.request import make_request
from plyscope_fast.searching import accelerator
from plyscope_fast.searching.own import run as own_run
from plyscope_fast.searching.own import walk as own_walk
from sentences import refuses, says
from students import Dag, Nim
from twins import assert_twins
from waiting import PATIENCE_SECONDS


class Countdown:
    """Take one, two or three of many; something may be wrong far down."""

    name = "countdown"

    def __init__(self, trap: int = -9, wrong: int = 1) -> None:
        self.trap, self.wrong = trap, wrong

    def start(self) -> Any:
        return 40, 0

    def side(self, state: Any) -> int:
        return state[1]

    def moves(self, state: Any) -> Any:
        return [take for take in (1, 2, 3) if take <= state[0]]

    def play(self, state: Any, move: int) -> Any:
        if self.trap - 3 < state[0] <= self.trap:  # which no take jumps over
            raise ValueError("a trap")
        return state[0] - move, 1 - state[1]

    def payoff(self, state: Any) -> int | None:
        if state[0] > 0:
            return None
        return self.wrong if state[1] else -1


MOST = 3


class Limited(Countdown):
    """Take at most MOST."""

    def moves(self, state: Any) -> Any:
        return range(1, min(MOST, state[0]) + 1)


def test_switches_a_long_search_to_compiled_and_begins_the_next_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choice, "MIN_COMPILE_NODES", 2000)
    monkeypatch.setattr(choice, "_spent_on_own", {})
    game = Countdown()
    early = search(game.start(), game=game, depth=3)
    assert (early.form, early.form_reason) == (
        "reference",
        "done before its game could have been compiled",
    )
    expected = search(game.start(), game=game, depth=14, form="reference")
    found = search(game.start(), game=game, depth=14)
    assert found.form == "compiled"
    assert found.form_reason.startswith("faster, after ")
    told = attrgetter("value", "nodes", "moves", "pv")
    assert told(found) == told(expected)
    again = search(Countdown().start(), game=Countdown(), depth=3)
    assert (again.form, again.form_reason) == ("compiled", "faster")
    watched: list[Event] = []
    assert search(game.start(), game=game, depth=3, watch=watched.append).form == "reference"
    late = search(game.start(), game=game, seconds=0.5)
    assert (late.form, late.stopped) == ("compiled", "seconds")
    assert late.seconds < PATIENCE_SECONDS
    monkeypatch.setattr(own_walk, "MAX_PLIES", 8)
    deep = search(game.start(), game=game, depth=9)
    assert (deep.form, deep.nodes) == (
        "reference",
        search(game.start(), game=game, depth=9, form="reference").nodes,
    )
    says(deep.form_reason)


def test_begins_no_compile_that_the_seconds_cannot_repay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choice, "MIN_COMPILE_NODES", 0)
    monkeypatch.setattr(accelerator, "_compile_times", [])
    compiled_game, asked = own_run.compiled_game, list[object]()

    def counted(request: Any) -> Any:
        asked.append(request)
        return compiled_game(request)

    monkeypatch.setattr(own_run, "compiled_game", counted)
    # compiled in the test before, and not known to be
    monkeypatch.setattr(own_run, "state_of", lambda request: "unknown")
    monkeypatch.setattr(own_run, "is_stored", lambda request: False)
    game = Countdown()
    found = search(game.start(), game=game, seconds=1)
    assert (found.form, asked) == ("reference", [])
    assert found.form_reason.startswith("compiling takes up to ")
    assert found.form_reason.endswith(" s are left")
    monkeypatch.setattr(accelerator, "GAME_COMPILE_TIME", accelerator.CompileTime(0.0, 0.0))
    monkeypatch.setattr("plyscope.searching.search.MIN_MENTIONED_SECONDS", -1.0)
    found = search(game.start(), game=game, seconds=600, depth=3)
    assert (found.form, len(asked)) == ("compiled", 1)
    assert " s of its time" in found.form_reason
    expected = search(game.start(), game=game, depth=3, form="reference")
    assert (found.value, found.last_nodes) == (expected.value, expected.nodes)


@pytest.mark.parametrize(
    ("times", "left", "load", "begins"),
    [
        ([], 12.4, 1.0, False),
        ([], 12.6, 1.0, True),
        ([], 12.6, 1.2, False),
        ([8.0], 3.7, 1.0, False),
        ([8.0], 3.8, 1.0, True),
        ([8.0, 4.0], 4.9, 1.0, False),
        ([8.0, 4.0], 5.1, 1.0, True),
    ],
)
def test_expects_the_measured_compile_time_under_the_current_load(
    times: list[float], left: float, load: float, begins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accelerator, "_compile_times", times)
    monkeypatch.setattr(own_run, "state_of", lambda request: "unknown")
    monkeypatch.setattr(own_run, "is_stored", lambda request: False)
    request = make_request(Countdown().start(), game=Countdown())
    assert (choice.no_time_for_game(request, left, load) == "") is begins


class Adjustable(Countdown):
    """Take at most `most`."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def moves(self, state: Any) -> Any:
        return range(1, min(self.most, state[0]) + 1)


def test_rejects_machine_code_that_finds_more_moves_than_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(own_run, "_known", {})
    monkeypatch.setattr(own_run, "_digest_of", lambda game, heuristic: "the same")
    three, two = Adjustable(3), Adjustable(2)
    search(three.start(), game=three, depth=3, form="compiled")
    with refuses(OptionError):
        search(two.start(), game=two, depth=3, form="compiled")


def test_obeys_a_changed_module_constant_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for most in (3, 2):
        monkeypatch.setattr(sys.modules[__name__], "MOST", most)
        found = search((9, 0), game=Limited(), form="compiled")
        assert found.nodes == search((9, 0), game=Limited(), form="reference").nodes
        assert found.value == (10**9 if 9 % (most + 1) else -(10**9))


def test_reports_exceptions_and_wrong_payoffs_without_harm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One game with both faults, as each game compiles for seconds."""
    game, samples = Countdown(trap=30, wrong=10**12), own_run._samples
    with refuses(OptionError):
        search((40, 0), game=game, form="compiled")
    monkeypatch.setattr(own_run, "_samples", lambda *given: islice(samples(*given), 2))
    monkeypatch.setattr(own_run, "_known", {})
    with refuses(OptionError):
        search((40, 0), game=game, form="compiled")
    with pytest.raises(ValueError, match="a trap"):
        search((40, 0), game=game)
    for form in ("reference", "compiled"):
        with pytest.raises(
            OptionError, match=r"payoff '1000000000000' of 'countdown' on '\(0, 1\)'"
        ):
            search((5, 0), game=game, form=form)


def test_ctrl_c_ends_a_compiled_search_of_a_user_defined_game() -> None:
    folder = Path(__file__).resolve().parents[1]
    code = (
        f"import sys; sys.path.insert(0, {str(folder)!r})\n"
        "import threading, _thread\nfrom plyscope import search\nfrom students import Nim\n"
        "game = Nim(9, 9, 9)\nsearch(game.start(), game=game, depth=2, form='compiled')\n"
        "threading.Timer(0.5, _thread.interrupt_main).start()\n"
        "found = search(game.start(), game=game, form='compiled', keep_interrupted=True)\n"
        "print(found.stopped, found.complete, found.nodes > 1000, found.seconds < 60)"
    )
    done = python("-c", code)
    assert done.stdout == "interrupted False True True\n"


class Lengths(Nim):
    def play(self, position: Any, move: Any) -> Any:
        return (*super().play(position, move)[:-1], 7, 1 - position[-1])


class Passes(Nim):
    def moves(self, position: Any) -> Any:
        return [*super().moves(position), None] if position[0] else super().moves(position)

    def play(self, position: Any, move: Any) -> Any:
        return super().play(position, move or (0, 1))


class Overflows(Nim):
    """Multiplies beyond 64 bits, and takes the remainder."""

    def start(self) -> Any:
        return (*self.heaps, 5, 0)

    def play(self, position: Any, move: Any) -> Any:
        heap, count = move
        one, two, number, side = position
        number = (number + 1) * 1_000_003 % (1 << 61) * 79_190_000 % 1_000_000_007
        return one - count * (heap == 0), two - count * (heap == 1), number, 1 - side


class Remembers(Nim):
    def __init__(self, *heaps: int) -> None:
        super().__init__(*heaps)
        self.seen: dict[Any, Any] = {}

    def side(self, position: Any) -> int:
        return self.seen.setdefault(position, position[-1])


class Empty(Nim):
    """Its helper returns an empty list that nothing is appended to."""

    def taken(self, heap: int, count: int) -> list[tuple[int, int]]:
        return [(heap, number) for number in range(1, count + 1)] if count else []

    def moves(self, position: Any) -> Any:
        found = []
        for heap, count in enumerate(position[:-1]):
            found += self.taken(heap, count)
        return found


class Extends(Nim):
    """Its lists begin empty and grow as beginners write it; it counts in a tuple."""

    def taken(self, heap: int, count: int) -> list[tuple[int, int]]:
        found = []
        for number in range(1, count + 1):
            found.append((heap, number))
        return found

    def moves(self, position: Any) -> Any:
        found = []
        found += self.taken(0, position[0])
        if position.count(0) < len(position):
            found.extend(self.taken(1, position[1]))
        return found


WORTH = {0: 0, 1: 2, 2: -1}
STEPS = [(1,), (1, 2), (1, 2, 3)]


class Table(Countdown):
    """Its methods read a dict of the module, and have functions and longer texts within."""

    def count(self, number: int) -> int:
        return number

    def side(self, state: Any) -> int:
        who = state[1]
        return self.count(who)

    def moves(self, state: Any) -> Any:
        """Take as many as a row of the module says.

        Rows:
            are as long as they are
        """

        def fits(take: int) -> bool:
            return take <= state[0]

        row = STEPS[min(2, state[0] % 5)]
        return [take for take in row if fits(take)] if any(fits(take) for take in row) else []


def by_table(state: Any) -> int:
    return WORTH[state[0] % 3] + WORTH.get(state[0], 1) - max(each for each in state)


def test_compiles_in_methods_all_that_heuristics_may_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for worth in (2, 5):
        monkeypatch.setitem(WORTH, 1, worth)
        assert_twins((9, 0), "alphabeta", game=Table(), heuristic=by_table, depth=4)


def test_compiles_growing_lists_and_counts_in_tuples() -> None:
    game = Extends(2, 3)
    for position in ((0, 2, 0), game.start()):  # the first has a list that stays empty
        assert_twins(position, "alphabeta", game=game)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (Lengths(1, 2), "positions (1, 2, 0) and (0, 2, 7, 1): expected tuples of one length"),
        (Passes(1, 2), "move None: a NoneType is no whole number, nor a tuple"),
        (Remembers(1, 2), "self.seen is no number, text or list of them (side, line "),
        (Empty(1, 2), "the items of an empty list have no type, expected a list such as"),
        (Overflows(2, 2), "play: the compiled method returns another result on ("),
    ],
)
def test_reports_uncompilable_games_and_searches_them_in_the_reference(
    game: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "MIN_COMPILE_NODES", 3)
    monkeypatch.setattr(choice, "_spent_on_own", {})
    with pytest.raises(OptionError) as caught:
        search(game.start(), game=game, form="compiled")
    says(re.sub(r"line \d+ of", "a line of", str(caught.value)))
    found = search(game.start(), game=game)
    assert found.form == "reference"
    assert said in found.form_reason


@pytest.mark.parametrize(
    "options",
    [
        {"algorithm": "uct"},
        {"watch": print},
    ],
)
def test_names_the_algorithms_not_compiled_for_user_defined_games(options: Any) -> None:
    with refuses(OptionError):
        search(0, game=Dag(1), form="compiled", **options)
