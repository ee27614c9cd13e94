"""A catalogue of mistaken searches. Each one runs, so that a submission can be compared with it.

`run` is the right search, minimax or alpha-beta, with the steps of a mistake in place of its own. A
mistake is named to a student only if it agrees with the submission in every search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

Window = tuple[float, float]


@dataclass(slots=True)
class At:
    """A node while its children are searched."""

    is_max: bool
    ply: int
    """Plies below the root."""
    low: float
    high: float
    """The window on entry."""
    alpha: float
    beta: float
    best: float
    """The best value so far."""
    found: float = 0.0
    """The value of the last child."""


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """The steps of a search. Those of the right search are the defaults."""

    says: str = ""
    """What a program with this mistake does, after "as if it"."""
    children: Callable[[Any, float], Any] = lambda node, depth: node.children if depth > 0 else ()
    leaf: Callable[[Any, float], float] = lambda node, value: value
    maximizes: Callable[[Any, int], bool] = lambda node, ply: node.is_max
    """Whether MAX moves at a node so many plies below the root."""
    picks_greatest: Callable[[bool], bool] = lambda is_max: is_max
    """Whether the greatest value is the best, where MAX moves or does not."""
    infinity: float = inf
    """The value, or minus the value, with which the best one begins."""
    window: Callable[[At], Window] = lambda at: (at.alpha, at.beta)
    """The window of the next child."""
    cuts: Callable[[At, bool], bool] = lambda at, is_closed: is_closed
    """Whether to cut where the window is closed or not."""
    arguments: Callable[..., tuple[float, float, float]] = lambda *of: of
    """The depth, alpha and beta of a call."""
    inner: Callable[[float], float] = lambda value: value
    """The value that an inner node returns for its best one."""
    result: Callable[[float], float] = lambda value: value
    is_global: bool = False
    """Whether all nodes have one alpha and one beta."""
    narrows_by_last: bool = False
    """Whether the window moves by the value of the last child, not by the best one."""
    is_constant: bool = False
    """Whether it returns 0 and reads nothing."""
    has_table: bool = False
    """Whether values are kept in a table, by key and depth."""
    takes_last: bool = False
    """Whether the last of equal moves is chosen."""
    has_windows: bool = False
    """Whether only a search with windows can have this mistake."""
    share: float = 0.0
    """The share of the points of a question that this mistake leaves, if there is no other."""


@dataclass
class Found:
    """The result of a search."""

    value: float = 0.0
    first: Any = None
    last: Any = None
    """The first and the last of the best children."""
    is_blind: bool = False
    """Whether a value was read that the tree does not have; it counted as 0."""
    table: dict[Any, float] = field(default_factory=dict)
    window: Window = -inf, inf
    """The window of all nodes."""


def run(
    steps: Mistake, node: Any, *of: float, has_cuts: bool = True, cut: str = "", bound: str = ""
) -> Found:
    """Return the result of a search with these steps; `of` is the depth, and alpha and beta."""
    depth, alpha, beta = steps.arguments(*(*of, -inf, inf)[:3])
    found, is_hard = Found(window=(alpha, beta)), bound == "hard"
    if steps.is_constant:
        return found

    def value_of(node: Any, depth: float, alpha: float, beta: float, ply: int) -> float:
        children = steps.children(node, depth)
        if not children:
            value = node.value
            found.is_blind |= value is None
            return steps.leaf(node, value or 0)
        greatest = steps.picks_greatest(is_max := steps.maximizes(node, ply))
        best = -steps.infinity if greatest else steps.infinity
        at = At(is_max, ply, alpha, beta, alpha, beta, best)
        for child in children:
            at.found = searched(child, depth - 1, *steps.window(at), ply + 1)
            gain = at.found - at.best if greatest else at.best - at.found
            if ply == 0 and gain >= 0:
                found.last = child
                found.first = child if gain > 0 else found.first
            at.best = at.found if gain > 0 else at.best
            if steps.is_global:
                at.alpha, at.beta = found.window
            bound = at.found if steps.narrows_by_last else at.best
            if is_max:
                at.alpha = max(at.alpha, bound)
            else:
                at.beta = min(at.beta, bound)
            found.window = at.alpha, at.beta
            is_closed = at.alpha > at.beta if cut == "gt" else at.alpha >= at.beta
            if has_cuts and steps.cuts(at, is_closed):
                break
        best = max(alpha, min(beta, at.best)) if has_cuts and is_hard else at.best
        return steps.inner(best)

    def searched(node: Any, depth: float, alpha: float, beta: float, ply: int) -> float:
        if not steps.has_table:
            return value_of(node, depth, alpha, beta, ply)
        if (node.key, depth) not in found.table:
            found.table[node.key, depth] = value_of(node, depth, alpha, beta, ply)
        return found.table[node.key, depth]

    found.value = steps.result(searched(node, depth, alpha, beta, 0))
    return found


def _mistake(says: str, **steps: Any) -> Mistake:
    return Mistake(says=says, **steps)


RIGHT = Mistake()
LAST_OF_EQUAL = _mistake(
    "takes the last of several equal moves. Where moves were cut below it, an equal value is "
    "only a bound, and the move may be worse: take another move only if its value is better",
    takes_last=True,
    has_windows=True,
)
BOUNDS_AS_VALUES = _mistake(
    "keeps the value of a cut node in its table as if it were exact. It is only a bound: keep "
    "with it whether it is exact, a lower or an upper bound",
    has_table=True,
)
OF_ALL = (
    _mistake(
        "stops one ply too early, at depth 1 instead of 0",
        children=lambda node, depth: node.children if depth > 1 else (),
        share=0.5,
    ),
    _mistake(
        "stops one ply too late, below depth 0",
        children=lambda node, depth: node.children if depth >= 0 else (),
        share=0.5,
    ),
    _mistake("ignores the depth", children=lambda node, depth: node.children),
    _mistake("returns 0 without a search", is_constant=True),
    _mistake("returns `node.value` without a search", children=lambda node, depth: ()),
    *(
        _mistake(
            f"searches {which} of each node",
            children=lambda node, depth, part=part: node.children[part] if depth > 0 else (),
        )
        for which, part in (
            ("only the first child", slice(1)),
            ("all children but the first", slice(1, None)),
            ("all children but the last", slice(-1)),
            ("from right to left the children", slice(None, None, -1)),
        )
    ),
    _mistake("returns the value with the opposite sign", result=lambda value: -value),
    _mistake("changes the sign of the value at each node", inner=lambda value: -value),
    *(
        _mistake(says, **{step: which})
        for says, swapped in (
            ("minimizes at MAX nodes and maximizes at MIN nodes", lambda is_max: not is_max),
            ("maximizes at MIN nodes too", lambda is_max: True),
            ("minimizes at MAX nodes too", lambda is_max: False),
        )
        for step, which in (
            ("maximizes", lambda node, ply, swapped=swapped: swapped(node.is_max)),
            ("picks_greatest", swapped),
        )
    ),
    _mistake(
        "takes the root for a MAX node, whoever moves there",
        maximizes=lambda node, ply: ply % 2 == 0,
    ),
    _mistake(
        "takes the value of a leaf in the view of the side to move there, not in MAX's",
        leaf=lambda node, value: value if node.is_max else -value,
    ),
    *(
        _mistake(
            f"begins with {'±' * (number > 0)}{number:,} instead of an infinity",
            infinity=number,
            narrows_by_last=by_last,
        )
        for by_last in (False, True)
        for number in (0, 99, 100, 999, 1_000, 9_999, 10_000, 99_999, 100_000, 999_999, 10**6)
    ),
)
"""Mistakes that minimax and alpha-beta can have."""
WRONG_END = "compares a value with the wrong end of the window, at a MAX node with alpha"
OPEN_ROOT = "searches each child of the root with an open window"
WINDOW_STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("never cuts", {"cuts": lambda at, is_closed: False}),
    ("cuts at MAX nodes only", {"cuts": lambda at, is_closed: is_closed and at.is_max}),
    ("cuts at MIN nodes only", {"cuts": lambda at, is_closed: is_closed and not at.is_max}),
    ("cuts at MAX nodes only",
     {"cuts": lambda at, is_closed: at.is_max and at.best >= at.beta}),
    ("cuts at MIN nodes only",
     {"cuts": lambda at, is_closed: not at.is_max and at.best <= at.alpha}),
    ("searches each child with an open window", {"window": lambda at: (-inf, inf)}),
    (OPEN_ROOT, {"window": lambda at: (at.alpha, at.beta) if at.ply else (-inf, inf)}),
    (OPEN_ROOT, {"window": lambda at: (at.alpha, at.beta) if at.ply else (-inf, inf),
                 "cuts": lambda at, is_closed: is_closed and at.ply > 0}),
    ("gives each child only the bound of its parent, so that deep cuts are missing",
     {"window": lambda at: (at.best, inf) if at.is_max else (-inf, at.best)}),
    ("gives each child the window that its parent had at first",
     {"window": lambda at: (at.low, at.high)}),
    ("keeps alpha and beta in variables that all nodes share", {"is_global": True}),
    ("passes alpha and beta in the wrong order (in a negamax −alpha, −beta, not exchanged)",
     {"window": lambda at: (at.beta, at.alpha)}),
    ("passes alpha and beta of a negamax without changing their signs",
     {"window": lambda at: (-at.beta, -at.alpha)}),
    (WRONG_END, {"cuts": lambda at, is_closed: at.found >= at.alpha}),
    (WRONG_END, {"cuts": lambda at, is_closed: at.found >= at.low if at.is_max
                 else at.found <= at.high}),
    (WRONG_END, {"cuts": lambda at, is_closed: at.found >= at.alpha if at.is_max
                 else at.found <= at.beta}),
    (WRONG_END, {"cuts": lambda at, is_closed: at.found >= at.alpha if at.is_max
                 else is_closed}),
    *(("takes its arguments in the order node, alpha, beta, depth",
       {"arguments": lambda depth, alpha, beta: (beta, depth, alpha), "children": children})
      for children in (lambda node, depth: node.children if depth > 0 else (),
                       lambda node, depth: node.children if depth else ())),
)  # fmt: skip
OF_WINDOWS = tuple(_mistake(says, has_windows=True, **steps) for says, steps in WINDOW_STEPS)
"""Mistakes with alpha and beta."""
MISTAKES = (LAST_OF_EQUAL, *OF_ALL, *OF_WINDOWS)
"""All mistakes in a search without a table; the first one that agrees is named."""
