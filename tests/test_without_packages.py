"""Commands and public functions in a process without any package of other people."""

from __future__ import annotations

import json
import sys
import tomllib
from typing import Any

import pytest

import plyscope
from commands import python
from documents import ROOT
from plyscope.extras import EXTRAS
from plyscope.faces.cli import run
from plyscope.faces.cli.groups import COMMANDS, command_name, command_names
from sources import sources

PACKAGES = sorted({name for names in EXTRAS.values() for name in names})
EXAMPLES = {
    "analyze": ".X./O../X.O",
    "certify": "two-ply",
    "check": f"{ROOT}/examples/nim.py",
    "compare": ".X./O../X.O",
    "completion": "bash",
    "eval": ".X./O../X.O",
    "exam": "-n 1 --key",
    "examples": "",
    "list": "games",
    "match": "one-ply random -n 2 -j 1",
    "perft": "tictactoe -d 3",
    "play": "--level 1",
    "puzzles": "-n 1",
    "records": "{folder}/records.jsonl",
    "report-card": "counted-lines -d 1",
    "review": "b2 -g tictactoe",
    "solve": ".X./O../X.O",
    "tournament": "one-ply random -n 2 -j 1",
    "tree": ".X./O../X.O -d 2",
    "tune": "counted-lines",
    "verify": "{folder}/proof.json",
    "warm": "",
    "web": "--port 0 --no-browser",
}
"""A short example of each command."""
LACKING = {
    "records": "no such file",
    "puzzles": "fast",
    "tune": "fast",
    "warm": "fast",
    "web": "web",
}
"""The commands that need packages, by the extra that installs them."""
SOURCES = sources("without_packages")
RUN = SOURCES["run"]


def outputs(code: str, *words: str) -> list[Any]:
    run = python(
        "-c",
        code,
        *words,
        env={"PYTHONPATH": ":".join(filter(None, sys.path)), "PATH": "/usr/bin:/bin"},
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Any, str, str]]:
    folder = tmp_path_factory.mktemp("bare")
    assert run(["solve", EXAMPLES["solve"], "--proof", str(folder / "proof.json")]) == 0
    commands = {name: words.format(folder=folder).split() for name, words in EXAMPLES.items()}
    *found, imported = outputs(RUN, json.dumps([PACKAGES, commands]))
    assert imported == []
    return {name: (status, out, err) for name, status, out, err in found}


def test_extras_install_the_packages_that_the_messages_name() -> None:
    files = ROOT / "pyproject.toml", ROOT / "packages/plyscope-fast/pyproject.toml"
    project, fast = (tomllib.loads(file.read_text(encoding="utf-8"))["project"] for file in files)
    assert project["dependencies"] == []
    asked = {extra: {*project["optional-dependencies"][extra]} for extra in EXTRAS}
    assert asked["fast"] == {f"plyscope-fast=={fast['version']}"}
    assert f"plyscope=={fast['version']}" in fast["dependencies"]
    asked["fast"] = {"plyscope_fast", *fast["dependencies"]} - {f"plyscope=={fast['version']}"}
    installed = {
        extra: {requirement.partition(">")[0] for requirement in requirements}
        for extra, requirements in asked.items()
    }
    assert installed == {extra: {*names} for extra, names in EXTRAS.items()}


def test_there_is_an_example_of_every_command() -> None:
    assert {*map(command_name, COMMANDS)} <= {*EXAMPLES}


@pytest.mark.parametrize("name", sorted({*EXAMPLES} & {*command_names()}))
def test_answers_without_packages_or_names_the_extra(
    name: str, answers: dict[str, tuple[Any, str, str]]
) -> None:
    status, out, err = answers[name]
    if name not in LACKING:
        assert status in (0, 1), (status, err)
        assert out
        return
    assert (status, out, err.count("\n")) == (2, "", 1), (status, out, err)
    assert name == "records" or f'expected `pip install "plyscope[{LACKING[name]}]"`' in err


PUBLIC = SOURCES["public"]


def test_public_names_need_no_package_or_name_the_extra() -> None:
    found = dict(outputs(PUBLIC, json.dumps(PACKAGES)))
    assert [*found] == plyscope.__all__
    assert {name for name, said in found.items() if said} <= {
        *("Conflicts", "TuningResult", "conflicts", "tune"),
    }
    for name, said in found.items():
        wanted = f'MissingPackageError: {name} needs numpy; expected `pip install "plyscope[fast]"`'
        assert said in ("", wanted)
