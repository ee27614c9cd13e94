"""What a single result says, by its class: the section that text, notebook and commands print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyscope.evaluation.heuristic import Explanation
from plyscope.faces.findings.cards import card_section
from plyscope.faces.findings.explanations import explanation_section
from plyscope.faces.findings.matches import match_section
from plyscope.faces.findings.section import Section
from plyscope.faces.findings.solving import certificate_section, perft_section, verdict_section
from plyscope.lab.certify import Certificate
from plyscope.lab.reportcard import ReportCard
from plyscope.lab.tally import MatchResult
from plyscope.rules.perft import Perft
from plyscope.solving.verdict import Verdict


def all_counts(counts: Perft) -> Section:
    """Return the counts of all plies; what is not yet counted is counted now."""
    rows = [*counts.rows, *counts] if counts.rows else list(counts)
    return perft_section(counts.position, rows)


SECTIONS: dict[type, Callable[[Any], Section]] = {
    Certificate: certificate_section,
    Explanation: explanation_section,
    MatchResult: match_section,
    Perft: all_counts,
    ReportCard: lambda card: card_section([card]),
    Verdict: verdict_section,
}
"""By the class of the result."""
