"""The sections of a result, by its class, for text, notebook and commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from plyscope.evaluation.heuristic import Explanation
from plyscope.faces.findings.cards import card_section
from plyscope.faces.findings.conflicts import conflicts_sections
from plyscope.faces.findings.explanations import explanation_section
from plyscope.faces.findings.matches import match_section, tournament_section
from plyscope.faces.findings.searches import comparison_section, search_section
from plyscope.faces.findings.section import Section
from plyscope.faces.findings.solving import certificate_section, perft_section, verdict_section
from plyscope.faces.findings.tuning import tuning_sections, tuning_title
from plyscope.lab.certify import Certificate
from plyscope.lab.reportcard import ReportCard
from plyscope.lab.tally import MatchResult
from plyscope.lab.tournament import TournamentResult
from plyscope.rules.perft import Perft
from plyscope.searching.compare import Comparison
from plyscope.searching.result import SearchResult
from plyscope.solving.verdict import Verdict
from plyscope.tuning.conflicts import Conflicts
from plyscope.tuning.result import TuningResult

SECTIONS: dict[type, Callable[[Any], Iterable[Section]]] = {
    Certificate: lambda result: [certificate_section(result)],
    Comparison: lambda result: [comparison_section(result.results, 80)],
    Conflicts: lambda result: conflicts_sections(result.as_dict(), result.rules),
    Explanation: lambda result: [explanation_section(result)],
    MatchResult: lambda result: [match_section(result)],
    # count the remaining plies
    Perft: lambda result: [perft_section(result.position, [*result.rows, *result])],
    ReportCard: lambda result: [card_section([result])],
    SearchResult: lambda result: [search_section(result)],
    TournamentResult: lambda result: [tournament_section(result, 80)],
    TuningResult: lambda result: tuning_sections(
        result.as_dict(), heading=tuning_title(result.as_dict())
    ),
    Verdict: lambda result: [verdict_section(result)],
}
"""The function that yields the sections of a result, by its class."""
