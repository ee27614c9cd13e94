"""How each question must look: structs, checked before any other code sees what came over the wire.

The docstring of an endpoint's request says what the endpoint is for.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field

from plyscope.evaluation.function import MAX_VALUE
from plyscope.searching.conventions import BoundStyle, Cut, Cutoffs, Order, Root, Scoring

MAX_CELLS = 400
REVIEW_SECONDS = 0.25
"""For a position of a game that is reviewed."""
MAX_ITEMS = 1_000
MAX_DRAWN = 10_000
"""Nodes of a tree that is drawn."""

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
Games = Annotated[int, Meta(ge=2, le=10_000)]
Depth = Annotated[int, Meta(ge=1, le=60)]
Nodes = Annotated[int, Meta(ge=1, le=10**10)]
Seed = Annotated[int, Meta(ge=0, le=1 << 53)]
Small = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Worth = Annotated[int, Meta(ge=-MAX_VALUE, le=MAX_VALUE)]
Stones = Annotated[str, Meta(pattern=r"^\d{1,2},\d{1,2}$", description="two counts, such as '2,0'")]
OfKind = Annotated[
    str,
    Meta(
        pattern=r"^[a-z-]{1,20} (values|tempo) \d{1,2},\d{1,2}$",
        description="a kind of line, a table and two counts, such as 'row values 2,0'",
    ),
]
Width = Annotated[int, Meta(ge=1, le=4)]
Item = Literal["values", "windows", "cuts"]
NodePath = Annotated[str, Meta(max_length=40)]


class Request(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What every question is made of: nothing but the fields it names."""


class LineTableInput(Request):
    """A line table: values by the stones on a line, `"mine,theirs"`, weights by kind of line.

    And what else adds up: `tempo` by `"to move,waiting"`, `ends` by `"stones,empty ends"`, `cells`
    by name, `threats` by `"side,row"` (1 the second side, 1 an odd row), `mobility` of `"safe"`
    moves, `kinds` by `"row values 2,0"` or `"row tempo 2,0"`: what lines of a kind add, and the
    `clamp` of the sum.
    """

    values: Annotated[dict[Stones, Worth], Meta(max_length=200)]
    weights: Annotated[dict[Name, Worth], Meta(max_length=20)] = {}
    tempo: Annotated[dict[Stones, Worth], Meta(max_length=200)] = {}
    ends: Annotated[dict[Stones, Worth], Meta(max_length=200)] = {}
    cells: Annotated[dict[Name, Worth], Meta(max_length=MAX_CELLS)] = {}
    threats: Annotated[dict[Stones, Worth], Meta(max_length=4)] = {}
    mobility: Annotated[dict[Literal["safe"], Worth], Meta(max_length=1)] = {}
    clamp: Annotated[int, Meta(ge=0, le=MAX_VALUE)] | None = None
    kinds: Annotated[dict[OfKind, Worth], Meta(max_length=1000)] = {}
    name: Annotated[str, Meta(min_length=1, max_length=40)] = "your table"


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


class ReadRequest(Request):
    """A position or a game in any usual notation, or as it was saved: its start, its moves, what it
    was read as."""

    text: Annotated[str, Meta(max_length=100_000)]


class CopyRequest(Request):
    """A position and the game that led to it, in each notation that can say it."""

    position: Text
    moves: Annotated[list[Name], Meta(max_length=MAX_CELLS)] = []
    x: Name = "human"
    o: Name = "human"


class ExplainRequest(Request):
    """A heuristic's opinion, line by line and after each move, for the side to move or another."""

    position: Text
    heuristic: Heuristic = "counted-lines"
    side: Literal["x", "o"] | None = None


# Searches and proofs


class TableAgent(Request):
    """A player that searches so many plies with a line table."""

    table: LineTableInput
    depth: Annotated[int, Meta(ge=1, le=6)] = 2


class MoveRequest(Request):
    """The move that an agent of the catalogue, or a line table, plays, drawn with a seed where it
    is random."""

    position: Text
    agent: Name | TableAgent
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


class ThreatsRequest(Request):
    """What both sides threaten: cells that complete a line, and moves that make two at once."""

    position: Text


class KnownMove(Request):
    """What is proved of a move: its cell, and its value to the side that plays it."""

    move: Annotated[int, Meta(ge=0, lt=MAX_CELLS)]
    value: Annotated[int, Meta(ge=-1, le=1)]
    distance: Annotated[int, Meta(ge=0, le=MAX_CELLS)] | None = None


class KnownPosition(Request):
    """What an earlier answer has proved of a position, to the side to move; it is believed."""

    position: Text
    value: Annotated[int, Meta(ge=-1, le=1)]
    distance: Annotated[int, Meta(ge=0, le=MAX_CELLS)] | None = None
    best: Annotated[list[int], Meta(max_length=MAX_CELLS)] = []
    moves: Annotated[list[KnownMove], Meta(max_length=MAX_CELLS)] = []


Known = Annotated[list[KnownPosition], Meta(max_length=MAX_CELLS + 1)]


class RefuteRequest(Request):
    """Why a move is not the best: the answer to it, and its value beside the best move's. Proved
    where a short question to the solvers, or `known`, proves it, else by a search of `seconds`."""

    position: Text
    move: Name
    seconds: Seconds = 1.0
    known: Known = []


class SuggestRequest(Request):
    """A good move, what it is worth, and what it does on the board, in a sentence."""

    position: Text
    seconds: Seconds = 1.0
    known: Known = []


class AttemptRequest(Request):
    """Whether a move gives anything away, said without the better one; how it is answered, and how
    play goes on from the better ones."""

    position: Text
    move: Name
    seconds: Seconds = 1.0
    known: Known = []


class PuzzleRequest(Request):
    """A position in which one move alone wins, or does not lose, as a solver proves: drawn from a
    seed, or the one that is given."""

    game: Name = "connect4"
    seed: Seed = 0
    goal: Literal["win", "draw"] | None = None
    least: Depth = 1
    most: Depth = 60
    position: Text | None = None


class ReviewRequest(Request):
    """What each position of a game is worth to X, and which moves gave something away: by proof, of
    a short question to the solvers or `known`, else by a search.

    Both are limited by nodes, as many as an idle machine visits in `seconds`, so that the answer is
    the same on a busy one.
    """

    position: Text
    moves: Annotated[list[Name], Meta(max_length=MAX_CELLS)]
    seconds: Seconds = REVIEW_SECONDS
    known: Known = []


# Trees


class TraceRequest(Request):
    """A search step by step: the tree, and what each step changes, says, and its line of code."""

    position: Subject
    algorithm: Name = "alphabeta"
    heuristic: Heuristic | None = None
    depth: Annotated[int, Meta(ge=1, le=8)] | None = None
    conventions: ConventionsInput = field(default_factory=ConventionsInput)
    most: Annotated[int, Meta(ge=1, le=MAX_DRAWN)] = 1_000
    """Nodes that are drawn of a larger search: its first ones."""


class DifferRequest(TraceRequest, kw_only=True):
    """Where two searches of one tree differ, node by node."""

    second: SecondSearch


# The lab


class WriteRequest(Request):
    """A line table as text that plyscope reads back: TOML, JSON, and Python."""

    table: LineTableInput


class PasteRequest(Request):
    """The line table that a text is, in any of these forms. Python is read and never run."""

    text: Annotated[str, Meta(max_length=40_000)]


class WrongRequest(Request):
    """How many moves are wrong, over all positions of a small game or a sample of a larger one, and
    which positions are fixed and regressed in comparison with `before`."""

    game: Text = "tictactoe"
    heuristic: Heuristic = "counted-lines"
    before: Heuristic | None = None
    depth: Annotated[int, Meta(ge=1, le=6)] = 1
    samples: Annotated[int, Meta(ge=10, le=2000)] | None = None
    seed: Seed = 0


class ReportRequest(Request):
    """The report card of a heuristic, told depth by depth."""

    game: Text = "tictactoe"
    heuristic: Heuristic = "counted-lines"
    depths: Annotated[int, Meta(ge=1, le=8)] = 6
    samples: Annotated[int, Meta(ge=10, le=2000)] | None = None
    seed: Seed = 0
    seconds: Annotated[float, Meta(gt=0, le=60)] = 30.0


class CertifyRequest(Request):
    """Whether an agent can be beaten: every line of play, else a search for one that beats it."""

    agent: Name | TableAgent
    game: Text = "tictactoe"
    seconds: Annotated[float, Meta(gt=0, le=60)] = 30.0


class MatchRequest(Request):
    """Games between two agents in pairs from the same openings, told as they end; with `sprt` until
    one of two Elo differences is accepted. All games begin at a position with stones on it; else
    at the openings of two plies, or of so many."""

    a: Name | TableAgent
    b: Name | TableAgent
    game: Text = "tictactoe"
    games: Games = 200
    opening_plies: Annotated[int, Meta(ge=0, le=6)] | None = None
    sprt: tuple[float, float] | None = None
    seed: Seed = 0
    seconds: Annotated[float, Meta(gt=0, le=60)] = 30.0


class Outcome(Request):
    """So many games of one result: who moved first, who second, and who won."""

    first: Name
    second: Name
    outcome: Literal["first", "second", "draw"]
    games: Annotated[int, Meta(ge=0, le=10**7)]


class RateRequest(Request):
    """Ratings by results of games, of which so many are `distinct`, with their intervals."""

    outcomes: Annotated[list[Outcome], Meta(min_length=1, max_length=6 * 1225)]
    distinct: Annotated[int, Meta(ge=0)] | None = None


# Quiz


class QuestionRequest(Request):
    """A quiz question drawn from a seed, or about a tree of one's own: its tree and convention."""

    algorithm: Literal["minimax", "alphabeta"] = "alphabeta"
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
    answer: Annotated[dict[NodePath, NodeInput], Meta(max_length=MAX_ITEMS)]
    with_key: bool = False


class CluePlace(Request):
    """What the last hint was about, and how much it said."""

    node: NodePath
    item: Literal["value", "window", "cut"]
    step: Literal["where", "rule", "answer"]


class ClueRequest(Request):
    """What is to be found next: where to look, then the rule, then the answer, hint by hint."""

    question: QuestionRequest
    answer: Annotated[dict[NodePath, NodeInput], Meta(max_length=MAX_ITEMS)]
    after: CluePlace | None = None


class SheetRequest(Request):
    """Questions and their keys for paper: those of a seed and the seeds that follow it."""

    question: QuestionRequest
    number: Annotated[int, Meta(ge=1, le=20)] = 1


class PoseRequest(Request):
    """A question on a board, drawn from a seed: what a heuristic says of it, which move a search of
    two plies chooses, or the order of some moves, in turn."""

    seed: Seed = 1


class BoardAnswer(Request):
    """What a person answers: a value, a move, or moves in order."""

    value: Name | None = None
    move: Name | None = None
    order: Annotated[list[Name], Meta(max_length=20)] | None = None


class GradeRequest(Request):
    """The marks of an answer to a question on a board, and the key if wanted."""

    question: PoseRequest
    answer: BoardAnswer
    with_key: bool = False
