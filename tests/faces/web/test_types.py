"""The described answers are those that the endpoints give, and the page's scripts know them as such."""

from __future__ import annotations

import json
from typing import Any, get_type_hints

import msgspec
import pytest

from plyscope_web.answers import Answers
from plyscope_web.endpoints import ENDPOINTS, answer, read
from plyscope_web.openapi import TYPES_FILE, description, typescript

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
    "tune": {"family": "table"},
    "why": {"game": "3,3,3,gravity", "heuristic": "counted-lines", "count": 1, "seconds": 1},
    "certify": {"agent": {"table": TABLE, "depth": 1}},
    "match": {"a": "random", "b": {"table": TABLE}, "games": 10},
}
TYPES = get_type_hints(Answers, include_extras=True)


def as_described(endpoint: str, found: Any) -> Any:
    """Convert an answer to its described type, as it comes over the wire."""
    return msgspec.convert(json.loads(json.dumps(found)), TYPES[endpoint])


def test_each_verb_gives_the_answer_that_the_interface_describes() -> None:
    assert sorted(ASKED) == sorted(ENDPOINTS) == sorted(TYPES)
    found = {
        endpoint: answer(endpoint, read(endpoint, json.dumps(asked).encode()), lambda told: None)
        for endpoint, asked in ASKED.items()
    }
    for endpoint in ENDPOINTS:
        as_sent = json.loads(json.dumps(found[endpoint]))
        described = json.loads(msgspec.json.encode(as_described(endpoint, as_sent)))
        assert described == as_sent, f"{endpoint}: a key that is sent is not described"
    for field in ("over", "cells", "drawing", "names"):
        with pytest.raises(msgspec.ValidationError, match=field):
            as_described("show", {**found["show"], field: 1})
        without = {name: value for name, value in found["show"].items() if name != field}
        with pytest.raises(msgspec.ValidationError, match=field):
            as_described("show", without)


def test_the_interface_describes_each_answer_by_its_own_fields() -> None:
    described = description()
    for endpoint in ENDPOINTS:
        found = described["paths"][f"/api/{endpoint}"]["post"]["responses"]["200"]
        schema = found["content"]["application/json"]["schema"]
        if "$ref" in schema:
            schema = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        fields = getattr(TYPES[endpoint], "__annotations__", {})
        assert set(fields) <= set(schema.get("properties", {}))
        assert schema["type"] == "object"


def test_the_types_of_the_scripts_are_those_of_the_interface() -> None:
    made = typescript()
    assert TYPES_FILE.read_text(encoding="utf-8") == made, "run `python -m plyscope_web.openapi`"
    assert "changes: [number, NodeState][];" in made
    assert "winner: " in made
    assert "total_nodes?: number;" in made
