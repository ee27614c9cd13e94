"""Each event of a trace knows the line of the algorithm that told it."""

from __future__ import annotations

import pytest

import plyscope as ps
from plyscope.searching.algorithms import TEXTBOOK
from plyscope.searching.places import Place
from plyscope_web.pseudocode.lines import source_lines

TREE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]"
CALLS = {"enter": "enter(", "leaf": "leaf(", "cutoff": "cutoff(", "re-search": "research("}


@pytest.mark.parametrize("algorithm", sorted(set(TEXTBOOK) - {"accumulating", "uct"}))
def test_gives_the_line_of_the_call_that_made_an_event(algorithm: str) -> None:
    trace = ps.trace(TREE, algorithm)
    shown = {
        name: dict(lines) for name, lines in source_lines(p.module for p in trace.places).items()
    }
    for event, place in zip(trace.events, trace.places, strict=True):
        if event.kind == "iteration" and place == Place("", 0):
            continue  # a pass that the search began
        line = shown[place.module][place.line]
        assert CALLS.get(event.kind, "") in line, (event, line)


def test_shows_the_code_without_docstrings_and_entry_point() -> None:
    name = "plyscope.searching.reference.alphabeta"
    shown = source_lines([name, "json", "plyscope.searching.walk", name])
    text = "\n".join(line for _, line in shown[name])
    assert list(shown) == [name]
    assert text.startswith("def alphabeta(")
    assert "Cost:" not in text
    assert "def search" not in text
