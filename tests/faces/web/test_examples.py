"""Examples of the documents, as a browser's worker runs them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plyscope_web.examples import Examples

Run = Callable[[str, str], list[dict[str, str]]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    examples = Examples(str(tmp_path / "page"))
    return lambda kind, text: json.loads(examples.run(kind, text))


def test_shows_each_value_as_the_prompt_does_and_keeps_names(run: Run) -> None:
    text = "import plyscope as ps\nfound = ps.search('.X./O../X.O')\nfound.value\nfound.nodes\n"
    assert run("pycon", text) == [{"text": "5\n"}, {"text": "98\n"}]
    assert run("pycon", "print('nodes', found.nodes)\n_") == [
        {"text": "nodes 98\n"},
        {"text": "98\n"},
    ]


def test_draws_the_last_value_of_a_cell_as_a_notebook_does(run: Run) -> None:
    (shown,) = run("python", "import plyscope as ps\nps.parse('X../.O./...')\nps.trace('[3,5]')")
    assert "search tree" in shown["html"]
    assert run("python", "ps.search('[3,5]').value") == [{"text": "5\n"}]


def test_begins_a_traceback_in_the_example(run: Run) -> None:
    (shown,) = run("pycon", "def f(x):\n    return 1 / x\nf(0)\n")
    lines = shown["text"].splitlines()
    assert [line.strip() for line in lines[1:3]] == [
        'File "<example>", line 3, in <module>',
        'File "<example>", line 2, in f',
    ]
    assert lines[-1] == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("pycon", "1 +", "SyntaxError: invalid syntax"),
        ("pycon", "import plyscope\nplyscope.parse('X.')", "NotationError: "),
        ("console", "plyscope eval nonsense", "plyscope: "),
        ("console", "$ ls -l", "'ls' does not run here; expected a command of plyscope"),
        ("console", "plyscope eval 'X", "No closing quotation; expected a command of plyscope"),
    ],
)
def test_shows_what_is_wrong_in_words(run: Run, kind: str, text: str, said: str) -> None:
    (shown,) = run(kind, text)
    assert said in shown["text"]


def test_runs_commands_on_the_files_of_examples(run: Run) -> None:
    shown: list[dict[str, Any]] = run("console", "$ plyscope check examples/nim.py:Nim\n")
    assert shown[0]["text"].startswith("nim: no rule was broken")
    assert run("pycon", "from examples.nim import Nim\nNim().start()")[0]["text"].startswith("(")
