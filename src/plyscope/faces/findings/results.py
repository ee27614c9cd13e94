"""The sections of a result, by its class, for text, notebook and commands."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from plyscope.faces.findings.section import Section

SECTIONS = {
    "Certificate": "solving.certificate_section",
    "Comparison": "searches.compared_section",
    "Conflicts": "conflicts.result_sections",
    "Explanation": "explanations.explanation_section",
    "GameReview": "reviews.review_section",
    "MatchResult": "matches.match_section",
    "Perft": "solving.counts_section",
    "Reason": "solving.reason_section",
    "ReportCard": "cards.card_section",
    "SearchResult": "searches.search_section",
    "TournamentResult": "matches.tournament_section",
    "TuningResult": "tuning.result_sections",
    "Verdict": "solving.verdict_section",
}
"""The function of this package that yields the section or the sections of a result, by the name of
its class; its module is imported when a result is shown."""


def sections_of(result: Any) -> list[Section]:
    """Return the sections of a result; TypeError for an object of another class."""
    if type(result).__name__ not in SECTIONS:
        raise TypeError(f"a {type(result).__name__} has no sections")
    module, name = SECTIONS[type(result).__name__].split(".")
    found = getattr(import_module(f"plyscope.faces.findings.{module}"), name)(result)
    return [found] if isinstance(found, Section) else [*found]
