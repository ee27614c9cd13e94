// The ground of a board, drawn from the geometry that Python sends.
import { svg } from "../shell/dom.js";

/** The layout of a board's levels and cells, with some levels side by side; the unit is a cell. */
export class Plan {
  /** @param {Drawing} drawing @param {number} abreast */
  constructor(drawing, abreast) {
    this.drawing = drawing;
    this.abreast = abreast;
    const { size, gap, levels } = drawing;
    const [across, down] = [Math.min(abreast, levels.length), Math.ceil(levels.length / abreast)];
    /** @type {Point} */
    this.size = [across * (size[0] + gap) - gap, down * (size[1] + gap) - gap];
  }

  /** @param {number} level @returns {Point} where it begins */
  offset(level) {
    const { size, gap } = this.drawing;
    return [
      (level % this.abreast) * (size[0] + gap),
      Math.floor(level / this.abreast) * (size[1] + gap),
    ];
  }

  /** @param {number} cell @returns {Point} its middle on its level */
  within(cell) {
    const { columns, rows, origin, row } = this.drawing;
    const [column, down] = [cell % columns, Math.floor(cell / columns) % rows];
    return [origin[0] + column + down * row[0], origin[1] + down * row[1]];
  }

  /** @param {number} cell @returns {Point} its middle */
  centre(cell) {
    const level = Math.floor(cell / (this.drawing.columns * this.drawing.rows));
    const [[left, top], [x, y]] = [this.offset(level), this.within(cell)];
    return [left + x, top + y];
  }

  /** The data of a path along strokes. @param {Stroke[]} strokes */
  path(strokes) {
    const place = (/** @type {Stroke[number]} */ [level, x, y], /** @type {number} */ number) => {
      const [left, top] = this.offset(level);
      return `${number ? "L" : "M"}${rounded(left + x)} ${rounded(top + y)}`;
    };
    return strokes.map((stroke) => stroke.map(place).join("")).join("");
  }
}

/** @param {number} number */
const rounded = (number) => Math.round(number * 1000) / 1000;

/** @param {Point} place @param {Children} children */
export const at = ([x, y], ...children) =>
  svg("g", { transform: `translate(${rounded(x)} ${rounded(y)})` }, ...children);

/** @param {DrawnPath[]} drawn */
export const paths = (drawn) => drawn.map(([kind, data]) => svg("path", { class: kind, d: data }));

/** A part of every level, in its place. @param {Plan} plan @param {"ground" | "front"} part */
export const levelParts = (plan, part) =>
  plan.drawing.levels.map((level, number) => at(plan.offset(number), paths(level[part])));

/** The coordinates of every level. @param {Plan} plan */
export function coordinates(plan) {
  const { levels, font } = plan.drawing;
  return levels.map(({ labels }, number) => {
    const texts = labels.map(([x, y, text]) =>
      svg("text", { class: "label", "font-size": font, x, y }, text),
    );
    return at(plan.offset(number), texts);
  });
}

/** A stone in its cell. @param {Plan} plan @param {number} cell @param {Side} side */
export const stoneAt = (plan, cell, side) =>
  at(plan.centre(cell), paths(plan.drawing.stones[side]));
