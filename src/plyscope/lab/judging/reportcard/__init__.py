"""The report card of a heuristic: its evaluations and moves against exact values.

On a small game all positions are solved, and the searches of each depth are computed for all of
them at once. On a larger game with a solver, positions of random games are sampled, and each is
searched separately. Each number is shown next to that of `null`, the search with no heuristic,
since much of a heuristic's apparent skill comes from the search. Ties count in proportion: if one
of two equally rated moves loses value, the position counts as half wrong. Finished games are scored
by their result, so the card does not depend on the heuristic's value of a finished line.
"""

from plyscope.lab.judging.reportcard.budget import ErrorGroup
from plyscope.lab.judging.reportcard.card import report_card
from plyscope.lab.judging.reportcard.results import AtDepth, Mistake, ReportCard

__all__ = ["AtDepth", "ErrorGroup", "Mistake", "ReportCard", "report_card"]
