"""The description of the interface, in OpenAPI, made from the verbs."""

from __future__ import annotations

from typing import Any

import msgspec

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
ERROR_TEXT = "one line that quotes what was wrong and says what was expected"


def description() -> dict[str, Any]:
    """Return the OpenAPI description of the interface as JSON-ready data."""
    types = [verb.request for verb in VERBS.values()]
    schemas, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    error = {"type": "string", "description": ERROR_TEXT}
    components["Error"] = {"type": "object", "properties": {"error": error}, "required": ["error"]}
    described = zip(VERBS.items(), schemas, strict=True)
    return {
        "openapi": "3.1.0",
        "info": {"title": "plyscope", "version": __version__, "description": ABOUT},
        "paths": {
            f"/api/{name}": {"post": _operation(name, verb.summary, schema)}
            for (name, verb), schema in described
        },
        "components": {"schemas": components},
    }


def _operation(name: str, summary: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the description of one verb."""
    found = {"description": "what was found", **_json({"type": "object"})}
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
