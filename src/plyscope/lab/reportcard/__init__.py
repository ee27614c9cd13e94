"""The report card of a heuristic: what it is worth against the truth.

On a game whose positions can all be visited, every position is solved, and the search to every
depth is worked out for all positions at once. On a larger game that has a solver, the same is asked
of positions of random games, each searched by itself. Each number stands beside that of `null`, the
search without evaluation: much of what a heuristic seems to know is the search's own doing. Ties
count in parts: of two moves rated alike, one of which loses, half is lost. Finished games are
scored by their result, so that the heuristic is measured and not its table for full lines.
"""

from plyscope.lab.reportcard.card import report_card
from plyscope.lab.reportcard.results import AtDepth, Mistake, ReportCard

__all__ = ["AtDepth", "Mistake", "ReportCard", "report_card"]
