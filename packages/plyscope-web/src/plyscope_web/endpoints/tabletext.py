"""The endpoints that write line tables as TOML, JSON or Python text, and read them from it."""

from __future__ import annotations

import json
import re
import tomllib
from contextlib import suppress
from typing import Any

import msgspec

from plyscope.errors import NotationError
from plyscope.evaluation.tablefile import content_of, table_data, table_of, toml_text
from plyscope_web.endpoints import Tell
from plyscope_web.endpoints.inputs import table_of_input
from plyscope_web.requests import LineTableInput, PasteRequest, WriteRequest
from plyscope_web.tablecode import python_text, table_of_code

JSON = re.compile(r'\s*(\{|\[\s*[\[{"\d-])')
"""The beginning of a JSON text. A TOML text may begin with a section in brackets instead."""
PYTHON = re.compile(r"^\s*(import|from|def|class|lambda)\b|\w\(", re.MULTILINE)
"""A part of a Python text that TOML does not have."""
NAMELESS = {"table in TOML", "table in JSON", LineTableInput(values={}).name}
"""The names of tables whose text has no name."""
MAX_DOTS = 100
"""The greatest number of dots in a line of TOML or JSON. The time to read a key such as `a.a.a` is
quadratic in their number."""


def write(request: WriteRequest, tell: Tell) -> dict[str, Any]:
    """Return the table in each form."""
    values = {
        "0,0": 0,
        **request.table.values,
    }  # "0,0" lets the file formats hold the values as lists
    table = table_of_input(msgspec.structs.replace(request.table, values=values))
    data = content_of(table)
    return {
        "toml": toml_text(data),
        "python": python_text(table),
        "json": json.dumps(data, indent=2) + "\n",
    }


def paste(request: PasteRequest, tell: Tell) -> dict[str, Any]:
    """Return the table of a text, and its name, empty if the text has none."""
    table = read_table_text(request.text)
    name = "" if table.name in NAMELESS else table.name
    return {"name": name, "table": table_data(table)}


def read_table_text(text: str) -> Any:
    """Return the table of a text in TOML, JSON or Python; raise NotationError for other text."""
    if not text.strip():
        raise NotationError("an empty text; expected a table in TOML, JSON or Python")
    if "LineTable(" in text or "TermSum(" in text:
        table, form = table_of_code(text), "Python"
        data: Any = content_of(table)
    else:
        form = "JSON" if JSON.match(text) else "TOML"
        if max(line.count(".") for line in text.splitlines()) > MAX_DOTS:
            raise _too_deep(form)
        try:
            data = json.loads(text) if form == "JSON" else tomllib.loads(text)
        except ValueError as error:
            if PYTHON.search(text):  # a misspelt name, or Python that holds no table
                return table_of_code(text)
            said = f"cannot read the {form}: {str(error)[:120]}; expected a table of numbers"
            raise NotationError(said) from None
        except RecursionError:
            raise _too_deep(form) from None
        with suppress(msgspec.ValidationError):  # the format of the page's addresses
            return table_of_input(msgspec.convert(data, LineTableInput))
    try:
        return table_of(data, f"table in {form}")
    except RecursionError:
        raise _too_deep(form) from None


def _too_deep(form: str) -> NotationError:
    return NotationError(f"the {form} is too deep; expected a table of numbers")
