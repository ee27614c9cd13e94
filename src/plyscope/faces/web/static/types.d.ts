// What the server answers, verb by verb, and what parts hand each other: for the type checker.

type Client = import("./client.js").Client;
type Game = import("./game.js").Game;
type GameNode = import("./game.js").GameNode;

/** What an element can hold; null, undefined and false are left out. */
type Child = Node | string | number | null | undefined | false;
type Children = (Child | Child[])[];
/** Names and values; `on…` listens, true is an empty value, false is no attribute. */
type Attributes = Record<string, any>;
type IconName = import("./dom.js").IconName;
/** What can be chosen: values with their texts, or texts that are the values. */
type Options = [value: string, text: string, title?: string][] | string[] | Record<string, string>;
type Point = [x: number, y: number];

/** What carries questions and the place: a notebook's widget, or a socket and the address bar. */
interface Model {
    get(name: "place"): Place;
    set(name: "place", place: Place): void;
    save_changes(): void;
    send(message: object): void;
    on(name: "msg:custom" | "connected", listener: (message: any) => void): void;
    off(name: "msg:custom" | "connected", listener: (message: any) => void): void;
}

/** Where one is: `room`, `position`, `moves`, `tree`, a `table`, and who plays `x` and `o`. */
type Place = Record<string, string>;

/** What the rooms share, and what each keeps of its settings while another one is shown. */
interface Lab {
    client: Client;
    game: Game;
    catalogues: Catalogues;
    place: Place;
    /** What the address says that cannot be. */
    mistakes: string[];
    /** A tree that the quiz was opened with. */
    asked?: string;
    /** Whether the address is written anew where one goes. */
    isFree: boolean;
    announce(text: string): void;
    go(news: Place): void;
    players?: Record<Side, string>;
    analysis?: AnalysisSettings;
    tree?: TreeSettings;
    quiz?: QuestionWishes;
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
}

interface Catalogues {
    games: Named[];
    heuristics: Named[];
    agents: Named[];
    algorithms: Algorithm[];
    /** The game of one's own with which the page was opened. */
    own: string | null;
}

/**
 * A position as it is drawn; cells are numbered row by row from the top left, level by level. A game
 * of one's own has its text in their place; its moves are numbers of their `names`.
 */
interface Shown {
    position: string;
    game: string;
    text: string[] | null;
    /** By how much a game of points was won. */
    margin: number | null;
    shape: number[];
    gravity: boolean;
    misere: boolean;
    cells: string;
    names: string[];
    moves: number[];
    side: Side;
    /** Whose the stones are that come next, for as long as there is room. */
    upcoming: string;
    /** Why no game can lead here. */
    doubt: string | null;
    over: boolean;
    winner: Side | null;
    line: number[] | null;
    kinds: string[];
    longest: number;
    /** Those that play this game, and answer soon. */
    agents: string[];
}

interface LineShare {
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
}

type Part = keyof LineTable;

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
    text: string;
    pv: string[];
    cells: number[];
}

interface Search {
    algorithm: string;
    depth: number;
    complete: boolean;
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

interface Proof {
    value: number | null;
    distance: number | null;
    text: string;
    proof: string;
    moves: ProvedMove[];
    best: number[];
}

/** A position of a reviewed game: `share` is X's, in ±1. */
interface ReviewPoint {
    proved: boolean;
    share: number;
    text: string;
    slip: "mistake" | "doubtful" | null;
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
}

interface TraceNode extends DrawnNode {
    parent: number | null;
    pv: boolean;
    value: number;
    /** None where the tree is explicit. */
    board: SmallBoard | null;
}

/** What is known of a node at a step of a search. */
interface NodeState {
    seen?: boolean;
    window?: string;
    score?: string;
    visits?: number;
    cut?: boolean;
    hit?: boolean;
    pv?: boolean;
    current?: boolean;
    selected?: boolean;
}

interface TraceStep {
    kind: string;
    node: number;
    say: string;
    at: [module: string, line: number];
    changes: [node: number, state: NodeState][];
    counts: number[];
}

interface Trace {
    caption: string;
    nodes: TraceNode[];
    steps: TraceStep[];
    code: Record<string, [number, string][]>;
    sentences: string[];
    minimal: number | null;
    given: boolean;
}

interface Difference {
    first: string;
    second: string;
    values: number[];
    counts: Record<string, number[]>;
    differences: { name: string; first: string; second: string }[];
}

interface QuestionNode extends DrawnNode {
    path: string;
    parent: string | null;
}

interface Question {
    task: string;
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

interface Answers {
    catalogues: Catalogues;
    show: Shown;
    play: Shown & { move: string; cell: number };
    explain: Explanation;
    move: { move: string };
    analyze: Search;
    solve: Proof;
    refute: { text: string; line: string[]; cells: number[] };
    review: { points: ReviewPoint[] };
    trace: Trace;
    differ: Difference;
    question: Question;
    mark: Marking;
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
    /** A line table of one's own, which then stands for the heuristic. */
    table: LineTable | null;
}

type Conventions = Record<string, string | number>;

interface SearchSettings {
    algorithm: string;
    conventions: Conventions;
}

interface TreeSettings extends SearchSettings {
    text: string;
    depth: number;
    second: SearchSettings;
}

interface QuestionWishes {
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
    title: string;
}
