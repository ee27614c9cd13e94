"""Files of data that people write: TOML, or JSON where the name says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plyscope.errors import NotationError


def read_data(path: Path, what: str) -> Any:
    """Return the content of a file that tells of a `what`; raise NotationError."""
    import json
    import tomllib

    form = "JSON" if path.suffix == ".json" else "TOML"
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text) if form == "JSON" else tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or error
        raise NotationError(
            f"cannot read the {what} file {str(path)!r}: {why}; expected {form}"
        ) from None
