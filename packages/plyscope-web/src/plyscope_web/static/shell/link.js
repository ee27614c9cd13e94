// The keys of an address, their checks, and the game that it leads to.
import { askChild, askRoot, rootText } from "./game.js";
import { LAYERS } from "../rooms/analyze/layers.js";
import { isOwnAgent, isTable, withoutDepth } from "./tables.js";
import { decodeText, TEXTS } from "./texts.js";
import { parseMoves, parseVariations } from "./trail.js";

/** The players if an address names none. @type {Record<Side, string>} */
export const USUAL_PLAYERS = { x: "human", o: "level-5" };
/** @type {Place} */
const USUAL = USUAL_PLAYERS;
/** The keys that all rooms share: the game and its players. */
const GAME_KEYS = ["position", "moves", "variations", "x", "o"];
/** The items of a quiz on a tree. */
const ITEMS = ["values", "windows", "cuts"];
const READABLE = /%(?:2C|2F|3A|3B|5B|5D|7B|7D|22)/g;

/**
 * What is expected of a key's value, where it is wrong.
 * @typedef {(value: string, catalogues: Catalogues) => string | undefined} Check
 */

/** @type {Check} */
const free = () => undefined;

/** One of the names of a list. @param {(catalogues: Catalogues) => string[]} namesOf @returns {Check} */
const oneOf = (namesOf) => (value, catalogues) => {
  const names = namesOf(catalogues);
  return names.includes(value) ? undefined : names.join(", ");
};

/** @param {number} least @param {number} [most] @returns {Check} */
const number =
  (least, most = Infinity) =>
  (value) => {
    const given = value.trim() === "" ? NaN : Number(value);
    const bounds = most === Infinity ? `from ${least}` : `${least} to ${most}`;
    const isRight = given >= least && given <= most && Number.isInteger(given);
    return isRight ? undefined : `a whole number ${bounds}`;
  };

/** Some of a list, parted by commas. @param {string[]} items @returns {Check} */
const someOf = (items) => (value) =>
  value.split(",").every((item) => items.includes(item)) ? undefined : items.join(", ");

/** One of the catalogue, or a heuristic of one's own with its depth. @type {Check} */
function agent(value, { agents, own_heuristics, writes }) {
  const isKnown = value === "human" || agents.some(({ name }) => name === value);
  const names = writes ? [...own_heuristics, ...TEXTS] : own_heuristics;
  const isOwn = value.startsWith("own:") || names.includes(withoutDepth(value));
  if (isKnown || (isOwn && isOwnAgent(value))) return undefined;
  return `human, ${agents[0]?.name} or another agent`;
}

/** One of the catalogue, or a table kept in this browser. @type {Check} */
function heuristic(value, { heuristics, writes }) {
  if (writes && TEXTS.includes(value)) return undefined;
  if (value.startsWith("own:") || heuristics.some(({ name }) => name === value)) return undefined;
  return `${heuristics.map(({ name }) => name).join(", ")}, or own: and the name of a table`;
}

/** @type {Check} */
function table(value) {
  try {
    if (isTable(JSON.parse(value))) return undefined;
  } catch {
    // It is no JSON, and no table.
  }
  return 'a line table such as {"values":{"1,0":1}}';
}

/** The text of a heuristic. @type {Check} */
const writtenText = (value, { writes }) => {
  if (!writes) return "no text: a server runs only the heuristics of its start (--heuristic)";
  return decodeText(value) === null ? "a text of at most 6,000 characters in base64url" : undefined;
};

/** @type {Check} */
const algorithm = oneOf(({ algorithms }) => algorithms.map(({ name }) => name));

/** Of the conventions, those that are choices. @param {string} name */
const convention = (name) =>
  oneOf(({ algorithms }) => algorithms.find(({ choices }) => choices[name])?.choices[name] ?? []);

/** The keys of a search. @type {Record<string, Check>} */
const SEARCH = {
  algorithm,
  ...Object.fromEntries(
    ["scoring", "order", "root", "bound", "cut", "cutoffs"].map((name) => [name, convention(name)]),
  ),
  alpha: number(-1e6, 1e6),
  beta: number(-1e6, 1e6),
};

/** The keys of an address. @type {Record<string, Check>} */
export const KEYS = {
  room: free, // it is looked for among the rooms
  position: free, // this and what has been played is read by the server
  moves: free,
  variations: free,
  x: agent,
  o: agent,
  layer: oneOf(() => Object.keys(LAYERS)),
  shelf: free, // the room knows them
  heuristic,
  table,
  ...Object.fromEntries(TEXTS.map((name) => [name, writtenText])),
  depth: number(1, 60),
  tree: free,
  step: number(0),
  ...SEARCH,
  ...Object.fromEntries(Object.entries(SEARCH).map(([name, check]) => [`${name}2`, check])),
  seed: number(0, 2 ** 53),
  branching: (value) => (/^[1-4](,[1-4])?$/.test(value) ? undefined : "such as 2 or 2,3"),
  deep: oneOf(() => ["0", "1"]),
  ties: oneOf(() => ["no"]),
  agree: oneOf(() => ["yes"]),
  ask: (value, catalogues) =>
    ["minimax", "board", "signs"].includes(value) ? undefined : someOf(ITEMS)(value, catalogues),
};

/** The address's text of a place, as readable as it can be. @param {Place} place */
export const formatPlace = (place) =>
  Object.entries(place)
    .map(
      ([key, value]) => `${key}=${encodeURIComponent(value).replace(READABLE, decodeURIComponent)}`,
    )
    .join("&");

/**
 * The place of an address. A plus is a space there, as in all that is encoded like a form.
 * @param {string} text @returns {Place}
 */
export const parsePlace = (text) => Object.fromEntries(new URLSearchParams(text));

/**
 * The place without what is unknown, and what that was.
 * @param {Place} given @param {Catalogues} catalogues
 * @param {string[]} rooms the first is where an address without a room leads
 * @param {string} [empty] where one leads that says nothing
 * @returns {{ place: Place, mistakes: string[] }}
 */
export function knownPlace(given, catalogues, rooms, empty = rooms[0]) {
  /** @type {Place} */
  const place = {};
  /** @type {string[]} */
  const mistakes = [];
  for (const [key, value] of Object.entries(given)) {
    if (!(key in KEYS)) mistakes.push(`unknown key '${key}' in the address; ignored`);
    else {
      const known = key === "room" ? oneOf(() => rooms) : KEYS[key];
      const expected = known(value, catalogues);
      if (expected === undefined) place[key] = value;
      else mistakes.push(mistake(key, value, expected));
    }
  }
  place.room ??= Object.keys(given).length ? rooms[0] : empty;
  return { place, mistakes };
}

/** Return the message for a wrong value. @param {string} key @param {string} value @param {string} expected */
export const mistake = (key, value, expected) =>
  `${key} '${shortened(value)}'; expected ${expected}`;

/** @param {string} text */
const shortened = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/**
 * The place in another room: the game goes along, and there is what was there before.
 * @param {Place} from @param {Place | undefined} before @param {Place} news
 */
export function inRoom(from, before, news) {
  const kept = GAME_KEYS.filter((key) => from[key]).map((key) => [key, from[key]]);
  return { ...before, ...Object.fromEntries(kept), ...news };
}

/** The keys that a shared link leaves out, by room: they are of others. @type {Record<string, string[]>} */
const FOREIGN = {
  analyze: ["x", "o"],
  trees: GAME_KEYS,
  quiz: GAME_KEYS,
  lab: ["x", "o", "variations"],
};

/** Return what a link to a place says: the keys of its own room. @param {Place} place @returns {Place} */
export const shared = (place) =>
  Object.fromEntries(Object.entries(place).filter(([key]) => !FOREIGN[place.room]?.includes(key)));

/** Return a place without empty values and default players. @param {Place} place */
export const written = (place) =>
  Object.fromEntries(Object.entries(place).filter(([key, value]) => value && value !== USUAL[key]));

/**
 * Return the node that an address leads to, as far as its moves are legal.
 * @param {Client} client @param {Place} place @param {string} first
 * @param {GameNode} [known] the root of a game in which it may be
 * @returns {Promise<{ node: GameNode, mistakes: string[] }>}
 */
export async function findNode(client, place, first, known) {
  const start = place.position ?? first;
  /** @type {string[]} */
  const mistakes = [];
  /** @type {GameNode} */
  let root;
  const begins = known ? [known.text, known.shown.position, rootText(known.shown)] : [];
  try {
    root = known && begins.includes(start) ? known : await askRoot(client, start);
  } catch (error) {
    mistakes.push(`${messageOf(error)}; this is a new game of ${first}`);
    return { node: await askRoot(client, first), mistakes };
  }
  try {
    await grow(client, root, parseVariations(place.variations ?? ""));
  } catch (error) {
    mistakes.push(`${messageOf(error)}; the variations after it are ignored`);
  }
  let node = root;
  for (const [number, move] of parseMoves(place.moves).entries()) {
    try {
      node = await askChild(client, node, move);
    } catch (error) {
      const kept = number ? `the game is kept up to move ${number}` : "the position is kept";
      mistakes.push(`${messageOf(error)}; ${kept}`);
      break;
    }
  }
  return { node, mistakes };
}

/** @param {Client} client @param {GameNode} from @param {import("./trail.js").Trail} trail */
async function grow(client, from, trail) {
  let [before, at] = [from, from];
  for (const part of trail) {
    if (Array.isArray(part)) await grow(client, before, part);
    else [before, at] = [at, await askChild(client, at, part)];
  }
}

/** @param {unknown} error */
const messageOf = (error) => /** @type {Error} */ (error).message;
