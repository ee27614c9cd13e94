// A playable board: a drawing under a grid of transparent cells, with keys.
import { button, classes, html } from "../shell/dom.js";
import { geometry, landing, landingsOf, stepOver } from "./cells.js";
import { Plan } from "./drawing.js";
import { fitted } from "./fitting.js";
import { cellState, Grid } from "./grid.js";
import { Scene } from "./scene.js";
import { spoken } from "../shell/wording.js";
import { roomInMark } from "./valuemarks.js";

/** A cell in pixels from which a finger hits it. */
const HIT = 32;
const HOW = "Tap a cell, then tap it again to play there.";

export class Board {
  scene = new Scene();
  grid = new Grid();
  /** @type {Shown | null} */
  shown = null;
  /** @type {Marks} */
  marks = {};
  /** The cell that keys reach first. @type {number | null} */
  focused = null;
  /** The cell under the pointer, or that keys are on. @type {number | null} */
  pointed = null;
  /** The cell that a finger has to confirm. @type {number | null} */
  chosen = null;
  isLocked = false;
  /** A cell in pixels. */
  unit = 0;

  /**
   * @param {(move: string) => void} onplay
   * @param {(cell: number | null) => void} [onpoint] receives the cell that is pointed at or chosen
   */
  constructor(onplay, onpoint) {
    this.onplay = onplay;
    this.onpoint = onpoint;
    const { base, overlay } = this.scene;
    this.surface = html("div", { class: "surface" }, base, overlay, this.grid.element);
    this.how = html("span", { class: "how help" }, HOW);
    this.answer = html("span", { role: "status" });
    const confirmation = html("div", { class: "confirm" }, this.how, this.answer);
    this.element = html("div", { class: "board" }, this.surface, confirmation);
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  listen() {
    const { element } = this.grid;
    /** @param {string} kind @param {(cell: number, event: any) => void} act */
    const on = (kind, act) =>
      element.addEventListener(kind, (event) => {
        const cell = this.grid.cellOf(event.target);
        if (cell >= 0) act(cell, event);
      });
    on("click", (cell, { pointerType }) => this.tap(cell, pointerType === "touch"));
    on("focusin", (cell, { target }) => this.takeFocus(cell, target.matches(":focus-visible")));
    on("pointerover", (cell, { pointerType }) => pointerType === "mouse" && this.point(cell));
    on("keydown", (cell, event) => this.hearKey(cell, event));
    element.addEventListener("pointerleave", () => this.point(null));
    element.addEventListener("focusout", () => this.point(null));
  }

  /** @param {Shown} shown @param {Marks} marks */
  draw(shown, marks) {
    const before = this.shown;
    this.shown = shown;
    this.marks = marks;
    this.isLocked = Boolean(marks.isLocked) || shown.over;
    if (!before || !isSameBoard(before, shown)) this.build(shown);
    if (before?.position !== shown.position) this.choose(null);
    this.how.hidden = shown.over || this.chosen !== null;
    const landings = landingsOf(shown);
    const states = shown.names.map((_, cell) => cellState(shown, cell, marks));
    this.scene.draw(before, shown, states, marks);
    states.forEach((state, cell) =>
      this.grid.describe(shown, cell, state, this.isLocked || landings[cell] === null),
    );
    this.drawPointed();
    this.writeNotes();
    const isKnown = this.focused !== null && this.grid.cells[this.focused];
    this.grid.enterAt(isKnown ? this.focused : (shown.moves[0] ?? shown.cells.search(/[^#]/)));
  }

  /** The board of a game, empty. @param {Shown} shown */
  build(shown) {
    const { drawing } = shown;
    if (!drawing) return;
    const { hasFocus } = this.grid;
    this.pointed = null;
    this.grid.build(shown);
    this.lay(drawing, this.abreast(drawing));
    if (hasFocus) this.grid.cells[this.focused ?? 0]?.focus({ preventScroll: true });
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
    const plan = new Plan(drawing, abreast);
    const [wide, high] = plan.size;
    this.element.className = classes(`board ${drawing.style}`, {
      levels: drawing.levels.length > 1,
    });
    this.surface.style.setProperty("--ratio", String(wide / high));
    this.scene.lay(plan, this.grid.cells.length);
    this.grid.lay(plan);
    this.measure();
  }

  /** Return whether a cell's size has changed. */
  measure() {
    const { plan } = this.scene;
    const unit = plan ? this.surface.clientWidth / plan.size[0] : 0;
    const isNew = Math.abs(unit - this.unit) > 0.25;
    this.unit = unit;
    this.element.classList.toggle("fine", unit < HIT);
    return isNew;
  }

  /** Cells are larger or smaller than they were. */
  resize() {
    const { plan } = this.scene;
    if (!this.shown?.drawing || !plan || !this.element.clientWidth) return;
    const abreast = this.abreast(this.shown.drawing);
    if (abreast !== plan.abreast) {
      this.lay(this.shown.drawing, abreast);
      this.draw(this.shown, this.marks);
    }
    if (this.measure()) this.writeNotes();
  }

  /** Write the notes as large as they fit on the cells, in short or not at all where they do not. */
  writeNotes() {
    const { scene, grid, shown } = this;
    /** @type {[number, Note][]} */
    const notes = this.unit
      ? [...(this.marks.notes ?? [])].filter(([cell]) => scene.isFree(cell))
      : [];
    const { font, texts } = fitted(
      notes.map(([, note]) => note),
      this.unit * (shown?.drawing?.room ?? 1),
      this.unit * roomInMark(shown?.drawing?.style),
    );
    /** @type {[number, Note][]} */
    const written = notes.map(([cell, note], number) => [cell, { ...note, text: texts[number] }]);
    grid.write(new Map(written), font);
    const isOnLines = shown?.drawing?.style === "crossings";
    scene.blank(isOnLines ? written.flatMap(([cell, { text }]) => (text ? [cell] : [])) : []);
  }

  /** @param {number} cell @param {boolean} isByKeys */
  takeFocus(cell, isByKeys) {
    this.focused = cell;
    this.grid.enterAt(cell);
    if (isByKeys) this.point(cell);
  }

  /** @param {number | null} cell */
  point(cell) {
    if (this.pointed === cell) return;
    this.pointed = cell;
    this.drawPointed();
  }

  /** Draw the lines and the stone of the cell that is pointed at or chosen by touch. */
  drawPointed() {
    const { shown } = this;
    if (!shown?.drawing) return;
    const cell = this.pointed ?? this.chosen;
    const target = cell === null || this.isLocked ? null : landing(shown, cell);
    this.scene.point(shown.drawing.lines ?? [], cell, target, shown.side);
    this.onpoint?.(target);
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
    const name = cell === null || !this.shown ? "" : spoken(this.shown, cell);
    const play = () => this.play(this.chosen);
    this.answer.replaceChildren(
      ...(name ? [button(`Play ${name}`, play, { class: "primary" }), " or tap again"] : []),
    );
    this.how.hidden = Boolean(name);
    this.scene.aim(cell);
    this.drawPointed();
  }

  /** @param {number | null} cell */
  play(cell) {
    const target = this.shown && cell !== null ? landing(this.shown, cell) : null;
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

  /** @param {number} cell @param {KeyboardEvent} event */
  hearKey(cell, event) {
    if (!this.shown || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = stepOver(this.shown, event.key, cell);
    if (event.key === "Enter" || event.key === " ") this.play(cell);
    else if (target === undefined) return;
    else if (target !== null) this.grid.cells[target].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {Shown} shown @param {Shown} other */
const isSameBoard = (shown, other) =>
  shown.game === other.game &&
  shown.names.length === other.names.length &&
  (shown.drawing === other.drawing ||
    JSON.stringify(shown.drawing) === JSON.stringify(other.drawing));
