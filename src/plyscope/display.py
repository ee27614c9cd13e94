"""Display of results: `_repr_html_ = drawn` for notebooks, `__str__ = printed` for text; and
numbers with their nouns.

Other packages do not import `faces`. `plyscope/__init__` names the modules that draw and print;
each is loaded when an object is first shown, and imports what this object needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

painter = ""
"""The module whose function `html` draws an object."""
printer = ""
"""The module whose function `text` prints an object."""


def drawn(shown: Any) -> str:
    """Return `shown` as HTML; notebooks call it as `_repr_html_`."""
    return str(import_module(painter).html(shown))


def printed(shown: Any) -> str:
    """Return `shown` as text; `print` calls it as `__str__`."""
    return str(import_module(printer).text(shown))


def times(count: int, noun: str) -> str:
    """Return `1 time`, `2 times`, `1 leaf`, `2 leaves`."""
    plural = {"leaf": "leaves", "ply": "plies", "reply": "replies"}.get(noun, f"{noun}s")
    return f"{count:,} {noun if count == 1 else plural}"
