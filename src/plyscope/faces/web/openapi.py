"""The description of the interface, in OpenAPI, made from the verbs."""

from __future__ import annotations

from typing import Any

import msgspec

from plyscope.faces.web.verbs import VERBS
from plyscope.version import __version__

__all__ = ["description"]

ABOUT = """Each verb is asked by POST and answered when all is found. Over the WebSocket at /socket the same verbs answer bit by bit: send
{"id": 1, "verb": "analyze", "arguments": {...}}, get {"id": 1, "queue": place} and {"id": 1, "told": {...}} any number of times, at last
{"id": 1, "found": {...}} or {"id": 1, "error": "..."}; send {"id": 1, "cancel": true} to stop. All that a page has asked is stopped when
its socket closes."""


def description() -> dict[str, Any]:
    """Return the OpenAPI description of the interface as JSON-ready data."""
    types = [verb.request for verb in VERBS.values()]
    schemas, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    components["Error"] = {
        "type": "object",
        "properties": {
            "error": {
                "type": "string",
                "description": "one line that quotes what was wrong and says what was expected",
            }
        },
        "required": ["error"],
    }
    error = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}
    paths = {}
    for (name, verb), schema in zip(VERBS.items(), schemas, strict=True):
        paths[f"/api/{name}"] = {
            "post": {
                "operationId": name,
                "summary": verb.summary,
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": schema}},
                },
                "responses": {
                    "200": {
                        "description": "what was found",
                        "content": {"application/json": {"schema": {"type": "object"}}},
                    },
                    "400": {"description": "a question that cannot be answered", **error},
                    "403": {"description": "asked from another page", **error},
                    "408": {
                        "description": "a question that did not come to its end in time",
                        **error,
                    },
                    "413": {"description": "a question of too many bytes", **error},
                    "429": {"description": "too many questions are waiting", **error},
                    "500": {
                        "description": "a fault of plyscope's, which its terminal tells of",
                        **error,
                    },
                },
            }
        }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "plyscope",
            "version": __version__,
            "description": ABOUT,
        },
        "paths": paths,
        "components": {"schemas": components},
    }
