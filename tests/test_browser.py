"""The core in a Python like a browser's: no packages, no threads, and some modules missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from commands import python

BROWSER = """
import sys, threading, time
from blocked import block
block()
for name in ("resource", "termios", "tty", "fcntl", "pwd", "grp", "sqlite3", "multiprocessing"):
    sys.modules[name] = None
del threading.get_native_id, time.thread_time
sys.platform = "emscripten"

def refuse(*arguments):
    raise RuntimeError("can't start new thread")

import _thread
_thread.start_new_thread = _thread.start_joinable_thread = refuse
import plyscope as ps
"""


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ('ps.evaluate(".X./O../X.O", "counted-lines")', "0"),
        ('ps.search(".X./O../X.O", "alphabeta", "counted-lines").nodes', "98"),
        ('ps.search("connect4", depth=3, seconds=60).depth', "3"),
        (
            'ps.search("X../.O./...", "alphabeta", lambda mine, theirs, lines: mine % 7).form',
            "reference",
        ),
        ('ps.solve("tictactoe").value, ps.solve("connect4").distance', "(0, 41)"),
        ('ps.certify("two-ply").never_loses', "True"),
        ("ps.trace([[3, 5], [6, 9]]).result.value", "6"),
        ("len(ps.exam(2).questions)", "2"),
        ('str(ps.search(".X./O../X.O", depth=2)).count("value") > 0', "True"),
    ],
)
def test_answers_as_in_a_browser(asked: str, answer: str) -> None:
    code = f"{BROWSER}\nprint(({asked}))"
    found = python(
        "-c",
        code,
        env={"PYTHONPATH": ":".join([str(Path(__file__).parent), *sys.path])},
        check=False,
    )
    assert (found.stdout, found.stderr) == (f"{answer}\n", "")
