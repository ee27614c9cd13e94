"""A search in sentences: every step, and why every window closed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from plyscope.faces.diagrams.picture import name_of
from plyscope.searching.causes import Cause, causes
from plyscope.searching.events import (
    Cutoff,
    Enter,
    Event,
    Leaf,
    Research,
    Return,
    TableHit,
    WindowMoved,
)
from plyscope.searching.score import format_score
from plyscope.searching.trace import Trace


def sentences(trace: Trace) -> list[str]:
    """Return a sentence for every cutoff: what closed the window, and what is not searched.

    It names the node from which the other bound came.
    """
    return [_cutoff_sentence(trace, cause) for cause in causes(trace.events)]


def _cutoff_sentence(trace: Trace, cause: Cause) -> str:
    event, origin, result = cause.cutoff, cause.origin, trace.result
    name = partial(name_of, result)
    alpha, beta = (
        format_score(end, result.conventions.scoring) for end in (event.alpha, event.beta)
    )
    is_max, is_strict = event.which == "beta", result.conventions.cut == "gt"
    if is_max:
        closed = f"alpha to {alpha} {'>' if is_strict else '≥'} beta {beta}"
    else:
        closed = f"beta to {beta} {'<' if is_strict else '≤'} alpha {alpha}"
    verb = ("raises" if is_max else "lowers") if cause.is_moved else "meets"
    source = "its window came with"
    if origin is not None:
        source = f"{name((*origin.path, origin.move))} gave to {name(origin.path)}"
    skipped = [name((*event.path, move)) for move in event.skipped]
    are = "is" if len(skipped) == 1 else "are"
    outcome = f"{_listed(skipped)} {are} not searched" if skipped else "nothing was left to search"
    node = f"{name(event.path)} ({'MAX' if is_max else 'MIN'})"
    child = name((*event.path, event.move))
    return f"At {node} {child} {verb} {closed}, which {source}: {outcome}."


def _listed(names: Sequence[str]) -> str:
    shown = [*names[:6], f"{len(names) - 6} more"] if len(names) > 7 else list(names)
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def narrate(trace: Trace) -> list[str]:
    """Return one plain sentence about every event."""
    cutoffs = iter(sentences(trace))
    return [
        next(cutoffs).removesuffix(".") if isinstance(event, Cutoff) else _describe(trace, event)
        for event in trace.events
    ]


def _describe(trace: Trace, event: Event) -> str:
    result = trace.result
    name = name_of(result, event.path)

    def text(score: float) -> str:
        return format_score(score, result.conventions.scoring)

    if isinstance(event, Enter):
        kind = "MAX" if event.is_max else "MIN"
        return (
            f"{name} ({kind}) is called with the window ({text(event.alpha)}, {text(event.beta)})"
        )
    if isinstance(event, Leaf):
        kind = "at the horizon" if event.horizon else "a leaf"
        return f"{name} is {kind} and worth {text(event.score)}"
    if isinstance(event, WindowMoved):
        verb = "raises alpha" if event.which == "alpha" else "lowers beta"
        child = name_of(result, (*event.path, event.move))
        return f"at {name}, {child} {verb} from {text(event.before)} to {text(event.after)}"
    if isinstance(event, Return | TableHit):
        verb = "returns" if isinstance(event, Return) else "is known from the table:"
        score = text(event.score)
        return f"{name} {verb} {score}, so its value is {event.bound.sign} {score}"
    if isinstance(event, Research):
        return f"{name} is searched again with the window ({text(event.alpha)}, {text(event.beta)})"
    about = {key: value for key, value in event.as_dict().items() if key in ("depth", "guess")}
    known = [f"{key} {value}" for key, value in about.items() if value is not None]
    return f"a new pass begins: {', '.join(known)}"
