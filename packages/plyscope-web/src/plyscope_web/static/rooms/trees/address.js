// The settings of a search as an address writes them.

/** The tree of a first visit. */
export const EXAMPLE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]";
const ALGORITHM = "alphabeta";
const DEPTH = 2;
export const DEEPEST = 8;
export const FEW = 1000;
const ENDS = ["alpha", "beta"];
/** Conventions as an address has them; those of a second search have a 2 behind. */
const NAMES = ["order", "cut", "cutoffs", "bound", "root", "scoring", ...ENDS];

/** @param {string} text @returns {TreeSettings} */
export const usualSettings = (text) => ({
  text,
  algorithm: ALGORITHM,
  depth: DEPTH,
  heuristic: "",
  conventions: {},
  second: null,
  step: 0,
  most: FEW,
  shelf: "steps",
  isPython: false,
});

/** Return whether a text is an explicit tree, and no position. @param {string} text */
export const isTree = (text) => /[[{]|^\s*\(\(/.test(text) && !text.includes("(;");

/**
 * One search of an address: an algorithm that can be watched, with what it takes.
 * @param {Place} place @param {string} end "" or "2" @param {Algorithm[]} algorithms
 * @returns {SearchSettings}
 */
function searchOf(place, end, algorithms) {
  const found = algorithms.find(({ name }) => name === place[`algorithm${end}`]);
  const algorithm = found ?? algorithms.find(({ name }) => name === ALGORITHM);
  const { name = ALGORITHM, choices = {}, takes = [] } = algorithm ?? {};
  /** @type {Conventions} */
  const conventions = {};
  for (const key of NAMES) {
    const text = place[key + end];
    if (choices[key]?.includes(text)) conventions[key] = text;
    const isNumber = ENDS.includes(key) && takes.includes("window") && /^-?\d{1,6}$/.test(text);
    if (isNumber) conventions[key] = Number(text);
  }
  return { algorithm: name, conventions };
}

/**
 * The settings that an address means.
 * @param {Place} place @param {TreeSettings} usual @param {Algorithm[]} algorithms
 * @param {string} heuristic
 * @returns {TreeSettings}
 */
export function settingsOf(place, usual, algorithms, heuristic) {
  const depth = Math.trunc(Number(place.depth)) || DEPTH;
  return {
    ...usual,
    ...searchOf(place, "", algorithms),
    text: place.tree ?? usual.text,
    depth: Math.max(1, Math.min(DEEPEST, depth)),
    heuristic,
    second: place.algorithm2 ? searchOf(place, "2", algorithms) : null,
    step: Math.max(0, Math.trunc(Number(place.step)) || 0),
    shelf: place.shelf || usual.shelf,
  };
}

/** @param {SearchSettings | null} search @param {string} end @param {string} usual @returns {Place} */
function placeOfSearch(search, end, usual) {
  /** @type {Place} */
  const place = {
    [`algorithm${end}`]: search && search.algorithm !== usual ? search.algorithm : "",
  };
  for (const name of NAMES) place[name + end] = String(search?.conventions[name] ?? "");
  return place;
}

/**
 * The address of settings: what is usual is left out.
 * @param {TreeSettings} settings @returns {Place}
 */
export const placeOf = ({ text, depth, second, step, shelf, ...first }) => ({
  tree: text,
  depth: isTree(text) || depth === DEPTH ? "" : String(depth),
  step: step ? String(step) : "",
  shelf: shelf === "steps" ? "" : shelf,
  ...placeOfSearch(first, "", ALGORITHM),
  ...placeOfSearch(second, "2", ""),
});
