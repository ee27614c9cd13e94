"""The described answers are those that the endpoints give, and the page's scripts know them as such."""

from __future__ import annotations

import json
from typing import get_type_hints

import msgspec
import pytest

from plyscope_web.answers import Answers
from plyscope_web.endpoints import ENDPOINTS, answer, read
from plyscope_web.openapi import TYPES_FILE, description, typescript

TYPES = get_type_hints(Answers, include_extras=True)


def test_rejects_an_answer_with_a_wrong_field_or_without_it() -> None:
    assert sorted(ENDPOINTS) == sorted(TYPES)
    request = read("show", b'{"position": "connect4 444"}')
    found = json.loads(json.dumps(answer("show", request, lambda told: None)))
    for field in ("over", "cells", "drawing", "names"):
        with pytest.raises(msgspec.ValidationError, match=field):
            msgspec.convert({**found, field: 1}, TYPES["show"])
        without = {name: value for name, value in found.items() if name != field}
        with pytest.raises(msgspec.ValidationError, match=field):
            msgspec.convert(without, TYPES["show"])


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
