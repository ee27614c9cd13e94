"""Results as text for `print`: what the command line prints of them, 80 columns wide."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

from rich.console import RenderableType

from plyscope.display import text
from plyscope.faces.findings.results import SECTIONS
from plyscope.faces.findings.tuning import tuning_sections
from plyscope.faces.tables.sections import card, result_text
from plyscope.faces.terminal import Terminal
from plyscope.tuning.result import TuningResult

WIDTH = 80


def plain_text(shown: RenderableType) -> str:
    """Return what a terminal prints, without styles and blanks at the ends of lines."""
    file = StringIO()
    Terminal(
        file=file, width=WIDTH, color_system=None, highlight=False, markup=False, emoji=False
    ).print(shown)
    return re.sub(r" +(?=\n|$)", "", file.getvalue()).strip("\n")


@text.register
def tuning_text(result: TuningResult) -> str:
    """Return what came of a tuning."""
    return plain_text(card([*tuning_sections(result.as_dict())]))


def _finding_text(result: Any) -> str:
    return plain_text(result_text(result))


for kind in SECTIONS:
    text.register(kind, _finding_text)
