// The user's line tables, saved in this browser, and the unnamed one being edited.
import { namedOptions } from "./forms.js";
import { Listened } from "./listened.js";
import { browser, readKept } from "./memory.js";
import { TEXTS, WRITE } from "./texts.js";
import { counted } from "./wording.js";

const KEY = "plyscope-tables";
const OWN = "own:";
/** The table without a name, as a choice has it. */
export const DRAFT = OWN;
const DRAFT_NAME = "your table";

/** A table that says nothing. @returns {LineTable} */
export const ownNothing = () => ({
  values: {},
  weights: {},
  tempo: {},
  ends: {},
  cells: {},
  threats: {},
  mobility: {},
  patterns: {},
  pattern_tempo: {},
  kinds: {},
});
const MOST_NAME = 40;
/** Plies that a heuristic of one's own may look ahead as a player. */
const DEPTHS = [1, 2, 4, 6];
/** A heuristic of one's own as a player: a table, or one that the page was opened with. */
const PLAYER = /^(.*)@(\d+)$/;

/** @typedef {{ name: string, table: LineTable }} NamedTable */

/** @param {unknown} part */
const isPart = (part) =>
  part !== null && typeof part === "object" && Object.values(part).every(Number.isFinite);

/** Whether something that was kept or sent is a line table, some parts of which may be left out. */
export const isTable = (/** @type {any} */ table) =>
  isPart(table?.values) && Object.keys(ownNothing()).every((part) => isPart(table[part] ?? {}));

/** @param {any} entry @returns {entry is NamedTable} */
const isNamedTable = (entry) => typeof entry?.name === "string" && isTable(entry.table);

/** With all parts. @param {Partial<LineTable>} table @returns {LineTable} */
const wholeTable = (table) => ({ ...ownNothing(), ...table });

/**
 * What a table says: without the numbers that change nothing, and the parts without others.
 * @param {LineTable} table @returns {LineTable}
 */
export function sparseTable({ clamp, name: _, ...parts }) {
  /** @param {[string, Record<string, number>]} part */
  const said = ([part, numbers]) => [
    part,
    Object.fromEntries(
      Object.entries(numbers)
        .filter(([, number]) => number !== (part === "weights" ? 1 : 0))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  ];
  const kept = Object.entries(parts)
    .map(said)
    .filter(([part, numbers]) => part === "values" || Object.keys(numbers).length)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...Object.fromEntries(kept), ...(clamp == null ? {} : { clamp }) };
}

/** The same table has the same text, however it is sorted. @param {LineTable} table */
export const tableText = (table) => JSON.stringify(sparseTable(table));

/** @param {LineTable} one @param {LineTable} other */
export const isSameTable = (one, other) => tableText(one) === tableText(other);

/** @extends {Listened<[]>} */
export class Tables extends Listened {
  /** The table that is being changed, in every room. @type {LineTable | null} */
  draft = null;

  /** @param {import("./memory.js").Kept} kept */
  constructor(kept = browser) {
    super();
    this.kept = kept;
  }

  /** By name; read anew, as another window may have saved one. @returns {NamedTable[]} */
  all() {
    const found = readKept(this.kept, KEY);
    const kept = Array.isArray(found) ? found.filter(isNamedTable) : [];
    return kept.map(({ name, table }) => ({ name, table: wholeTable(table) }));
  }

  /** @param {string} name @returns {LineTable | null} */
  get(name) {
    return this.all().find((entry) => entry.name === name)?.table ?? null;
  }

  /**
   * Keep a table under a name, in the place of another of that name.
   * @param {string} given @param {LineTable} table @returns the name as it is kept
   */
  save(given, table) {
    const name = given.replace(/\s+/g, " ").trim().slice(0, MOST_NAME);
    if (!name) throw new Error("a table needs a name; expected some letters");
    const others = this.all().filter((entry) => entry.name !== name);
    this.write([...others, { name, table: structuredClone(table) }]);
    return name;
  }

  /** @param {string} name */
  remove(name) {
    this.write(this.all().filter((entry) => entry.name !== name));
  }

  /** @param {NamedTable[]} tables */
  write(tables) {
    const sorted = tables.sort((one, other) => one.name.localeCompare(other.name));
    this.kept.setItem(KEY, JSON.stringify(sorted));
    this.tell();
  }

  /** Take the table that is being changed; null ends that. @param {LineTable | null} table */
  setDraft(table) {
    this.draft = table;
    this.tell();
  }

  /** @param {() => void} listener */
  on(listener) {
    if (!this.listeners.size) globalThis.addEventListener?.("storage", this.hear);
    const end = super.on(listener);
    return () => {
      end();
      if (!this.listeners.size) globalThis.removeEventListener?.("storage", this.hear);
    };
  }

  /** Another window has saved or removed one. @param {{ key: string | null }} event */
  hear = ({ key }) => {
    if (key === KEY || key === null) this.tell();
  };
}

/**
 * Return the heuristics to choose from: the catalogue's, the edited table, the saved ones and the
 * written ones.
 * @param {Lab} lab @returns {[value: string, text: string, title?: string][]}
 */
export const heuristicOptions = (lab) => [
  ...namedOptions(lab.catalogues.heuristics),
  ...ownOptions(lab.tables),
  ...writtenOptions(lab),
  ...(lab.catalogues.writes && !lab.texts.get(TEXTS[0]) ? [WRITE_OPTION] : []),
];

/** @type {[string, string, string]} */
const WRITE_OPTION = [WRITE, "write your own …", "in Python, or as a table"];

/** @param {Lab} lab @returns {[value: string, text: string, title?: string][]} */
const writtenOptions = ({ catalogues, texts }) =>
  (catalogues.writes ? texts.names : []).map((name) => [name, `✎ ${name}`, "written by you"]);

/** Return whether a choice is a text that the user writes. @param {Lab} lab @param {string} value */
export const isWritten = ({ catalogues }, value) => catalogues.writes && TEXTS.includes(value);

/** @param {Tables} tables @returns {[value: string, text: string, title?: string][]} */
function ownOptions(tables) {
  /** @type {[string, string, string][]} */
  const draft = tables.draft ? [[DRAFT, DRAFT_NAME, "the table that is being changed"]] : [];
  const title = "your own table, saved in this browser";
  /** @param {NamedTable} entry @returns {[string, string, string]} */
  const option = ({ name }) => [OWN + name, `★ ${name}`, title];
  return [...draft, ...tables.all().map(option)];
}

/**
 * The table of a choice, null for a name of the catalogue or a table that is gone.
 * @param {Lab} lab @param {string} value
 */
export function tableChosen({ tables }, value) {
  if (!value.startsWith(OWN)) return null;
  return value === DRAFT ? tables.draft : tables.get(value.slice(OWN.length));
}

/**
 * What a request's `heuristic` takes.
 * @param {Lab} lab @param {string} value @returns {string | LineTable}
 */
export function heuristicAsked(lab, value) {
  const table = tableChosen(lab, value);
  if (isWritten(lab, value) && lab.texts.get(value)) return `${value}:\n${lab.texts.get(value)}`;
  if (table) return value === DRAFT ? table : { ...table, name: heuristicName(value) };
  if (!value.startsWith(OWN)) return value;
  throw new Error(`table '${heuristicName(value)}' is not in this browser; expected another one`);
}

/** Return whether a choice is a table with a name. @param {string} value */
export const isOwn = (value) => value.startsWith(OWN) && value !== DRAFT;

/** The choice of a table with a name. @param {string} name */
export const ownValue = (name) => OWN + name;

/** Return the name of a heuristic. @param {string} value */
export const heuristicName = (value) =>
  value === DRAFT ? DRAFT_NAME : value.startsWith(OWN) ? value.slice(OWN.length) : value;

/**
 * Return the address of a heuristic; the user's tables are written out.
 * @param {Lab} lab @param {string} value @param {string} [usual] is not written
 */
export function heuristicPlace(lab, value, usual = "") {
  const table = tableChosen(lab, value);
  const heuristic = value === usual || value === DRAFT ? "" : value;
  return { heuristic, table: table ? tableText(table) : "", ...textsPlace(lab) };
}

/** What an address says of the texts, where some are written. @param {Lab} lab @returns {Place} */
const textsPlace = ({ catalogues, texts }) => (catalogues.writes ? texts.place : {});

/**
 * Return the heuristic of an address; a table in it becomes the edited one, unless it is saved
 * here.
 * @param {Lab} lab @param {string} usual
 */
export function heuristicOfPlace(lab, usual) {
  const { heuristic = "", table } = lab.place;
  const brought = tableOfText(table);
  const own = tableChosen(lab, heuristic);
  if (own && (!brought || isSameTable(own, brought))) return heuristic;
  if (brought) {
    lab.tables.setDraft(brought);
    return DRAFT;
  }
  if (isWritten(lab, heuristic)) {
    if (lab.texts.get(heuristic)) return heuristic;
    lab.doubt("heuristic", "one that is written in this browser");
  }
  const isKnown = lab.catalogues.heuristics.some(({ name }) => name === heuristic);
  return isKnown ? heuristic : usual;
}

/** @param {string} [text] @returns {LineTable | null} */
function tableOfText(text) {
  try {
    const table = JSON.parse(text ?? "");
    return isTable(table) ? wholeTable(table) : null;
  } catch {
    return null;
  }
}

// Players

/**
 * Return the agents for a game: the catalogue's, and the user's heuristics at several depths.
 * @param {Lab} lab @param {{ agents: string[], text: string[] | null }} shown
 * @returns {[value: string, text: string, title?: string][]}
 */
export function agentOptions(lab, { agents, text }) {
  const { catalogues, tables } = lab;
  const offered = namedOptions(catalogues.agents.filter(({ name }) => agents.includes(name)));
  const { heuristics, own_heuristics } = catalogues;
  const given = namedOptions(heuristics.filter(({ name }) => own_heuristics.includes(name)));
  const ofLines = text ? [] : [...ownOptions(tables), ...writtenOptions(lab)];
  const own = [...given, ...ofLines].flatMap(([value, label]) =>
    DEPTHS.map(
      (depth) =>
        /** @type {[string, string, string]} */ ([
          `${value}@${depth}`,
          `${label}, ${counted(depth, "ply", "plies")}`,
          "alpha-beta with your own heuristic",
        ]),
    ),
  );
  return [...offered, ...own];
}

/**
 * What a request's `agent` takes: a name, or a heuristic with its depth.
 * @param {Lab} lab @param {string} value
 * @returns {string | { heuristic: string | LineTable, depth: number }}
 */
export function agentAsked(lab, value) {
  const [, heuristic, depth] = PLAYER.exec(value) ?? [];
  if (depth === undefined) return value;
  return { heuristic: heuristicAsked(lab, heuristic), depth: Number(depth) };
}

/**
 * Return the player of an address; a table in it becomes the edited one, unless it is saved here.
 * @param {Lab} lab @param {string} value
 */
export function playerOfPlace(lab, value) {
  const [, heuristic, depth] = PLAYER.exec(value) ?? [];
  const brought = tableOfText(lab.place.table);
  if (depth === undefined || !brought || !heuristic.startsWith(OWN)) return value;
  const own = heuristic !== DRAFT && tableChosen(lab, heuristic);
  if (own && isSameTable(own, brought)) return value;
  lab.tables.setDraft(brought);
  return `${DRAFT}@${depth}`;
}

/**
 * What an address says of a table that plays: it goes along whole.
 * @param {Lab} lab @param {Record<Side, string>} players
 */
export function playersPlace(lab, { x, o }) {
  const [, heuristic] = PLAYER.exec(x) ?? PLAYER.exec(o) ?? [];
  const table = heuristic === undefined ? null : tableChosen(lab, heuristic);
  return { table: table ? tableText(table) : "", ...textsPlace(lab) };
}

/** Return the heuristic of a player; another choice as it is. @param {string} value */
export const withoutDepth = (value) => PLAYER.exec(value)?.[1] ?? value;

/** Return whether a choice is a heuristic of one's own that plays. @param {string} value */
export const isOwnAgent = (value) => PLAYER.test(value);

/** Return the name of a player. @param {string} value */
export function agentName(value) {
  const [, heuristic, depth] = PLAYER.exec(value) ?? [];
  if (depth === undefined) return value;
  return `${heuristicName(heuristic)}, ${counted(Number(depth), "ply", "plies")}`;
}
