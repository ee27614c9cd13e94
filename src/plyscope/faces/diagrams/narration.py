"""Sentences about a search: every step, and the cause of every cutoff."""

from __future__ import annotations

from functools import partial

from plyscope.faces.diagrams.picture import mover_of, name_of, path_name
from plyscope.faces.wording import bounded, listed
from plyscope.searching.causes import Cause, causes
from plyscope.searching.events import (
    Cutoff,
    Enter,
    Event,
    Iteration,
    Leaf,
    Research,
    Return,
    TableHit,
    WindowMoved,
)
from plyscope.searching.score import format_score
from plyscope.searching.trace import Trace


def sentences(trace: Trace) -> list[str]:
    """Return a sentence for every cutoff: the bounds that closed the window, and the moves not
    searched.

    It names the node that set the other bound. Nodes of a position's search are named by the moves
    that lead to them, `a3–c3`; the children of the node with the cutoff only by their move.
    """
    return [_cutoff_sentence(trace, cause) for cause in causes(trace.events)]


def _cutoff_sentence(trace: Trace, cause: Cause) -> str:
    event, origin, result = cause.cutoff, cause.origin, trace.result
    name = partial(path_name, result)
    alpha, beta = (
        format_score(end, result.conventions.scoring) for end in (event.alpha, event.beta)
    )
    is_max, is_strict = event.which == "beta", result.conventions.cut == "gt"
    if is_max:
        own, ends = "alpha", f"{alpha} {'>' if is_strict else '≥'} beta {beta}"
    else:
        own, ends = "beta", f"{beta} {'<' if is_strict else '≤'} alpha {alpha}"
    source = f"{name(event.path)} was called with"
    if origin is not None:
        source = f"{name((*origin.path, origin.move))} gave to {name(origin.path)}"
    skipped = [name_of(result, (*event.path, move)) for move in event.skipped]
    are = "is" if len(skipped) == 1 else "are"
    if len(skipped) > 7:
        skipped[6:] = [f"{len(skipped) - 6} more"]
    outcome = f"{listed(skipped)} {are} not searched" if skipped else "nothing was left to search"
    node = f"{name(event.path)} ({'MAX' if is_max else 'MIN'})"
    child = name_of(result, (*event.path, event.move))
    if event.alpha < event.beta:  # the window is open: a child has answered a question
        answer = f"at least {beta}" if is_max else f"below {beta}"
        return f"At {node} {child} is {answer}, and so is {name(event.path)}: {outcome}."
    moves = f"{child} {'raises' if is_max else 'lowers'} {own} to"
    if not cause.is_moved:
        moves = f"after {child} {own} is"
    return f"At {node} {moves} {ends}, which {source}: {outcome}."


def narrate(trace: Trace) -> list[str]:
    """Return one plain sentence about every event."""
    cutoffs = iter(sentences(trace))
    return [
        next(cutoffs).removesuffix(".") if isinstance(event, Cutoff) else _describe(trace, event)
        for event in trace.events
    ]


def _describe(trace: Trace, event: Event) -> str:
    result = trace.result
    name = path_name(result, event.path)

    def text(score: float) -> str:
        return format_score(score, result.conventions.scoring)

    if isinstance(event, Enter):
        kind = mover_of(result, event)
        return (
            f"{name} ({kind}) is called with the window ({text(event.alpha)}, {text(event.beta)})"
        )
    if isinstance(event, Leaf):
        kind = "at the horizon" if event.horizon else "a leaf"
        return f"{name} is {kind} and worth {text(event.score)}"
    if isinstance(event, WindowMoved):
        verb = "raises alpha" if event.which == "alpha" else "lowers beta"
        child = name_of(result, (*event.path, event.move))
        return f"At {name}, {child} {verb} from {text(event.before)} to {text(event.after)}"
    if isinstance(event, Return | TableHit):
        verb = "returns" if isinstance(event, Return) else "is known from the table:"
        value = bounded(event.score, event.bound, result.conventions.scoring)
        return f"{name} {verb} {text(event.score)}, so its value is {value}"
    if isinstance(event, Research):
        return f"{name} is searched again with the window ({text(event.alpha)}, {text(event.beta)})"
    if isinstance(event, Iteration) and event.guess is not None:
        return f"A new pass begins: is the value at least {text(event.guess)}?"
    depth = event.depth if isinstance(event, Iteration) else None
    return f"A new pass begins: depth {depth}"
