// A line table's values as sliders: whoever moves one has a table of their own.
import { button, details, help, html } from "../../dom.js";
import { field } from "../../forms.js";
import { count } from "../../wording.js";

const SETTLED = 150; // milliseconds without a change after which a table is taken
const STEPS = 200; // of a slider to each side of zero
const HEAVIEST = 5;

const MOST_NAMED = 4;
const STONES = "Stones on a line";
const ENDS = ["at no end", "at one end", "at both ends"];
const THREATS = [
  ["odd rows, X", "0,1"],
  ["even rows, X", "0,0"],
  ["odd rows, O", "1,1"],
  ["even rows, O", "1,0"],
];

/**
 * Every number of a table that matters on a board, by group: values of stones of one side alone, the
 * weights of the kinds of lines, and the terms that can say something there. A slider sets the
 * values of all its keys.
 * @param {LineTable} table @param {{ longest: number, kinds: string[] }} board
 * @param {Scope} scope @returns {Entry[]}
 */
export function tableEntries(table, { longest, kinds }, { orbits, ends, rows, unsafe }) {
  /** @type {Entry[]} */
  const entries = [];
  /** @param {string} group @param {Part} part @param {string} label @param {string[]} keys */
  const add = (group, part, label, ...keys) => {
    const value = table[part]?.[keys[0]] ?? 0;
    entries.push({ group, part, keys, label, value, most: Math.max(10, 3 * Math.abs(value)) });
  };
  const counts = Array.from({ length: longest }, (_, index) => index + 1);
  for (const stones of counts) {
    add(STONES, "values", `${stones} mine`, `${stones},0`);
    add(STONES, "values", `${stones} theirs`, `0,${stones}`);
  }
  for (const kind of kinds) {
    const value = table.weights[kind] ?? 1;
    const label = `× ${kind}`;
    entries.push({ group: STONES, part: "weights", keys: [kind], label, value, most: HEAVIEST });
  }
  for (const stones of counts) {
    add("Who is to move", "tempo", `${stones} to move`, `${stones},0`);
    add("Who is to move", "tempo", `${stones} waiting`, `0,${stones}`);
  }
  for (const kind of kinds.length > 1 ? kinds : []) {
    const group = `Lines of kind ${kind} alone`;
    for (const stones of counts) {
      add(group, "kinds", `${stones} mine`, `${kind} values ${stones},0`);
      add(group, "kinds", `${stones} theirs`, `${kind} values 0,${stones}`);
      add(group, "kinds", `${stones} to move`, `${kind} tempo ${stones},0`);
      add(group, "kinds", `${stones} waiting`, `${kind} tempo 0,${stones}`);
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
  return entries;
}

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
  return { ...parts, weights: kept };
}

export class Sliders {
  /** @param {(table: LineTable | null) => void} onchange is told of null when all is taken back */
  constructor(onchange) {
    this.onchange = onchange;
    this.list = html("div");
    this.back = button("", () => this.takeBack(), { hidden: true });
    this.none = help();
    this.element = details("Change the table", this.none, this.list, this.back);
    /** Groups that are open. @type {Set<string>} */
    this.open = new Set();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {Explanation} explanation @param {Shown} board @param {AnalysisSettings} settings */
  draw({ heuristic, table, scope }, board, settings) {
    this.back.hidden = !settings.table;
    this.back.textContent = `back to ${settings.heuristic}`;
    this.none.hidden = Boolean(table);
    this.none.textContent = `${heuristic} is no table: there is nothing to change`;
    if (!table) return this.list.replaceChildren();
    if (this.list.contains(document.activeElement)) return;
    const own = tableOnBoard(table, board.kinds);
    const entries = tableEntries(table, board, scope);
    const groups = [...new Set(entries.map(({ group }) => group))].map((name) =>
      this.group(
        name,
        this.sliders(
          entries.filter(({ group }) => group === name),
          own,
        ),
      ),
    );
    this.list.replaceChildren(...groups);
  }

  /** @param {Entry[]} entries @param {LineTable} own */
  sliders(entries, own) {
    const sliders = entries.map(({ part, keys, ...entry }) =>
      this.slider(entry, (number) => {
        for (const key of keys) own[part][key] = number;
        this.changeTo(own);
      }),
    );
    return html("div", { class: "sliders" }, sliders);
  }

  /**
   * The first group stands there, the others are opened.
   * @param {string} name @param {HTMLElement} list
   */
  group(name, list) {
    if (name === STONES) return list;
    const group = details(name, list);
    group.open = this.open.has(name);
    group.ontoggle = () => (group.open ? this.open.add(name) : this.open.delete(name));
    return group;
  }

  /**
   * @param {{ label: string, value: number, most: number }} entry
   * @param {(number: number) => void} set
   */
  slider({ label, value, most }, set) {
    const output = html("output", {}, count(value));
    const step = most > STEPS ? Math.ceil(most / STEPS) : 1;
    const input = html("input", { type: "range", min: -most, max: most, step });
    input.value = String(value);
    input.oninput = () => {
      output.textContent = count(Number(input.value));
      set(Number(input.value));
    };
    return html("div", { class: "slider" }, field(label, input), output);
  }

  /** @param {LineTable} table */
  changeTo(table) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onchange(table), SETTLED);
  }

  takeBack() {
    this.list.replaceChildren();
    this.onchange(null);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
