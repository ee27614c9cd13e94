// A line table's values as sliders: whoever moves one has a table of their own.
import { button, details, html } from "../../dom.js";
import { field } from "../../forms.js";
import { count } from "../../wording.js";

const SETTLED = 150; // milliseconds without a change after which a table is taken
const STEPS = 200; // of a slider to each side of zero
const HEAVIEST = 5;

/**
 * Every number of a table that matters on a board, and how far its slider goes: values of stones
 * of one side alone, then the weights of the kinds of lines.
 * @param {LineTable} table @param {{ longest: number, kinds: string[] }} board
 */
export function tableEntries({ values, weights }, { longest, kinds }) {
  const entries = [];
  for (let stones = 1; stones <= longest; stones++) {
    for (const [key, label] of [
      [`${stones},0`, `${stones} mine`],
      [`0,${stones}`, `${stones} theirs`],
    ]) {
      const value = values[key] ?? 0;
      const most = Math.max(10, 3 * Math.abs(value));
      entries.push({ part: /** @type {const} */ ("values"), key, label, value, most });
    }
  }
  for (const kind of kinds) {
    const weight = { label: `× ${kind}`, value: weights[kind] ?? 1, most: HEAVIEST };
    entries.push({ part: /** @type {const} */ ("weights"), key: kind, ...weight });
  }
  return entries;
}

/**
 * The table with the weights that a board has, and no others.
 * @param {LineTable} table @param {string[]} kinds @returns {LineTable}
 */
export function tableOnBoard({ values, weights }, kinds) {
  return {
    values: { ...values },
    weights: Object.fromEntries(kinds.map((kind) => [kind, weights[kind] ?? 1])),
  };
}

export class Sliders {
  /** @param {(table: LineTable | null) => void} onchange is told of null when all is taken back */
  constructor(onchange) {
    this.onchange = onchange;
    this.list = html("div", { class: "sliders" });
    this.back = button("", () => this.takeBack(), { hidden: true });
    this.element = details("Change the table", this.list, this.back);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {Explanation} explanation @param {Shown} board @param {AnalysisSettings} settings */
  draw({ table }, board, settings) {
    this.back.hidden = !settings.table;
    this.back.textContent = `back to ${settings.heuristic}`;
    if (!table || this.list.contains(document.activeElement)) return;
    const own = tableOnBoard(table, board.kinds);
    const sliders = tableEntries(table, board).map(({ part, key, ...entry }) =>
      this.slider(entry, (number) => {
        own[part][key] = number;
        this.changeTo(own);
      }),
    );
    this.list.replaceChildren(...sliders);
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
