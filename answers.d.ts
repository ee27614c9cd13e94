// Made from the description of the interface by openapi.py.
/** An algorithm with the conventions it takes. */
interface Algorithm {
    choices: Record<string, string[]>;
    exact: boolean;
    lines: boolean;
    name: string;
    source: string;
    summary: string;
    takes: string[];
    told: boolean;
}

interface Answers {
    catalogues: Catalogues;
    show: Shown;
    play: Played;
    read: ReadGame;
    copy: Record<string, string>;
    explain: Explanation;
    threats: ThreatsFound;
    move: MoveFound;
    suggest: HintFound;
    attempt: Attempted;
    puzzle: PuzzleFound;
    trace: Trace;
    differ: Difference;
    question: Question;
    mark: Marking;
    clue: Clue;
    sheet: PrintedSheets;
    pose: Posed;
    grade: Grading;
    refute: RefuteFound;
    analyze: Search;
    solve: Proof;
    write: WriteFound;
    paste: PasteFound;
    rate: RateFound;
    wrong: WrongCount;
    report: CardFound;
    certify: CertificateFound;
    match: MatchFound;
    review: ReviewFound;
}

/** A move that was tried: `said` without the better one, `sentence` with it. */
interface Attempted {
    better: string[];
    cell: number;
    line: string[];
    move: string;
    proved: boolean;
    right: boolean;
    said: string;
    sentence: string;
    solution: string[];
}

/** A principal variation. */
interface BestLine {
    cells: number[];
    pv: string[];
    text: string;
    value: number;
}

/** The right answer about a board. */
interface BoardKey {
    move?: string[];
    order?: string[];
    value?: number;
    worth: Record<string, number> | null;
}

/** The mark of one item of an answer about a board. */
interface BoardMark {
    expected: string;
    given: string;
    item: string;
    path: string;
    points: number;
    possible: number;
    verdict: "follows" | "missing" | "right" | "wrong";
}

/** A report card. */
interface CardFound {
    boards: JudgedBoard[];
    card: Record<string, any>;
    drawing: SmallDrawing;
    notes: string[];
    rows: (string[] | null)[];
    title: string;
}

/** What can be chosen. */
interface Catalogues {
    agents: Named[];
    algorithms: Algorithm[];
    games: Named[];
    heuristics: Named[];
    own: string | null;
}

/** Whether an agent never loses. */
interface CertificateFound {
    agent: string;
    answer: string;
    asked: number | null;
    asked_positions: number | null;
    doubt: string | null;
    game: string;
    is_searched: boolean;
    losing_line: string[] | null;
    never_loses: boolean | null;
    sides: SideCertificate[];
    stopped: string | null;
}

/** A hint. */
interface Clue {
    answer: NodeAnswer | null;
    place: CluePlace | null;
    text: string;
}

/** What the last hint was about, and how much it said. */
interface CluePlace {
    node: string;
    item: "cut" | "value" | "window";
    step: "answer" | "rule" | "where";
}

/** Where two searches of one tree differ. */
interface Difference {
    count: number;
    counts: Record<string, number[]>;
    differences: NodeDifference[];
    first: string;
    parting: number | null;
    second: string;
    values: number[];
}

/** The board of a game, in units of a cell; levels are of one size. */
interface Drawing {
    box: [number, number, number, number];
    columns: number;
    font: number;
    gap: number;
    last: [string, string];
    levels: DrawnLevel[];
    lines: number[][] | null;
    origin: [number, number];
    room: number;
    row: [number, number];
    rows: number;
    size: [number, number];
    stones: Record<string, [string, string][]>;
    style: "crossings" | "frame" | "hexagons" | "pen" | "squares";
}

/** What is drawn of a level: below the stones, above them, and its coordinates. */
interface DrawnLevel {
    front: [string, string][];
    ground: [string, string][];
    labels: [number, number, string][];
}

/** A heuristic's value of a position, line by line, and of every move. */
interface Explanation {
    after: MoveValue[];
    heuristic: string;
    lines: LineShare[];
    notes: string[];
    scope: Scope;
    side: "o" | "x";
    silent: number | null;
    sum: number;
    table: LineTable | null;
    terms: TermShare[];
    total: number;
}

/** The marks of an answer about a board. */
interface Grading {
    diagnosis: string | null;
    key: BoardKey | null;
    marks: BoardMark[];
    points: number;
    possible: number;
}

/** A good move and the reason for it: a proof, or the score of a search. */
interface HintFound {
    cell: number | null;
    line: string[];
    move: string;
    number: string;
    proof: Proof | null;
    proved: boolean;
    sentence: string;
}

/** A position, the moves rated best there, and the right ones. */
interface JudgedBoard {
    board: SmallBoard;
    plays: string[];
    position: string;
    right: string[];
    side: "o" | "x";
    text: string;
}

/** The right answer at a node. */
interface KeyEntry {
    again: boolean;
    cut: boolean;
    label: string;
    name: string;
    value: number | null;
    window: (number | null)[] | null;
}

/** A line of cells and its share of the heuristic's value. */
interface LineShare {
    cells: string[];
    kind: string | null;
    line: string;
    mine: number;
    table: number;
    theirs: number;
    value: number;
    weight: number;
}

/** A line table: values by "mine,theirs", weights by kind of line, and terms beside them. */
interface LineTable {
    cells: Record<string, number>;
    clamp?: number | null;
    ends: Record<string, number>;
    kinds: Record<string, number>;
    mobility: Record<string, number>;
    name?: string;
    tempo: Record<string, number>;
    threats: Record<string, number>;
    values: Record<string, number>;
    weights: Record<string, number>;
}

/** The mark of one item of an answer. */
interface Mark {
    expected: string;
    given: string;
    item: "cut" | "value" | "window";
    path: string;
    points: number;
    possible: number;
    verdict: "follows" | "missing" | "right" | "wrong";
}

/** The marks of an answer. */
interface Marking {
    diagnosis: string | null;
    key: Record<string, KeyEntry> | null;
    marks: Mark[];
    points: number;
    possible: number;
}

/** A match. */
interface MatchFound {
    findings: string[];
    match: Record<string, any>;
    outcomes: Outcome[];
    rows: [string, number, number, number, number, number][];
    verdict: string;
    wanted: number;
}

/** An agent's move. */
interface MoveFound {
    cell: number | null;
    depth: number | null;
    move: string;
    nodes: number | null;
    seconds: number;
    value: number | null;
}

/** The score of a move. */
interface MoveScore {
    cell: number;
    sign: string;
    text: string;
    value: number;
}

/** The heuristic's value of the position after a move. */
interface MoveValue {
    cell: number;
    value: number;
}

/** An entry of a catalogue. */
interface Named {
    name: string;
    summary: string;
}

/** What somebody wrote at a node of a question. */
interface NodeAnswer {
    alpha?: string;
    beta?: string;
    cut?: boolean;
    value?: string;
}

/** A node in which two searches differ. */
interface NodeDifference {
    first: string;
    name: string;
    path: string;
    second: string;
}

/** What is known of a node at a step of a search. */
interface NodeState {
    at?: number;
    cut?: boolean;
    hit?: boolean;
    note?: string;
    score?: string;
    seen?: boolean;
    visits?: number;
    window?: string;
}

/** So many games of one result: who moved first, who second, and who won. */
interface Outcome {
    first: string;
    second: string;
    outcome: "draw" | "first" | "second";
    games: number;
}

/** The table that a text is. */
interface PasteFound {
    name: string;
    table: LineTable;
}

/** The position after a move. */
interface Played {
    agents: string[];
    cell: number;
    cells: string;
    doubt: string | null;
    drawing: Drawing | null;
    game: string;
    gravity: boolean;
    kinds: string[];
    line: number[] | null;
    longest: number;
    margin: number | null;
    misere: boolean;
    move: string;
    moves: number[];
    names: string[];
    over: boolean;
    position: string;
    shape: number[];
    side: "o" | "x";
    spec: string;
    spoken: string[] | null;
    strike: [number, number, number][][] | null;
    summary: string;
    text: string[] | null;
    upcoming: string;
    winner: "o" | "x" | null;
}

/** A question on a board. */
interface Posed {
    item: "choice" | "evaluation" | "order";
    moves: string[];
    rules: string[];
    shown: Shown;
    task: string;
}

/** Questions, or their keys, for paper. */
interface Printed {
    sheets: Sheet[];
    title: string;
}

/** Questions for paper and their keys. */
interface PrintedSheets {
    keys: Printed;
    questions: Printed;
}

/** What is proved of a position, for the side to move; `value` is null if time was too short. */
interface Proof {
    best: number[];
    best_moves: string[];
    distance: number | null;
    line?: number[];
    maker_breaker: boolean;
    megabytes: number;
    method: string;
    moves: ProvedMove[];
    nodes: number;
    position: string;
    proof: string;
    score: number | null;
    seconds: number;
    stopped: string | null;
    text: string;
    value: number | null;
    weak: boolean;
}

/** A move whose value is proved. */
interface ProvedMove {
    distance: number | null;
    move: number;
    score: number | null;
    text: string;
    value: number;
}

/** A position with one good move. */
interface PuzzleFound {
    depth: number;
    fooled: string[];
    game: string;
    goal: "draw" | "win";
    position: string;
}

/** A question about a tree. */
interface Question {
    asked: string[];
    convention: string;
    nodes: QuestionNode[];
    rules: string[];
    task: string;
    tree: string;
}

/** A node of a question; `x` and `ply` are where it stands. */
interface QuestionNode {
    leaf: boolean;
    max: boolean;
    name: string;
    parent: string | null;
    path: string;
    ply: number;
    x: number;
}

/** The ratings of the players. */
interface RateFound {
    note: string | null;
    players: Rating[];
    text: string;
}

/** A player's rating with its interval. */
interface Rating {
    games: number;
    high: number;
    low: number;
    name: string;
    text: string;
    value: number;
}

/** A game that was read: where it starts, its moves, what the text was read as, who played. */
interface ReadGame {
    game: string;
    moves: string[];
    o: string;
    position: string;
    said: string;
    x: string;
}

/** Why a move is not played. */
interface RefuteFound {
    best: number | null;
    cells: number[];
    line: string[];
    move: string;
    proof: Proof | null;
    proved: boolean;
    text: string;
    value: number | null;
}

/** A reviewed game. */
interface ReviewFound {
    points: ReviewPoint[];
}

/** A position of a reviewed game: `share` is X's, in ±1. */
interface ReviewPoint {
    best: number[];
    better: string[];
    gives: boolean;
    judged?: boolean;
    proof: Proof | null;
    proved: boolean;
    sentence: string;
    share: number;
    slip: "doubtful" | "mistake" | null;
    text: string;
}

/** Which terms can say something on a game. */
interface Scope {
    ends: boolean;
    orbits: string[][];
    rows: boolean;
    unsafe: boolean;
}

/** A search. */
interface Search {
    algorithm: string;
    best: number[];
    complete: boolean;
    cutoffs: number;
    depth: number;
    form: string;
    heuristic: string;
    leaves: number;
    lines: BestLine[];
    moves: MoveScore[];
    nodes: number;
    seconds: number;
    settled: boolean;
    stopped: string | null;
    text: string;
    total_nodes?: number;
    total_seconds?: number;
    value: number;
}

/** A question, or its key, for paper. */
interface Sheet {
    head: string[];
    rows: string[][];
    svg: string;
    words: string[];
}

/** A position as it is drawn; of an own game its text, and moves by their places in `names`. */
interface Shown {
    agents: string[];
    cells: string;
    doubt: string | null;
    drawing: Drawing | null;
    game: string;
    gravity: boolean;
    kinds: string[];
    line: number[] | null;
    longest: number;
    margin: number | null;
    misere: boolean;
    moves: number[];
    names: string[];
    over: boolean;
    position: string;
    shape: number[];
    side: "o" | "x";
    spec: string;
    spoken: string[] | null;
    strike: [number, number, number][][] | null;
    summary: string;
    text: string[] | null;
    upcoming: string;
    winner: "o" | "x" | null;
}

/** What an agent's games as one side came to. */
interface SideCertificate {
    agent_side: "o" | "x";
    draws: number;
    is_searched: boolean;
    losing_line: string[] | null;
    losses: number;
    positions: number;
    wins: number;
}

/** A position as rows of signs: of a grid `x`, `o`, `.`, a space for no cell; else letters. */
interface SmallBoard {
    drawing?: SmallDrawing | null;
    grid: boolean;
    last: [number, number] | null;
    rows: string[];
}

/** What the small boards of a game are drawn on, its levels side by side. */
interface SmallDrawing {
    cell: number;
    levels: [number, number, [string, string][]][];
    places: string[][];
    size: [number, number];
    stones: Record<string, [string, string][]>;
}

/** A term beside the lines and its share of the heuristic's value. */
interface TermShare {
    term: string;
    value: number;
}

/** What a side threatens: to complete a line, now or under gravity later, or two at once. */
interface Threat {
    cells: number[];
    kind: "double" | "even" | "line" | "odd";
    line?: number[];
    side: "o" | "x";
    title?: string;
}

/** The threats of both sides. */
interface ThreatsFound {
    threats: Threat[];
}

/** A search, step by step. */
interface Trace {
    caption: string;
    code: Record<string, [number, string][]>;
    cuts: boolean;
    drawing: SmallDrawing | null;
    found: string;
    given: boolean;
    leaves: number;
    left: string;
    minimal: number | null;
    nodes: TraceNode[];
    passes: [number, string][];
    places: [string, number][];
    pseudocode: string[];
    remark: string;
    sentences: [number, string][];
    steps: TraceStep[];
    text: string;
    value: number | null;
    whole: boolean;
}

/** A node of the searched tree. */
interface TraceNode {
    board: SmallBoard | null;
    leaf: boolean;
    max: boolean;
    mean: boolean;
    name: string;
    parent: number | null;
    path: string;
    ply: number;
    pv: boolean;
    value: number | null;
}

/** A step of the search: what it did, where, and what changed. */
interface TraceStep {
    at: number;
    changes: [number, NodeState][];
    counts: number[];
    kind: string;
    line: number | null;
    node: number;
    say: string;
}

/** A table in three languages. */
interface WriteFound {
    json: string;
    python: string;
    toml: string;
}

/** Positions whose best-rated moves are wrong, and those that a change fixed or broke. */
interface WrongBoards {
    cured?: JudgedBoard[];
    spoilt?: JudgedBoard[];
    wrong: JudgedBoard[];
}

/** The wrong moves of a heuristic. */
interface WrongCount {
    about: string;
    before?: WrongShare;
    boards: WrongBoards;
    chance?: number;
    choices: number;
    cured?: number;
    depth: number;
    drawing: SmallDrawing;
    faulty: number;
    game: string;
    heuristic: string;
    high: number;
    low: number;
    positions: number;
    share: number;
    spoilt?: number;
    whole: boolean;
    wrong: number;
}

/** Positions in which a move rated best is wrong; the wrong moves, of those rated alike each in part, and the same as a share with its interval. */
interface WrongShare {
    faulty: number;
    high: number;
    low: number;
    share: number;
    wrong: number;
}
