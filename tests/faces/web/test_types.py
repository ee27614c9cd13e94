"""What the scripts say of the server's answers is what it answers: TypeScript checks one of each."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from plyscope.faces.web.frontend import STATIC
from plyscope.faces.web.verbs import VERBS, answer, read

ROOT = Path(__file__).parents[3]
TSC = ROOT / "node_modules" / ".bin" / "tsc"
TABLE = {"values": {"1,0": 1, "0,1": -1}}
POSITION, TREE = "tictactoe b2 a3", "[[5,3],[3,9],[4,2]]"
ASKED: dict[str, dict[str, Any]] = {
    "catalogues": {},
    "show": {"position": "connect4 444"},
    "play": {"position": POSITION, "move": "c3"},
    "read": {"text": POSITION},
    "copy": {"position": "tictactoe", "moves": ["b2"]},
    "explain": {"position": POSITION},
    "threats": {"position": "tictactoe b2 a3 b1"},
    "move": {"position": POSITION, "agent": "level-1"},
    "suggest": {"position": POSITION},
    "attempt": {"position": POSITION, "move": "c3"},
    "puzzle": {"game": "tictactoe"},
    "trace": {"position": POSITION, "depth": 2, "most": 40},
    "draw": {"position": TREE, "form": "svg", "step": 3},
    "differ": {"position": TREE, "second": {"conventions": {"cut": "gt"}}},
    "question": {},
    "mark": {"question": {}, "answer": {"0": {"value": "3"}}, "with_key": True},
    "clue": {"question": {}, "answer": {}},
    "sheet": {"question": {}},
    "pose": {},
    "grade": {"question": {}, "answer": {"value": "3"}, "with_key": True},
    "refute": {"position": POSITION, "move": "c3"},
    "analyze": {"position": POSITION, "depth": 2},
    "solve": {"position": POSITION},
    "review": {"position": "tictactoe", "moves": ["b2", "a3"]},
    "write": {"table": TABLE},
    "paste": {"text": json.dumps(TABLE)},
    "rate": {"outcomes": [{"first": "a", "second": "b", "outcome": "draw", "games": 9}]},
    "wrong": {},
    "report": {"depths": 1},
    "certify": {"agent": {"table": TABLE, "depth": 1}},
    "match": {"a": "random", "b": {"table": TABLE}, "games": 10},
}
GIVEN = """
type Given<T> = T extends unknown[]
    ? { [K in keyof T]: Given<T[K]> }
    : T extends object ? { [K in keyof T]: Given<T[K]> } & Record<string, unknown> : T;
"""
"""An answer, which may have more fields than the page reads."""


def check(folder: Path, text: str) -> str:
    """Return what TypeScript says against a module that knows the page's types."""
    (folder / "given.ts").write_text(GIVEN + text, encoding="utf-8")
    types = [str(STATIC / "types.d.ts"), "given.ts"]
    config = {"extends": str(ROOT / "tsconfig.json"), "include": types}
    (folder / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")
    done = subprocess.run([TSC, "-p", folder], capture_output=True, text=True, cwd=folder)
    return done.stdout


@pytest.mark.skipif(not TSC.exists(), reason="needs TypeScript: npm ci")
def test_each_answer_is_what_the_scripts_take_it_for(tmp_path: Path) -> None:
    assert sorted(ASKED) == sorted(VERBS)
    found = {
        verb: answer(verb, read(verb, json.dumps(asked).encode()), lambda told: None)
        for verb, asked in ASKED.items()
    }
    lines = [
        f'export const {verb}: Given<Answers["{verb}"]> = {json.dumps(data)};'
        for verb, data in found.items()
    ]
    names = " | ".join(f'"{verb}"' for verb in VERBS)
    lines.append(
        f"export const all: [Exclude<Verb, {names}>] extends [never] ? true : false = true;"
    )
    assert check(tmp_path, "\n".join(lines)) == ""
    broken = json.dumps({**found["show"], "over": 1, "cells": None})
    said = check(tmp_path, f'export const show: Given<Answers["show"]> = {broken};')
    assert said.count("error TS2322") == 2
