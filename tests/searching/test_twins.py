"""The compiled form of an algorithm is the reference's twin: same value, counts, bounds and lines
on every position."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from commands import python
from plyscope import LineTable, parse_game, search
from plyscope.errors import OptionError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.searching.conventions import CHOICES, Conventions
from plyscope.searching.limit import NO_LIMIT
from plyscope_fast.searching.layout import CompiledBoard
from rules_at_random import running_position, some_game
from sentences import says
from twins import FANO, SPECS, TWINS, assert_twins, some_options, some_position
from waiting import PATIENCE_SECONDS


@pytest.mark.parametrize("spec", [*SPECS, "fano"])
@pytest.mark.parametrize("name", TWINS)
def test_twins_agree_on_every_game_under_all_conventions(name: str, spec: str) -> None:
    draw = random.Random(f"{name} {spec}")
    game = FANO if spec == "fano" else parse_game(spec)
    for _ in range(15 if game.size < 30 else 4):
        position = some_position(game, draw)
        options = some_options(name, draw, position)
        assert_twins(position, name, **options)


@pytest.mark.parametrize("name", [name for name in TWINS if name != "accumulating"])
def test_twins_agree_without_an_opinion(name: str) -> None:
    """On boards of one word lines are looked at as words then, on larger ones counted as ever."""
    draw = random.Random(name)
    for spec in (
        "connect4",
        "4,4,3,misere",
        "5,5,3,gravity,misere",
        "4,3,3,torus",
        "qubic",
        "4x4x4,4,gravity",
        "9,8,3",
    ):
        for _ in range(5):
            position = some_position(parse_game(spec), draw)
            options = {
                **some_options(name, draw, position),
                "heuristic": "null",
                "scoring": draw.choice(CHOICES["scoring"]),
            }
            assert_twins(position, name, **options)


@pytest.mark.parametrize("name", ["minimax", "negamax", "alphabeta"])
@pytest.mark.parametrize(
    "spec",
    [
        *("tictactoe", "connect4", "5,5,3,gravity,misere", "3x3x3,3,gravity", "3x2x2,2", "6,1,3"),
        *("qubic", "8,8,5,gravity", "6,5,5", "fano"),
    ],
)
def test_twins_agree_in_registers(name: str, spec: str) -> None:
    """Without an opinion, in generated order and without a limit nothing is placed on a board: not
    where lines bend."""
    game, draw = FANO if spec == "fano" else parse_game(spec), random.Random(f"{name} {spec}")
    for _ in range(12 if game.size < 40 else 5):
        position = some_position(game, draw)
        options = {
            **some_options(name, draw, position),
            "heuristic": "null",
            "scoring": draw.choice(CHOICES["scoring"]),
        }
        assert_twins(position, name, **{**options, "order": "generated"})
        board = CompiledBoard(position, find_heuristic("null", game), Conventions(), 2, NO_LIMIT)
        assert board.in_registers == (spec != "fano")


@pytest.mark.parametrize("name", TWINS)
def test_twins_stop_at_the_same_node(name: str) -> None:
    for nodes in (1, 2, 50, 777, 5000):
        assert_twins("4,4,4", name, nodes=nodes)


def test_the_published_counts_of_connect_four() -> None:
    """Depth 6 from the empty board, 1, 10, 100 for windows of one, two, three stones of a
    colour."""
    window = LineTable.one_sided("window", (0, 1, 10, 100, 0))
    found = search("connect4", "alphabeta", window, depth=6, form="compiled")
    assert (found.nodes, found.value, found.moves[3].column, found.best_moves) == (
        16_630,
        -5,
        3,
        (38,),
    )


def test_counts_nodes_of_full_searches_of_3x3() -> None:
    assert search("tictactoe", "minimax", "result", form="compiled").nodes == 549_946
    assert search("tictactoe", "alphabeta", "result", form="compiled", bound="hard").nodes == 18_297


def test_keeps_a_time_limit() -> None:
    search("connect4", depth=2, form="compiled")  # compiled by now
    found = search("connect4", form="compiled", seconds=0.3)
    assert found.stopped == "seconds"
    assert found.depths
    assert found.seconds < PATIENCE_SECONDS


def test_ctrl_c_ends_a_kernel_and_keeps_what_it_has() -> None:
    code = (
        "import threading, time, _thread\nfrom plyscope import search\nsearch('connect4', depth=2, form='compiled')\n"
        "threading.Timer(0.5, _thread.interrupt_main).start()\n"
        "found = search('connect4', depth=30, form='compiled', keep_interrupted=True)\n"
        "print(found.stopped, found.complete, found.nodes > 1000, found.seconds < 60)"
    )
    printed = python("-c", code).stdout
    assert printed == "interrupted False True True\n"


def test_searches_independently_in_several_threads() -> None:
    found: list[int] = []
    threads = [
        threading.Thread(
            target=lambda: found.append(search("connect4", depth=6, form="compiled").nodes)
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found) == 4


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tree", {"position": "[1,2]"}),
        ("huge", {"heuristic": LineTable("huge", {(1, 0): 10**9})}),
        ("watch", {"watch": print}),
        ("sss", {"algorithm": "sss"}),
    ],
)
def test_names_what_the_compiled_form_cannot_do(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as caught:
        search(options.pop("position", "tictactoe"), form="compiled", **options)
    says(f"compiled {name}", str(caught.value))


def test_chooses_the_form_by_the_work_and_the_compiled_code(tmp_path: Path) -> None:
    def run(code: str) -> list[str]:
        environment = {**os.environ, "PLYSCOPE_CACHE": str(tmp_path)}
        code = f"import sys\nfrom plyscope import search\n{code}\nprint('numba' in sys.modules)"
        return python("-c", code, env=environment).stdout.split()

    small = "for text in ('tictactoe', '.X./O../X.O'): print(search(text).form)"
    assert run(small) == ["reference", "reference", "False"]
    assert run("print(search('connect4', depth=4).form, search('connect4', depth=10).form)") == [
        "reference",
        "compiled",
        "True",
    ]
    assert run(small) == ["compiled", "reference", "False"]
    large = "print(search('15,15,5 h8', 'pvs', 'null', depth=3, scoring='result').form)"
    assert run(large) == [
        "compiled",
        "True",
    ]  # the 190,000 nodes sequence_bound take the reference half a minute there


CACHED = (
    "import sys\nfrom plyscope_fast.machine.store import cache_folder\nfrom plyscope_fast.searching.table import CompiledTable\n"
    "print(CompiledTable().get((__import__('plyscope').parse('tictactoe b2'), 1)), 'numba' in sys.modules)"
)


def test_caches_kernels_on_disk_and_replaces_damaged_ones(tmp_path: Path) -> None:
    def run(folder: Path) -> str:
        environment = {**os.environ, "PLYSCOPE_CACHE": str(folder)}
        return python("-c", CACHED, env=environment).stdout

    assert [run(tmp_path), run(tmp_path)] == ["None True\n", "None False\n"]
    kept = sorted(tmp_path.glob("kernels-*/*.o"))
    assert [file.name for file in kept] == ["table.find.o"]
    kept[0].write_bytes(kept[0].read_bytes()[:-9])
    assert [run(tmp_path), run(tmp_path)] == ["None True\n", "None False\n"]
    blocked = tmp_path / "a file"
    blocked.touch()
    assert (
        run(blocked) == "None True\n"
    )  # nothing can be kept there, and the search works all the same


@pytest.mark.parametrize("name", TWINS)
def test_twins_agree_on_random_rules(name: str) -> None:
    """Lines of exactly k, holes, and several stones a turn, with gravity, misère and tori."""
    draw = random.Random(name)
    for number in range(60):
        game = some_game(draw)
        position = running_position(game, draw)
        if position is None:
            continue
        options = some_options(name, draw, position)
        if number % 3 == 0 and name != "accumulating":
            options["heuristic"] = "null"
            options["scoring"] = draw.choice(CHOICES["scoring"])
        assert_twins(position, name, **options)
