// What parts of the page hand each other: for the type checker, as `answers.d.ts` is.

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

/**
 * What carries questions and the place: a notebook's widget, or the address bar with a socket or
 * with workers of the browser.
 */
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
    /** The address of the editor for code, where one can write a heuristic. */
    editor?: string;
    /** Whether what answers is still being loaded: then it is not asked again. */
    isStarting?: boolean;
}

type ModelEvent = "msg:custom" | "connected" | "change:place" | "comm_live_update" | "fault";

/** The files of a site, which `site.py` writes before the service worker. */
declare const SITE: { version: string; files: string[]; shell: string[]; policies: string[] };

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
    /** Those that one writes. */
    texts: import("./shell/texts.js").Texts;
    /** The address of the editor for code. */
    editor?: string;
    /** Of positions, beside what is written of them. */
    pictures: Pictures;
    players?: Record<Side, string>;
    /** The last results of the Lab, and what they are of. */
    tested?: {
        key: string;
        found: Partial<Pick<Answers, "report" | "certify" | "match" | "tune" | "why">>;
    };
    analysis?: AnalysisSettings;
    /** A game whose positions have been looked at. */
    reviewed?: import("./rooms/analyze/review.js").Reviewed;
    tree?: TreeSettings;
    quiz?: QuestionSettings;
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

/** What is kept of a proof. */
type MoveProof = Pick<ProvedMove, "move" | "value" | "distance">;
type Proved = Pick<
    Proof,
    "position" | "value" | "distance" | "proof" | "best" | "line" | "lines" | "reason"
> & {
    moves: MoveProof[];
};

type DrawnPath = [kind: string, data: string];

/** Places of a stroke, from one to the next. */
type Stroke = [level: number, x: number, y: number][];

type Part = Exclude<keyof LineTable, "clamp" | "name">;

/** A slider of a table. */
interface Entry {
    group: string;
    part: Part;
    keys: string[];
    label: string;
    value: number;
    most: number;
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
    /** Its window is that of the node before it below the same parent. */
    repeats?: boolean;
}

type Verdict = "right" | "wrong" | "missing" | "follows";
type Item = "value" | "window" | "cut";

interface BoardAnswer {
    value?: string;
    move?: string;
    order?: string[];
    signs?: string;
}

type Endpoint = keyof Answers;

/** Who hears of a question: `told` of what is found so far, `queue` of its place in line. */
interface Hearers<V extends Endpoint> {
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

interface Job<V extends Endpoint> {
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

interface QuestionSettings {
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
    /** Written below it. */
    sign?: string;
    title: string;
}

/** The value of a move to the side to move, from −1 to 1, and how it is known. */
interface ValueMark {
    /** None has no mark on the board. */
    knowledge?: "proved" | "searched" | "heuristic";
    share: number;
    /** Only a bound of the value is known, not how the game ends. */
    isBound?: boolean;
    /** It is proved to lose, and others are not. */
    isFaded?: boolean;
    /** It says little on a board that has little room. */
    isSmall?: boolean;
}

/** The one value of a move on a board: its word and its mark. */
type CellValue = Note & ValueMark;

/** What is shown on a board beside its stones. */
interface Marks {
    /** The cell played last. */
    last?: number | null;
    /** The best moves. */
    best?: number[];
    /** The cells of the reason for a best move. */
    lit?: number[];
    /** Words on cells. */
    notes?: Map<number, Note>;
    /** A line of play, previewed. */
    line?: number[];
    /** Nobody can play. */
    isLocked?: boolean;
    /** The values of moves. */
    values?: Map<number, ValueMark>;
    threats?: Threat[];
}
