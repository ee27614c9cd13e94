"""Users' files are run in one way: with their neighbours, within a limit, and with clear errors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import plyscope.pythonrun as pythonrun
from plyscope.errors import NotationError
from plyscope.pythonrun import load_named
from sentences import says


def load(path: Path, text: str, name: str = "h") -> object:
    """Write a file, and return its function `name`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return load_named(f"{path}:{name}", "heuristic", "a function")[1]


def refusal(path: Path, text: str) -> str:
    """Return the sentence with which a file is refused, without its folder."""
    with pytest.raises(NotationError) as caught:
        load(path, text)
    return str(caught.value).replace(f"{path.parent}/", "")


def test_imports_the_file_beside_a_file(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("ROWS = 6\n")
    before = list(sys.path)
    h = load(tmp_path / "mine.py", "from beside import ROWS\ndef h(board): return ROWS\n")
    assert h(()) == 6
    assert sys.path == before


def test_gives_each_file_its_own_neighbour_of_a_name(tmp_path: Path) -> None:
    text = "import beside\ndef h(board):\n    import beside as late\n    return beside.N, late.N\n"
    functions = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "beside.py").write_text(f"N = {number}\n")
        functions.append(load(folder / "mine.py", text))
    assert [h(()) for h in (*functions, *functions)] == [(1, 1), (2, 2), (1, 1), (2, 2)]


def test_imports_a_neighbour_when_a_function_is_called(tmp_path: Path) -> None:
    (tmp_path / "later.py").write_text("def value():\n    import latest\n    return latest.N\n")
    (tmp_path / "latest.py").write_text("N = 8\n")
    h = load(
        tmp_path / "mine.py", "def h(board):\n    from later import value\n    return value()\n"
    )
    assert h(()) == 8


@pytest.mark.parametrize(
    "statement",
    ["from game.constants import N", "from .constants import N", "import game.constants"],
)
def test_imports_the_package_that_a_file_belongs_to(tmp_path: Path, statement: str) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "constants.py").write_text("N = 5\n")
    value = "game.constants.N" if statement.startswith("import") else "N"
    assert load(folder / "ai.py", f"{statement}\ndef h(board): return {value}\n")(()) == 5  # type: ignore[operator]


@pytest.mark.parametrize("loop", ["pass", "time.sleep(0.01)", "time.sleep(60)"])
def test_ends_a_file_that_does_not_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: str
) -> None:
    monkeypatch.setattr(pythonrun, "limit_seconds", 0.05)
    monkeypatch.setattr(pythonrun, "TICK_SECONDS", 0.02)
    text = f"import time\ndef h(board): return 0\nwhile True:\n    {loop}\n"
    told = refusal(tmp_path / "mine.py", text)
    assert "is still running after 0.05 s; put the game below `if __name__ == '__main__':`" in told


CANNOT = {
    "input": "name = input('Name? ')",
    "standard input": "import sys\nfor line in sys.stdin: pass",
    "exit": "import sys\nsys.exit(3)",
    "quit": "raise SystemExit",
    "print of Python 2": "print 'hello'",
    "except of Python 2": "try: pass\nexcept ValueError, e: pass",
    "raw_input": "name = raw_input()",
    "module of Python 2": "import Tkinter",
    "package": "from nosuchpackage.board import Board",
    "window": "import pyglet",
    "no display": "class TclError(Exception): pass\nraise TclError('no display name')",
    "own error": "1 / 0",
}


@pytest.mark.parametrize("kind", CANNOT)
def test_says_why_a_file_cannot_be_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setitem(sys.modules, "pyglet", None)  # as if it were not installed
    says(
        f"file: {kind}", refusal(tmp_path / "mine.py", f"{CANNOT[kind]}\ndef h(board): return 0\n")
    )
