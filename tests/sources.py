"""Programs and other long texts that tests give to plyscope: `data/sources/*.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def sources(name: str) -> dict[str, Any]:
    """Return the texts of a file by their names; those of a table are a dictionary."""
    file = Path(__file__).parent / "data" / "sources" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
