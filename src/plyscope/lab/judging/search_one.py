"""One search of a position among many, as report cards and puzzles count it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plyscope.evaluation.heuristic import Heuristic
from plyscope.searching.algorithm import FormName
from plyscope.searching.choice import form_of_many
from plyscope.searching.request import make_request
from plyscope.searching.result import SearchResult
from plyscope.searching.search import search


def search_one(
    position: Any,
    heuristic: Heuristic | str,
    depth: int,
    form: FormName | None = None,
    **options: Any,
) -> SearchResult:
    """Search a position with alpha-beta, scoring finished games by their result.

    Without `form`, the form is the best for many searches."""
    request = make_request(
        position, "alphabeta", heuristic, depth=depth, scoring="result", **options
    )
    return search(replace(request, form=form or form_of_many(request)))
