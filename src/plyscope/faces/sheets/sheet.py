"""A question for paper, or its key, in every form that sheets are written in."""

from __future__ import annotations

from typing import NamedTuple

from rich.text import Text


class Sheet(NamedTuple):
    """What stands on paper."""

    words: tuple[str, ...]
    """What is to be done; in a key, why the answer is what it is."""
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """A table, empty for none."""
    svg: str
    text: Text
    """The drawing for a terminal and Markdown."""
    tex: str
    """The drawing in LaTeX, by the packages of `paper.PAGE`."""
    rules: tuple[str, ...] = ()
    """By what the answer is marked, a sentence each; of a question alone."""
