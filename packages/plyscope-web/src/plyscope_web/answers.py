"""The types of the endpoints' responses.

The OpenAPI description and the types of the page's scripts are generated from them.

Cells are numbered row by row from the top left, level by level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NotRequired, TypedDict

from plyscope.faces.diagrams.ground import Ground, Path
from plyscope.faces.diagrams.smallboard import SmallDrawing
from plyscope.lab.judging.certify.certificate import SideCertificate
from plyscope_web.requests import CluePlace, SignsInput

Side = Literal["x", "o"]
Stroke = list[tuple[int, float, float]]
Verdict = Literal["right", "wrong", "missing", "follows"]
Item = Literal["value", "window", "cut"]


class ReadGame(TypedDict):
    """A game that was read: its start position, moves and players. `said` is the notation."""

    position: str
    game: str
    moves: list[str]
    said: str
    x: str
    o: str


class ProvedMove(TypedDict):
    """A move whose value is proved."""

    move: int
    text: str
    value: float
    score: float | None
    distance: int | None


class SignMark(TypedDict):
    """What is written on a cell: a sign, or the letter of a missing one."""

    cell: int
    kind: str
    text: str
    title: str


class SignsFound(TypedDict):
    """Signs by which a side reaches a result, with a sentence on what they mean."""

    guide: SignsInput
    marks: list[SignMark]  # those other than 0
    legend: str


class Because(TypedDict):
    """The reason for a best move (`ps.why`)."""

    sentence: str
    kind: str
    cells: list[int]  # those that the sentence is about
    signs: SignsFound | None  # how the winner goes on after the move, or after it and the reply


class Followed(TypedDict):
    """A reply by signs, and a sentence that names the sign."""

    move: str
    cell: int
    sentence: str


class Proof(TypedDict):
    """A proof of a position's exact value, in the view of the side to move.

    `value` is null if time was too short.
    """

    position: str
    text: str
    value: float | None
    score: float | None  # the usual score of Connect Four, or points in a game that counts them
    distance: int | None
    proof: str  # how it was proved
    moves: list[ProvedMove]  # all moves; empty if only the position is proved
    best: list[int]
    best_moves: list[str]
    method: str
    nodes: int
    seconds: float
    megabytes: float
    stopped: str | None
    maker_breaker: bool
    reason: NotRequired[Because | None]
    line: NotRequired[list[int]]  # best play to the end; empty if it is not known
    lines: NotRequired[list[list[int]]]  # the same, and after each other winning move


class HintFound(TypedDict):
    """A good move, a sentence with the reason, and the proof if there is one."""

    move: str
    cell: int | None
    sentence: str
    number: str
    proved: bool
    line: list[str]
    proof: Proof | None


class Attempted(TypedDict):
    """The judgement of a move. `said` does not name a better move, `sentence` does."""

    move: str
    cell: int
    right: bool
    proved: bool
    said: str
    sentence: str
    better: list[str]
    line: list[str]
    solution: list[str]


class PuzzleFound(TypedDict):
    """A puzzle: a position with exactly one good move."""

    position: str
    game: str
    goal: Literal["win", "draw"]
    depth: int
    fooled: list[str]


class Named(TypedDict):
    """An entry of a catalogue."""

    name: str
    summary: str


class Algorithm(Named):
    """An algorithm and the conventions that it accepts."""

    source: str
    takes: list[str]
    choices: dict[str, list[str]]  # the values of each convention; the first is the default
    told: bool  # whether it reports events, so that it can be shown step by step
    exact: bool
    lines: bool  # whether it can only search line games


class Catalogues(TypedDict):
    """The catalogues of games, heuristics, agents and algorithms."""

    games: list[Named]
    heuristics: list[Named]
    agents: list[Named]
    algorithms: list[Algorithm]
    own: str | None  # the name of the user-defined game with which the page was opened
    own_heuristics: list[str]  # the heuristics with which it was opened
    writes: bool  # whether the text of a heuristic is run: the page runs in the browser


@dataclass(frozen=True, kw_only=True)
class Drawing(Ground):
    """The drawing of a game's board. Lengths are in cells; all levels have the same size."""

    stones: dict[Side, list[Path]]  # paths relative to the centre of a stone
    last: Path  # the mark next to the last stone
    lines: list[list[int]] | None  # the lines of a cube, as lists of cells


class Shown(TypedDict):
    """The data to draw a position.

    A position of a user-defined game has `text`, and its moves are indices into `names`.
    """

    position: str
    game: str
    summary: str  # one line about the game
    known: str | None  # who proved that the first player wins, on the empty board of such a game
    spec: str  # the specification of the game, `7,6,4,gravity`; empty if its lines are custom
    text: list[str] | None
    margin: float | None  # the winner's lead in points, in a game that counts points
    shape: list[int]
    gravity: bool
    misere: bool
    cells: str
    names: list[str]
    spoken: list[str] | None  # the column of each cell, if moves are named by columns
    moves: list[int]
    side: Side
    upcoming: str  # the sides of the stones to come, until the board is full
    doubt: str | None  # why no game can reach this position
    over: bool
    winner: Side | None
    line: list[int] | None
    strike: list[Stroke] | None  # the strokes through the completed line
    drawing: Drawing | None
    kinds: list[str]
    longest: int
    agents: list[str]  # the agents that can play this game within seconds


class Played(Shown):
    """The position after a move, and the move."""

    move: str
    cell: int


class LineShare(TypedDict):
    """A line of cells and its share of the heuristic's value."""

    line: str  # the name of the line: its cells, or its row and columns
    cells: list[str]
    kind: str | None
    mine: int
    theirs: int
    table: float
    weight: float
    value: float


class MoveValue(TypedDict):
    """The heuristic's value of the position after a move."""

    cell: int
    value: float


class TermShare(TypedDict):
    """A term of the heuristic other than its lines, and its share of the value."""

    term: str
    value: float


class LineTable(TypedDict):
    """A line table: values by "mine,theirs", weights by kind of line, and further terms."""

    values: dict[str, float]
    weights: dict[str, float]
    tempo: dict[str, float]  # by "to move,opponent": the stones of the side to move, the opponent's
    ends: dict[str, float]  # by "stones,empty ends"
    cells: dict[str, float]  # by the name of the cell
    threats: dict[str, float]  # by "side,row": side 1 is O, row 1 is an odd row
    mobility: dict[str, float]  # the value of a "safe" move
    patterns: dict[str, float]  # by "stones,open" of what a stone on an empty cell makes
    pattern_tempo: dict[str, float]  # added for the patterns of the side to move
    kinds: dict[str, float]  # values of lines of one kind, by "row values 2,0" or "row tempo 2,0"
    clamp: NotRequired[float | None]  # the greatest absolute value of the sum
    name: NotRequired[str]  # the name of the table in responses


class Scope(TypedDict):
    """The terms that can affect the evaluation in a game."""

    orbits: list[list[str]]  # the names of cells that symmetries of the board map to each other
    rows: bool  # whether rows are odd and even: the game has gravity
    unsafe: bool  # whether a move can be unsafe
    patterns: list[list[int]]  # the patterns (stones, open) that can occur


class Explanation(TypedDict):
    """A heuristic's value of a position, by line, and its value after every move."""

    heuristic: str
    side: Side
    total: float
    sum: float
    lines: list[LineShare]
    silent: int | None
    after: list[MoveValue]
    terms: list[TermShare]
    notes: list[str]
    table: LineTable | None
    scope: Scope


class Fault(TypedDict):
    """A fault of a typed heuristic, and its place in the text if that is known."""

    text: str
    line: int | None
    column: int | None


class Example(TypedDict):
    """A heuristic to begin with, under its signature."""

    name: str
    text: str


class Defined(TypedDict):
    """How a typed heuristic was read, and its values on a position."""

    name: str
    reading: str  # the signature and its meaning; empty if it was not read
    explanation: Explanation | None
    fault: Fault | None
    examples: list[Example]  # sent for an empty text


class MoveFound(TypedDict):
    """An agent's move."""

    move: str
    cell: int | None
    value: float | None
    depth: int | None
    nodes: int | None
    seconds: float


class MoveScore(TypedDict):
    """The score of a move."""

    cell: int
    value: float
    sign: str
    text: str


class BestLine(TypedDict):
    """A principal variation."""

    value: float
    text: str  # the score with its sign: exact, or a bound
    pv: list[str]
    cells: list[int]


class Search(TypedDict):
    """The result of a search."""

    algorithm: str
    depth: int
    heuristic: str
    form: str
    value: float
    stopped: str | None
    complete: bool
    settled: bool  # whether exact scores are proofs: complete, and scored by results of games
    text: str
    best: list[int]
    moves: list[MoveScore]
    lines: list[BestLine]
    nodes: int
    cutoffs: int
    leaves: int
    seconds: float
    total_nodes: NotRequired[int]
    total_seconds: NotRequired[float]


class Threat(TypedDict):
    """A threat of a side.

    The side can complete a line now (line), or later under gravity (odd, even), or a move makes
    two threats at once (double).
    """

    kind: Literal["line", "double", "odd", "even"]
    side: Side
    cells: list[int]
    line: NotRequired[list[int]]  # the cells of the threatened line
    title: NotRequired[str]


class ThreatsFound(TypedDict):
    """The threats of both sides."""

    threats: list[Threat]


class RefuteFound(TypedDict):
    """The refutation of a move."""

    move: str
    value: float | None  # of the move
    best: float | None  # of the best move

    text: str
    line: list[str]  # the move and the reply to it, by name
    cells: list[int]
    proved: bool
    reason: Because | None
    proof: Proof | None


class ReviewPoint(TypedDict):
    """A position of a reviewed game. `share` is from −1 (O wins) to 1 (X wins)."""

    proved: bool
    share: float
    text: str
    best: list[int]
    verdict: Literal["mistake", "slower win"] | None
    better: list[str]  # the moves that were better than the move that led here
    gives: bool  # whether the move that led here lost value
    sentence: str  # the judgement of the move that led here; empty at the start
    judged: NotRequired[bool]  # whether that judgement is proved
    asked: NotRequired[
        str
    ]  # only in the response: the class of the position before a proved mistake
    proof: Proof | None


class ReviewFound(TypedDict):
    """A reviewed game."""

    points: list[ReviewPoint]


class SmallBoard(TypedDict):
    """A position as rows of characters.

    The characters of a grid are `x`, `o`, `.`, and a space where there is no cell. The position of
    a game that is not a grid is shown as text.
    """

    rows: list[str]
    grid: bool
    last: tuple[int, int] | None  # the row and column of the last move's cell
    drawing: NotRequired[SmallDrawing | None]  # the background of a grid; the page adds it


class TraceNode(TypedDict):
    """A node of the searched tree."""

    name: str
    max: bool
    leaf: bool
    mean: bool  # whether its score is a mean
    ply: int
    path: str  # the moves from the root; the same in every search of the tree
    parent: int | None  # an index into the nodes
    pv: bool
    value: float | None  # the value in an explicit tree; null for a position of a game
    board: SmallBoard | None  # null for an explicit tree


class NodeState(TypedDict):
    """The state of a node after a step of a search."""

    seen: NotRequired[bool]
    window: NotRequired[str]
    score: NotRequired[str]
    visits: NotRequired[int]
    note: NotRequired[str]  # playouts, proof numbers, or a merit
    cut: NotRequired[bool]
    hit: NotRequired[bool]  # whether it was found in the transposition table
    at: NotRequired[int]  # the step that set this state


class TraceStep(TypedDict):
    """A step of the search: its event, its node, and the changed nodes."""

    kind: str
    node: int
    say: str
    at: int  # the place in the source code, as an index into `places`
    line: int | None  # the line of the pseudocode
    changes: list[tuple[int, NodeState]]
    counts: list[float]  # nodes, leaves and cutoffs so far


class Trace(TypedDict):
    """A search, step by step."""

    caption: str
    value: float | None
    text: str
    leaves: int
    nodes: list[TraceNode]
    drawing: SmallDrawing | None  # the background of the nodes' boards, for a line game
    steps: list[TraceStep]
    places: list[tuple[str, int]]  # modules and line numbers
    code: dict[str, list[tuple[int, str]]]  # source lines by module
    pseudocode: list[str]
    remark: str  # a note on how to read the drawing
    cuts: bool  # whether the algorithm has cutoffs
    found: str  # the result of the search, shown at the last step
    pruned: str | None  # what it pruned of an explicit tree, shown after that
    sentences: list[tuple[int, str]]  # for each cutoff, its step number and the reason
    idle: list[int]  # the steps of the cutoffs after which nothing was left to search
    passes: list[tuple[int, str]]  # for each pass from the root, its first step and a sentence
    minimal: float | None  # the leaves of the minimal tree
    given: bool  # whether the tree is explicit
    whole: bool  # whether every step of the search is shown
    left: str  # how much of the search is not shown


class NodeDifference(TypedDict):
    """A node at which two searches differ."""

    name: str
    path: str
    first: str
    second: str


class Difference(TypedDict):
    """The differences between two searches of one tree."""

    first: str
    second: str
    values: list[float]
    counts: dict[str, list[float]]
    count: int
    differences: list[NodeDifference]
    parting: int | None  # the index of the first step at which they differ


class QuestionNode(TypedDict):
    """A node of a question. It is drawn at column `x` and row `ply`."""

    name: str
    max: bool
    leaf: bool
    x: float
    ply: int
    path: str
    parent: str | None


class Question(TypedDict):
    """A question about a tree."""

    task: str  # in a student's words
    rules: list[str]
    convention: str  # the exact conventions
    asked: list[str]
    tree: str
    nodes: list[QuestionNode]


class AnyMark(TypedDict):
    """The mark of one item of an answer."""

    path: str
    verdict: Verdict
    given: str
    expected: str
    possible: float
    points: float


class Mark(AnyMark):
    """The mark of one item of an answer about a tree."""

    item: Item


class BoardMark(AnyMark):
    """The mark of one item of an answer about a board."""

    item: str


class KeyEntry(TypedDict):
    """The right answer at a node."""

    name: str
    label: str
    again: bool

    value: float | None
    window: list[float | None] | None
    cut: bool


class RefutedAnswer(TypedDict):
    """A game in which the signs of an answer fail."""

    cells: list[int]  # its moves
    sentence: str


class Marked(TypedDict):
    """The marks of an answer."""

    points: float
    possible: float
    diagnosis: str | None
    refuted: NotRequired[RefutedAnswer | None]


class Marking(Marked):
    """The marks of an answer about a tree."""

    marks: list[Mark]
    key: dict[str, KeyEntry] | None


class NodeAnswer(TypedDict):
    """A student's answer at one node of a question."""

    value: NotRequired[str]
    alpha: NotRequired[str]
    beta: NotRequired[str]
    cut: NotRequired[bool]


class Clue(TypedDict):
    """A hint."""

    place: CluePlace | None  # null if the whole answer is right
    text: str
    answer: NodeAnswer | None


class Sheet(TypedDict):
    """A printable question, or its key."""

    words: list[str]
    head: list[str]
    rows: list[list[str]]
    svg: str


class Printed(TypedDict):
    """Printable questions, or their keys."""

    title: str
    sheets: list[Sheet]


class PrintedSheets(TypedDict):
    """Printable questions and their keys."""

    questions: Printed
    keys: Printed


class Posed(TypedDict):
    """A question about a board."""

    task: str
    rules: list[str]
    item: Literal["evaluation", "choice", "order", "signs"]
    moves: list[str]  # the moves to put in order; empty for other questions
    marks: list[SignMark]  # the signs that are given
    missing: dict[str, int]  # the cells of the missing signs, by letter
    shown: Shown


class BoardKey(TypedDict):
    """The right answer about a board."""

    value: NotRequired[float]
    move: NotRequired[list[str]]
    order: NotRequired[list[str]]
    signs: NotRequired[str]
    move_values: NotRequired[dict[str, float] | None]


class Grading(Marked):
    """The marks of an answer about a board."""

    marks: list[BoardMark]
    key: BoardKey | None


class WriteFound(TypedDict):
    """A line table as text in three formats."""

    toml: str
    python: str
    json: str


class PasteFound(TypedDict):
    """The name and line table of a text."""

    name: str
    table: LineTable


class WrongShare(TypedDict):
    """The number and share of wrong moves.

    `faulty` is the number of positions in which a best-rated move is wrong. `wrong` is the number
    of wrong moves, with ties in proportion. `share` is the share of wrong moves, with an interval
    from `low` to `high`.
    """

    faulty: int
    wrong: float
    share: float
    low: float
    high: float


class JudgedBoard(TypedDict):
    """A position, its best-rated moves, and the moves that lose no value."""

    position: str
    board: SmallBoard
    side: Side
    plays: list[str]
    right: list[str]
    text: str


class WrongBoards(TypedDict):
    """Examples of positions whose best-rated moves are wrong, and of fixed and regressed ones."""

    wrong: list[JudgedBoard]
    fixed: NotRequired[list[JudgedBoard]]
    regressed: NotRequired[list[JudgedBoard]]


class WrongCount(WrongShare):
    """The wrong moves of a heuristic, and the comparison with another one."""

    game: str
    heuristic: str
    depth: int
    whole: bool  # whether these are all positions of the game
    about: str
    positions: int
    choices: int  # the number of critical positions
    boards: WrongBoards
    drawing: SmallDrawing  # the background of the boards
    before: NotRequired[WrongShare]
    fixed: NotRequired[int]  # the number of fixed positions
    regressed: NotRequired[int]  # the number of regressed positions
    chance: NotRequired[float]  # p of at least as many fixed positions if nothing had changed


class Section(TypedDict):
    """A part of a report: paragraphs, a table, and notes below it."""

    heading: str
    words: list[str]
    head: list[str]
    rows: list[list[str]]
    notes: list[str]


class CardFound(TypedDict):
    """A report card."""

    card: dict[str, Any]
    sections: list[Section]
    boards: list[JudgedBoard]
    drawing: SmallDrawing  # the background of the boards


class TuneFound(TypedDict):
    """A tuned table, and whether it is better."""

    tuning: dict[str, Any]
    answer: str
    table: LineTable
    sections: list[Section]


class ConflictFound(TypedDict):
    """Positions in one of which any numbers play a wrong move, and the sums that prove it."""

    boards: list[JudgedBoard]
    section: Section


class WhyFound(TypedDict):
    """Why no numbers of a table's terms make every right move."""

    answer: str
    conflicts: list[ConflictFound]
    sections: list[Section]  # the answer, and terms that resolve conflicts
    drawing: SmallDrawing  # the background of the boards


class CertificateFound(TypedDict):
    """The certificate of an agent: whether it never loses a game."""

    agent: str
    game: str
    never_loses: bool | None
    is_searched: bool
    losing_line: list[str] | None
    stopped: str | None
    doubt: str | None
    asked: int | None
    asked_positions: int | None
    calls: int | None
    wins_taken: dict[str, Any] | None
    sides: list[SideCertificate]
    answer: str
    sections: list[Section]


class MatchFound(TypedDict):
    """The result of a match."""

    match: dict[str, Any]
    wanted: int
    elo: str  # of the first agent, with its interval
    sections: list[Section]


class Answers(TypedDict):
    """The response type of each endpoint."""

    read: ReadGame
    copy: dict[str, str]
    suggest: HintFound
    attempt: Attempted
    puzzle: PuzzleFound
    catalogues: Catalogues
    show: Shown
    play: Played
    explain: Explanation
    define: Defined
    move: MoveFound
    analyze: Search
    follow: Followed
    solve: Proof
    threats: ThreatsFound
    refute: RefuteFound
    review: ReviewFound
    trace: Trace
    differ: Difference
    question: Question
    mark: Marking
    clue: Clue
    sheet: PrintedSheets
    pose: Posed
    grade: Grading
    write: WriteFound
    paste: PasteFound
    wrong: WrongCount
    report: CardFound
    tune: TuneFound
    why: WhyFound
    certify: CertificateFound
    match: MatchFound
