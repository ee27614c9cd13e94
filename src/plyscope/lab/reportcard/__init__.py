"""The report card of a heuristic: its evaluations and moves against exact values.

On a small game all positions are solved, and the searches of each depth are computed for all of
them at once. On a larger game with a solver, the sample is positions of random games, each searched
separately. Each number is shown next to that of `null`, the search with no heuristic, since much of
a heuristic's apparent skill comes from the search. Ties count in proportion: if one of two
equally rated moves loses value, the position counts as half wrong. Finished games are scored by
their result, so the card measures the heuristic and not its values of full lines.
"""

from plyscope.lab.reportcard.card import report_card
from plyscope.lab.reportcard.results import AtDepth, Mistake, ReportCard

__all__ = ["AtDepth", "Mistake", "ReportCard", "report_card"]
