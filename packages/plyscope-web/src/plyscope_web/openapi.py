"""The OpenAPI description, generated from the endpoints, and the types of the page's scripts.

`python -m plyscope_web.openapi` writes the types into `static/answers.d.ts`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from plyscope.version import __version__
from plyscope_web.answers import Answers
from plyscope_web.endpoints import ENDPOINTS

ABOUT = """Each endpoint takes POST requests and responds when its result is complete.
The WebSocket at /socket serves the same endpoints with partial results: send
{"id": 1, "endpoint": "analyze", "arguments": {...}}; receive {"id": 1, "queue": place} and
{"id": 1, "told": {...}} any number of times, then {"id": 1, "found": {...}} or
{"id": 1, "error": "..."}. Send {"id": 1, "cancel": true} to stop.
All requests of a page are stopped when its socket closes."""
ERRORS = {
    "400": "an invalid request",
    "403": "a request from another page",
    "408": "a request whose body did not arrive in time",
    "413": "a request of too many bytes",
    "429": "too many requests are in the queue",
    "500": "a fault in plyscope; its terminal shows the traceback",
}
PLACE = "#/components/schemas/"
TYPES_FILE = Path(__file__).with_name("static") / "answers.d.ts"
ERROR_TEXT = "one line that quotes the invalid input and says what was expected"


def description() -> dict[str, Any]:
    """Return the OpenAPI description of the interface as JSON-ready data."""
    types = [*(endpoint.request for endpoint in ENDPOINTS.values()), Answers]
    schemas, components = msgspec.json.schema_components(types, ref_template=f"{PLACE}{{name}}")
    found = components.pop("Answers")["properties"]
    error = {"type": "string", "description": ERROR_TEXT}
    components["Error"] = {"type": "object", "properties": {"error": error}, "required": ["error"]}
    described = zip(ENDPOINTS.items(), schemas[:-1], strict=True)
    return {
        "openapi": "3.1.0",
        "info": {"title": "plyscope", "version": __version__, "description": ABOUT},
        "paths": {
            f"/api/{name}": {"post": _operation(name, endpoint.summary, schema, found[name])}
            for (name, endpoint), schema in described
        },
        "components": {"schemas": components},
    }


def _operation(
    name: str, summary: str, schema: dict[str, Any], answer: dict[str, Any]
) -> dict[str, Any]:
    """Return the description of one endpoint."""
    found = {"description": "the result", **_json(answer)}
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
    """Return the responses as TypeScript: an interface per component, and `Answers` by endpoint."""
    described = description()
    answers = {}
    for path, endpoint in described["paths"].items():
        content = endpoint["post"]["responses"]["200"]["content"]
        answers[path.removeprefix("/api/")] = content["application/json"]["schema"]
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


def _interface(name: str, schema: dict[str, Any]) -> str:
    about = " ".join(schema.get("description", "").split())
    fields = [
        f"    {field}{'' if field in schema['required'] else '?'}: {_type(kind)};"
        for field, kind in schema["properties"].items()
    ]
    return "\n".join([f"/** {about} */"] * bool(about) + [f"interface {name} {{", *fields, "}\n"])


NAMED = {"integer": "number", "object": "Record<string, any>"}
"""The TypeScript names of types that JSON schemas call otherwise."""


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
    TYPES_FILE.write_text(typescript(), encoding="utf-8")
