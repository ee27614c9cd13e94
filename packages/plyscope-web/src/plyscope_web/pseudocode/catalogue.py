"""The pseudocode of every algorithm that reports events, and how to read the drawing next to it.

Each text has about ten lines, as in textbooks.
"""

from __future__ import annotations

from plyscope.searching.conventions import Conventions
from plyscope_web.pseudocode.code import Pseudocode, read

TEXTS = {
    "minimax": """
minimax(node, depth):  # enter
    if node is a leaf or depth = 0:
        return its value  # leaf
    best ← −∞ at MAX, ∞ at MIN
    for each child:
        score ← minimax(child, depth − 1)
        best ← max(best, score) at MAX, min at MIN
    return best  # return
""",
    "expectimax": """
expectimax(node, depth):  # enter
    if node is a leaf or depth = 0:
        return its value  # leaf
    for each child:
        score ← expectimax(child, depth − 1)
    at MAX: best ← the greatest score
    at MIN: best ← the least score
    at chance: best ← the average, by probability
    return best  # return
""",
    "negamax": """
negamax(node, depth):  # enter
    if node is a leaf or depth = 0:
        return its value for the side to move  # leaf
    best ← −∞
    for each child:
        score ← −negamax(child, depth − 1)
        best ← max(best, score)
    return best  # return
""",
    "alphabeta": """
alphabeta(node, depth, α, β):  # enter
    if node is a leaf or depth = 0:
        return its value  # leaf
    best ← −∞ at MAX, ∞ at MIN
    for each child:
        score ← alphabeta(child, depth − 1, α, β)
        best ← max(best, score) at MAX, min at MIN
        at MAX: α ← max(α, score)  # bound:alpha
        at MIN: β ← min(β, score)  # bound:beta
        if α {cut} β: stop here  # cutoff
    return {score}  # return
""",
    "pvs": """
pvs(node, depth, α, β):  # enter
    if node is a leaf or depth = 0:
        return its value for the side to move  # leaf
    for each child:
        if it is the first:
            score ← −pvs(child, depth − 1, −β, −α)
        else:
            score ← −pvs(child, depth − 1, −α − 1, −α)
            if α < score < β:
                score ← −pvs(child, depth − 1, −β, −α)  # re-search
        best ← max(best, score); α ← max(α, score)  # bound
        if α ≥ β: stop here  # cutoff
    return {score}  # return
""",
    "mtdf": """
mtdf(root, guess):
    lower ← −∞, upper ← ∞
    while lower < upper:
        β ← guess + 1 if guess = lower, else guess  # iteration
        guess ← search(root, β − 1, β)
        if guess < β: upper ← guess, else lower ← guess
search(node, α, β):  # enter
    if the table answers: return what it knows  # table-hit
    if node is a leaf: return its value  # leaf
    for each child: score ← search(child, α, β)
        best, and α at MAX or β at MIN, follow score  # bound
        if α ≥ β: stop here  # cutoff
    keep best in the table and return it  # return
""",
    "sss": """
OPEN ← the root, live, with merit ∞  # enter:root
repeat: take the state of the greatest merit h
    if it is the root, solved: its value is h
    solved child of MAX: its parent is solved with h  # return:max
    solved child of MIN: the next one comes in, or  # enter:next
        after the last its parent is solved with h  # return:min
    live leaf: solved with min(h, its value)  # leaf
    live MIN node: its first child comes in with h  # enter:first
    live MAX node: all children come in with h  # enter:all
""",
    "pn": """
for each test value, until the bounds meet:  # iteration
    until the root is answered:
        node ← the most proving leaf, from the root down
        expand node: each child begins with pn = dn = 1  # enter
            a leaf with value ≥ test: pn ← 0, dn ← ∞  # leaf:yes
            any other leaf: pn ← ∞, dn ← 0  # leaf:no
            a child that answers its parent: stop here  # cutoff
        on the way up to the root:
            MAX: pn ← least pn, dn ← sum of dn
            MIN: pn ← sum of pn, dn ← least dn
            pn = 0: value ≥ test; dn = 0: value < test  # return
""",
    "dfpn": """
for each test value: call(root, ∞, ∞)  # iteration
call(node, limit of pn, limit of dn):  # enter
    if node is a leaf: pn, dn ← 0, ∞ or ∞, 0  # leaf
    repeat:
        read the children's numbers from the table
        MAX: pn ← least, dn ← sum; MIN: the other way
        if pn = 0 or dn = 0: node is answered  # return
        if a limit is reached: keep pn, dn and go back
        call the most proving child, with limits at which
            a sibling would be more proving
""",
    "iterative-deepening": """
for depth = 1, 2, 3, ...: search(root, depth, −∞, ∞)  # iteration
search(node, depth, α, β):  # enter
    if the table decides the window: return its score  # table-hit
    if node is a leaf or depth = 0: return its value  # leaf
    for each child, the table's move first:
        score ← −search(child, depth − 1, −β, −α)
        best ← max(best, score)
        α ← max(α, score)  # bound
        if α ≥ β: stop here  # cutoff
    keep best and its move in the table and return it  # return
""",
    "uct": """
repeat:
    node ← root
    while all children of node have been tried:
        node ← child with the greatest UCB1:  # enter:again
            mean + sqrt(2 log(visits) / visits of child)
    node ← a new child of node  # enter
    play at random to the end: result  # leaf
    for each node on the way to the root:
        visits ← visits + 1; total ← total + result
best move: the one with the most visits
""",
    "accumulating": """
accumulate(node, α, β):  # enter
    if somebody has won, the board is full, or depth = 0:
        return its value  # leaf
    best ← h(node)
    for each child:
        score ← accumulate(child, α, β)
        MAX: best ← max(best, score + h), raise α
        MIN: best ← min(best, score − h), lower β
        if β ≤ α: stop here  # cutoff
    return best
""",
}
"""The pseudocode, by algorithm."""
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
    "expectimax": "MAX takes the greatest score of its children, MIN the least; a chance node has "
    "the average of the scores, each times its probability.",
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


def pseudocode_of(algorithm: str, conventions: Conventions) -> Pseudocode:
    """Return the pseudocode of an algorithm, adapted to the conventions."""
    return read(TEXTS[algorithm], conventions, REMARKS[algorithm].strip())
