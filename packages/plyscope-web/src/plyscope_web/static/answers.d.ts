// Made from the description of the interface by openapi.py.
/** An algorithm and the conventions that it accepts. */
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
    define: Defined;
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
    follow: Followed;
    solve: Proof;
    write: WriteFound;
    paste: PasteFound;
    wrong: WrongCount;
    report: CardFound;
    tune: TuneFound;
    why: WhyFound;
    certify: CertificateFound;
    match: MatchFound;
    review: ReviewFound;
}

/** The judgement of a move. `said` does not name a better move, `sentence` does. */
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

/** The reason for a best move (`ps.why`). */
interface Because {
    cells: number[];
    kind: string;
    sentence: string;
    signs: SignsFound | null;
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
    move_values?: Record<string, number> | null;
    order?: string[];
    signs?: string;
    value?: number;
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
    sections: Section[];
}

/** The catalogues of games, heuristics, agents and algorithms. */
interface Catalogues {
    agents: Named[];
    algorithms: Algorithm[];
    games: Named[];
    heuristics: Named[];
    own: string | null;
    own_heuristics: string[];
    writes: boolean;
}

/** The certificate of an agent: whether it never loses a game. */
interface CertificateFound {
    agent: string;
    answer: string;
    asked: number | null;
    asked_positions: number | null;
    calls: number | null;
    doubt: string | null;
    game: string;
    is_searched: boolean;
    losing_line: string[] | null;
    never_loses: boolean | null;
    sections: Section[];
    sides: SideCertificate[];
    stopped: string | null;
    wins_taken: Record<string, any> | null;
}

/** A hint. */
interface Clue {
    answer: NodeAnswer | null;
    place: CluePlace | null;
    text: string;
}

/** The node and item of the last hint, and the step of the hint. */
interface CluePlace {
    node: string;
    item: "cut" | "value" | "window";
    step: "answer" | "rule" | "where";
}

/** Positions in one of which any numbers play a wrong move, and the sums that prove it. */
interface ConflictFound {
    boards: JudgedBoard[];
    section: Section;
}

/** How a typed heuristic was read, and its values on a position. */
interface Defined {
    examples: Example[];
    explanation: Explanation | null;
    fault: Fault | null;
    name: string;
    reading: string;
}

/** The differences between two searches of one tree. */
interface Difference {
    count: number;
    counts: Record<string, number[]>;
    differences: NodeDifference[];
    first: string;
    parting: number | null;
    second: string;
    values: number[];
}

/** The drawing of a game's board. Lengths are in cells; all levels have the same size. */
interface Drawing {
    style: "crossings" | "frame" | "hexagons" | "pen" | "squares";
    columns: number;
    rows: number;
    size: [number, number];
    origin: [number, number];
    box: [number, number, number, number];
    row: [number, number];
    gap: number;
    font: number;
    room: number;
    levels: Level[];
    stones: Record<string, [string, string][]>;
    last: [string, string];
    lines: number[][] | null;
}

/** A heuristic to begin with, under its signature. */
interface Example {
    name: string;
    text: string;
}

/** A heuristic's value of a position, by line, and its value after every move. */
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

/** A fault of a typed heuristic, and its place in the text if that is known. */
interface Fault {
    column: number | null;
    line: number | null;
    text: string;
}

/** A reply by signs, and a sentence that names the sign. */
interface Followed {
    cell: number;
    move: string;
    sentence: string;
}

/** The marks of an answer about a board. */
interface Grading {
    diagnosis: string | null;
    key: BoardKey | null;
    marks: BoardMark[];
    points: number;
    possible: number;
    refuted?: RefutedAnswer | null;
}

/** A good move, a sentence with the reason, and the proof if there is one. */
interface HintFound {
    cell: number | null;
    line: string[];
    move: string;
    number: string;
    proof: Proof | null;
    proved: boolean;
    sentence: string;
}

/** A position, its best-rated moves, and the moves that lose no value. */
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

/** The paths of a level below and above the stones, and the labels of its coordinates. */
interface Level {
    ground: [string, string][];
    front: [string, string][];
    labels: [number, number, string][];
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

/** A line table: values by "mine,theirs", weights by kind of line, and further terms. */
interface LineTable {
    cells: Record<string, number>;
    clamp?: number | null;
    ends: Record<string, number>;
    kinds: Record<string, number>;
    mobility: Record<string, number>;
    name?: string;
    pattern_tempo: Record<string, number>;
    patterns: Record<string, number>;
    tempo: Record<string, number>;
    threats: Record<string, number>;
    values: Record<string, number>;
    weights: Record<string, number>;
}

/** The mark of one item of an answer about a tree. */
interface Mark {
    expected: string;
    given: string;
    item: "cut" | "value" | "window";
    path: string;
    points: number;
    possible: number;
    verdict: "follows" | "missing" | "right" | "wrong";
}

/** The marks of an answer about a tree. */
interface Marking {
    diagnosis: string | null;
    key: Record<string, KeyEntry> | null;
    marks: Mark[];
    points: number;
    possible: number;
    refuted?: RefutedAnswer | null;
}

/** The result of a match. */
interface MatchFound {
    elo: string;
    match: Record<string, any>;
    sections: Section[];
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

/** A student's answer at one node of a question. */
interface NodeAnswer {
    alpha?: string;
    beta?: string;
    cut?: boolean;
    value?: string;
}

/** A node at which two searches differ. */
interface NodeDifference {
    first: string;
    name: string;
    path: string;
    second: string;
}

/** The state of a node after a step of a search. */
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

/** The name and line table of a text. */
interface PasteFound {
    name: string;
    table: LineTable;
}

/** The position after a move, and the move. */
interface Played {
    agents: string[];
    cell: number;
    cells: string;
    doubt: string | null;
    drawing: Drawing | null;
    game: string;
    gravity: boolean;
    kinds: string[];
    known: string | null;
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

/** A question about a board. */
interface Posed {
    item: "choice" | "evaluation" | "order" | "signs";
    marks: SignMark[];
    missing: Record<string, number>;
    moves: string[];
    rules: string[];
    shown: Shown;
    task: string;
}

/** Printable questions, or their keys. */
interface Printed {
    sheets: Sheet[];
    title: string;
}

/** Printable questions and their keys. */
interface PrintedSheets {
    keys: Printed;
    questions: Printed;
}

/** A proof of a position's exact value, in the view of the side to move. `value` is null if time was too short. */
interface Proof {
    best: number[];
    best_moves: string[];
    distance: number | null;
    line?: number[];
    lines?: number[][];
    maker_breaker: boolean;
    megabytes: number;
    method: string;
    moves: ProvedMove[];
    nodes: number;
    position: string;
    proof: string;
    reason?: Because | null;
    score: number | null;
    seconds: number;
    stopped: string | null;
    text: string;
    value: number | null;
}

/** A move whose value is proved. */
interface ProvedMove {
    distance: number | null;
    move: number;
    score: number | null;
    text: string;
    value: number;
}

/** A puzzle: a position with exactly one good move. */
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

/** A node of a question. It is drawn at column `x` and row `ply`. */
interface QuestionNode {
    leaf: boolean;
    max: boolean;
    name: string;
    parent: string | null;
    path: string;
    ply: number;
    x: number;
}

/** A game that was read: its start position, moves and players. `said` is the notation. */
interface ReadGame {
    game: string;
    moves: string[];
    o: string;
    position: string;
    said: string;
    x: string;
}

/** The refutation of a move. */
interface RefuteFound {
    best: number | null;
    cells: number[];
    line: string[];
    move: string;
    proof: Proof | null;
    proved: boolean;
    reason: Because | null;
    text: string;
    value: number | null;
}

/** A game in which the signs of an answer fail. */
interface RefutedAnswer {
    cells: number[];
    sentence: string;
}

/** A reviewed game. */
interface ReviewFound {
    points: ReviewPoint[];
}

/** A position of a reviewed game. `share` is from −1 (O wins) to 1 (X wins). */
interface ReviewPoint {
    asked?: string;
    best: number[];
    better: string[];
    gives: boolean;
    judged?: boolean;
    proof: Proof | null;
    proved: boolean;
    sentence: string;
    share: number;
    text: string;
    verdict: "mistake" | "slower win" | null;
}

/** The terms that can affect the evaluation in a game. */
interface Scope {
    orbits: string[][];
    patterns: number[][];
    rows: boolean;
    unsafe: boolean;
}

/** The result of a search. */
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

/** A part of a report: paragraphs, a table, and notes below it. */
interface Section {
    head: string[];
    heading: string;
    notes: string[];
    rows: string[][];
    words: string[];
}

/** A printable question, or its key. */
interface Sheet {
    head: string[];
    rows: string[][];
    svg: string;
    words: string[];
}

/** The data to draw a position. A position of a user-defined game has `text`, and its moves are indices into `names`. */
interface Shown {
    agents: string[];
    cells: string;
    doubt: string | null;
    drawing: Drawing | null;
    game: string;
    gravity: boolean;
    kinds: string[];
    known: string | null;
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

/** The games of an agent on one side, counted as sequences of moves. */
interface SideCertificate {
    agent_side: string;
    is_searched: boolean;
    wins: number;
    draws: number;
    losses: number;
    positions: number;
    losing_line: string[] | null;
}

/** What is written on a cell: a sign, or the letter of a missing one. */
interface SignMark {
    cell: number;
    kind: string;
    text: string;
    title: string;
}

/** Signs by which a side reaches a result, with a sentence on what they mean. */
interface SignsFound {
    guide: SignsInput;
    legend: string;
    marks: SignMark[];
}

/** Signs by which a side reaches a result, 1 for a win and 0 for a draw. `signs` has one from 0 to 6 for each empty cell of `position`, in the order of their numbers. */
interface SignsInput {
    position: string;
    side: "o" | "x";
    at_least: 0 | 1;
    signs: string;
}

/** A position as rows of characters. The characters of a grid are `x`, `o`, `.`, and a space where there is no cell. The position of a game that is not a grid is shown as text. */
interface SmallBoard {
    drawing?: SmallDrawing | null;
    grid: boolean;
    last: [number, number] | null;
    rows: string[];
}

/** The background of the small boards of a game, for files and for the page. */
interface SmallDrawing {
    cell: number;
    size: [number, number];
    levels: [number, number, [string, string][]][];
    places: string[][];
    stones: Record<string, [string, string][]>;
}

/** A term of the heuristic other than its lines, and its share of the value. */
interface TermShare {
    term: string;
    value: number;
}

/** A threat of a side. The side can complete a line now (line), or later under gravity (odd, even), or a move makes two threats at once (double). */
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
    idle: number[];
    leaves: number;
    left: string;
    minimal: number | null;
    nodes: TraceNode[];
    passes: [number, string][];
    places: [string, number][];
    pruned: string | null;
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

/** A step of the search: its event, its node, and the changed nodes. */
interface TraceStep {
    at: number;
    changes: [number, NodeState][];
    counts: number[];
    kind: string;
    line: number | null;
    node: number;
    say: string;
}

/** A tuned table, and whether it is better. */
interface TuneFound {
    answer: string;
    sections: Section[];
    table: LineTable;
    tuning: Record<string, any>;
}

/** Why no numbers of a table's terms make every right move. */
interface WhyFound {
    answer: string;
    conflicts: ConflictFound[];
    drawing: SmallDrawing;
    sections: Section[];
}

/** A line table as text in three formats. */
interface WriteFound {
    json: string;
    python: string;
    toml: string;
}

/** Examples of positions whose best-rated moves are wrong, and of fixed and regressed ones. */
interface WrongBoards {
    fixed?: JudgedBoard[];
    regressed?: JudgedBoard[];
    wrong: JudgedBoard[];
}

/** The wrong moves of a heuristic, and the comparison with another one. */
interface WrongCount {
    about: string;
    before?: WrongShare;
    boards: WrongBoards;
    chance?: number;
    choices: number;
    depth: number;
    drawing: SmallDrawing;
    faulty: number;
    fixed?: number;
    game: string;
    heuristic: string;
    high: number;
    low: number;
    positions: number;
    regressed?: number;
    share: number;
    whole: boolean;
    wrong: number;
}

/** The number and share of wrong moves. `faulty` is the number of positions in which a best-rated move is wrong. `wrong` is the number of wrong moves, with ties in proportion. `share` is the share of wrong moves, with an interval from `low` to `high`. */
interface WrongShare {
    faulty: number;
    high: number;
    low: number;
    share: number;
    wrong: number;
}
