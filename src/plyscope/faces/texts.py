"""Results as text for `print`: what the command line prints of them, 80 columns wide."""

from __future__ import annotations

import re
from io import StringIO

from rich.console import RenderableType

from plyscope.display import text
from plyscope.evaluation.heuristic import Explanation
from plyscope.faces.tables.catalogues import perft_table
from plyscope.faces.tables.heuristics import explanation_table, report_cards
from plyscope.faces.tables.matches import match_table
from plyscope.faces.tables.solving import certificate_table
from plyscope.faces.tables.tuning import tuning_card
from plyscope.faces.terminal import Terminal
from plyscope.lab.certify import Certificate
from plyscope.lab.reportcard import ReportCard
from plyscope.lab.tally import MatchResult
from plyscope.lab.tuning.result import TuningResult
from plyscope.rules.perft import Perft

WIDTH = 80


def plain_text(shown: RenderableType) -> str:
    """Return what a terminal prints, without styles and blanks at the ends of lines."""
    file = StringIO()
    Terminal(
        file=file, width=WIDTH, color_system=None, highlight=False, markup=False, emoji=False
    ).print(shown)
    return re.sub(r" +(?=\n|$)", "", file.getvalue()).strip("\n")


@text.register
def perft_text(counts: Perft) -> str:
    """Return the counts of all plies; what is not yet counted is counted now."""
    rows = [*counts.rows, *counts] if counts.rows else list(counts)
    return plain_text(perft_table(counts.position.game.name, rows))


@text.register
def explanation_text(explanation: Explanation) -> str:
    """Return the lines and terms that count."""
    return plain_text(explanation_table(explanation))


@text.register
def match_text(result: MatchResult) -> str:
    """Return who won how often, and what that shows."""
    return plain_text(match_table(result))


@text.register
def certificate_text(certificate: Certificate) -> str:
    """Return the games of both sides, and the answer."""
    return plain_text(certificate_table(certificate))


@text.register
def report_card_text(card: ReportCard) -> str:
    """Return a heuristic's numbers by depth, and its worst mistakes."""
    return plain_text(report_cards([card]))


@text.register
def tuning_text(result: TuningResult) -> str:
    """Return what came of a tuning."""
    return plain_text(tuning_card(result))
