"""What a student has to know to read the drawing of a search beside its pseudocode."""

BOUNDS = "= is an exact value, ≥ and ≤ are bounds."
WINDOW = (
    "(α, β) is the window: MAX is sure of α already, MIN allows no more than β, and only a score "
    f"between them changes anything. {BOUNDS}"
)
NEGAMAX = (
    "The code counts for the side to move and turns signs from ply to ply; the drawing always "
    "counts for MAX, who moves at the root."
)
PASSES = "What stands in italics was found in a pass before."
NUMBERS = (
    "pn is the least number of leaves that must turn out well to prove that the value is at least "
    f"the test, dn the least number to disprove it. {PASSES}"
)
REMARKS = {
    "minimax": "MAX takes the greatest score of its children, MIN the least.",
    "negamax": NEGAMAX,
    "alphabeta": WINDOW,
    "pvs": f"{WINDOW} {NEGAMAX}",
    "mtdf": f"A window that is one wide asks: is the value at least β? {BOUNDS} {PASSES}",
    "iterative-deepening": f"{WINDOW} {NEGAMAX} {PASSES}",
    "sss": "The merit h says: no strategy of MAX in this part of the tree is worth more. The state "
    "with the greatest merit is always taken next.",
    "pn": NUMBERS,
    "dfpn": NUMBERS,
    "uct": "≈ is the mean of the games played through a node, for the side at the root. It proves "
    "nothing. UCB1 prefers good children and those seldom visited, where the other side moves by "
    "the mean turned round.",
    "accumulating": "Scores are summed on the way up, and prove nothing.",
}
"""By algorithm."""
