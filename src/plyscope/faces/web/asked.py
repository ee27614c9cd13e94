"""How each question must look: structs, so that whatever comes over the wire is checked before any
other code sees it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

__all__ = [
    "MOST_CELLS",
    "Asked",
    "Conventions",
    "OfAgent",
    "OfAnalyze",
    "OfDiffer",
    "OfExplain",
    "OfMark",
    "OfMove",
    "OfNothing",
    "OfPosition",
    "OfQuestion",
    "OfRefute",
    "OfReview",
    "OfSolve",
    "OfTrace",
    "Otherwise",
    "Table",
    "Written",
]

MOST_CELLS = 400
MOST_ITEMS = 1_000
REVIEW_SECONDS = 0.25
"""What each position of a game gets."""
REFUTE_SECONDS = 1.0

Text = Annotated[
    str,
    Meta(
        max_length=4000,
        description="a position, such as 'connect4 444', or where trees are taken, [[3,5],[6,9]]",
    ),
]
Name = Annotated[str, Meta(max_length=80)]
Seconds = Annotated[float, Meta(gt=0, le=30)]
Depth = Annotated[int, Meta(ge=1, le=60)]
Seed = Annotated[int, Meta(ge=0, le=1 << 53)]
Small = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]


class Asked(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What every question is made of: nothing but the fields it names."""


class Table(Asked):
    """A heuristic as a table: values by the stones on a line, `"mine,theirs"`, and weights by kind
    of line."""

    values: Annotated[
        dict[Annotated[str, Meta(pattern=r"^\d{1,2},\d{1,2}$")], Small], Meta(max_length=200)
    ]
    weights: Annotated[dict[Name, Small], Meta(max_length=20)] = {}


class OfNothing(Asked):
    """Nothing to say."""


class OfPosition(Asked):
    """A position."""

    position: Text


class OfMove(OfPosition):
    """A move in a position."""

    move: Name


class OfExplain(OfPosition):
    """A heuristic's opinion of a position, for a side."""

    heuristic: Name | Table = "counted-lines"
    side: Literal["x", "o"] | None = None


class OfAgent(OfPosition):
    """An agent's move, drawn with a seed where it is random."""

    agent: Name
    seed: Seed = 0


class OfAnalyze(OfPosition):
    """A search that deepens ply by ply, of every move of a position."""

    algorithm: Name = "engine"
    heuristic: Name | Table = "counted-lines"
    depth: Depth = 60
    nodes: Annotated[int, Meta(ge=1, le=10**10)] = 10**10
    seconds: Seconds = 5.0


class OfSolve(OfPosition):
    """A proof."""

    seconds: Seconds = 10.0


class OfRefute(OfMove):
    """Why not this move?"""

    seconds: Seconds = REFUTE_SECONDS


class OfReview(OfPosition):
    """A game: its first position, and its moves."""

    moves: Annotated[list[Name], Meta(max_length=MOST_CELLS)]
    seconds: Seconds = REVIEW_SECONDS


class Conventions(Asked):
    """How an algorithm is carried out; None is its own way."""

    scoring: Literal["heuristic", "result", "distance"] | None = None
    order: Literal["generated", "best", "worst", "random"] | None = None
    root: Literal["shared", "open"] | None = None
    bound: Literal["soft", "hard"] | None = None
    cut: Literal["ge", "gt"] | None = None
    cutoffs: Literal["deep", "shallow"] | None = None
    alpha: Small | None = None
    beta: Small | None = None
    seed: Seed | None = None


class OfTrace(OfPosition):
    """The search of a tree, or of a position to a depth, step by step."""

    algorithm: Name = "alphabeta"
    heuristic: Name | Table | None = None
    depth: Annotated[int, Meta(ge=1, le=8)] | None = None
    conventions: Conventions = msgspec.field(default_factory=Conventions)


class Otherwise(Asked):
    """Another way to search the same."""

    algorithm: Name = "alphabeta"
    conventions: Conventions = msgspec.field(default_factory=Conventions)


class OfDiffer(OfTrace, kw_only=True):
    """Two searches of one tree."""

    second: Otherwise


class OfQuestion(Asked):
    """A quiz question drawn from a seed, or about a tree of one's own."""

    seed: Seed = 1
    tree: Text | None = None
    depth: Annotated[int, Meta(ge=1, le=5)] = 3
    branching: tuple[Annotated[int, Meta(ge=1, le=4)], Annotated[int, Meta(ge=1, le=4)]] = (2, 3)
    deep: Annotated[int, Meta(ge=0, le=5)] = 0
    ties: bool = True
    agree: bool = False
    cut: Literal["ge", "gt"] = "ge"
    bound: Literal["soft", "hard"] = "soft"
    asked: Annotated[
        list[Literal["values", "windows", "cuts"]], Meta(min_length=1, max_length=3)
    ] = msgspec.field(default_factory=lambda: ["values", "windows", "cuts"])


class Written(Asked):
    """What a person wrote at a node."""

    value: Name | None = None
    alpha: Name | None = None
    beta: Name | None = None
    cut: bool = False


class OfMark(Asked):
    """An answer to a question, by path."""

    question: OfQuestion
    answer: Annotated[
        dict[Annotated[str, Meta(max_length=40)], Written], Meta(max_length=MOST_ITEMS)
    ]
    with_key: bool = False
