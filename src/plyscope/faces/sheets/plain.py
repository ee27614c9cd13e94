"""The sentences of quiz questions: tasks, rules and hints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from plyscope.evaluation.heuristics import HEURISTICS, find_heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.faces.diagrams.narration import sentences
from plyscope.faces.wording import listed, side_name
from plyscope.lab.questions.quiz import Mark, NodeKey, Question
from plyscope.lab.questions.quiz.boards import BoardQuestion
from plyscope.lab.questions.quiz.strategy import Strategy
from plyscope.rules.linegame import LineGame
from plyscope.searching.causes import Cause, causes
from plyscope.searching.score import format_score, plies_text

STEPS = ("where", "rule", "answer")
"""The steps of a hint: the place to look at, the rule, the answer."""

ALONE = {
    "values": "What does each node return that is searched?",
    "windows": "With which window is each node called?",
    "cuts": "Which edges are cut?",
}


def ask(question: Question) -> str:
    """Return the task of a question about a tree, in one or two short sentences."""
    if question.algorithm == "minimax":
        return (
            "What is the value of each node? MAX (▲) takes the greatest value of its children, "
            "MIN (▼) the least."
        )
    items = [name for name in ALONE if name in question.asked]
    if len(items) == 1:
        return f"Alpha-beta searches this tree from left to right. {ALONE[items[0]]}"
    return f"Search this tree by alpha-beta, from left to right: {listed(items)}."


def ask_board(question: BoardQuestion) -> str:
    """Return the task of a question about a board."""
    mover = side_name(question.position.side)
    if (strategy := question.strategy) is not None:
        side, does = side_name(strategy.side), ("draws at least", "wins")[strategy.least]
        letters = " and ".join(strategy.letters.values())
        are = "signs are" if len(strategy.missing) > 1 else "sign is"
        return f"{mover} to move. {side} {does} by signs on the cells. Which {are} at {letters}?"
    name = question.heuristic_name
    if question.item == "evaluation":
        return f"{mover} to move. What value does {name} give this position, in {mover}'s view?"
    if question.item == "choice":
        reach = plies_text(question.depth)
        return f"{mover} to move. Which move does minimax to {reach} choose, and what is its value?"
    moves = ", ".join(question.move_values)
    return f"{mover} to move. Put these moves in order, the best for {mover} first: {moves}."


def board_rules(question: BoardQuestion) -> list[str]:
    """Return the rules for a question about a board, such as the heuristic's definition."""
    if question.strategy is not None:
        return signs_rules(question.strategy)
    heuristic = find_heuristic(question.heuristic, question.position.game)
    name = heuristic.name
    is_listed = question.heuristic in (None, name) and name in HEURISTICS
    summary = HEURISTICS[name].summary if is_listed else getattr(heuristic, "summary", "")
    said = [f"{name}: {summary}."] if summary else []
    said += definition(heuristic, question.position.game)
    if question.item == "order":
        said.append(f"The value of a move is the value that {name} gives the board after it.")
    if question.item != "evaluation" and question.position.game.gravity:
        said.append("Cells are named by column, a from the left, and by row, 1 from the bottom.")
    if question.item == "choice":
        said.append(f"{name} gives the value of each board after {plies_text(question.depth)}.")
    if question.item != "evaluation":
        said.append(f"{name} also gives the value of a finished game: a win has no other value.")
    return said


def signs_rules(strategy: Strategy) -> list[str]:
    """Return the rules of play by signs."""
    side, other = side_name(strategy.side), side_name(1 - strategy.side)
    full = f", and where the board is full and {side} has not won" if strategy.least else ""
    return [
        f"{side} completes a line if it can. Otherwise it takes the cell by which {other} would "
        "complete one.",
        f"Otherwise {side} takes, of the cells that it can take, the one with the least sign. 1 is "
        "urgent; 2 is one of a pair; 3 is claimeven or claimodd; 4, 5 and 6 follow in this order.",
        "A 2 counts only while no other 2 can be taken. A cell without a sign (0) is not asked "
        "for.",
        f"The signs fail where {other} completes a line, where {side} has to block several cells, "
        f"where the signs ask for no cell or for several{full}.",
        "Every answer that holds against all replies is right.",
    ]


def definition(heuristic: Any, game: LineGame) -> list[str]:
    """Return a line table in sentences with its numbers, none for any other heuristic."""
    if not isinstance(heuristic, LineTable) or not heuristic.is_of_lines or heuristic.kinds:
        return []
    lengths = sorted({line.mask.bit_count() for line in game.lines})
    length, cells = lengths[-1], " or ".join(map(str, lengths))
    kinds = ", ".join(dict.fromkeys(f"{line.kind}s" for line in game.lines))
    pairs = [(mine, theirs) for mine in range(length + 1) for theirs in range(length + 1 - mine)]
    mine = {count: heuristic.value(count, 0) for count in range(1, length + 1)}
    theirs = {count: heuristic.value(0, count) for count in range(1, length + 1)}
    others = [
        f"{own} and {other}: {format_score(value)}"
        for own, other in pairs
        if own and other and (value := heuristic.value(own, other))
    ]
    is_mirrored = all(theirs[count] == -value for count, value in mine.items())
    counts = _counts(mine)
    said = [
        f"The value of a board is the sum over its {len(game.lines)} lines of {cells} cells "
        f"({kinds})."
    ]
    if is_mirrored:
        said.append(
            f"A line with stones of only one side counts {counts}; "
            "the lines of the evaluated side are added, those of its opponent subtracted."
        )
    else:
        said.append(f"A line with stones of only the evaluated side counts {counts}.")
        said.append(f"One with stones of only its opponent counts {_counts(theirs)}.")
    said.append(
        f"Stones of the evaluated side and of its opponent on one line: {', '.join(others)}."
        if others
        else "A line with stones of both sides counts 0."
    )
    if empty := heuristic.value(0, 0):
        said.append(f"An empty line counts {format_score(empty)}.")
    said += [
        f"Each {kind} line counts {weight} times."
        for kind, weight in heuristic.weights.items()
        if weight != 1
    ]
    if heuristic.clamp is not None:
        said.append(f"The sum is limited to ±{heuristic.clamp}.")
    return said


def _counts(values: dict[int, int]) -> str:
    """Return `1 with 1 stone, 3 with 2`."""
    first, *rest = values.items()
    words = [f"{format_score(first[1])} with {first[0]} stone"]
    return ", ".join([*words, *(f"{format_score(value)} with {count}" for count, value in rest)])


def paper_rules(question: Question) -> list[str]:
    """Return all rules on which the key of a tree depends, in sentences."""
    all_values = "All numbers are in MAX's view."
    if question.algorithm == "minimax":
        return [
            "MAX (▲) takes the greatest value of its children, MIN (▼) the least.",
            f"Every node is searched. {all_values}",
        ]
    conventions = question.conventions
    low, high = (format_score(end) for end in conventions.window)
    said = [
        "The children of a node are searched from left to right, in the order drawn. "
        f"{all_values} A window is written (alpha, beta).",
        f"The root is called with the window ({low}, {high}). A value that comes back to a MAX "
        "node raises its alpha if it is greater; one that comes back to a MIN node lowers its beta "
        "if it is less.",
    ]
    is_pvs = question.algorithm == "pvs"
    if is_pvs:
        unit = format_score(question.tree.exact(1))
        wide = "one" if unit == "1" else unit
        said += [
            "The first child of a node is called with the node's window. Each child after it is "
            f"called with a null window, {wide} wide: (alpha, alpha + {unit}) at a MAX node, "
            f"(beta − {unit}, beta) at a MIN node.",
            "If the value that comes back is between alpha and beta of the node, neither "
            "included, and the null window was narrower than (alpha, beta), the child is searched "
            "again at once, with the node's window.",
        ]
    else:
        said.append("Each child is called with its parent's window at that moment.")
        if conventions.root == "open":
            said.append("The root is an exception: each of its children is called with (−∞, ∞).")
        elif "windows" in question.asked:
            said.append("This holds for the children of the root too (shared root window).")
        said.append(
            "So a bound of any ancestor may cause a cutoff (deep cutoffs)."
            if conventions.cutoffs == "deep"
            else "But a child does not receive bounds from above its parent (shallow cutoffs only)."
        )
    is_ge = is_pvs or conventions.cut == "ge"
    said.append(
        f"A node stops as soon as {'alpha ≥ beta' if is_ge else 'alpha > beta'}"
        f"{' (equal is enough)' if is_ge else ' (equal is not enough)'}; the edges to its children "
        "that remain are cut."
    )
    said.append(
        "A node returns the best value it has found, even outside its window (fail-soft)."
        if conventions.bound == "soft"
        else "A node returns the best value it has found, but alpha if that is less than the alpha "
        "it was called with, and beta if it is greater than that beta (fail-hard); a leaf returns "
        "its own value."
    )
    if is_pvs:
        said.append(
            "If a node is visited more than once, its last visit counts: write the value that "
            "it returned last, and strike out an edge only if no visit followed it."
        )
        if "again" in question.asked:
            said.append(
                "R belongs to the child whose null window is repeated, not to the nodes below it, "
                "which are visited again because of it. A node below it gets an R of its own if "
                "its own null window is repeated in any visit."
            )
    return said


def rules(question: Question) -> list[str]:
    """Return the conventions that matter for the items asked about, in short sentences."""
    if question.algorithm == "minimax":
        return []
    is_ge, is_soft = question.conventions.cut == "ge", question.conventions.bound == "soft"
    said = [
        f"A node stops as soon as {_closed(question)}: "
        + ("equal is enough." if is_ge else "equal is not enough.")
    ]
    if "values" in question.asked:
        said.append(
            "A node returns the best value it has found, even outside its window (fail-soft)."
            if is_soft
            else "A node never returns a value outside its window (fail-hard)."
        )
    if "windows" in question.asked or "cuts" in question.asked:
        said.append("The values found at a node narrow the windows of its later children.")
    return said


def hint(question: Question, due: Mark, step: str) -> str:
    """Return a hint about the open item `due`; `step` is one of STEPS."""
    words: dict[str, Callable[[Question, Mark, str], str]] = {
        "value": _value_hint,
        "window": _window_hint,
        "cut": _cut_hint,
    }
    return words[due.item](question, due, step)


def answer(question: Question, due: Mark) -> dict[str, Any]:
    """Return the right answer for the item of a hint, as JSON-ready data."""
    node = question.key[due.path]
    if due.item == "cut":
        return {"cut": node.is_cut}
    if due.item == "window" and node.window is not None:
        return dict(zip(("alpha", "beta"), map(format_score, node.window), strict=True))
    return {"value": format_score(node.score)}


def _closed(question: Question) -> str:
    return "α ≥ β" if question.conventions.cut == "ge" else "α > β"


def _named(node: NodeKey) -> str:
    """Return a node's name, such as `E (MIN)` or `the leaf 5`."""
    if node.is_leaf:
        return f"the leaf {_name(node)}"
    return f"{_name(node)} ({'MAX' if node.is_max else 'MIN'})"


def _name(node: NodeKey) -> str:
    return node.name.replace("-", "−")


def _children(question: Question, node: NodeKey) -> list[NodeKey]:
    """Return the children of a node that are searched, in their order."""
    depth = len(node.path) + 1
    below = (
        other
        for path, other in question.key.items()
        if path[:-1] == node.path and len(path) == depth
    )
    return [child for child in below if child.score is not None]


def _window_text(node: NodeKey) -> str:
    return f"({', '.join(map(format_score, node.window or ()))})"


def _listed(nodes: Sequence[NodeKey]) -> str:
    return listed([format_score(node.score) for node in nodes])


def _value_hint(question: Question, due: Mark, step: str) -> str:
    node = question.key[due.path]
    children = _children(question, node)
    most = "greatest" if node.is_max else "least"
    if step == "where":
        below = "its leaves" if all(child.is_leaf for child in children) else "the nodes below it"
        return f"Look at {_named(node)}: its value follows from {below}."
    searched = "" if question.algorithm == "minimax" else " that is searched"
    if step == "rule":
        hard = "" if question.conventions.bound == "soft" else ", but none outside its window"
        return f"{_named(node)} returns the {most} value of any child{searched}{hard}."
    values = _listed(children)
    best = (max if node.is_max else min)(child.score or 0 for child in children)
    if best != node.score and node.window is not None:
        outside = f"is outside {_window_text(node)}"
        return f"{node.name} = {due.expected}: the {most} of {values} {outside}."
    if len(children) == 1:
        return f"{node.name} = {due.expected}, the value of its only child{searched}."
    return f"{node.name} = {due.expected}: the {most} of {values}."


def _window_hint(question: Question, due: Mark, step: str) -> str:
    node = question.key[due.path]
    if step == "where":
        what = f"the edge to {_named(node)}" if node.path else f"the root {_named(node)}"
        return f"Look at {what}: with which window is it called?"
    if not node.path:
        if step == "rule":
            return "Nothing is known yet when the root is called: its window is open."
        return f"{node.name} is called with {due.expected}."
    above = question.key[node.path[:-1]]
    before = [child for child in _children(question, above) if child.path < node.path]
    name = above.name
    if step == "rule":
        if not before:
            return f"The first child of {name} is called with the window of {name} itself."
        end, moved = ("alpha", "raised") if above.is_max else ("beta", "lowered")
        most = "greatest" if above.is_max else "least"
        return (
            f"{_named(above)} passes its own window down, with {end} {moved} to the {most} "
            "value that its earlier children have returned, if that is narrower."
        )
    if not before:
        return f"{due.expected}, as {name} was called."
    have = "its earlier child has" if len(before) == 1 else "its earlier children have"
    window = _window_text(above)
    return f"{due.expected}: {name} has {window}, and {have} returned {_listed(before)}."


def _cut_hint(question: Question, due: Mark, step: str) -> str:
    node = question.key[due.path]
    above = question.key[due.path[:-1]]
    if not node.is_cut:
        return _searched_hint(question, node, above, step)
    cause, sentence = _cause(question, node)
    last = question.key[*above.path, cause.cutoff.move]
    if step == "where":
        return f"Look at {_named(above)} after its child {_name(last)}: can the rest still matter?"
    if step == "rule":
        end = "alpha" if above.is_max else "beta"
        moved = "raises" if above.is_max else "lowers"
        return (
            f"{_named(above)} {moved} {end} to what its children return, and stops as soon as "
            f"{_closed(question)}. Which window does it have after {_name(last)}?"
        )
    return sentence


def _searched_hint(question: Question, node: NodeKey, above: NodeKey, step: str) -> str:
    """Return a hint about an edge that the student struck out although it is searched."""
    if step == "where":
        return f"Look at {_named(above)} again: is the edge to {_named(node)} really cut?"
    if step == "rule":
        return f"An edge is cut only if {_closed(question)} at the node above, before it is called."
    window = _window_text(node)
    return f"{_named(node)} is called with {window}, which is still open: it is searched."


def _cause(question: Question, node: NodeKey) -> tuple[Cause, str]:
    """Return the cause of the cutoff above a node, and the sentence about it."""
    found = zip(causes(question.trace.events), sentences(question.trace), strict=True)
    return next(
        (cause, sentence)
        for cause, sentence in found
        if node.path in [(*cause.cutoff.path, move) for move in cause.cutoff.skipped]
    )
