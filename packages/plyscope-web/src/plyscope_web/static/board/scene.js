// The drawing of a board in layers: ground, stones, marks and the values of moves. Only what has
// changed since the last drawing is drawn again.
import { geometry, newStone } from "./cells.js";
import { svg } from "../shell/dom.js";
import { at, coordinates, levelParts, paths, Plan, stoneAt } from "./drawing.js";
import { fall, grow, sketch } from "./motion.js";
import { threatParts } from "./threats.js";
import { valueMarks } from "./valuemarks.js";

/** The layers, from the lowest; `reason` and `values` hold the marks beneath the stones. */
const LAYERS = [
  "ground",
  "blanks",
  "lit",
  "chosen",
  "reason",
  "values",
  "stones",
  "tried",
  "front",
  "labels",
  "marks",
];
const BLANK = "m-.42 0a.42.42 0 1 0 .84 0a.42.42 0 1 0-.84 0z";
const LIT = "M-.46-.46h.92v.92h-.92z";

/**
 * A stone as it was drawn last; `sign` is empty where there is none.
 * @typedef {{ sign: string, drawn?: SVGElement }} Piece
 */
/** @typedef {import("./grid.js").CellState} CellState */

export class Scene {
  layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: name })]));
  base = svg("svg", { class: "drawing", "aria-hidden": "true" }, Object.values(this.layers));
  /** Threats: above all of them, below the cells. */
  overlay = svg("svg", { class: "drawing overlay", "aria-hidden": "true" });
  /** The layout of the cells. @type {Plan | null} */
  plan = null;
  /** By cell. @type {Piece[]} */
  pieces = [];
  /** The marks that are drawn. @type {Pick<Marks, "values" | "threats">} */
  known = {};

  /** Lay out the board of a game, empty. @param {Plan} plan @param {number} cells */
  lay(plan, cells) {
    this.plan = plan;
    this.pieces = Array.from({ length: cells }, () => ({ sign: "" }));
    this.known = {};
    const box = `0 0 ${plan.size.join(" ")}`;
    for (const drawn of [this.base, this.overlay]) drawn.setAttribute("viewBox", box);
    for (const layer of [...Object.values(this.layers), this.overlay]) layer.replaceChildren();
    this.layers.ground.append(...levelParts(plan, "ground"));
    this.layers.front.append(...levelParts(plan, "front"));
    this.layers.labels.append(...coordinates(plan));
  }

  /** The middle of a cell, in units of one. @param {number} cell @returns {Point} */
  centre = (cell) => this.plan?.centre(cell) ?? [0, 0];

  /** Whether nothing stands on a cell, and nothing is previewed there. @param {number} cell */
  isFree(cell) {
    return !this.pieces[cell].sign;
  }

  /**
   * @param {Shown | null} before what was drawn last
   * @param {Shown} shown @param {CellState[]} states @param {Marks} marks
   */
  draw(before, shown, states, marks) {
    if (!shown.drawing || !this.plan) return;
    const moved = before && this.layers.stones.hasChildNodes() ? newStone(before, shown) : null;
    states.forEach((state, cell) => this.drawPiece(shown, cell, state, cell === moved));
    this.drawMarks(before, shown, marks);
    this.drawKnown(marks);
  }

  /**
   * The stone on a cell, or that of a line that is previewed.
   * @param {Shown} shown @param {number} cell @param {CellState} state @param {boolean} isNew
   */
  drawPiece(shown, cell, { stone, ghost }, isNew) {
    const piece = this.pieces[cell];
    const sign = stone ? stone : ghost ? `${ghost.side} ${ghost.number}` : "";
    if (piece.sign === sign) return;
    piece.sign = sign;
    piece.drawn?.remove();
    piece.drawn = undefined;
    const side = /** @type {Side} */ ((stone ?? ghost?.side)?.toLowerCase());
    if (!side || !this.plan) return;
    piece.drawn = stoneAt(this.plan, cell, side);
    this.layers.stones.append(piece.drawn);
    if (ghost && !stone) {
      piece.drawn.classList.add("ghost");
      piece.drawn.append(svg("text", { class: "number", y: 0.14 }, ghost.number));
    } else if (isNew && shown.gravity) {
      const { width, height } = geometry(shown);
      fall(piece.drawn, 1 + (Math.floor(cell / width) % height));
    } else if (isNew) sketch(piece.drawn);
  }

  /**
   * The last move, the best ones, and the winning line.
   * @param {Shown | null} before @param {Shown} shown @param {Marks} marks
   */
  drawMarks(before, { drawing, strike }, { last = null, best = [], lit = [] }) {
    const { plan } = this;
    if (!drawing || !plan) return;
    const wasStruck = Boolean(before?.strike) || !before;
    const struck = strike ? plan.path(strike) : "";
    const lines = struck
      ? paths([
          ["under", struck],
          ["won", struck],
        ])
      : [];
    /** @param {Attributes} names */
    const squares = (names) =>
      lit.map((cell) => at(plan.centre(cell), svg("path", { ...names, d: LIT })));
    this.layers.reason.replaceChildren(...squares({ class: "through", "data-reason": "" }));
    this.layers.marks.replaceChildren(
      ...squares({ class: "around" }),
      ...best.map((cell) => at(plan.centre(cell), svg("circle", { class: "best", r: 0.47 }))),
      ...(last === null ? [] : [at(plan.centre(last), paths([drawing.last]))]),
      ...lines,
    );
    if (!wasStruck) for (const path of lines) grow(path);
  }

  /** The values of the moves and the threats. @param {Marks} marks */
  drawKnown({ values, threats }) {
    const { centre } = this;
    if (isNews(this.known.values, values)) {
      this.known.values = values;
      this.layers.values.replaceChildren(
        ...(values ? valueMarks(values, centre, this.plan?.drawing.style) : []),
      );
    }
    if (isNews(this.known.threats, threats)) {
      this.known.threats = threats;
      this.overlay.replaceChildren(...threatParts(threats ?? [], centre));
    }
  }

  /** Interrupt the lines of crossings under notes. @param {number[]} cells */
  blank(cells) {
    const data = cells.map((cell) => `M${this.centre(cell).join(" ")}${BLANK}`).join("");
    const [blank] = this.layers.blanks.children;
    if ((blank?.getAttribute("d") ?? "") === data) return;
    this.layers.blanks.replaceChildren(...(data ? paths([["wood", data]]) : []));
  }

  /**
   * The lines of a cube through a cell, and the stone that would be put.
   * @param {number[][]} lines those of the cube
   * @param {number | null} cell @param {number | null} target where a stone would come to lie
   * @param {Side} side
   */
  point(lines, cell, target, side) {
    const { plan } = this;
    if (!plan) return;
    const through = cell === null ? [] : lines.filter((line) => line.includes(cell)).flat();
    const lit = [...new Set(through)].map((each) =>
      at(plan.centre(each), svg("path", { class: "through", d: LIT })),
    );
    this.layers.lit.replaceChildren(...lit);
    const tried = target !== null && this.isFree(target) ? stoneAt(plan, target, side) : null;
    tried?.classList.add("tried");
    this.layers.tried.replaceChildren(...(tried ? [tried] : []));
  }

  /** The row and the column of a cell that a finger has chosen. @param {number | null} cell */
  aim(cell) {
    this.layers.chosen.replaceChildren();
    if (cell !== null && this.plan) this.layers.chosen.append(...crosshair(this.plan, cell));
  }
}

/** @param {Map<number, unknown> | unknown[]} [marks] */
const listed = (marks) => (marks ? JSON.stringify([...marks]) : "");

/** @param {Map<number, unknown> | unknown[]} [before] @param {Map<number, unknown> | unknown[]} [after] */
const isNews = (before, after) => before !== after && listed(before) !== listed(after);

/** @param {Plan} plan @param {number} cell */
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
