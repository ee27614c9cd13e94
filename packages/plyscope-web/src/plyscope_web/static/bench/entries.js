// The numbers of a line table that matter on a board, by group.
import { ownNothing } from "../shell/tables.js";

const HEAVIEST = 5;
const LEAST_RANGE = 10;
const MOST_NAMED = 4;
const ENDS = ["at no end", "at one end", "at both ends"];
/** The descriptions of the parts. @type {Record<Part, string>} */
const PARTS = {
  values: "A line with this many stones of one side and none of the other.",
  weights: "Lines in a direction count this many times.",
  tempo: "Added for lines of the side to move, and of its opponent.",
  kinds: "Added on these lines only, to the values of all lines.",
  ends: "Added for a line of one side's stones, by the cells just beyond it that are empty.",
  cells: "A stone on one of these cells.",
  threats: "An empty cell that completes a line, by who would have it and by its row.",
  mobility: "Each move that does not lose at once.",
  patterns: "An empty cell, by what a stone there would make in each direction.",
  pattern_tempo: "Added for the patterns of the side to move.",
};
const THREATS = [
  ["odd rows, X", "0,1"],
  ["even rows, X", "0,0"],
  ["odd rows, O", "1,1"],
  ["even rows, O", "1,0"],
];

/**
 * Return the entries that can matter on a board. An entry sets the values of all its keys.
 * @param {LineTable} table @param {{ longest: number, kinds: string[] }} board
 * @param {Scope} scope @returns {Entry[]}
 */
export function tableEntries(table, { longest, kinds }, { orbits, ends, rows, unsafe, patterns }) {
  /** @type {Entry[]} */
  const entries = [];
  /** @param {string} group @param {Part} part @param {string} label @param {string[]} keys */
  const add = (group, part, label, ...keys) => {
    const value = table[part]?.[keys[0]] ?? 0;
    const most = Math.max(LEAST_RANGE, 3 * Math.abs(value));
    entries.push({ group, part, keys, label, value, most });
  };
  const counts = Array.from({ length: longest }, (_, index) => index + 1);
  for (const stones of counts) {
    add("Stones on a line", "values", `${stones} mine`, `${stones},0`);
    add("Stones on a line", "values", `${stones} theirs`, `0,${stones}`);
  }
  for (const kind of kinds) {
    const value = table.weights[kind] ?? 1;
    const [group, label] = ["Directions", `${kindText(kind)} ×`];
    entries.push({ group, part: "weights", keys: [kind], label, value, most: HEAVIEST });
  }
  for (const stones of counts) {
    add("Who is to move", "tempo", `${stones}, side to move`, `${stones},0`);
    add("Who is to move", "tempo", `${stones}, opponent`, `0,${stones}`);
  }
  for (const kind of kinds.length > 1 ? kinds : []) {
    const group = `Only ${kindText(kind)}`;
    for (const stones of counts) {
      add(group, "kinds", `${stones} mine`, `${kind} values ${stones},0`);
      add(group, "kinds", `${stones} theirs`, `${kind} values 0,${stones}`);
      add(group, "kinds", `${stones}, side to move`, `${kind} tempo ${stones},0`);
      add(group, "kinds", `${stones}, opponent`, `${kind} tempo 0,${stones}`);
    }
  }
  for (const stones of ends ? counts.slice(0, -1) : [])
    ENDS.forEach((where, empty) =>
      add("Ends of a line", "ends", `${stones}, open ${where}`, `${stones},${empty}`),
    );
  for (const orbit of orbits) add("Cells", "cells", cellsText(orbit), ...orbit);
  if (rows) for (const [label, key] of THREATS) add("Threats", "threats", label, key);
  else add("Threats", "threats", "a cell that completes a line", ...THREATS.map(([, key]) => key));
  if (unsafe) add("Moves", "mobility", "a safe move", "safe");
  for (const [stones, isOpen] of patterns) {
    const label = `${isOpen ? "open" : "closed"} ${stones}`;
    add("Patterns", "patterns", label, `${stones},${isOpen}`);
    add("Patterns to move", "pattern_tempo", label, `${stones},${isOpen}`);
  }
  return entries;
}

/** Lines of a kind: `rows`, `space diagonals`. @param {string} kind */
const kindText = (kind) => `${kind.replace("-", " ")}s`;

/** Return the description of a group. @param {Entry[]} entries */
export const groupText = ([{ part }]) => PARTS[part];

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
