"""The types of the endpoints' responses.

The OpenAPI description and the types of the page's scripts are generated from them.

Cells are numbered row by row from the top left, level by level.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from plyscope.faces.web.requests import CluePlace, Outcome

Side = Literal["x", "o"]
Point = tuple[float, float]
DrawnPath = tuple[str, str]
Stroke = list[tuple[int, float, float]]
Verdict = Literal["right", "wrong", "missing", "follows"]
Item = Literal["value", "window", "cut"]


class ReadGame(TypedDict):
    """A game that was read: where it starts, its moves, what the text was read as, who played."""

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


class Proof(TypedDict):
    """What is proved of a position, for the side to move; `value` is null if time was too short."""

    position: str
    text: str
    value: float | None
    score: float | None  # stones left and one more; of Connect Four alone
    distance: int | None
    proof: str  # how it was proved
    moves: list[ProvedMove]  # every move, or none where only the position is proved
    best: list[int]
    best_moves: list[str]
    method: str
    nodes: int
    seconds: float
    megabytes: float
    stopped: str | None
    maker_breaker: bool
    weak: bool  # the old name of maker_breaker
    line: NotRequired[list[int]]  # best play to the end, as far as it is known


class HintFound(TypedDict):
    """A good move and the reason for it: a proof, or the score of a search."""

    move: str
    cell: int | None
    sentence: str
    number: str
    proved: bool
    line: list[str]
    proof: Proof | None


class Attempted(TypedDict):
    """A move that was tried: `said` without the better one, `sentence` with it."""

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
    """A position with one good move."""

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
    """An algorithm with the conventions it takes."""

    source: str
    takes: list[str]
    choices: dict[str, list[str]]  # the values of a convention; the first is the usual one
    told: bool
    exact: bool
    lines: bool  # whether it is for line games alone


class Catalogues(TypedDict):
    """What can be chosen."""

    games: list[Named]
    heuristics: list[Named]
    agents: list[Named]
    algorithms: list[Algorithm]
    own: str | None  # the game of one's own with which the page was opened


class DrawnLevel(TypedDict):
    """What is drawn of a level: below the stones, above them, and its coordinates."""

    ground: list[DrawnPath]
    front: list[DrawnPath]
    labels: list[tuple[float, float, str]]


class Drawing(TypedDict):
    """The board of a game, in units of a cell; levels are of one size."""

    style: Literal["pen", "squares", "crossings", "frame", "hexagons"]
    columns: int
    rows: int
    size: Point  # of a level, with its coordinates
    origin: Point  # the middle of a level's first cell
    box: tuple[float, float, float, float]  # where the cells are
    row: Point  # what a row adds to a place; a column adds [1, 0]
    gap: float  # between two levels
    font: float  # the height of the coordinates' type
    room: float  # the side of the square in a cell that has room for words
    levels: list[DrawnLevel]
    stones: dict[Side, list[DrawnPath]]  # round their middle
    last: DrawnPath  # the mark beside the last stone
    lines: list[list[int]] | None  # the lines of a cube, cell by cell


class Shown(TypedDict):
    """A position as it is drawn; of an own game its text, and moves by their places in `names`."""

    position: str
    game: str
    summary: str  # what its game is, in a line
    spec: str  # the text of its game, `7,6,4,gravity`; empty where lines are its own
    text: list[str] | None
    margin: float | None  # by how much a game of points was won
    shape: list[int]
    gravity: bool
    misere: bool
    cells: str
    names: list[str]
    spoken: list[str] | None  # what people call the moves, where not by cells: columns
    moves: list[int]
    side: Side
    upcoming: str  # whose the stones are that come next, for as long as there is room
    doubt: str | None  # why no game can lead here
    over: bool
    winner: Side | None
    line: list[int] | None
    strike: list[Stroke] | None  # the strokes through the line
    drawing: Drawing | None
    kinds: list[str]
    longest: int
    agents: list[str]  # those that play this game, and answer soon


class Played(Shown):
    """The position after a move."""

    move: str
    cell: int


class LineShare(TypedDict):
    """A line of cells and its share of the heuristic's value."""

    line: str  # what people call it: its cells, or the row and columns
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
    """A term beside the lines and its share of the heuristic's value."""

    term: str
    value: float


class LineTable(TypedDict):
    """A line table: values by "mine,theirs", weights by kind of line, and terms beside them."""

    values: dict[str, float]
    weights: dict[str, float]
    tempo: dict[str, float]  # by "to move,waiting"
    ends: dict[str, float]  # by "stones,empty ends"
    cells: dict[str, float]  # by name
    threats: dict[str, float]  # by "side,row": 1 is O, and 1 an odd row
    mobility: dict[str, float]  # of a "safe" move
    kinds: dict[str, float]  # what lines of a kind add, by "row values 2,0" or "row tempo 2,0"
    clamp: NotRequired[float | None]  # the greatest sum, whatever the sign
    name: NotRequired[str]  # what answers call it


class Scope(TypedDict):
    """Which terms can say something on a game."""

    orbits: list[list[str]]  # cells that mirror each other, by name
    ends: bool
    rows: bool
    unsafe: bool


class Explanation(TypedDict):
    """A heuristic's value of a position, line by line, and of every move."""

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
    """A search."""

    algorithm: str
    depth: int
    heuristic: str
    form: str
    value: float
    stopped: str | None
    complete: bool
    settled: bool  # exact scores are proofs: it is complete, and games count by results
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
    """What a side threatens: to complete a line, now or under gravity later, or two at once."""

    kind: Literal["line", "double", "odd", "even"]
    side: Side
    cells: list[int]
    line: NotRequired[list[int]]  # the cells of a line that it is about
    title: NotRequired[str]


class ThreatsFound(TypedDict):
    """The threats of both sides."""

    threats: list[Threat]


class RefuteFound(TypedDict):
    """Why a move is not played."""

    move: str
    value: float | None
    best: float | None

    text: str
    line: list[str]
    cells: list[int]
    proved: bool
    proof: Proof | None


class ReviewPoint(TypedDict):
    """A position of a reviewed game: `share` is X's, in ±1."""

    proved: bool
    share: float
    text: str
    best: list[int]
    slip: Literal["mistake", "doubtful"] | None
    better: list[str]  # moves that would have kept what the move that led here gave away
    gives: bool  # whether that move gave something away
    sentence: str  # what is to be said of that move; empty at the start
    judged: NotRequired[bool]  # whether what is said of that move is proved
    proof: Proof | None


class ReviewFound(TypedDict):
    """A reviewed game."""

    points: list[ReviewPoint]


class SmallDrawing(TypedDict):
    """What the small boards of a game are drawn on, its levels side by side."""

    cell: int  # pixels; lengths but the size are in cells
    size: Point  # in pixels
    levels: list[tuple[float, float, list[DrawnPath]]]  # where each is moved, and its paths
    places: list[list[str]]  # how a path begins in each cell, by the rows of a board
    stones: dict[Side, list[DrawnPath]]


class SmallBoard(TypedDict):
    """A position as rows of signs: of a grid `x`, `o`, `.`, a space for no cell; else letters."""

    rows: list[str]
    grid: bool
    last: tuple[int, int] | None  # the row and the column of the cell that was taken last
    drawing: NotRequired[SmallDrawing | None]  # what a grid is drawn on, once it is known


class TraceNode(TypedDict):
    """A node of the searched tree."""

    name: str
    max: bool
    leaf: bool
    mean: bool  # its score is a mean, whoever is to move
    ply: int
    path: str  # the same in every search of the tree
    parent: int | None
    pv: bool
    value: float | None  # none where a position's leaves are evaluated in the search
    board: SmallBoard | None  # none where the tree is explicit


class NodeState(TypedDict):
    """What is known of a node at a step of a search."""

    seen: NotRequired[bool]
    window: NotRequired[str]
    score: NotRequired[str]
    visits: NotRequired[int]
    note: NotRequired[str]  # playouts, proof numbers, or a merit
    cut: NotRequired[bool]
    hit: NotRequired[bool]
    at: NotRequired[int]  # the step that has told it


class TraceStep(TypedDict):
    """A step of the search: what it did, where, and what changed."""

    kind: str
    node: int
    say: str
    at: int  # which of the places in the code
    line: int | None  # the line of the pseudocode
    changes: list[tuple[int, NodeState]]
    counts: list[float]


class Trace(TypedDict):
    """A search, step by step."""

    caption: str
    value: float | None
    text: str
    leaves: int
    nodes: list[TraceNode]
    drawing: SmallDrawing | None  # of a line game: what the nodes' boards are drawn on
    steps: list[TraceStep]
    places: list[tuple[str, int]]
    code: dict[str, list[tuple[int, str]]]
    pseudocode: list[str]
    remark: str  # what has to be known to read the drawing
    cuts: bool  # whether the algorithm cuts at all
    found: str  # what the search found, which the last step says
    sentences: list[tuple[int, str]]  # why each cut was made, and after how many steps
    passes: list[tuple[int, str]]  # the passes from the root, and the steps at which they begin
    minimal: float | None
    given: bool
    whole: bool
    left: str  # how much of the search is not shown


class NodeDifference(TypedDict):
    """A node in which two searches differ."""

    name: str
    path: str
    first: str
    second: str


class Difference(TypedDict):
    """Where two searches of one tree differ."""

    first: str
    second: str
    values: list[float]
    counts: dict[str, list[float]]
    count: int
    differences: list[NodeDifference]
    parting: int | None  # the first step in which they are not the same


class QuestionNode(TypedDict):
    """A node of a question; `x` and `ply` are where it stands."""

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
    convention: str  # the same to the letter
    asked: list[str]
    tree: str
    nodes: list[QuestionNode]


class Mark(TypedDict):
    """The mark of one item of an answer."""

    path: str
    item: Item
    verdict: Verdict
    given: str
    expected: str
    possible: float
    points: float


class KeyEntry(TypedDict):
    """The right answer at a node."""

    name: str
    label: str
    again: bool

    value: float | None
    window: list[float | None] | None
    cut: bool


class Marking(TypedDict):
    """The marks of an answer."""

    points: float
    possible: float
    marks: list[Mark]
    diagnosis: str | None
    key: dict[str, KeyEntry] | None


class NodeAnswer(TypedDict):
    """What somebody wrote at a node of a question."""

    value: NotRequired[str]
    alpha: NotRequired[str]
    beta: NotRequired[str]
    cut: NotRequired[bool]


class Clue(TypedDict):
    """A hint."""

    place: CluePlace | None  # null where all is right
    text: str
    answer: NodeAnswer | None


class Sheet(TypedDict):
    """A question, or its key, for paper."""

    words: list[str]
    head: list[str]
    rows: list[list[str]]
    svg: str


class Printed(TypedDict):
    """Questions, or their keys, for paper."""

    title: str
    sheets: list[Sheet]


class PrintedSheets(TypedDict):
    """Questions for paper and their keys."""

    questions: Printed
    keys: Printed


class Posed(TypedDict):
    """A question on a board."""

    task: str
    rules: list[str]
    item: Literal["evaluation", "choice", "order"]
    moves: list[str]  # those that are put in order
    shown: Shown


class BoardMark(TypedDict):
    """The mark of one item of an answer about a board."""

    item: str
    path: str
    verdict: Verdict
    given: str
    expected: str
    points: float
    possible: float


class BoardKey(TypedDict):
    """The right answer about a board."""

    value: NotRequired[float]
    move: NotRequired[list[str]]
    order: NotRequired[list[str]]
    worth: dict[str, float] | None


class Grading(TypedDict):
    """The marks of an answer about a board."""

    points: float
    possible: float
    marks: list[BoardMark]
    diagnosis: str | None
    key: BoardKey | None


class WriteFound(TypedDict):
    """A table in three languages."""

    toml: str
    python: str
    json: str


class PasteFound(TypedDict):
    """The table that a text is."""

    name: str
    table: LineTable


class Rating(TypedDict):
    """A player's rating with its interval."""

    name: str
    text: str
    games: int
    value: float
    low: float
    high: float


class RateFound(TypedDict):
    """The ratings of the players."""

    players: list[Rating]
    text: str
    note: str | None


class WrongShare(TypedDict):
    """Positions in which a move rated best is wrong; the wrong moves, of those rated alike each in
    part, and the same as a share with its interval.
    """

    faulty: int
    wrong: float
    share: float
    low: float
    high: float


class JudgedBoard(TypedDict):
    """A position, the moves rated best there, and the right ones."""

    position: str
    board: SmallBoard
    side: Side
    plays: list[str]
    right: list[str]
    text: str


class WrongBoards(TypedDict):
    """Positions whose best-rated moves are wrong, and those that a change fixed or broke."""

    wrong: list[JudgedBoard]
    cured: NotRequired[list[JudgedBoard]]
    spoilt: NotRequired[list[JudgedBoard]]


class WrongCount(WrongShare):
    """The wrong moves of a heuristic."""

    game: str
    heuristic: str
    depth: int
    whole: bool  # whether these are all positions of the game
    about: str
    positions: int
    choices: int
    boards: WrongBoards
    drawing: SmallDrawing  # what they are drawn on
    before: NotRequired[WrongShare]
    cured: NotRequired[int]
    spoilt: NotRequired[int]
    chance: NotRequired[float]  # of so many cured ones, or more, if there were no difference


class CardFound(TypedDict):
    """A report card."""

    card: dict[str, Any]
    title: str
    rows: list[list[str] | None]
    notes: list[str]
    boards: list[JudgedBoard]
    drawing: SmallDrawing  # what they are drawn on


class SideCertificate(TypedDict):
    """What an agent's games as one side came to."""

    agent_side: Side
    is_searched: bool
    wins: int
    draws: int
    losses: int
    positions: int
    losing_line: list[str] | None


class CertificateFound(TypedDict):
    """Whether an agent never loses."""

    agent: str
    game: str
    never_loses: bool | None
    is_searched: bool
    losing_line: list[str] | None
    stopped: str | None
    doubt: str | None
    asked: int | None
    asked_positions: int | None
    sides: list[SideCertificate]
    answer: str


class MatchFound(TypedDict):
    """A match."""

    match: dict[str, Any]
    wanted: int
    rows: list[tuple[str, int, int, int, int, int]]
    verdict: str
    findings: list[str]
    outcomes: list[Outcome]


class Answers(TypedDict):
    """What each endpoint answers."""

    read: ReadGame
    copy: dict[str, str]
    suggest: HintFound
    attempt: Attempted
    puzzle: PuzzleFound
    catalogues: Catalogues
    show: Shown
    play: Played
    explain: Explanation
    move: MoveFound
    analyze: Search
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
    rate: RateFound
    wrong: WrongCount
    report: CardFound
    certify: CertificateFound
    match: MatchFound
