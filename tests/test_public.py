"""The public names."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import plyscope
from documents import ROOT, blocks

SOURCES = Path(plyscope.__file__).parent
DOCS = ROOT / "docs"
WITH_EXAMPLES = [
    path.relative_to(SOURCES.parent).with_suffix("")
    for path in sorted(SOURCES.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


def test_all_names_resolve_and_are_listed() -> None:
    for name in plyscope.__all__:
        assert getattr(plyscope, name) is not None
    assert set(plyscope.__all__) <= set(dir(plyscope))


def test_type_checkers_see_the_names_that_are_loaded() -> None:
    block = next(
        node
        for node in ast.parse(Path(plyscope.__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.If)
    )
    seen = {
        alias.asname: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {name: f"plyscope.{home}" for name, home in plyscope._HOMES.items()}


def test_importing_plyscope_loads_no_other_library_and_no_floor() -> None:
    code = "import sys, plyscope\nprint(sorted(name for name in sys.modules if name.startswith(('plyscope.', 'rich', 'numpy', 'numba'))))"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "['plyscope.display', 'plyscope.version']\n"
    )


def test_no_public_name_is_hidden_by_a_package_of_the_same_name() -> None:
    code = "import plyscope.faces.texts, plyscope.searching.search, plyscope.lab.match, plyscope as ps\n"
    code += "assert all(type(getattr(ps, name)).__name__ != 'module' for name in ps.__all__)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr == ""


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=str)
def test_the_examples_in_docstrings_run(path: Path) -> None:
    module = import_module(".".join(path.parts).removesuffix(".__init__"))
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


@pytest.mark.parametrize("name", plyscope.__all__)
def test_every_public_name_is_in_the_reference_with_an_example(name: str) -> None:
    page = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    others = (DOCS / "other-libraries.md").read_text(encoding="utf-8")
    shown = "".join(blocks(DOCS / "reference" / "api.md", "pycon")) + others
    used = re.search(rf"\bps\.{name}\b", shown)
    assert f"::: plyscope.{name}\n" in page or used
    assert used or ">>> " in (inspect.getdoc(getattr(plyscope, name)) or "") or name == "widget"


def test_dir_lists_the_public_names_alone() -> None:
    assert dir(plyscope) == sorted([*plyscope.__all__, "__version__"])


RESULTS: dict[str, tuple[Callable[[], Any], str]] = {
    "perft": (lambda: plyscope.perft("tictactoe", 2), "72"),
    "explanation": (lambda: plyscope.explain("tictactoe b2", "open-lines"), "a2–b2–c2"),
    "certificate": (lambda: plyscope.certify("two-ply"), "never loses"),
    "match": (lambda: plyscope.play_match("random", "two-ply", games=2), "2 games, seed 0"),
    "card": (lambda: plyscope.report_card("open-lines", depth=1), "3,191"),
    "games": (lambda: plyscope.GAMES, "connect4 "),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_print_as_lines_that_people_read(name: str) -> None:
    make, said = RESULTS[name]
    text = str(make())
    assert said in text
    assert max(map(len, text.splitlines())) <= 100
    assert len(text.splitlines()) > 3
    assert "=None" not in text
    assert " object at " not in text


def test_the_docstring_of_search_lists_every_option() -> None:
    text = inspect.getdoc(plyscope.search) or ""
    options = plyscope.SearchOptions.__annotations__
    assert [name for name in options if not re.search(rf"(^ +|`){name}\b", text, re.M)] == []


def test_a_type_checker_knows_what_parse_and_agent_return(tmp_path: Path) -> None:
    assert get_type_hints(plyscope.parse)["return"] is plyscope.Position
    file = tmp_path / "script.py"
    file.write_text(
        "import plyscope as ps\nreveal_type(ps.parse('tictactoe'))\n"
        "reveal_type(ps.Agent('two-ply'))\nreveal_type(ps.solve('tictactoe').value)\n"
    )
    mypy = pytest.importorskip("mypy.api")
    out, _, _ = mypy.run([str(file), "--config-file=", "--cache-dir", str(ROOT / ".mypy_cache")])
    assert "position.Position" in out
    assert 'is "plyscope.lab.agents.agent.Agent"' in out
    assert '"Any"' not in out
