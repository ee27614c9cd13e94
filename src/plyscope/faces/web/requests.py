"""How each question must look: structs, checked before any other code sees what came over the wire.

The docstring of a verb's request says what the verb is for.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field

from plyscope.evaluation.function import MAX_VALUE
from plyscope.searching.conventions import BoundStyle, Cut, Cutoffs, Order, Root, Scoring

MOST_CELLS = 400
MOST_ITEMS = 1_000

Text = Annotated[
    str,
    Meta(max_length=4000, description="a position, such as 'connect4 444'"),
]
Subject = Annotated[
    str,
    Meta(max_length=200_000, description="a position or a tree, such as [[3,5],[6,9]]"),
]
Name = Annotated[str, Meta(max_length=80)]
Seconds = Annotated[float, Meta(gt=0, le=30)]
Depth = Annotated[int, Meta(ge=1, le=60)]
Nodes = Annotated[int, Meta(ge=1, le=10**10)]
Seed = Annotated[int, Meta(ge=0, le=1 << 53)]
Small = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Worth = Annotated[int, Meta(ge=-MAX_VALUE, le=MAX_VALUE)]
Stones = Annotated[str, Meta(pattern=r"^\d{1,2},\d{1,2}$")]
OfKind = Annotated[str, Meta(pattern=r"^[a-z-]{1,20} (values|tempo) \d{1,2},\d{1,2}$")]
Width = Annotated[int, Meta(ge=1, le=4)]
Item = Literal["values", "windows", "cuts"]
NodePath = Annotated[str, Meta(max_length=40)]


class Request(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What every question is made of: nothing but the fields it names."""


class LineTableInput(Request):
    """A line table: values by the stones on a line, `"mine,theirs"`, weights by kind of line.

    And what else adds up: `tempo` by `"to move,waiting"`, `ends` by `"stones,empty ends"`, `cells`
    by name, `threats` by `"side,row"` (1 the second side, 1 an odd row), `mobility` of `"safe"`
    moves, and `kinds` by `"row values 2,0"` or `"row tempo 2,0"`: what lines of a kind add.
    """

    values: Annotated[dict[Stones, Worth], Meta(max_length=200)]
    weights: Annotated[dict[Name, Worth], Meta(max_length=20)] = {}
    tempo: Annotated[dict[Stones, Worth], Meta(max_length=200)] = {}
    ends: Annotated[dict[Stones, Worth], Meta(max_length=200)] = {}
    cells: Annotated[dict[Name, Worth], Meta(max_length=MOST_CELLS)] = {}
    threats: Annotated[dict[Stones, Worth], Meta(max_length=4)] = {}
    mobility: Annotated[dict[Literal["safe"], Worth], Meta(max_length=1)] = {}
    kinds: Annotated[dict[OfKind, Worth], Meta(max_length=1000)] = {}


Heuristic = Name | LineTableInput


class ConventionsInput(Request):
    """How an algorithm is carried out; None is its own way."""

    scoring: Scoring | None = None
    order: Order | None = None
    root: Root | None = None
    bound: BoundStyle | None = None
    cut: Cut | None = None
    cutoffs: Cutoffs | None = None
    alpha: Small | None = None
    beta: Small | None = None
    seed: Seed | None = None


class SecondSearch(Request):
    """Another way to search the same tree."""

    algorithm: Name = "alphabeta"
    conventions: ConventionsInput = field(default_factory=ConventionsInput)


class NodeInput(Request):
    """What a person wrote at a node."""

    value: Name | None = None
    alpha: Name | None = None
    beta: Name | None = None
    cut: bool = False


# Boards


class CataloguesRequest(Request):
    """What there is: games, heuristics, algorithms with the conventions they take, agents."""


class ShowRequest(Request):
    """A position as it is drawn: stones, legal moves, whose turn it is, who has won."""

    position: Text


class PlayRequest(Request):
    """The position after a move, and the cell that was taken."""

    position: Text
    move: Name


class ExplainRequest(Request):
    """A heuristic's opinion, line by line and after each move, for the side to move or another."""

    position: Text
    heuristic: Heuristic = "counted-lines"
    side: Literal["x", "o"] | None = None


# Searches and proofs


class MoveRequest(Request):
    """The move that an agent of the catalogue plays, drawn with a seed where it is random."""

    position: Text
    agent: Name
    seed: Seed = 0


class AnalyzeRequest(Request):
    """A search of every move, told depth by depth. Its last depth is the answer."""

    position: Text
    algorithm: Name = "engine"
    heuristic: Heuristic = "counted-lines"
    depth: Depth = 60
    nodes: Nodes = 10**10
    seconds: Seconds = 5.0


class SolveRequest(Request):
    """What a position and its moves are worth, proved; `value` is null where time was too short."""

    position: Text
    seconds: Seconds = 10.0


class RefuteRequest(Request):
    """Why a move is not the best: the answer to it, and its value beside the best move's."""

    position: Text
    move: Name
    seconds: Seconds = 1.0


class ReviewRequest(Request):
    """What each position of a game is worth to X, and which moves gave something away: from a proof
    where there is one at once, else from the engine, which has `seconds` for each."""

    position: Text
    moves: Annotated[list[Name], Meta(max_length=MOST_CELLS)]
    seconds: Seconds = 0.25


# Trees


class TraceRequest(Request):
    """A search step by step: the tree, and what each step changes, says, and its line of code."""

    position: Subject
    algorithm: Name = "alphabeta"
    heuristic: Heuristic | None = None
    depth: Annotated[int, Meta(ge=1, le=8)] | None = None
    conventions: ConventionsInput = field(default_factory=ConventionsInput)


class DifferRequest(TraceRequest, kw_only=True):
    """Where two searches of one tree differ, node by node."""

    second: SecondSearch


# Quiz


class QuestionRequest(Request):
    """A quiz question drawn from a seed, or about a tree of one's own: its tree and convention."""

    seed: Seed = 1
    tree: Subject | None = None
    depth: Annotated[int, Meta(ge=1, le=5)] = 3
    branching: tuple[Width, Width] = (2, 3)
    deep: Annotated[int, Meta(ge=0, le=5)] = 0
    ties: bool = True
    agree: bool = False
    cut: Cut = "ge"
    bound: BoundStyle = "soft"
    asked: Annotated[list[Item], Meta(min_length=1, max_length=3)] = field(
        default_factory=lambda: ["values", "windows", "cuts"]
    )


class MarkRequest(Request):
    """The marks of an answer, by node and edge, what may have gone wrong, and the key if wanted."""

    question: QuestionRequest
    answer: Annotated[dict[NodePath, NodeInput], Meta(max_length=MOST_ITEMS)]
    with_key: bool = False
