"""The description of the interface, in OpenAPI, made from the verbs, and from it the types of the
page's scripts: `python -m plyscope.faces.web.openapi > answers.d.ts`."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from plyscope.faces.web.answers import Answers
from plyscope.faces.web.verbs import VERBS
from plyscope.version import __version__

ABOUT = """Each verb is asked by POST and answered when all is found.
Over the WebSocket at /socket the same verbs answer bit by bit: send
{"id": 1, "verb": "analyze", "arguments": {...}}, get {"id": 1, "queue": place} and
{"id": 1, "told": {...}} any number of times, at last {"id": 1, "found": {...}} or
{"id": 1, "error": "..."}; send {"id": 1, "cancel": true} to stop. All that a page has asked is
stopped when its socket closes."""
ERRORS = {
    "400": "a question that cannot be answered",
    "403": "asked from another page",
    "408": "a question that did not come to its end in time",
    "413": "a question of too many bytes",
    "429": "too many questions are waiting",
    "500": "a fault of plyscope's, which its terminal tells of",
}
PLACE = "#/components/schemas/"
ERROR_TEXT = "one line that quotes what was wrong and says what was expected"


def description() -> dict[str, Any]:
    """Return the OpenAPI description of the interface as JSON-ready data."""
    types = [*(verb.request for verb in VERBS.values()), Answers]
    schemas, components = msgspec.json.schema_components(types, ref_template=f"{PLACE}{{name}}")
    found = components.pop("Answers")["properties"]
    error = {"type": "string", "description": ERROR_TEXT}
    components["Error"] = {"type": "object", "properties": {"error": error}, "required": ["error"]}
    described = zip(VERBS.items(), schemas[:-1], strict=True)
    return {
        "openapi": "3.1.0",
        "info": {"title": "plyscope", "version": __version__, "description": ABOUT},
        "paths": {
            f"/api/{name}": {"post": _operation(name, verb.summary, schema, found[name])}
            for (name, verb), schema in described
        },
        "components": {"schemas": components},
    }


def _operation(
    name: str, summary: str, schema: dict[str, Any], answer: dict[str, Any]
) -> dict[str, Any]:
    """Return the description of one verb."""
    found = {"description": "what was found", **_json(answer)}
    error = _json({"$ref": "#/components/schemas/Error"})
    errors = {status: {"description": text, **error} for status, text in ERRORS.items()}
    return {
        "operationId": name,
        "summary": summary,
        "requestBody": {"required": True, **_json(schema)},
        "responses": {"200": found, **errors},
    }


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


def typescript() -> str:
    """Return the answers as TypeScript: an interface for each component, and `Answers` by verb."""
    described = description()
    answers = {
        path.removeprefix("/api/"): _schema_of(verb["post"]["responses"]["200"])
        for path, verb in described["paths"].items()
    }
    wanted = {"type": "object", "properties": answers, "required": list(answers)}
    components = {"Answers": wanted}
    queue = [wanted]
    while queue:
        for name in re.findall(rf'"{PLACE}(\w+)"', json.dumps(queue.pop())):
            if name not in components:
                components[name] = described["components"]["schemas"][name]
                queue.append(components[name])
    interfaces = [_interface(name, components[name]) for name in sorted(components)]
    return "\n".join(["// Made from the description of the interface by openapi.py.", *interfaces])


def _schema_of(content: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = content["content"]["application/json"]["schema"]
    return schema


def _interface(name: str, schema: dict[str, Any]) -> str:
    about = " ".join(schema.get("description", "").split())
    fields = [
        f"    {field}{'' if field in schema['required'] else '?'}: {_type(kind)};"
        for field, kind in schema["properties"].items()
    ]
    return "\n".join([f"/** {about} */"] * bool(about) + [f"interface {name} {{", *fields, "}\n"])


NAMED = {"integer": "number", "object": "Record<string, any>"}
"""Types that TypeScript calls otherwise."""


def _type(schema: dict[str, Any]) -> str:
    """Return a schema's type in TypeScript."""
    match schema:
        case {"$ref": place}:
            return str(place).removeprefix(PLACE)
        case {"anyOf": kinds}:
            return " | ".join(map(_type, kinds))
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"prefixItems": kinds}:
            return f"[{', '.join(map(_type, kinds))}]"
        case {"type": "array", "items": kind}:
            item = _type(kind)
            return f"({item})[]" if "|" in item else f"{item}[]"
        case {"type": "object", "additionalProperties": kind}:
            return (
                f"Record<{_type(schema.get('propertyNames', {'type': 'string'}))}, {_type(kind)}>"
            )
        case {"type": name}:
            return NAMED.get(name, str(name))
    return "any"


if __name__ == "__main__":
    print(typescript(), end="")
