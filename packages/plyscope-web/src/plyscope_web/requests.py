"""The types of the endpoints' requests. A request is checked before an endpoint receives it.

The OpenAPI description takes the summary of an endpoint from the docstring of its request.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field

from plyscope.evaluation.function import MAX_VALUE
from plyscope.searching.conventions import BoundStyle, Cut, Cutoffs, Order, Root, Scoring

MAX_CELLS = 400
REVIEW_SECONDS = 0.25
"""Default search time per position of a reviewed game, in seconds."""
MAX_ITEMS = 1_000
MAX_DRAWN = 10_000
"""The greatest number of nodes that are drawn of a search tree."""

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
TableValue = Annotated[int, Meta(ge=-MAX_VALUE, le=MAX_VALUE)]
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
    """The base class of all requests. A field that the class does not name is refused."""


class LineTableInput(Request):
    """A line table: `values` by the stones on a line ("mine,theirs"), `weights` by kind of line.

    Further terms are added to the sum: `tempo` by "to move,opponent" (the stones of the side to
    move, and of its opponent), `ends` by "stones,empty ends", `cells` by name, `threats` by
    "side,row" (side 1 is the second side, row 1 an odd row), and `mobility` per "safe" move.
    `patterns` are by "stones,open" (open is 1, closed 0) of the pattern that a stone on an empty
    cell would make, and `pattern_tempo` is added for those of the side to move. `kinds` holds
    values of lines of one kind, by "row values 2,0" or "row tempo 2,0". The absolute value of the
    sum is at most `clamp`.
    """

    values: Annotated[dict[Stones, TableValue], Meta(max_length=200)]
    weights: Annotated[dict[Name, TableValue], Meta(max_length=20)] = {}
    tempo: Annotated[dict[Stones, TableValue], Meta(max_length=200)] = {}
    ends: Annotated[dict[Stones, TableValue], Meta(max_length=200)] = {}
    cells: Annotated[dict[Name, TableValue], Meta(max_length=MAX_CELLS)] = {}
    threats: Annotated[dict[Stones, TableValue], Meta(max_length=4)] = {}
    mobility: Annotated[dict[Literal["safe"], TableValue], Meta(max_length=1)] = {}
    patterns: Annotated[dict[Stones, TableValue], Meta(max_length=20)] = {}
    pattern_tempo: Annotated[dict[Stones, TableValue], Meta(max_length=20)] = {}
    clamp: Annotated[int, Meta(ge=0, le=MAX_VALUE)] | None = None
    kinds: Annotated[dict[OfKind, TableValue], Meta(max_length=1000)] = {}
    name: Annotated[str, Meta(min_length=1, max_length=40)] = "your table"


MAX_WRITTEN = 20_000
"""The greatest number of characters of a heuristic's text."""
HeuristicText = Annotated[
    str,
    Meta(
        max_length=MAX_WRITTEN + 50,
        description="the name of a heuristic, or a name and the text of one",
    ),
]
Heuristic = HeuristicText | LineTableInput


class ConventionsInput(Request):
    """The conventions of a search; null means the algorithm's default."""

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
    """The algorithm and conventions of the second search of a comparison."""

    algorithm: Name = "alphabeta"
    conventions: ConventionsInput = field(default_factory=ConventionsInput)


class NodeInput(Request):
    """A student's answer at one node of a tree."""

    value: Name | None = None
    alpha: Name | None = None
    beta: Name | None = None
    cut: bool = False


# Boards


class CataloguesRequest(Request):
    """The catalogues of games, heuristics, agents, and algorithms with their conventions."""


class ShowRequest(Request):
    """The data to draw a position: stones, legal moves, side to move, winner."""

    position: Text


class PlayRequest(Request):
    """The position after a move, and the cell of the move."""

    position: Text
    move: Name


class ReadRequest(Request):
    """A position, game or saved game in any supported notation, as a start position and moves."""

    text: Annotated[str, Meta(max_length=100_000)]


class CopyRequest(Request):
    """A game and its last position, in each notation that can express them."""

    position: Text
    moves: Annotated[list[Name], Meta(max_length=MAX_CELLS)] = []
    x: Name = "human"
    o: Name = "human"


class ExplainRequest(Request):
    """A heuristic's evaluation of a position by line, and its evaluation after each move.

    The evaluations are in the view of `side`, by default the side to move.
    """

    position: Text
    heuristic: Heuristic = "counted-lines"
    side: Literal["x", "o"] | None = None


class DefineRequest(Request, kw_only=True):
    """How a typed heuristic is read, its values on a position, and its first fault with its place.
    An empty text is answered with examples.

    The text is Python, or a table in TOML or JSON. Only a page that runs in the browser takes one;
    there `name`, a colon and the text from the next line on stand for it in all requests.
    """

    name: Annotated[str, Meta(pattern=r"^\w{1,40}$", description="a name, such as 'mine'")] = "mine"
    text: Annotated[str, Meta(max_length=MAX_WRITTEN)]
    position: Text = "tictactoe"
    side: Literal["x", "o"] | None = None
    seconds: Seconds = 5.0
    """The time after which the worker that runs the text is ended."""


# Searches and proofs


class HeuristicAgent(Request):
    """An agent that searches `depth` plies with a heuristic."""

    heuristic: Heuristic
    depth: Annotated[int, Meta(ge=1, le=6)] = 2


class MoveRequest(Request):
    """The move of an agent from the catalogue, or of a search with a heuristic.

    The seed determines the random choices of the agent.
    """

    position: Text
    agent: Name | HeuristicAgent
    seed: Seed = 0


class AnalyzeRequest(Request):
    """A search of a position. Each finished depth is a partial result; the last is the response."""

    position: Text
    algorithm: Name = "engine"
    heuristic: Heuristic = "counted-lines"
    depth: Depth = 60
    nodes: Nodes = 10**10
    seconds: Seconds = 5.0


class SolveRequest(Request):
    """The exact values of a position and its moves; `value` is null if time was too short."""

    position: Text
    seconds: Seconds = 10.0


class SignsInput(Request):
    """Signs by which a side reaches a result, 1 for a win and 0 for a draw.

    `signs` has one from 0 to 6 for each empty cell of `position`, in the order of their numbers.
    """

    position: Text
    side: Literal["x", "o"]
    at_least: Literal[0, 1]
    signs: Annotated[
        str, Meta(pattern="^[0-6]*$", max_length=MAX_CELLS, description="digits from 0 to 6")
    ]


class FollowRequest(Request):
    """The reply of a side that plays by signs, and the sign that asks for it.

    The signs are checked against all moves of the opponent first.
    """

    position: Text
    signs: SignsInput


class ThreatsRequest(Request):
    """The threats of both sides: cells that complete a line, and moves that make two threats."""

    position: Text


class KnownMove(Request):
    """The exact value of a move, in the view of the side that plays it."""

    move: Annotated[int, Meta(ge=0, lt=MAX_CELLS)]
    value: Annotated[int, Meta(ge=-1, le=1)]
    distance: Annotated[int, Meta(ge=0, le=MAX_CELLS)] | None = None


class KnownPosition(Request):
    """The exact value of a position, from an earlier response, in the view of the side to move.

    The server does not prove it again.
    """

    position: Text
    value: Annotated[int, Meta(ge=-1, le=1)]
    distance: Annotated[int, Meta(ge=0, le=MAX_CELLS)] | None = None
    best: Annotated[list[int], Meta(max_length=MAX_CELLS)] = []
    moves: Annotated[list[KnownMove], Meta(max_length=MAX_CELLS)] = []


Known = Annotated[list[KnownPosition], Meta(max_length=MAX_CELLS + 1)]


class RefuteRequest(Request):
    """The refutation of a move: the opponent's reply, and the values of this move and the best one.

    The values are exact if `known` or a short run of the solvers proves them. Otherwise a search
    of `seconds` finds the scores.
    """

    position: Text
    move: Name
    seconds: Seconds = 1.0
    known: Known = []


class SuggestRequest(Request):
    """A good move, with a sentence about its value and its effect on the board."""

    position: Text
    seconds: Seconds = 1.0
    known: Known = []


class AttemptRequest(RefuteRequest):
    """Whether a move loses value, the opponent's reply to it, and a line from a better move.

    The text `said` does not name the better move.
    """


class PuzzleRequest(Request):
    """A position in which exactly one move wins, or exactly one does not lose, proved by a solver.

    It is `position` if this is given, the puzzle of the day `date` (such as 2026-11-24) if that is
    given, otherwise one drawn from `seed`. `least` and `most` limit the depth of a drawn puzzle, in
    plies.
    """

    game: Name = "connect4"
    seed: Seed = 0
    goal: Literal["win", "draw"] | None = None
    least: Depth = 1
    most: Depth = 60
    position: Text | None = None
    date: Name | None = None


class ReviewRequest(Request):
    """The value of each position of a game, in X's view, and the moves that lost value.

    Values are exact if `known` or a short run of the solvers proves them; otherwise they are
    scores of a search. Solvers and searches stop after the number of nodes that an idle machine
    visits in `seconds`, so these values do not depend on the load of the machine. In `proving`
    seconds more, the solvers prove what is left, from the end of the game.
    """

    position: Text
    moves: Annotated[list[Name], Meta(max_length=MAX_CELLS)]
    seconds: Seconds = REVIEW_SECONDS
    proving: Annotated[float, Meta(ge=0, le=30)] = 0.0
    known: Known = []


# Trees


class TraceRequest(Request):
    """A search step by step: the tree, and the change, sentence and code line of each step."""

    position: Subject
    algorithm: Name = "alphabeta"
    heuristic: Heuristic | None = None
    depth: Annotated[int, Meta(ge=1, le=8)] | None = None
    conventions: ConventionsInput = field(default_factory=ConventionsInput)
    most: Annotated[int, Meta(ge=1, le=MAX_DRAWN)] = 1_000
    """The greatest number of nodes to draw; the first ones of a larger search are drawn."""


class DifferRequest(TraceRequest, kw_only=True):
    """The differences between two searches of one tree, by node."""

    second: SecondSearch


# The lab


class WriteRequest(Request):
    """A line table as TOML, JSON and Python text. plyscope can read each of them."""

    table: LineTableInput


class PasteRequest(Request):
    """The line table in a TOML, JSON or Python text. Python is parsed and never executed."""

    text: Annotated[str, Meta(max_length=40_000)]


class WrongRequest(Request):
    """The number of wrong moves that a heuristic chooses, and the fixed and regressed positions.

    It covers all positions of a small game, or a sample of the positions of a larger one. Fixed
    and regressed are relative to the heuristic `before`, if this is given.
    """

    game: Text = "tictactoe"
    heuristic: Heuristic = "counted-lines"
    before: Heuristic | None = None
    depth: Annotated[int, Meta(ge=1, le=6)] = 1
    samples: Annotated[int, Meta(ge=10, le=2000)] | None = None
    seed: Seed = 0


class ReportRequest(Request):
    """The report card of a heuristic; each finished depth is a partial result."""

    game: Text = "tictactoe"
    heuristic: Heuristic = "counted-lines"
    depths: Annotated[int, Meta(ge=1, le=8)] = 6
    samples: Annotated[int, Meta(ge=10, le=2000)] | None = None
    seed: Seed = 0
    seconds: Annotated[float, Meta(gt=0, le=60)] = 30.0


class TuneRequest(Request):
    """The numbers of a line table, learned from exact values, and whether they are better.

    They are learned for searches of `depth` plies and tested on all positions of a small game, or
    on a fresh sample of a larger one. `family` names the numbers; by default several families are
    compared. No games are played: `match` does that.
    """

    game: Text = "tictactoe"
    heuristic: Heuristic = "counted-lines"
    family: Name | None = None
    depth: Annotated[int, Meta(ge=1, le=6)] = 1
    samples: Annotated[int, Meta(ge=10, le=2000)] | None = None
    seed: Seed = 0
    seconds: Annotated[float, Meta(gt=0, le=60)] = 30.0


class WhyRequest(Request):
    """Positions that no numbers of a table's terms play right together, on a small game."""

    game: Text = "tictactoe"
    heuristic: Heuristic = "counted-lines"
    family: Name = "own"
    depth: Annotated[int, Meta(ge=1, le=4)] = 1
    count: Annotated[int, Meta(ge=1, le=6)] = 2
    seconds: Annotated[float, Meta(gt=0, le=60)] = 10.0


class CertifyRequest(Request):
    """Whether an agent can lose, by trying every line of play or searching for a losing one."""

    agent: Name | HeuristicAgent
    game: Text = "tictactoe"
    seconds: Annotated[float, Meta(gt=0, le=60)] = 30.0


class MatchRequest(Request):
    """A match between two agents, in pairs of games from the same opening.

    The results so far are the partial results. With `sprt`, the match ends when one of the two Elo
    differences is accepted. If `game` is a position with stones on it, all games begin there.
    Otherwise they begin with openings of `opening_plies` plies, by default 2.
    """

    a: Name | HeuristicAgent
    b: Name | HeuristicAgent
    game: Text = "tictactoe"
    games: Games = 200
    opening_plies: Annotated[int, Meta(ge=0, le=6)] | None = None
    sprt: tuple[float, float] | None = None
    seed: Seed = 0
    seconds: Annotated[float, Meta(gt=0, le=60)] = 30.0


# Quiz


class QuestionRequest(Request):
    """A quiz question about the given tree, or about one drawn from a seed."""

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
    """The marks of an answer by node and edge, a likely mistake, and the key if requested."""

    question: QuestionRequest
    answer: Annotated[dict[NodePath, NodeInput], Meta(max_length=MAX_ITEMS)]
    with_key: bool = False


class CluePlace(Request):
    """The node and item of the last hint, and the step of the hint."""

    node: NodePath
    item: Literal["value", "window", "cut"]
    step: Literal["where", "rule", "answer"]


class ClueRequest(Request):
    """A hint about the next open item: first its place, then the rule, then the answer."""

    question: QuestionRequest
    answer: Annotated[dict[NodePath, NodeInput], Meta(max_length=MAX_ITEMS)]
    after: CluePlace | None = None


class SheetRequest(Request):
    """Printable questions and their keys, for `number` consecutive seeds."""

    question: QuestionRequest
    number: Annotated[int, Meta(ge=1, le=20)] = 1


class PoseRequest(Request):
    """A question about a board, drawn from a seed.

    It asks for the value of a heuristic, for the move that a search of two plies chooses, or for
    the order of some moves; the seed determines which of the three. With `ask` `signs` it asks for
    the missing signs of a strategy.
    """

    seed: Seed = 1
    ask: Literal["board", "signs"] = "board"


class BoardAnswer(Request):
    """A student's answer about a board: a value, a move, moves in order, or signs as `A3 B0`."""

    value: Name | None = None
    move: Name | None = None
    order: Annotated[list[Name], Meta(max_length=20)] | None = None
    signs: Name | None = None


class GradeRequest(Request):
    """The marks of an answer to a question about a board, and the key if requested."""

    question: PoseRequest
    answer: BoardAnswer
    with_key: bool = False
