// A board as an ARIA grid: arrows move, Enter or Space plays; under gravity digits play columns,
// wherever the focus is. Levels of a cube stand side by side.
import { classes, html, svg } from "./dom.js";
import { fitted } from "./fitting.js";
import { letters } from "./wording.js";

const NAMES = { x: "X", o: "O" };

/**
 * What is shown on a board beside its stones.
 * @typedef {object} Marks
 * @property {number | null} [last] the cell played last
 * @property {number[]} [best] the best moves
 * @property {Map<number, Note[]>} [notes] words on cells
 * @property {number[]} [line] a line of play, previewed
 * @property {boolean} [isLocked] nobody can play
 */

/** @param {Shown} shown */
export function geometry({ shape, cells }) {
  const [width, height = 1] = shape;
  return { width, height, levels: cells.length / (width * height) };
}

/**
 * The cell that is taken when `cell` is chosen: under gravity the one where a stone falls in its
 * column; null where none is.
 * @param {Shown} shown @param {number} cell
 */
export function landing(shown, cell) {
  if (shown.moves.includes(cell)) return cell;
  if (!shown.gravity) return null;
  const { width, height } = geometry(shown);
  /** @param {number} at */
  const columnOf = (at) => Math.floor(at / (width * height)) * width + (at % width);
  const inColumn = shown.moves.filter((move) => columnOf(move) === columnOf(cell));
  // a column that a hole parts is several, the lowest first
  return inColumn.filter((move) => move >= cell).at(-1) ?? inColumn[0] ?? null;
}

/** @param {Shown} shown @param {number} cell */
const isHole = (shown, cell) => shown.cells[cell] === "#";

/**
 * Where a key leads from a cell; null where it leads nowhere.
 * @param {string} key @param {number} cell
 * @param {{ width: number, height: number, levels: number }} geometry
 */
export function step(key, cell, { width, height, levels }) {
  const level = Math.floor(cell / (width * height));
  const row = Math.floor(cell / width) % height;
  const column = cell % width;
  /** @type {Record<string, [column: number, row: number, level: number]>} */
  const steps = {
    ArrowLeft: column ? [column - 1, row, level] : [width - 1, row, level - 1],
    ArrowRight: column < width - 1 ? [column + 1, row, level] : [0, row, level + 1],
    ArrowUp: [column, row - 1, level],
    ArrowDown: [column, row + 1, level],
    Home: [0, row, level],
    End: [width - 1, row, level],
    PageUp: [column, row, level - 1],
    PageDown: [column, row, level + 1],
  };
  if (!(key in steps)) return undefined;
  const [toColumn, toRow, toLevel] = steps[key];
  const isThere = toRow >= 0 && toRow < height && toLevel >= 0 && toLevel < levels;
  return isThere ? (toLevel * height + toRow) * width + toColumn : null;
}

/**
 * Where a key leads on a board: over its holes.
 * @param {Shown} shown @param {string} key @param {number} cell
 */
export function stepOver(shown, key, cell) {
  let [from, at] = [cell, step(key, cell, geometry(shown))];
  while (typeof at === "number" && isHole(shown, at) && at !== from)
    [from, at] = [at, step(key, at, geometry(shown))];
  return typeof at === "number" && isHole(shown, at) ? null : at;
}

export class Board {
  /** @type {HTMLElement[]} */
  cells = [];
  /** @type {Shown | null} */
  shown = null;
  /** The cell that keys reach first. @type {number | null} */
  focused = null;
  isLocked = false;
  /** @type {Map<number, Note[]>} */
  notes = new Map();

  /** @param {(move: string) => void} onplay */
  constructor(onplay) {
    this.onplay = onplay;
    this.element = html("div", { class: "board", onkeydown: this.hearKey.bind(this) });
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** @param {Shown} shown @param {Marks} marks */
  draw(shown, marks) {
    const { width, height, levels } = geometry(shown);
    const hadFocus = this.element.contains(document.activeElement);
    this.shown = shown;
    this.isLocked = marks.isLocked || shown.over;
    this.cells = shown.names.map((_, cell) => this.cell(shown, cell, marks));
    const size = Math.max(width, height * 0.8) * (levels > 1 ? 2 : 1);
    this.element.className = classes("board", {
      gravity: shown.gravity,
      dense: size > 9,
      levels: levels > 1,
    });
    this.element.style.setProperty("--columns", String(width));
    this.element.style.setProperty("--levels", String(levels));
    const planes = Array.from({ length: levels }, (_, level) => this.plane(shown, level));
    this.element.replaceChildren(...planes);
    this.notes = marks.notes ?? new Map();
    this.writeNotes();
    const first = shown.moves[0] ?? shown.cells.search(/[^#]/);
    const target = this.cells[this.focused ?? -1] ?? this.cells[first];
    target.tabIndex = 0;
    if (hadFocus && this.focused !== null) target.focus({ preventScroll: true });
  }

  /** Write the notes anew where the cells are larger or smaller than they were. */
  resize() {
    for (const old of this.element.querySelectorAll(".notes")) old.remove();
    this.writeNotes();
  }

  /** Write the notes as large as they fit on the cells, in short or not at all where they do not. */
  writeNotes() {
    if (!this.notes.size) return;
    const free = this.cells.flatMap((element, cell) =>
      this.notes.get(cell)?.length && !element.firstElementChild ? [{ element, cell }] : [],
    );
    const side = free[0]?.element.clientWidth ?? 0;
    if (!side) return;
    const lists = free.map(({ cell }) => this.notes.get(cell) ?? []);
    const { font, texts } = fitted(lists, side);
    free.forEach(({ element }, number) => {
      const words = texts[number].map(({ kind, text }) =>
        html("span", { class: `note ${kind}` }, text),
      );
      const box = html("span", { class: "notes" }, words);
      box.style.fontSize = `${font}px`;
      element.append(box);
    });
  }

  /** A level with its coordinates. @param {Shown} shown @param {number} level */
  plane(shown, level) {
    const { width, height, levels } = geometry(shown);
    const name = `level ${letters(level)}`;
    const size = `${shown.game}, ${width} columns, ${height} rows`;
    const rows = Array.from({ length: height }, (_, row) => {
      const first = (level * height + row) * width;
      return html("div", { class: "row", role: "row" }, this.cells.slice(first, first + width));
    });
    const label = levels > 1 ? `${name} of ${shown.game}` : size;
    const columns = Array.from({ length: width }, (_, column) => columnName(shown, column));
    const numbers = Array.from({ length: height }, (_, row) => height - row);
    return html(
      "div",
      { class: "plane" },
      levels > 1 && html("div", { class: "title", "aria-hidden": "true" }, name),
      coordinates("rows", numbers),
      html("div", { class: "level", role: "grid", "aria-label": label }, rows),
      coordinates("names", columns),
    );
  }

  /** @param {Shown} shown @param {number} cell @param {Marks} marks */
  cell(shown, cell, marks) {
    if (isHole(shown, cell)) return html("div", { class: "cell hole", role: "gridcell" });
    const state = cellState(shown, cell, marks);
    const { stone, ghost, notes, isLast, isWon, isBest } = state;
    const isDisabled = this.isLocked || landing(shown, cell) === null;
    return html(
      "div",
      {
        class: classes("cell", {
          taken: stone,
          last: isLast,
          won: isWon,
          best: isBest,
          ghosted: ghost,
        }),
        role: "gridcell",
        tabindex: "-1",
        "data-cell": cell,
        "aria-label": cellLabel(shown.names[cell], state),
        title: notes.map(({ title }) => title).join(", ") || null,
        "aria-disabled": isDisabled && "true",
        onclick: () => this.play(cell),
        onfocus: () => this.takeFocus(cell),
      },
      ...cellContent(stone, ghost, shown.gravity),
    );
  }

  /** @param {number} cell */
  takeFocus(cell) {
    this.focused = cell;
    this.cells.forEach((other, number) => (other.tabIndex = number === cell ? 0 : -1));
  }

  /** @param {number} cell */
  play(cell) {
    const target = this.shown && landing(this.shown, cell);
    if (!this.shown || this.isLocked || target === null) return;
    this.focused = cell;
    this.onplay(this.shown.names[target]);
  }

  /** Under gravity digits play their columns. @returns {Key[]} */
  get keys() {
    if (!this.shown?.gravity || this.shown.text) return [];
    const keys = Array.from(
      { length: Math.min(9, geometry(this.shown).width) },
      (_, n) => `${n + 1}`,
    );
    const act = (/** @type {string} */ name) => this.playColumn(Number(name));
    return [{ keys, sign: `1 to ${keys.length}`, text: "play a column", act }];
  }

  /** Play a column of the level that keys are on, counted from 1. @param {number} column */
  playColumn(column) {
    if (!this.shown) return;
    const { width, height } = geometry(this.shown);
    const plane = width * height;
    this.play(Math.floor((this.focused ?? 0) / plane) * plane + column - 1);
  }

  /** @param {KeyboardEvent} event */
  hearKey(event) {
    const cell = this.cells.findIndex((element) => element === event.target);
    if (!this.shown || cell < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = stepOver(this.shown, event.key, cell);
    if (event.key === "Enter" || event.key === " ") this.play(cell);
    else if (target === undefined) return;
    else if (target !== null) this.cells[target].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Under gravity moves are typed by their columns. @param {Shown} shown @param {number} column */
export const columnName = (shown, column) => (shown.gravity ? `${column + 1}` : letters(column));

/** @param {string} name @param {(string | number)[]} texts */
function coordinates(name, texts) {
  const items = texts.map((text) => html("span", {}, text));
  return html("div", { class: name, "aria-hidden": "true" }, items);
}

/**
 * What there is to see on a cell.
 * @param {Shown} shown @param {number} cell @param {Marks} marks
 */
function cellState(shown, cell, { last = null, best = [], notes = new Map(), line = [] }) {
  const number = line.lastIndexOf(cell);
  return {
    stone: NAMES[/** @type {Side} */ (shown.cells[cell])],
    ghost:
      number < 0
        ? null
        : { number: number + 1, side: NAMES[/** @type {Side} */ (shown.upcoming[number])] },
    notes: /** @type {Note[]} */ (notes.get(cell) ?? []),
    isLast: cell === last,
    isWon: shown.line?.includes(cell),
    isBest: best.includes(cell),
  };
}

/** @param {string} name @param {ReturnType<typeof cellState>} state */
function cellLabel(name, { stone, ghost, notes, isLast, isWon, isBest }) {
  const words = [name, stone ?? "empty"];
  if (isLast) words.push("last move");
  if (isWon) words.push("in the winning line");
  if (isBest) words.push("best");
  words.push(...notes.map(({ title }) => title));
  if (ghost) words.push(`move ${ghost.number} of the line, ${ghost.side}`);
  return words.join(", ");
}

/**
 * @param {string | undefined} stone @param {{ number: number, side: string } | null} ghost
 * @param {boolean} gravity
 */
function cellContent(stone, ghost, gravity) {
  if (stone) return [stoneDrawing(stone, gravity)];
  if (ghost)
    return [stoneDrawing(ghost.side, gravity), html("span", { class: "number" }, ghost.number)];
  return [];
}

/** Discs, each with its own sign, where stones fall; the letters themselves elsewhere. */
const STONES = {
  X: () => [svg("path", { d: "M10 10l20 20M30 10l-20 20", class: "x" })],
  O: () => [svg("circle", { cx: 20, cy: 20, r: 11, class: "o" })],
  "X disc": () => [
    svg("circle", { cx: 20, cy: 20, r: 16, class: "disc x" }),
    svg("path", { d: "M15 15l10 10M25 15l-10 10", class: "sign" }),
  ],
  "O disc": () => [
    svg("circle", { cx: 20, cy: 20, r: 16, class: "disc o" }),
    svg("circle", { cx: 20, cy: 20, r: 6, class: "sign" }),
  ],
};

/** @param {string} stone @param {boolean} isDisc */
function stoneDrawing(stone, isDisc) {
  const name = /** @type {keyof typeof STONES} */ (isDisc ? `${stone} disc` : stone);
  const box = { class: "stone", viewBox: "0 0 40 40", "aria-hidden": "true" };
  return svg("svg", box, STONES[name]());
}
