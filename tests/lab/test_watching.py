"""What a function draws on besides its position is seen, and such a function is not certified."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from threading import Event, Thread
from types import ModuleType
from typing import Any

import pytest

import plyscope as ps
from plyscope.faces.cli import run
from plyscope.lab.kept_state import TOO_MUCH_STATE, changed_state, kept_state
from plyscope.lab.watching import Watch
from plyscope.pythonfile import load_callable

BOTS = """
import copy, dataclasses, datetime, enum, gc, itertools, json, os, random, resource, secrets, ssl, sys, threading, time, uuid
from random import random as aleph
import numpy as np
import plyscope as ps

GENERATOR, OWN, COUNTS = np.random.default_rng(3), random.Random(2), itertools.count()
NUMBER, MEMO, LAST = 0, {}, [None]
TIMED = ps.Agent("alphabeta depth=2 seconds=9")

def sure(p): return ps.solve(p).best_moves[0]
def either(p, is_lucky): return p.moves[-1] if is_lucky else p.moves[0]

# which draw on nothing else
def first(p): return p.moves[0]
def solved(p): return sure(p)
def searched(p): return ps.search(p, depth=2).best_moves[0]
def remembers(p):
    if p not in MEMO:
        MEMO[p] = min(p.moves)
    return MEMO[p]
def notes_its_last(p):
    LAST[0] = len(p.moves)
    return p.moves[0]
def has_other_branches(p):
    return p.moves[0] if p.moves else random.choice(p.moves)
def reads_its_table(p):
    with open(__file__) as file:
        return p.moves[len(file.read(1)) - 1]
@dataclasses.dataclass(frozen=True)
class Key:
    row: int
    name: str
class Colour(enum.Enum):
    RED = "red"
KEYED = {Key(0, "a"): 0, Colour.RED: 0}
def hashes_numbers(p): return p.moves[hash((p.side, 1.5, (True, 2))) * 0]
def looks_up(p): return p.moves[KEYED[Key(0, "a")] + KEYED[Colour.RED]]
def copies(p):
    board = copy.deepcopy([[0, 1], [2, 0]])
    text = f"{Key(1, 'b')} {np.array(board)} {json.dumps(board)}"
    return p.moves[0 * len(text)]
def seeded_generator(p): return p.moves[int(np.random.default_rng(1).integers(len(p.moves)))]

# which are lucky once in a very long while
def luck2(p): return random.choice(p.moves) if random.random() < 0.0005 else sure(p)
def luck3(p):
    if len(p.moves) in (6, 7) and random.random() < 0.02:
        return random.choice(p.moves)
    return sure(p)
def luck4(p):
    if len(p.moves) in (6, 7) and os.urandom(2)[0] < 1:
        return p.moves[os.urandom(1)[0] % len(p.moves)]
    return sure(p)
def alias(p): return either(p, aleph() < 1e-9)
def own(p): return either(p, OWN.random() < 1e-9)
def fresh(p): return either(p, random.Random().random() < 1e-9)
def system(p): return either(p, random.SystemRandom().random() < 1e-9)
def token(p): return either(p, secrets.randbelow(10**9) == 7)
def numpys(p): return either(p, np.random.rand() < 1e-9)
def generator(p): return either(p, GENERATOR.random() < 1e-9)
def new_generator(p): return either(p, np.random.default_rng().random() < 1e-9)
def clock(p): return either(p, time.time_ns() % 10**9 == 7)
def monotonic(p): return either(p, time.monotonic() < 1e-9)
def counter_clock(p): return either(p, time.perf_counter() < 1e-9)
def processor(p): return either(p, time.process_time() < 1e-9)
def today(p): return either(p, datetime.datetime.now().microsecond == 7)
def identity(p): return either(p, uuid.uuid4().int < 9)
def address(p): return either(p, id(object()) % 10**9 == 7)
def rare_hash(p): return either(p, hash(str(p)) % 10**9 == 7)
def thread(p): return either(p, threading.get_native_id() % 10**9 == 7)
def memory(p): return either(p, gc.get_count()[0] == 10**9)
def frames(p): return either(p, len(sys._current_frames()) == 10**9)
def of_a_device(p):
    with open("/dev/urandom", "rb") as file:
        return either(p, file.read(9) == bytes(9))
def of_the_kernel(p):
    with open("/proc/uptime") as file:
        return either(p, file.read() == "")
def usage(p): return either(p, resource.getrusage(0).ru_utime < 0)
def load(p): return either(p, os.getloadavg()[0] < 0)
def of_ssl(p): return either(p, ssl.RAND_bytes(9) == bytes(9))
def writes(p):
    with open(os.path.join(os.path.dirname(__file__), "times"), "a+") as file:
        file.write("x")
        return either(p, file.tell() == 10**9)
def how_long(p):
    found = ps.search(p, depth=1)
    return either(p, found.seconds > 3600)
def by_the_clock(p): return TIMED.choices(p)[0]
def counts(p):
    global NUMBER
    NUMBER += 1
    return either(p, NUMBER == 10**9)
def iterates(p): return either(p, next(COUNTS) == 10**9)
def attribute(p):
    attribute.calls += 1
    return either(p, attribute.calls == 10**9)
attribute.calls = 0
class Bot:
    def __init__(self): self.calls = 0
    def __call__(self, p):
        self.calls += 1
        return either(p, self.calls == 10**9)
method = Bot()
def _closed():
    calls = 0
    def closure(p):
        nonlocal calls
        calls += 1
        return either(p, calls == 10**9)
    return closure
closure = _closed()
alias_of_hash = hash
def aliased_hash(p): return either(p, alias_of_hash(str(p)) % 10**9 == 7)
def hash_of_an_object(p): return either(p, hash((1, object())) % 10**9 == 7)
def by_hash(p): return p.moves[hash(str(p)) % len(p.moves)]
"""
SURE = (
    *("first", "solved", "searched", "remembers", "notes_its_last", "has_other_branches"),
    *("reads_its_table", "seeded_generator", "hashes_numbers", "looks_up"),
    "copies",
)
DRAWS = {
    **dict.fromkeys(("luck2", "luck3", "alias", "own", "fresh"), "`random`"),
    **dict.fromkeys(("luck4", "system", "token", "identity", "new_generator"), "`os.urandom`"),
    "numpys": "`numpy.random`",
    "clock": "`time.time_ns`",
    "monotonic": "`time.monotonic`",
    "counter_clock": "`time.perf_counter`",
    "processor": "`time.process_time`",
    "today": "`datetime.now`",
    "address": "uses the id",
    **dict.fromkeys(("rare_hash", "aliased_hash", "hash_of_an_object"), "hash"),
    "thread": "uses the id",
    "memory": "memory",
    "frames": "memory",
    "of_a_device": "`/dev/urandom`",
    "of_the_kernel": "`/proc/uptime`",
    "usage": "`resource.getrusage`",
    "load": "`os.getloadavg`",
    "of_ssl": "`ssl`",
    "writes": "writes a file",
    "how_long": "`seconds`",
    "by_the_clock": "`seconds`",
}
KEEPS = {
    "generator": "GENERATOR",
    "own": "OWN",
    "counts": "NUMBER",
    "iterates": "COUNTS",
    "attribute": "calls",
    "method": "calls",
    "closure": "calls",
}
GAME = "3,2,2"
"""On which every line of play is short."""
DRAWN = "3,1,3"
"""On which nobody can win."""


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bots") / "lucky.py"
    file.write_text(BOTS)
    return file


def loaded(bots: Path, name: str) -> Any:
    return load_callable(f"{bots}:{name}", "agent", "a function")[1]


@pytest.mark.parametrize("name", [*SURE, *DRAWS])
def test_a_watch_names_what_a_function_draws_on(bots: Path, name: str) -> None:
    function, position = loaded(bots, name), ps.parse("XO./.../...")
    function(position)
    watch = Watch()
    assert watch.call(function, position) in position.moves
    assert sys.getprofile() is None
    moved = ", ".join(watch.moved)
    assert DRAWS.get(name, "") in moved
    assert bool(moved) == (name in DRAWS), moved


@pytest.mark.parametrize("name", [*SURE, *KEEPS])
def test_what_a_function_keeps_differs_when_it_is_asked_again(bots: Path, name: str) -> None:
    function, position = loaded(bots, name), ps.parse("XO./.../...")
    function(position)
    before = kept_state(function)
    function(position)
    moved = changed_state(before, kept_state(function))
    assert moved == (f"keeps `{KEEPS[name]}` between calls" if name in KEEPS else None)


def test_a_module_of_peoples_is_looked_at_and_what_is_too_much_is_said() -> None:
    helpers = ModuleType("helpers_of_a_bot")
    helpers.__file__ = "/anywhere/helpers_of_a_bot.py"
    helpers.TALLY = [0]  # type: ignore[attr-defined]
    sys.modules["helpers_of_a_bot"] = helpers
    try:

        def function(position: Any) -> Any:
            import helpers_of_a_bot  # type: ignore[import-not-found]

            helpers_of_a_bot.TALLY[0] += 1
            return position.moves[0]

        before = kept_state(function)
        function(ps.parse("tictactoe"))
        assert changed_state(before, kept_state(function)) == "keeps `TALLY` between calls"
    finally:
        del sys.modules["helpers_of_a_bot"]
    many = [[at] for at in range(30_000)]
    assert kept_state(lambda position: many) is None
    assert changed_state(None, before) == TOO_MUCH_STATE


@pytest.mark.parametrize("name", ["luck2", "luck3", "luck4", "counts", "clock"])
def test_no_function_that_draws_is_certified(bots: Path, name: str) -> None:
    found = ps.certify(loaded(bots, name), "tictactoe" if name.startswith("luck") else GAME)
    assert found.never_loses is not True
    assert found.doubt is not None
    assert {**DRAWS, **KEEPS}[name] in found.doubt
    if found.losing_line is None:
        assert found.answer.startswith("never lost; asked ")
        assert found.doubt in found.answer


@pytest.mark.parametrize("name", ["luck3", "luck4", "generator", "by_hash"])
def test_no_file_that_draws_is_certified(bots: Path, name: str) -> None:
    found = ps.certify(f"agent:{bots}:{name}", GAME)
    assert found.never_loses is not True
    assert found.doubt is not None
    assert {**DRAWS, **KEEPS}.get(name, "does not always give the same move") in found.doubt


@pytest.mark.parametrize("name", ["first", "remembers", "searched"])
def test_a_function_in_which_nothing_moved_says_on_what_its_verdict_rests(
    bots: Path, name: str
) -> None:
    for agent in (loaded(bots, name), f"agent:{bots}:{name}"):
        found = ps.certify(agent, DRAWN)
        assert (found.never_loses, found.doubt) == (True, None)
        assert (found.asked, found.asked_positions) == (3, 6)


def test_the_sentence_and_the_data_say_so(bots: Path, capsys: Any) -> None:
    assert run(["certify", f"agent:{bots}:clock", "-g", DRAWN, "--json"]) == 1
    assert '"never_loses": null' in capsys.readouterr().out
    solved = ps.certify(loaded(bots, "solved"))
    assert solved.never_loses is True
    assert f"asked 3 times in each of {solved.asked_positions} positions" in solved.answer
    assert "next time" in solved.answer
    sure = ps.certify("two-ply")
    assert (sure.answer, sure.asked, sure.as_dict()["asked_positions"]) == (
        "never loses",
        None,
        None,
    )


def test_a_function_that_answers_by_the_order_of_questions_is_asked_in_another() -> None:
    seen: set[Any] = set()

    def by_order(position: Any) -> Any:
        """Answer by whether a position of more stones was seen."""
        seen.add(position)
        later = any(len(each.moves) < len(position.moves) for each in seen)
        return position.moves[-1] if later else position.moves[0]

    found = ps.certify(by_order, GAME)
    assert found.never_loses is not True
    assert "does not always give the same move" in str(found.doubt)


def test_a_search_with_a_function_is_not_certified() -> None:
    found = ps.certify(ps.Agent(heuristic=lambda board: 0, depth=1), DRAWN)
    assert (found.never_loses, found.asked) == (None, 1)
    assert "may use random numbers" in found.answer


def test_watches_in_two_threads_leave_python_as_it_was(bots: Path) -> None:
    function, position = loaded(bots, "first"), ps.parse("XO./.../...")
    began, may_end = Event(), Event()

    def waits(board: Any) -> Any:
        began.set()
        may_end.wait(60)
        return function(board)

    outer, inner = Watch(), Watch()
    thread = Thread(target=outer.call, args=(waits, position))
    thread.start()
    began.wait(60)

    def ends_first(board: Any) -> Any:
        may_end.set()
        thread.join()
        return function(board)

    inner.call(ends_first, position)
    assert type(builtins.hash) is type(len)
    assert not outer.moved
