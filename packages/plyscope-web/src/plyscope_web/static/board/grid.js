// The transparent cells over a board: an ARIA grid for each level, with the notes.
import { classes, html } from "../shell/dom.js";
import { geometry, isHole } from "./cells.js";

const NAMES = { x: "X", o: "O" };

/** @typedef {ReturnType<typeof cellState>} CellState */

/**
 * What there is to see on a cell.
 * @param {Shown} shown @param {number} cell @param {Marks} marks
 */
export function cellState(shown, cell, { last = null, best = [], notes = new Map(), line = [] }) {
  const number = line.lastIndexOf(cell);
  return {
    stone: NAMES[/** @type {Side} */ (shown.cells[cell])],
    ghost:
      number < 0
        ? null
        : { number: number + 1, side: NAMES[/** @type {Side} */ (shown.upcoming[number])] },
    note: /** @type {Note | undefined} */ (notes.get(cell)),
    isLast: cell === last,
    isWon: shown.line?.includes(cell),
    isBest: best.includes(cell),
  };
}

/**
 * Return the label of a cell: first what is written on it (for voice control), then the rest.
 * @param {string} name @param {CellState} state @param {string} written
 */
function cellLabel(name, { stone, ghost, note, isLast, isWon, isBest }, written) {
  const words = [name, stone ?? "empty"];
  if (isLast) words.push("last move");
  if (isWon) words.push("in the winning line");
  if (isBest) words.push("best");
  if (written) words.push(written);
  if (note && note.title !== written) words.push(note.title);
  if (ghost) words.push(`move ${ghost.number} of the line, ${ghost.side}`);
  return words.join(", ");
}

/** Write a note on a cell, above a sign; of a note of the same kind only the text changes. */
class Words {
  kind = "";
  sign = "";
  text = document.createTextNode("");

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /** @param {string} kind @param {string} text @param {string} sign */
  write(kind, text, sign) {
    if (this.kind !== kind || this.sign !== sign) {
      Object.assign(this, { kind, sign });
      const note = html("span", { class: `note ${kind}` }, this.text);
      const below = sign && html("span", { class: "sign" }, sign);
      this.element.replaceChildren(
        ...(kind ? [html("span", { class: "notes" }, note, below)] : []),
      );
    }
    if (this.text.data !== text) this.text.data = text;
  }
}

export class Grid {
  element = html("div");
  /** By number. @type {HTMLElement[]} */
  cells = [];
  /** By cell. @type {Words[]} */
  words = [];
  /** The label of each cell, as a function of its note. @type {((written: string) => string)[]} */
  labels = [];

  /** Build the cells of a game anew, level by level. @param {Shown} shown */
  build(shown) {
    this.cells = shown.names.map((_, cell) => cellElement(shown, cell));
    this.words = this.cells.map((element) => new Words(element));
    this.labels = [];
    const { levels } = geometry(shown);
    this.element.replaceChildren(
      ...Array.from({ length: levels }, (_, at) => this.plane(shown, at)),
    );
  }

  /** A level. @param {Shown} shown @param {number} level */
  plane(shown, level) {
    const { width, height, levels } = geometry(shown);
    const size = `${shown.game}, ${width} columns, ${height} rows`;
    const rows = Array.from({ length: height }, (_, row) => {
      const first = (level * height + row) * width;
      return html("div", { class: "row", role: "row" }, this.cells.slice(first, first + width));
    });
    const name = shown.drawing?.levels[level].labels.at(-1)?.[2];
    const label = levels > 1 ? `${name} of ${shown.game}` : size;
    return html("div", { class: "plane", role: "grid", "aria-label": label }, rows);
  }

  /** Put the cells where they are drawn. @param {import("./drawing.js").Plan} plan */
  lay(plan) {
    const [wide, high] = plan.size;
    const height = Math.min(1, plan.drawing.row[1]);
    this.cells.forEach(({ style }, number) => {
      const [x, y] = plan.centre(number);
      style.left = `${(100 * (x - 0.5)) / wide}%`;
      style.top = `${(100 * (y - height / 2)) / high}%`;
      style.width = `${100 / wide}%`;
      style.height = `${(100 * height) / high}%`;
    });
  }

  /**
   * What a cell is to those who hear it, and to the style.
   * @param {Shown} shown @param {number} cell @param {CellState} state @param {boolean} isDisabled
   */
  describe(shown, cell, state, isDisabled) {
    if (isHole(shown, cell)) return;
    const element = this.cells[cell];
    const { stone, ghost, note, isLast, isWon, isBest } = state;
    this.labels[cell] = (written) => cellLabel(shown.names[cell], state, written);
    const flags = { taken: stone, last: isLast, won: isWon, best: isBest, ghosted: ghost };
    set(element, "class", classes("cell", flags));
    set(element, "title", note?.title || null);
    set(element, "aria-disabled", isDisabled ? "true" : null);
  }

  /**
   * Write on cells, and nothing on the others, once they have been described.
   * @param {Map<number, Note>} written @param {number} font in pixels
   */
  write(written, font) {
    this.element.style.fontSize = `${font}px`;
    this.words.forEach((words, cell) => {
      const { kind, text, sign = "" } = written.get(cell) ?? { kind: "", text: "" };
      words.write(kind, text, sign);
      if (this.labels[cell]) set(this.cells[cell], "aria-label", this.labels[cell](text));
    });
  }

  /** Let keys come in at one cell alone. @param {number | null} cell */
  enterAt(cell) {
    this.cells.forEach((other, number) => set(other, "tabindex", number === cell ? "0" : "-1"));
  }

  /** The cell of an element in the grid; -1 for any other. @param {EventTarget | null} element */
  cellOf(element) {
    const cell = /** @type {Element | null} */ (element)?.closest("[data-cell]");
    return this.cells.indexOf(/** @type {HTMLElement} */ (cell));
  }

  get hasFocus() {
    return this.element.contains(document.activeElement);
  }
}

/** @param {Shown} shown @param {number} cell */
const cellElement = (shown, cell) =>
  isHole(shown, cell)
    ? html("div", { class: "cell hole", role: "gridcell" })
    : html("div", { class: "cell", role: "gridcell", tabindex: "-1", "data-cell": cell });

/** @param {Element} element @param {string} name @param {string | null} value */
function set(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
