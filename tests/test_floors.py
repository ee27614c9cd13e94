"""The house: which modules import each other in a circle, lazy imports and those of types alone
included."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (ROOT / "src", *sorted(ROOT.glob("packages/*/src")))


def module_of(path: Path, folder: Path) -> str:
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_of(path, folder): path
    for folder in FOLDERS
    for path in sorted(folder.glob("plyscope*/**/*.py"))
    if "assignments" not in path.parts  # what students and teachers are given
}

CIRCLES = (
    # a position knows its game and is made by it; its text leaves out what the catalogue tells
    {
        f"plyscope.rules.{name}"
        for name in (
            *("drawings", "gamefile", "gamefiles", "gamefiles.piskvork", "games", "linegame"),
            *("notation", "position"),
        )
    },
    # the forms of trees, read by any text that may be a tree, and the nodes that all of them make
    {
        "plyscope.rules.treetext",
        *(
            f"plyscope.rules.treeforms.{name}"
            for name in ("graphs", "lists", "multiagent", "objects", "python", "reading", "words")
        ),
    },
    # imported late, as few commands need them: games of other libraries, and what a function's
    # errors offer
    {"plyscope.rules.foreigngames", "plyscope.rules.game"},
    {"plyscope.evaluation.diagnosis", "plyscope.evaluation.function"},
    # two protocols of one engine, which the first command chooses
    {"plyscope_worlds.gomocup", "plyscope_worlds.gtp"},
    # a front, and behind it what only a process that has to compile loads
    {f"plyscope_fast.machine.{name}" for name in ("compile", "kernel", "numba_types", "texts")},
    # a plain terminal, and its subclass with styles, which it makes where rich is installed
    {f"plyscope.faces.{name}" for name in ("richterminal", "terminal")},
    # a table reads and writes its file, and the file makes tables
    {f"plyscope.evaluation.{name}" for name in ("linetable", "tablefile")},
    # by types alone: plans of solvers name what machine code answers with
    {
        *("plyscope_fast.evaluation.retrograde", "plyscope_fast.evaluation.tablebase"),
        *("plyscope_fast.solving.connect", "plyscope.solving.accelerated"),
    },
    # by types alone: a walk carries the request, which names the algorithm, which is given the walk
    {f"plyscope.searching.{name}" for name in ("algorithm", "engine", "result", "walk")},
)
"""The circles that are real, and why."""


def imports(module: str) -> set[str]:
    """Return the modules of ours that `module` imports, anywhere in its text."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in names}
    return (found & set(MODULES)) - {module}


def circles(arrows: dict[str, set[str]]) -> list[frozenset[str]]:
    """Return the sets of modules of which each imports each, perhaps through others."""
    reached: dict[str, set[str]] = {}
    for module in arrows:
        seen, left = set(), [module]
        while left:
            new = arrows[left.pop()] - seen
            seen |= new
            left += new
        reached[module] = seen
    return list(
        {
            frozenset(other for other in reached[module] if module in reached[other])
            for module in arrows
            if module in reached[module]
        }
    )


def test_has_no_import_circles_except_named_ones() -> None:
    found = circles({module: imports(module) for module in MODULES})
    assert sorted(map(sorted, found)) == sorted(map(sorted, CIRCLES))


@pytest.mark.parametrize("module", MODULES)
def test_no_function_has_more_than_eighty_lines(module: str) -> None:
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node, clean=False) else node.body
            lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            assert lines <= 80, f"{node.name} has {lines} lines"


MAX_LINES = {
    "the main tree": (55_600, r"src/"),
    "the core": (25_300, r"src/plyscope/(\w+\.py|(rules|evaluation|searching|solving)/)"),
    # the scripts of the page but for those of a browser's Python and of the editor
    "the page": (
        12_940,
        r"packages/plyscope-web/src/plyscope_web/static/"
        r"(?!vendor/|writing/|tab|worker|service|shell/tabmodel).+\.js$",
    ),
}
"""The greatest numbers of lines, and the files that they count; lower them when something moves out,
and raise them for a capability alone."""


@pytest.mark.parametrize("part", MAX_LINES)
def test_no_part_grows_beyond_its_greatest_number_of_lines(part: str) -> None:
    command = ["git", "ls-files", "-z", "src", "packages"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    most, files = MAX_LINES[part]
    paths = [ROOT / name for name in listed.stdout.split("\0") if re.match(files, name)]
    lines = sum(path.read_bytes().count(b"\n") for path in paths if path.exists())
    assert most / 2 < lines <= most


def test_imports_the_root_from_no_floor() -> None:
    root = {"plyscope", "plyscope.__main__"}
    assert [module for module in MODULES if imports(module) & root and module not in root] == []


def test_finds_import_circles() -> None:
    arrows = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": set(), "e": {"e"}}
    assert sorted(map(sorted, circles(arrows))) == [["a", "b", "c"], ["e"]]
