// A board: a drawing with an ARIA grid of transparent cells over it. Arrows move, Enter or Space
// plays; under gravity digits play columns, wherever the focus is. What has not changed since the
// last drawing is left as it is.
import { button, classes, html, svg } from "./dom.js";
import { at, coordinates, levelParts, paths, Plan, stoneAt } from "./drawing.js";
import { fitted } from "./fitting.js";
import { fall, grow, sketch } from "./motion.js";
import { spoken } from "./wording.js";
import { arrowParts } from "./arrows.js";
import { threatParts } from "./threats.js";
import { worthParts } from "./worth.js";

const NAMES = { x: "X", o: "O" };
/** A cell in pixels from which a finger hits it. */
const HIT = 32;

/**
 * What is shown on a board beside its stones.
 * @typedef {object} Marks
 * @property {number | null} [last] the cell played last
 * @property {number[]} [best] the best moves
 * @property {Map<number, Note[]>} [notes] words on cells
 * @property {number[]} [line] a line of play, previewed
 * @property {boolean} [isLocked] nobody can play
 * @property {Map<number, Worth>} [worth] what moves are worth
 * @property {Arrow[]} [arrows]
 * @property {Threat[]} [threats]
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

/** What a board consists of, from below; `worths` is for fills beneath the stones. */
const PARTS = [
  "ground",
  "blanks",
  "lit",
  "worths",
  "stones",
  "tried",
  "front",
  "labels",
  "marks",
  "chosen",
];

export class Board {
  /** @type {Shown | null} */
  shown = null;
  /** @type {Marks} */
  marks = {};
  /** Where cells stand. @type {Plan | null} */
  plan = null;
  /** By cell. @type {HTMLElement[]} */
  cells = [];
  /** What stands on each cell, and what is written there. @type {Piece[]} */
  pieces = [];
  /** The cell that keys reach first. @type {number | null} */
  focused = null;
  /** The cell under the pointer, or that keys are on. @type {number | null} */
  pointed = null;
  /** The cell that a finger has to confirm. @type {number | null} */
  chosen = null;
  isLocked = false;
  /** What is drawn of it. @type {Pick<Marks, "worth" | "arrows" | "threats">} */
  known = {};
  /** A cell in pixels. */
  unit = 0;

  /** @param {(move: string) => void} onplay */
  constructor(onplay) {
    this.onplay = onplay;
    this.layers = Object.fromEntries(PARTS.map((name) => [name, svg("g", { class: name })]));
    this.base = svg("svg", { class: "drawing", "aria-hidden": "true" }, Object.values(this.layers));
    /** Lines, arrows and threats, in units of a cell: above the drawing, below the cells. */
    this.overlay = svg("svg", { class: "drawing overlay", "aria-hidden": "true" });
    this.grids = html("div", { class: "grids" });
    this.surface = html("div", { class: "surface" }, this.base, this.overlay, this.grids);
    this.confirmation = html("div", { class: "confirm", role: "status" });
    this.element = html(
      "div",
      { class: "board", onkeydown: (/** @type {KeyboardEvent} */ event) => this.hearKey(event) },
      this.surface,
      this.confirmation,
    );
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  listen() {
    /** @param {string} kind @param {(cell: number, event: any) => void} act */
    const on = (kind, act) =>
      this.grids.addEventListener(kind, (event) => {
        const target = /** @type {Element} */ (event.target).closest("[data-cell]");
        if (target) act(this.cells.indexOf(/** @type {HTMLElement} */ (target)), event);
      });
    on("click", (cell, { pointerType }) => this.tap(cell, pointerType === "touch"));
    on("focusin", (cell, { target }) => this.takeFocus(cell, target.matches(":focus-visible")));
    on("pointerover", (cell, { pointerType }) => pointerType === "mouse" && this.point(cell));
    this.grids.addEventListener("pointerleave", () => this.point(null));
    this.grids.addEventListener("focusout", () => this.point(null));
  }

  /** @param {Shown} shown @param {Marks} marks */
  draw(shown, marks) {
    const before = this.shown;
    this.shown = shown;
    this.marks = marks;
    this.isLocked = Boolean(marks.isLocked) || shown.over;
    if (!before || !isSameBoard(before, shown)) this.build(shown);
    if (before?.position !== shown.position) this.choose(null);
    const moved = before && this.layers.stones.hasChildNodes() ? newStone(before, shown) : null;
    const landings = landingsOf(shown);
    const states = shown.names.map((_, cell) => cellState(shown, cell, marks));
    states.forEach((state, cell) => {
      const isDisabled = this.isLocked || landings[cell] === null;
      this.drawPiece(cell, state, cell === moved);
      this.describe(cell, state, isDisabled);
    });
    this.drawMarks(before);
    this.drawKnown(marks);
    this.drawPointed();
    this.writeNotes();
    const first = shown.moves[0] ?? shown.cells.search(/[^#]/);
    const target = this.focused !== null && this.cells[this.focused] ? this.focused : first;
    this.cells.forEach((cell, number) => set(cell, "tabindex", number === target ? "0" : "-1"));
  }

  /** The board of a game, empty. @param {Shown} shown */
  build(shown) {
    const { drawing } = shown;
    if (!drawing) return;
    const hadFocus = this.grids.contains(document.activeElement);
    this.pieces = shown.names.map(() => ({ sign: "", kinds: "", words: [] }));
    this.cells = shown.names.map((_, cell) => cellElement(shown, cell));
    this.pointed = null;
    const planes = drawing.levels.map((_, level) => this.plane(shown, level));
    this.grids.replaceChildren(...planes);
    this.lay(drawing, this.abreast(drawing));
    if (hadFocus) this.cells[this.focused ?? 0]?.focus({ preventScroll: true });
  }

  /** So many levels in a row that cells are largest; rows are full. @param {Drawing} drawing */
  abreast(drawing) {
    const width = this.element.clientWidth || Infinity;
    const height = parseFloat(getComputedStyle(this.surface).maxHeight) || Infinity;
    /** @param {number} number */
    const unit = (number) => {
      const [wide, high] = new Plan(drawing, number).size;
      return Math.min(width / wide, height / high);
    };
    const { length } = drawing.levels;
    const numbers = drawing.levels.map((_, level) => level + 1).filter((n) => length % n === 0);
    return numbers.reduce((best, number) => (unit(number) >= unit(best) ? number : best));
  }

  /** @param {Drawing} drawing @param {number} abreast levels side by side */
  lay(drawing, abreast) {
    const plan = (this.plan = new Plan(drawing, abreast));
    const [wide, high] = plan.size;
    this.element.className = classes(`board ${drawing.style}`, {
      levels: drawing.levels.length > 1,
    });
    this.surface.style.setProperty("--ratio", String(wide / high));
    for (const drawn of [this.base, this.overlay])
      drawn.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.overlay.replaceChildren();
    this.known = {};
    this.layers.ground.append(...levelParts(plan, "ground"));
    this.layers.front.append(...levelParts(plan, "front"));
    this.layers.labels.append(...coordinates(plan));
    this.cells.forEach((cell, number) => {
      const [x, y] = plan.centre(number);
      const height = Math.min(1, drawing.row[1]);
      cell.style.left = `${(100 * (x - 0.5)) / wide}%`;
      cell.style.top = `${(100 * (y - height / 2)) / high}%`;
      cell.style.width = `${100 / wide}%`;
      cell.style.height = `${(100 * height) / high}%`;
    });
    for (const piece of this.pieces) piece.sign = "";
    this.measure();
  }

  /** Whether a cell's size has changed. */
  measure() {
    const unit = this.plan ? this.surface.clientWidth / this.plan.size[0] : 0;
    const isNew = Math.abs(unit - this.unit) > 0.25;
    this.unit = unit;
    return isNew;
  }

  /** Cells are larger or smaller than they were. */
  resize() {
    if (!this.shown?.drawing || !this.plan || !this.element.clientWidth) return;
    const abreast = this.abreast(this.shown.drawing);
    if (abreast !== this.plan.abreast) {
      this.lay(this.shown.drawing, abreast);
      this.draw(this.shown, this.marks);
    }
    if (this.measure()) this.writeNotes();
  }

  /** The middle of a cell, in units of the overlay. @param {number} cell @returns {Point} */
  centre(cell) {
    return this.plan?.centre(cell) ?? [0, 0];
  }

  /** A level as a grid. @param {Shown} shown @param {number} level */
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

  /** The stone on a cell, or that of a line that is previewed. @param {number} cell @param {CellState} state @param {boolean} isNew */
  drawPiece(cell, { stone, ghost }, isNew) {
    const piece = this.pieces[cell];
    const sign = stone ? stone : ghost ? `${ghost.side} ${ghost.number}` : "";
    if (piece.sign === sign) return;
    piece.sign = sign;
    piece.drawn?.remove();
    piece.drawn = undefined;
    const side = /** @type {Side} */ ((stone ?? ghost?.side)?.toLowerCase());
    if (!side || !this.plan || !this.shown) return;
    piece.drawn = stoneAt(this.plan, cell, side);
    this.layers.stones.append(piece.drawn);
    if (ghost && !stone) {
      piece.drawn.classList.add("ghost");
      piece.drawn.append(svg("text", { class: "number", y: 0.14 }, ghost.number));
    } else if (isNew && this.shown.gravity) {
      fall(
        piece.drawn,
        1 + (Math.floor(cell / geometry(this.shown).width) % geometry(this.shown).height),
      );
    } else if (isNew) sketch(piece.drawn);
  }

  /** What a cell is to those who hear it, and to the style. @param {number} cell @param {CellState} state @param {boolean} isDisabled */
  describe(cell, state, isDisabled) {
    if (!this.shown || isHole(this.shown, cell)) return;
    const element = this.cells[cell];
    const { stone, ghost, notes, isLast, isWon, isBest } = state;
    const flags = { taken: stone, last: isLast, won: isWon, best: isBest, ghosted: ghost };
    set(element, "class", classes("cell", flags));
    set(element, "aria-label", cellLabel(this.shown.names[cell], state));
    set(element, "title", notes.map(({ title }) => title).join(", ") || null);
    set(element, "aria-disabled", isDisabled ? "true" : null);
  }

  /** The last move, the best ones, and the winning line. @param {Shown | null} before */
  drawMarks(before) {
    const { shown, plan } = this;
    if (!shown?.drawing || !plan) return;
    const { last = null, best = [] } = this.marks;
    const wasStruck = Boolean(before?.strike) || !before;
    const struck = shown.strike ? plan.path(shown.strike) : "";
    const strike = struck
      ? paths([
          ["under", struck],
          ["won", struck],
        ])
      : [];
    this.layers.marks.replaceChildren(
      ...best.map((cell) => at(plan.centre(cell), svg("circle", { class: "best", r: 0.47 }))),
      ...(last === null ? [] : [at(plan.centre(last), paths([shown.drawing.last]))]),
      ...strike,
    );
    if (!wasStruck) for (const path of strike) grow(path);
  }

  /** What is known of the moves, and threatened. @param {Marks} marks */
  drawKnown({ worth, arrows, threats }) {
    const centre = (/** @type {number} */ cell) => this.centre(cell);
    if (isNews(this.known.worth, worth)) {
      this.known.worth = worth;
      this.layers.worths.replaceChildren(...(worth ? worthParts(worth, centre) : []));
    }
    if (isNews(this.known.arrows, arrows) || isNews(this.known.threats, threats)) {
      Object.assign(this.known, { arrows, threats });
      const parts = [...threatParts(threats ?? [], centre), ...arrowParts(arrows ?? [], centre)];
      this.overlay.replaceChildren(...parts);
    }
  }

  /** Write the notes as large as they fit on the cells, in short or not at all where they do not. */
  writeNotes() {
    const notes = this.marks.notes ?? new Map();
    const side = this.unit * (this.shown?.drawing?.room ?? 1);
    const free = this.pieces.flatMap((piece, cell) =>
      side && notes.get(cell)?.length && !piece.sign ? [cell] : [],
    );
    const { font, texts } = fitted(
      free.map((cell) => notes.get(cell) ?? []),
      side,
    );
    this.grids.style.fontSize = `${font}px`;
    const written = new Map(free.map((cell, number) => [cell, texts[number]]));
    this.pieces.forEach((piece, cell) => write(this.cells[cell], piece, written.get(cell) ?? []));
    const isOnLines = this.shown?.drawing?.style === "crossings";
    this.blank(isOnLines ? free.filter((_, number) => texts[number].some(({ text }) => text)) : []);
  }

  /** Where words stand on crossings there are no lines. @param {number[]} cells */
  blank(cells) {
    const data = cells.map((cell) => `M${this.centre(cell).join(" ")}${BLANK}`).join("");
    const [blank] = this.layers.blanks.children;
    if ((blank?.getAttribute("d") ?? "") === data) return;
    this.layers.blanks.replaceChildren(...(data ? paths([["wood", data]]) : []));
  }

  /** @param {number} cell @param {boolean} isByKeys */
  takeFocus(cell, isByKeys) {
    this.focused = cell;
    this.cells.forEach((other, number) => set(other, "tabindex", number === cell ? "0" : "-1"));
    if (isByKeys) this.point(cell);
  }

  /** @param {number | null} cell */
  point(cell) {
    if (this.pointed === cell) return;
    this.pointed = cell;
    this.drawPointed();
  }

  /** The stone that would be put, and the lines of a cube through the cell that is pointed at. */
  drawPointed() {
    const { shown, plan } = this;
    if (!shown?.drawing || !plan) return;
    const cell = this.pointed ?? this.chosen;
    const target = cell === null || this.isLocked ? null : landing(shown, cell);
    const isFree = target !== null && !this.pieces[target].sign;
    const through = cell === null ? [] : (shown.drawing.lines ?? []);
    const lit = new Set(through.filter((line) => line.includes(cell ?? -1)).flat());
    this.layers.lit.replaceChildren(
      ...[...lit].map((each) => at(plan.centre(each), svg("path", { class: "through", d: LIT }))),
    );
    const tried = isFree ? stoneAt(plan, target, shown.side) : null;
    tried?.classList.add("tried");
    this.layers.tried.replaceChildren(...(tried ? [tried] : []));
  }

  /**
   * A finger on small cells says first which one it means.
   * @param {number} cell @param {boolean} isFinger
   */
  tap(cell, isFinger) {
    const target = this.shown && landing(this.shown, cell);
    const isSure = !isFinger || this.unit >= HIT || target === this.chosen;
    if (isSure || this.isLocked || target === null) return this.play(cell);
    this.choose(target);
  }

  /** @param {number | null} cell */
  choose(cell) {
    if (this.chosen === cell) return;
    this.chosen = cell;
    const { shown, plan } = this;
    const name = cell === null || !shown ? "" : spoken(shown, cell);
    this.confirmation.replaceChildren(
      ...(cell === null ? [] : [button(`Play ${name}`, () => this.play(cell)), " or tap again"]),
    );
    this.layers.chosen.replaceChildren();
    if (cell !== null && plan) this.layers.chosen.append(...crosshair(plan, cell));
    this.drawPointed();
  }

  /** @param {number} cell */
  play(cell) {
    const target = this.shown && landing(this.shown, cell);
    if (!this.shown || this.isLocked || target === null) return;
    this.focused = cell;
    this.choose(null);
    this.onplay(this.shown.names[target]);
  }

  /** Under gravity digits play their columns. @returns {Key[]} */
  get keys() {
    if (!this.shown?.gravity || this.shown.text) return [];
    const { width, levels } = geometry(this.shown);
    const keys = Array.from({ length: Math.min(9, width * levels) }, (_, n) => `${n + 1}`);
    const act = (/** @type {string} */ name) => this.playColumn(Number(name) - 1);
    return [{ keys, sign: `1 to ${keys.length}`, text: "play a column", act }];
  }

  /** Play a column, level by level. @param {number} number from 0 */
  playColumn(number) {
    if (!this.shown) return;
    const { width, height } = geometry(this.shown);
    this.play(Math.floor(number / width) * width * height + (number % width));
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

/**
 * What stands on a cell, as it was drawn last.
 * @typedef {{ sign: string, drawn?: SVGElement, kinds: string, words: Text[] }} Piece
 * @typedef {ReturnType<typeof cellState>} CellState
 */

const BLANK = "m-.42 0a.42.42 0 1 0 .84 0a.42.42 0 1 0-.84 0z";
const LIT = "M-.46-.46h.92v.92h-.92z";

/** @param {Map<number, unknown> | unknown[]} [marks] */
const listed = (marks) => (marks ? JSON.stringify([...marks]) : "");

/** @param {Map<number, unknown> | unknown[]} [before] @param {Map<number, unknown> | unknown[]} [after] */
const isNews = (before, after) => before !== after && listed(before) !== listed(after);

/** @param {Shown} shown @param {Shown} other */
const isSameBoard = (shown, other) =>
  shown.game === other.game &&
  shown.names.length === other.names.length &&
  (shown.drawing === other.drawing ||
    JSON.stringify(shown.drawing) === JSON.stringify(other.drawing));

/** The cell of the one stone by which two positions differ. @param {Shown} before @param {Shown} after */
export function newStone(before, after) {
  const changed = [...after.cells].flatMap((sign, cell) =>
    sign === before.cells[cell] ? [] : [cell],
  );
  return changed.length === 1 && before.cells[changed[0]] === "." ? changed[0] : null;
}

/** Where a stone comes to lie that is put on a cell, by cell. @param {Shown} shown */
function landingsOf(shown) {
  const moves = new Set(shown.moves);
  const known = (/** @type {number} */ cell) =>
    moves.has(cell) ? cell : shown.gravity ? landing(shown, cell) : null;
  return shown.names.map((_, cell) => known(cell));
}

/** @param {Element} element @param {string} name @param {string | null} value */
function set(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** @param {Shown} shown @param {number} cell */
const cellElement = (shown, cell) =>
  isHole(shown, cell)
    ? html("div", { class: "cell hole", role: "gridcell" })
    : html("div", { class: "cell", role: "gridcell", tabindex: "-1", "data-cell": cell });

/**
 * Words on a cell: where there are as many of the same kinds, only their letters change.
 * @param {HTMLElement} element @param {Piece} piece @param {{ kind: string, text: string }[]} words
 */
function write(element, piece, words) {
  const kinds = words.map(({ kind }) => kind).join();
  if (piece.kinds !== kinds) {
    piece.kinds = kinds;
    piece.words = words.map(() => document.createTextNode(""));
    const spans = words.map(({ kind }, line) =>
      html("span", { class: `note ${kind}` }, piece.words[line]),
    );
    element.replaceChildren(...(spans.length ? [html("span", { class: "notes" }, spans)] : []));
  }
  words.forEach(({ text }, line) => {
    if (piece.words[line].data !== text) piece.words[line].data = text;
  });
}

/** The row and the column of a cell that a finger has chosen, and its place. @param {Plan} plan @param {number} cell */
function crosshair(plan, cell) {
  const [x, y] = plan.centre(cell);
  const { columns, rows, row } = plan.drawing;
  const number = cell % columns;
  const down = Math.floor(cell / columns) % rows;
  const [left, right] = [x - number, x + columns - 1 - number];
  const [top, bottom] = [-down, rows - 1 - down].map((by) => [x + by * row[0], y + by * row[1]]);
  const lines = `M${left} ${y}H${right}M${top}L${bottom}`;
  return [
    svg("path", { class: "aim", d: lines }),
    svg("circle", { class: "aim", cx: x, cy: y, r: 1 }),
  ];
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
