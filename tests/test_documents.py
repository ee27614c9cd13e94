"""Every example in the documents does what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from runpy import run_path

import pytest

from documents import (
    ROOT,
    answers,
    blocks,
    comparable,
    doctest_failures,
    documents,
    executed,
    notebooks,
    run_console,
)
from plyscope.faces.cli import run
from plyscope.faces.cli.groups import command_names
from test_without_packages import RUN, outputs


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_print_what_the_document_shows(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)

    for body in blocks(path, "console"):
        assert comparable(run_console(body)) == comparable(body)
    assert doctest_failures(path) == ""


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_lessons_answer_what_they_show(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbclient")
    kept = answers(nbformat.read(path, as_version=4))
    assert len(kept) >= 5
    assert answers(executed(path)) == kept


def test_links_the_same_places_from_both_front_pages() -> None:
    pages = [(ROOT / path).read_text(encoding="utf-8") for path in ("README.md", "docs/index.md")]
    tables = [[line for line in page.splitlines() if line.startswith("| ")] for page in pages]
    readme, index = ([re.sub(r"\]\([^)]*\)", "]", line) for line in table] for table in tables)
    assert readme == index
    assert len(readme) > 8
    assert len(pages[0].splitlines()) <= 100


MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TRIED = re.findall(r"^\t\t'(.*)' && \\$", MAKEFILE, re.MULTILINE)
"""The commands of `make try`."""


def test_begins_with_make_try_and_names_only_targets_of_the_makefile() -> None:
    targets = {*re.findall(r"^([.\w/-]+):", MAKEFILE, re.MULTILINE)}
    pages = [ROOT / "CONTRIBUTING.md", *documents(), *ROOT.glob("docs/*.md")]
    named = {
        path.name: re.findall(r"(?:^|`|or: )make ([a-z.][\w/.-]*)", path.read_text("utf-8"), re.M)
        for path in pages
    }
    assert {name for names in named.values() for name in names} <= targets
    assert named["README.md"][:2] == ["try", "test"]
    assert {"play", "web"} <= {*named["README.md"]}


def test_make_try_runs_without_a_compiler() -> None:
    commands = {words: words.split()[1:] for words in TRIED}
    *answers, imported = outputs(RUN, json.dumps([["numba", "llvmlite"], commands]))
    assert imported == []
    assert [(status, err) for _, status, _, err in answers] == [(0, "")] * len(TRIED)
    names = [words.split()[0] for words in TRIED]
    assert names == ["analyze", "tree", "report-card", "certify"]


def test_shows_the_picture_that_the_command_draws(tmp_path: Path) -> None:
    assert run(["tree", "[[[3,5],[6,9]],[[1,2],[0,-1]]]", "-o", str(tmp_path / "tree.svg")]) == 0
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == (
        ROOT / "docs" / "images" / "tree.svg"
    ).read_text(encoding="utf-8")


def test_includes_the_help_of_each_command_in_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = run_path(str(ROOT / "docs/making/help.py"))
    made["main"].__globals__["FOLDER"] = tmp_path / "help"
    monkeypatch.setenv("COLUMNS", "80")
    made["main"]()
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.glob("help/*.txt")}
    pages = {path.stem: path for path in (ROOT / "docs/reference/commands").glob("*.md")}
    assert pages.keys() - {"index"} == {*command_names()}
    for name, page in pages.items():
        included = re.findall(r'^--8<-- "docs/help/(.*)"$', page.read_text("utf-8"), re.MULTILINE)
        start = "plyscope" if name == "index" else f"plyscope-{name}"
        assert included
        for file in included:
            assert file.startswith(start)
            words = file.removesuffix(".txt").replace("-", " ")
            assert written[file].replace("-", " ").startswith(f"$ {words}   help\nusage: plyscope ")
