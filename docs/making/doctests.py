"""Fences the examples of docstrings, which Markdown would take for quotations."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n|\Z).*)*", re.MULTILINE)


class FencedExamples(griffe.Extension):
    """Makes each doctest a block of its own."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence what an object's docstring shows."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(
                lambda match: f"```pycon\n{match[0]}\n```", obj.docstring.value
            )
