// The numbers of a line table that have sliders on a board, in four groups.
import { ownNothing } from "../shell/tables.js";

const HEAVIEST = 5;
const LEAST_RANGE = 10;
const MOST_NAMED = 4;
/** The groups with their descriptions. @type {Record<string, string>} */
export const GROUPS = {
  Lines:
    "A line with this many stones of one side and none of the other; lines in a direction count " +
    "as many times as its factor.",
  Cells: "A stone on one of these cells.",
  Threats:
    "An empty cell that completes a line, by who would have it and by its row, and each move that " +
    "does not lose at once.",
  Patterns: "An empty cell, by what a stone there would make in each direction.",
};
const THREATS = [
  ["odd rows, X", "0,1"],
  ["even rows, X", "0,0"],
  ["odd rows, O", "1,1"],
  ["even rows, O", "1,0"],
];
/** The parts without sliders: few tables use them. @type {Part[]} */
const IN_TEXT = ["tempo", "kinds", "ends", "pattern_tempo"];

/**
 * Return the entries that can matter on a board. An entry sets the values of all its keys.
 * @param {LineTable} table @param {{ longest: number, kinds: string[] }} board
 * @param {Scope} scope @returns {Entry[]}
 */
export function tableEntries(table, { longest, kinds }, { orbits, rows, unsafe, patterns }) {
  /** @type {Entry[]} */
  const entries = [];
  /** @param {string} group @param {Part} part @param {string} label @param {string[]} keys */
  const add = (group, part, label, ...keys) => {
    const value = table[part]?.[keys[0]] ?? 0;
    const most = Math.max(LEAST_RANGE, 3 * Math.abs(value));
    entries.push({ group, part, keys, label, value, most });
  };
  for (let stones = 1; stones <= longest; stones++) {
    add("Lines", "values", `${stones} mine`, `${stones},0`);
    add("Lines", "values", `${stones} theirs`, `0,${stones}`);
  }
  for (const kind of kinds) {
    const [value, label] = [table.weights[kind] ?? 1, `${kind.replace("-", " ")}s ×`];
    entries.push({ group: "Lines", part: "weights", keys: [kind], label, value, most: HEAVIEST });
  }
  for (const orbit of orbits) add("Cells", "cells", cellsText(orbit), ...orbit);
  if (rows) for (const [label, key] of THREATS) add("Threats", "threats", label, key);
  else add("Threats", "threats", "a cell that completes a line", ...THREATS.map(([, key]) => key));
  if (unsafe) add("Threats", "mobility", "a safe move", "safe");
  for (const [stones, isOpen] of patterns)
    add("Patterns", "patterns", `${isOpen ? "open" : "closed"} ${stones}`, `${stones},${isOpen}`);
  return entries;
}

/** Return how many numbers of a table are in use and have no slider. @param {LineTable} table */
export const inText = (table) =>
  IN_TEXT.flatMap((part) => Object.values(table[part] ?? {})).filter(Boolean).length;

/** @param {string[]} orbit */
function cellsText(orbit) {
  const named = orbit.slice(0, MOST_NAMED).join(" ");
  return orbit.length > MOST_NAMED ? `${named} …` : named;
}

/**
 * The table with the weights that a board has, and no others.
 * @param {LineTable} table @param {string[]} kinds @returns {LineTable}
 */
export function tableOnBoard(table, kinds) {
  const { weights, ...parts } = structuredClone(table);
  const kept = Object.fromEntries(kinds.map((kind) => [kind, weights[kind] ?? 1]));
  return { ...ownNothing(), ...parts, weights: kept };
}

/** Return how many numbers of a group are in use. @param {Entry[]} entries */
export function groupSummary(entries) {
  const usual = (/** @type {Entry} */ { part }) => (part === "weights" ? 1 : 0);
  const number = entries.filter((entry) => entry.value !== usual(entry)).length;
  return number ? `${number} in use` : "";
}
