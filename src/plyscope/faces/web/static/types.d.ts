// What the server answers, verb by verb, and what parts hand each other: for the type checker.

type Client = import("./shell/client.js").Client;
type Game = import("./shell/game.js").Game;
type GameNode = import("./shell/game.js").GameNode;
type Pictures = import("./board/picture.js").Pictures;
type Tables = import("./shell/tables.js").Tables;

/** What an element can hold; null, undefined and false are left out. */
type Child = Node | string | number | null | undefined | false;
type Children = (Child | Child[])[];
/** Names and values; `on…` listens, true is an empty value, false is no attribute. */
type Attributes = Record<string, any>;
type IconName = import("./shell/dom.js").IconName;
/** What can be chosen: values with their texts, or texts that are the values. */
type Options = [value: string, text: string, title?: string][] | string[] | Record<string, string>;
type Point = [x: number, y: number];

/** What carries questions and the place: a notebook's widget, or a socket and the address bar. */
interface Model {
    get(name: "place"): Place;
    /** A step is a place of its own on the way back, where there is one. */
    set(name: "place", place: Place, how?: { isStep: boolean }): void;
    save_changes(): void;
    send(message: object): void;
    on(name: ModelEvent, listener: (message: any) => void): void;
    off(name: ModelEvent, listener: (message: any) => void): void;
    /** Say where one is in the window's title, where the window is the page's. */
    entitle?(title: string): void;
}

type ModelEvent = "msg:custom" | "connected" | "change:place" | "comm_live_update";

/** Where one is, by the keys of an address: see `KEYS` in link.js. */
type Place = Record<string, string>;

/** What the rooms share, and what each keeps of its settings while another one is shown. */
interface Lab {
    client: Client;
    game: Game;
    catalogues: Catalogues;
    place: Place;
    /** What the address says that cannot be. */
    mistakes: string[];
    /** Whether the address is written anew where one goes. */
    isFree: boolean;
    announce(text: string): void;
    /** Say that the address has a value that a room does not know, and what it expected. */
    doubt(key: string, expected: string): void;
    /** Show a message for a while, and read it aloud. */
    tell(text: string): void;
    /**
     * Go on to what is new of the place, to another room too; the way back leads to where a step
     * was made from. An empty value takes its key away.
     */
    go(news: Place, isStep?: boolean): void;
    /** What is proved of positions. */
    proofs: import("./shell/proofs.js").Proofs;
    /** Heuristics of one's own. */
    tables: Tables;
    /** Of positions, beside what is written of them. */
    pictures: Pictures;
    players?: Record<Side, string>;
    analysis?: AnalysisSettings;
    /** A game whose positions have been looked at. */
    reviewed?: import("./rooms/analyze/review.js").Reviewed;
    tree?: TreeSettings;
    quiz?: QuestionWishes;
    ladder?: import("./rooms/quiz/ladder.js").Ladder;
}

type Side = "x" | "o";

/** Keys that do one thing, by their names in events; `act` is told which it was. */
interface Key {
    keys: string[];
    text: string;
    act(name: string): void;
    /** What stands for many. */
    sign?: string;
}

interface Named {
    name: string;
    summary: string;
}

interface Algorithm extends Named {
    source: string;
    takes: string[];
    /** Of the conventions it takes, those that are choices: the first is the usual one. */
    choices: Record<string, string[]>;
    told: boolean;
    /** Whether it is for line games alone. */
    lines: boolean;
}

interface Catalogues {
    games: Named[];
    heuristics: Named[];
    agents: Named[];
    algorithms: Algorithm[];
    /** The game of one's own with which the page was opened. */
    own: string | null;
}

type DrawnPath = [kind: string, data: string];

/** What is drawn of a level: below the stones, above them, and its coordinates. */
interface DrawnLevel {
    ground: DrawnPath[];
    front: DrawnPath[];
    labels: [x: number, y: number, text: string][];
}

/** The board of a game, in units of a cell; levels are of one size. */
interface Drawing {
    style: "pen" | "squares" | "crossings" | "frame" | "hexagons";
    columns: number;
    rows: number;
    /** Of a level, with its coordinates. */
    size: Point;
    /** The middle of a level's first cell. */
    origin: Point;
    /** Where the cells are. */
    box: [left: number, top: number, width: number, height: number];
    /** What a row adds to a place; a column adds [1, 0]. */
    row: Point;
    /** Between two levels. */
    gap: number;
    /** The height of the coordinates' type. */
    font: number;
    /** The side of the square in a cell that has room for words. */
    room: number;
    levels: DrawnLevel[];
    /** Round their middle. */
    stones: Record<Side, DrawnPath[]>;
    /** The mark beside the last stone. */
    last: DrawnPath;
    /** The lines of a cube, cell by cell. */
    lines: number[][] | null;
}

/** Places of a stroke, from one to the next. */
type Stroke = [level: number, x: number, y: number][];

/**
 * A position as it is drawn; cells are numbered row by row from the top left, level by level. A game
 * of one's own has its text in their place; its moves are numbers of their `names`.
 */
interface Shown {
    position: string;
    game: string;
    /** What its game is, in a line. */
    summary: string;
    /** The text of its game, whatever its name: `7,6,4,gravity`; empty where lines are its own. */
    spec: string;
    text: string[] | null;
    /** By how much a game of points was won. */
    margin: number | null;
    shape: number[];
    gravity: boolean;
    misere: boolean;
    cells: string;
    names: string[];
    /** What people call the moves to the cells, where that is not their names: columns. */
    spoken: string[] | null;
    moves: number[];
    side: Side;
    /** Whose the stones are that come next, for as long as there is room. */
    upcoming: string;
    /** Why no game can lead here. */
    doubt: string | null;
    over: boolean;
    winner: Side | null;
    line: number[] | null;
    /** The strokes through the line. */
    strike: Stroke[] | null;
    drawing: Drawing | null;
    kinds: string[];
    longest: number;
    /** Those that play this game, and answer soon. */
    agents: string[];
}

interface LineShare {
    /** What people call it: its cells, or the row and columns. */
    line: string;
    cells: string[];
    mine: number;
    theirs: number;
    weight: number;
    value: number;
}

/** A line table: values by "mine,theirs", weights by kind of line, and terms beside them. */
interface LineTable {
    values: Record<string, number>;
    weights: Record<string, number>;
    /** By "to move,waiting". */
    tempo: Record<string, number>;
    /** By "stones,empty ends". */
    ends: Record<string, number>;
    /** By name. */
    cells: Record<string, number>;
    /** By "side,row": 1 is O, and 1 an odd row. */
    threats: Record<string, number>;
    /** Of a "safe" move. */
    mobility: Record<string, number>;
    /** What lines of a kind add, by "row values 2,0" or "row tempo 2,0". */
    kinds: Record<string, number>;
    /** The greatest sum, whatever the sign. */
    clamp?: number | null;
    /** What answers call it. */
    name?: string;
}

type Part = Exclude<keyof LineTable, "clamp" | "name">;

/** Which terms can say something on a game. */
interface Scope {
    /** Cells that mirror each other, by name. */
    orbits: string[][];
    ends: boolean;
    rows: boolean;
    unsafe: boolean;
}

/** A slider of a table. */
interface Entry {
    group: string;
    part: Part;
    keys: string[];
    label: string;
    value: number;
    most: number;
}

interface TermShare {
    term: string;
    value: number;
}

interface Explanation {
    heuristic: string;
    side: Side;
    total: number;
    sum: number;
    lines: LineShare[];
    silent: number | null;
    after: { cell: number; value: number }[];
    terms: TermShare[];
    notes: string[];
    table: LineTable | null;
    scope: Scope;
}

interface MoveScore {
    cell: number;
    value: number;
    sign: string;
    text: string;
}

interface BestLine {
    value: number;
    /** The score with its sign: exact, or a bound. */
    text: string;
    pv: string[];
    cells: number[];
}

interface Search {
    algorithm: string;
    depth: number;
    complete: boolean;
    /** Whether it was complete, and games count by their results: exact scores are proofs. */
    settled: boolean;
    text: string;
    best: number[];
    moves: MoveScore[];
    lines: BestLine[];
    nodes: number;
    cutoffs: number;
    seconds: number;
    total_nodes?: number;
    total_seconds?: number;
}

interface ProvedMove {
    move: number;
    value: number;
    distance: number | null;
}

/** What is proved of a position, to the side to move; `value` is null where time was too short. */
interface Proof {
    position: string;
    value: number | null;
    distance: number | null;
    /** How it was proved. */
    proof: string;
    /** Every move, or none where only the position is proved. */
    moves: ProvedMove[];
    best: number[];
    /** Best play to the end, as far as it is known. */
    line?: number[];
}

/** A position of a reviewed game: `share` is X's, in ±1. */
interface ReviewPoint {
    proved: boolean;
    share: number;
    text: string;
    slip: "mistake" | "doubtful" | null;
    /** Moves that would have kept what the move that led here gave away. */
    better: string[];
    /** Whether that move gave something away. */
    gives: boolean;
    /** What is to be said of that move; empty at the start. */
    sentence: string;
    /** Whether what is said of that move is proved. */
    judged?: boolean;
    proof: Proof | null;
}

/** A node of a drawn tree; `x` and `ply` are where it stands. */
interface DrawnNode {
    name: string;
    max: boolean;
    leaf: boolean;
    x: number;
    ply: number;
}

/** A position as rows of signs: of a grid `x`, `o`, `.` and a space for no cell, else letters. */
interface SmallBoard {
    rows: string[];
    grid: boolean;
    /** The row and the column of the cell that was taken last. */
    last: [row: number, column: number] | null;
    /** What a grid is drawn on, once it is known. */
    drawing?: Drawing | null;
}

interface TraceNode {
    name: string;
    max: boolean;
    leaf: boolean;
    /** Its score is a mean, whoever is to move. */
    mean: boolean;
    ply: number;
    /** The same in every search of the tree. */
    path: string;
    parent: number | null;
    pv: boolean;
    /** None where the tree is that of a position, whose leaves are evaluated in the search. */
    value: number | null;
    /** None where the tree is explicit. */
    board: SmallBoard | null;
}

/** What is known of a node at a step of a search. */
interface NodeState {
    seen?: boolean;
    window?: string;
    score?: string;
    visits?: number;
    /** Playouts, proof numbers, or a merit. */
    note?: string;
    cut?: boolean;
    hit?: boolean;
    /** The step that has told it. */
    at?: number;
}

/** What marks a node beside its state; `folded` is how many nodes it hides. */
interface NodeMarks {
    current?: boolean;
    selected?: boolean;
    pv?: boolean;
    differs?: boolean;
    /** What is known of it was found in a pass before. */
    past?: boolean;
    folded?: number;
}

interface TraceStep {
    kind: string;
    node: number;
    say: string;
    /** Which of the places in the code. */
    at: number;
    /** The line of the pseudocode. */
    line: number | null;
    changes: [node: number, state: NodeState][];
    counts: number[];
}

interface Trace {
    caption: string;
    nodes: TraceNode[];
    /** Of a line game: what the nodes' boards are drawn on. */
    drawing: Drawing | null;
    steps: TraceStep[];
    places: [module: string, line: number][];
    code: Record<string, [number, string][]>;
    pseudocode: string[];
    /** What has to be known to read the drawing. */
    remark: string;
    /** Whether the algorithm cuts at all. */
    cuts: boolean;
    /** What the search found, which the last step says. */
    found: string;
    /** Why each cut was made, and after how many steps. */
    sentences: [step: number, text: string][];
    /** The passes from the root, and the steps at which they begin. */
    passes: [step: number, text: string][];
    minimal: number | null;
    given: boolean;
    whole: boolean;
    /** How much of the search is not shown. */
    left: string;
}

interface Difference {
    first: string;
    second: string;
    values: number[];
    counts: Record<string, number[]>;
    count: number;
    differences: { name: string; path: string; first: string; second: string }[];
    /** The first step in which they are not the same. */
    parting: number | null;
}

interface QuestionNode extends DrawnNode {
    path: string;
    parent: string | null;
}

interface Question {
    /** In a student's words. */
    task: string;
    rules: string[];
    /** The same to the letter. */
    convention: string;
    asked: string[];
    tree: string;
    nodes: QuestionNode[];
}

type Verdict = "right" | "wrong" | "missing" | "follows";
type Item = "value" | "window" | "cut";

interface Mark {
    path: string;
    item: Item;
    verdict: Verdict;
    given: string;
    expected: string;
    possible: number;
}

interface KeyEntry {
    value: number | null;
    window: (number | null)[] | null;
    cut: boolean;
}

interface Marking {
    points: number;
    possible: number;
    marks: Mark[];
    diagnosis: string | null;
    key: Record<string, KeyEntry> | null;
}

/** What somebody wrote at a node of a question. */
interface NodeAnswer {
    value?: string;
    alpha?: string;
    beta?: string;
    cut?: boolean;
}

/** What a hint was about, and how much it said. */
interface CluePlace {
    node: string;
    item: Item;
    step: "where" | "rule" | "answer";
}

interface Clue {
    /** Null where all is right. */
    place: CluePlace | null;
    text: string;
    answer: NodeAnswer | null;
}

/** A question on a board. */
interface Posed {
    task: string;
    rules: string[];
    item: "evaluation" | "choice" | "order";
    /** Those that are put in order. */
    moves: string[];
    shown: Shown;
}

interface BoardAnswer {
    value?: string;
    move?: string;
    order?: string[];
}

interface Grading {
    points: number;
    possible: number;
    marks: { item: string; verdict: Verdict; given: string; expected: string }[];
    key: {
        value?: number;
        move?: string[];
        order?: string[];
        worth: Record<string, number>;
    } | null;
}

/** Questions, or their keys, for paper. */
interface Printed {
    title: string;
    sheets: { words: string[]; head: string[]; rows: string[][]; svg: string }[];
}

interface PrintedSheets {
    questions: Printed;
    keys: Printed;
}

/** Positions in which a move rated best is wrong; the wrong moves, of those rated alike each in
 * part, and the same as a share with its interval. */
interface WrongShare {
    faulty: number;
    wrong: number;
    share: number;
    low: number;
    high: number;
}

/** A position, the moves rated best there, and the right ones. */
interface JudgedBoard {
    position: string;
    board: SmallBoard;
    side: Side;
    plays: string[];
    right: string[];
    text: string;
}

interface WrongCount extends WrongShare {
    game: string;
    heuristic: string;
    depth: number;
    /** Whether these are all positions of the game. */
    whole: boolean;
    about: string;
    positions: number;
    choices: number;
    boards: { wrong: JudgedBoard[]; cured?: JudgedBoard[]; spoilt?: JudgedBoard[] };
    before?: WrongShare;
    cured?: number;
    spoilt?: number;
    /** Of so many cured ones, or more, if there were no difference. */
    chance?: number;
}

interface CardFound {
    card: Record<string, any>;
    title: string;
    rows: ([label: string, ...cells: string[]] | null)[];
    notes: string[];
    boards: JudgedBoard[];
}

interface SideCertificate {
    agent_side: Side;
    is_searched: boolean;
    wins: number;
    draws: number;
    losses: number;
    positions: number;
    losing_line: string[] | null;
}

interface CertificateFound {
    agent: string;
    game: string;
    never_loses: boolean | null;
    is_searched: boolean;
    losing_line: string[] | null;
    sides: SideCertificate[];
    answer: string;
}

interface Outcome {
    first: string;
    second: string;
    outcome: "first" | "second" | "draw";
    games: number;
}

interface MatchFound {
    match: Record<string, any>;
    wanted: number;
    rows: [name: string, ...counts: number[]][];
    verdict: string;
    findings: string[];
    outcomes: Outcome[];
}

interface Rating {
    name: string;
    text: string;
    games: number;
    value: number;
    low: number;
    high: number;
}

/** A game that was read: where it starts, its moves, what the text was read as, who played. */
interface ReadGame {
    position: string;
    game: string;
    moves: string[];
    said: string;
    x: string;
    o: string;
}

interface HintFound {
    move: string;
    cell: number | null;
    sentence: string;
    number: string;
    proved: boolean;
    line: string[];
    proof: Proof | null;
}

/** A move that was tried: `said` without the better one, `sentence` with it. */
interface Attempted {
    move: string;
    cell: number;
    right: boolean;
    proved: boolean;
    said: string;
    sentence: string;
    better: string[];
    line: string[];
    solution: string[];
}

interface PuzzleFound {
    position: string;
    game: string;
    goal: "win" | "draw";
    depth: number;
    fooled: string[];
}

interface Answers {
    read: ReadGame;
    copy: Record<string, string>;
    suggest: HintFound;
    attempt: Attempted;
    puzzle: PuzzleFound;
    catalogues: Catalogues;
    show: Shown;
    play: Shown & { move: string; cell: number };
    explain: Explanation;
    move: { move: string };
    analyze: Search;
    solve: Proof;
    threats: { threats: Threat[] };
    refute: {
        text: string;
        line: string[];
        cells: number[];
        proved: boolean;
        proof: Proof | null;
    };
    review: { points: ReviewPoint[] };
    trace: Trace;
    draw: { name: string; text: string };
    differ: Difference;
    question: Question;
    mark: Marking;
    clue: Clue;
    sheet: PrintedSheets;
    pose: Posed;
    grade: Grading;
    write: { toml: string; python: string; json: string };
    paste: { name: string; table: LineTable };
    rate: { players: Rating[]; text: string; note: string | null };
    wrong: WrongCount;
    report: CardFound;
    certify: CertificateFound;
    match: MatchFound;
}

type Verb = keyof Answers;

/** Who hears of a question: `told` of what is found so far, `queue` of its place in line. */
interface Hearers<V extends Verb> {
    told?(news: Partial<Answers[V]> & { text?: string }): void;
    queue?(place: number): void;
}

/** What comes in for a question: one of these, the last two at its end. */
interface Message {
    id: number;
    queue?: number;
    told?: object;
    found?: object;
    error?: string;
}

interface Job<V extends Verb> {
    promise: Promise<Answers[V]>;
    cancel(): void;
}

interface AnalysisSettings {
    algorithm: string;
    heuristic: string;
    depth: number;
    seconds: number;
    layer: string;
}

type Conventions = Record<string, string | number>;

interface SearchSettings {
    algorithm: string;
    conventions: Conventions;
}

interface TreeSettings extends SearchSettings {
    text: string;
    depth: number;
    heuristic: string;
    /** Another search beside the first one. */
    second: SearchSettings | null;
    step: number;
    /** Nodes that are drawn of a larger search. */
    most: number;
    shelf: string;
    isPython: boolean;
}

interface QuestionWishes {
    algorithm: string;
    seed: number;
    /** A tree of one's own that is asked about, in the place of one that is drawn. */
    tree?: string;
    depth: number;
    branching: number[];
    deep: number;
    ties: boolean;
    agree: boolean;
    cut: string;
    bound: string;
    asked: string[];
}

/** A word on a cell of the board. */
interface Note {
    kind: string;
    text: string;
    /** The same in few letters. */
    short?: string;
    /** Its number alone, whose form on the board says what it is. */
    bare?: string;
    title: string;
}

/** What a move is worth to the side to move, from −1 to 1, and how that is known. */
interface Worth {
    knowledge: "proved" | "searched" | "opinion";
    share: number;
    text: string;
    title: string;
    /** Only a bound of the value is known, not how the game ends. */
    isBound?: boolean;
    /** It says little on a board that has little room. */
    isSmall?: boolean;
}

/** To a move, from the stone that it answers where there is one; the best move's weight is 1. */
interface Arrow {
    from?: number;
    to: number;
    weight: number;
    label?: string;
}

/** What is shown on a board beside its stones. */
interface Marks {
    /** The cell played last. */
    last?: number | null;
    /** The best moves. */
    best?: number[];
    /** Words on cells. */
    notes?: Map<number, Note[]>;
    /** A line of play, previewed. */
    line?: number[];
    /** Nobody can play. */
    isLocked?: boolean;
    /** What moves are worth. */
    worth?: Map<number, Worth>;
    arrows?: Arrow[];
    threats?: Threat[];
}

/** What a side threatens: to complete a line, now or under gravity later, or two at once. */
interface Threat {
    kind: "line" | "double" | "odd" | "even";
    side: Side;
    cells: number[];
    /** The cells of a line that it is about. */
    line?: number[];
    title?: string;
}
