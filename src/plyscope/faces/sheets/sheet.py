"""A printable question, or its key, in the formats of sheets."""

from __future__ import annotations

from typing import NamedTuple

from plyscope.faces.printed import Text


class Sheet(NamedTuple):
    """A printable question, or its key."""

    words: tuple[str, ...]
    """The task, or the reasons for the answer in a key."""
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """The rows of a table; may be empty."""
    svg: str
    text: Text
    """The drawing for a terminal and Markdown."""
    tex: str
    """The drawing in LaTeX; it needs the packages of `paper.PAGE`."""
    rules: tuple[str, ...] = ()
    """The conventions by which the answer is marked, one sentence each; empty in a key."""
