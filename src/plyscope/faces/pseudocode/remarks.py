"""Notes on how to read the drawing of a search next to its pseudocode."""

BOUNDS = "= is an exact value, ≥ and ≤ are bounds."
WINDOW = (
    "(α, β) is the window: MAX is sure of α already, MIN allows no more than β, and only a score "
    f"between them changes anything. {BOUNDS}"
)
NEGAMAX = (
    "In the code, values are in the view of the side to move; in the drawing, always in that "
    "of MAX, who moves at the root."
)
PASSES = "Results in italics are from an earlier pass."
NUMBERS = (
    "pn is the least number of leaves that must be proved to prove that the value is at least the "
    f"test value; dn is the least number to disprove it. {PASSES}"
)
REMARKS = {
    "minimax": "MAX takes the greatest score of its children, MIN the least.",
    "negamax": NEGAMAX,
    "alphabeta": WINDOW,
    "pvs": f"{WINDOW} {NEGAMAX}",
    "mtdf": f"A window that is one wide asks: is the value at least β? {BOUNDS} {PASSES}",
    "iterative-deepening": f"{WINDOW} {NEGAMAX} {PASSES}",
    "sss": "The merit h is an upper bound of the value of each strategy of MAX in this part of the "
    "tree. The state with the greatest merit is always the next one.",
    "pn": NUMBERS,
    "dfpn": NUMBERS,
    "uct": "≈ is the mean result of the games played through a node, in the view of the side at "
    "the root. It proves nothing. UCB1 prefers children with a good mean and with few visits; "
    "where the other side moves, it uses minus the mean.",
    "accumulating": "Scores are summed on the way up, and prove nothing.",
}
"""The notes, by algorithm."""
