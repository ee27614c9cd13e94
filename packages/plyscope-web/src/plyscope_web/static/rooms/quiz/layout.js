// The layout of a question's tree, with fields where they have room.

export const HALF = 17; // of a node's height
const ROW = 29; // of a field's height, with what parts it from the next
const SLACK = 30; // of an edge that stays in sight
const WIDEST = 150;
const LONGER = 60; // at most, of an edge where there is room below
const LEAST = 0.62;
const LARGEST = 1.35;
const EDGE = 4;

/**
 * The style of fields: `window` and `leaf` are half widths with rows; `isBeside` puts values beside
 * nodes.
 * @typedef {{ name: string, window: [half: number, rows: number], leaf: [half: number, rows: number],
 *   isBeside: boolean }} Style
 */

/** @type {Style[]} */
const STYLES = [
  { name: "wide", window: [60, 1], leaf: [60, 1], isBeside: true },
  { name: "rows", window: [42, 2], leaf: [42, 2], isBeside: true },
  { name: "stacked", window: [42, 2], leaf: [22, 3], isBeside: false },
];

/**
 * @typedef {object} Layout
 * @property {string} style one of STYLES, or `guided`: no room for fields, they are asked one by one
 * @property {number} width @property {number} height of the drawing, in its own units
 * @property {number} scale by which it is drawn larger or smaller
 * @property {boolean} isBeside
 * @property {(node: QuestionNode) => { x: number, y: number }} place the middle of a node
 */

/**
 * Return the widest style that fits, as large as the room allows.
 * @param {QuestionNode[]} nodes @param {string[]} asked @param {number} width @param {number} height
 * @returns {Layout}
 */
export function layoutFor(nodes, asked, width, height) {
  for (const style of STYLES) {
    const sizes = new Sizes(asked, style);
    const narrow = laidOut(style.name, nodes, sizes, columnFor(nodes, sizes));
    if (narrow.width > width) continue;
    const scale = within(Math.min(width / narrow.width, height / narrow.height), 1, LARGEST);
    const [left, right] = margins(nodes, sizes, columnFor(nodes, sizes));
    const column = (width / scale - left - right) / Math.max(1, span(nodes));
    const wide = within(column, columnFor(nodes, sizes), WIDEST);
    const rise = (height / scale - narrow.height) / Math.max(1, plies(nodes));
    return { ...laidOut(style.name, nodes, sizes, wide, within(rise, 0, LONGER)), scale };
  }
  const sizes = new Sizes(asked, null);
  const found = laidOut("guided", nodes, sizes, columnFor(nodes, sizes));
  return { ...found, scale: within(width / found.width, LEAST, 1) };
}

/** @param {number} number @param {number} least @param {number} most */
const within = (number, least, most) => Math.min(most, Math.max(least, number));

/** The sizes of nodes with their fields. */
class Sizes {
  /** @param {string[]} asked @param {Style | null} style null for texts in the place of fields */
  constructor(asked, style) {
    this.style = style;
    this.hasValues = asked.includes("values");
    this.hasWindows = asked.includes("windows");
    this.hasCuts = asked.includes("cuts");
    this.isBeside = style?.isBeside ?? true;
  }

  /** @param {QuestionNode} node @returns {[left: number, right: number]} from the middle */
  sides({ leaf }) {
    const half = this.style ? this.style[leaf ? "leaf" : "window"][0] : 30;
    const onEdge = this.hasWindows ? half : this.hasCuts ? 18 : 0;
    const value = leaf || !this.hasValues ? 0 : this.isBeside ? (this.style ? 96 : 50) : 35;
    const left = Math.max(leaf ? 18 : 21, onEdge, this.isBeside ? 0 : value);
    return [left, Math.max(leaf ? 18 : 21, onEdge, value)];
  }

  /** From a node's middle to the next ply's: fields on the edges, values below nodes. */
  get ply() {
    const rows = this.style ? Math.max(this.style.window[1], this.style.leaf[1]) : 1;
    const fields = this.hasWindows ? rows - (rows > 1 && !this.hasCuts ? 1 : 0) : 1;
    const needed = this.hasWindows || this.hasCuts ? fields * ROW : 12;
    const below = this.hasValues && !this.isBeside ? ROW : 0;
    return 2 * HALF + needed + below + SLACK;
  }
}

/** @param {QuestionNode[]} nodes */
function span(nodes) {
  const xs = nodes.map(({ x }) => x);
  return Math.max(...xs) - Math.min(...xs);
}

/** @param {QuestionNode[]} nodes */
const plies = (nodes) => Math.max(...nodes.map(({ ply }) => ply));

/** The least width of a column by which no two nodes of a ply touch. @param {QuestionNode[]} nodes @param {Sizes} sizes */
function columnFor(nodes, sizes) {
  let column = 0;
  const byPlace = [...nodes].sort((one, two) => one.ply - two.ply || one.x - two.x);
  for (const [number, node] of byPlace.entries()) {
    const next = byPlace[number + 1];
    if (next?.ply !== node.ply) continue;
    const room = sizes.sides(node)[1] + sizes.sides(next)[0] + EDGE;
    column = Math.max(column, room / (next.x - node.x));
  }
  return column;
}

/** Return the margins on the left and on the right. @param {QuestionNode[]} nodes @param {Sizes} sizes @param {number} column @returns {[number, number]} */
function margins(nodes, sizes, column) {
  const xs = nodes.map(({ x }) => x);
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  const lefts = nodes.map((node) => sizes.sides(node)[0] - (node.x - least) * column);
  const rights = nodes.map((node) => sizes.sides(node)[1] - (most - node.x) * column);
  return [Math.max(...lefts) + EDGE, Math.max(...rights) + EDGE];
}

/**
 * @param {string} style @param {QuestionNode[]} nodes @param {Sizes} sizes @param {number} column
 * @param {number} rise by which edges are longer than they need be
 * @returns {Layout}
 */
function laidOut(style, nodes, sizes, column, rise = 0) {
  const [left, right] = margins(nodes, sizes, column);
  const least = Math.min(...nodes.map(({ x }) => x));
  const hasRootFields = sizes.hasWindows && sizes.style;
  const top = HALF + 8 + (hasRootFields ? ROW : 0);
  const last = plies(nodes);
  const step = sizes.ply + rise;
  const below = sizes.hasValues && !sizes.isBeside && !last ? ROW : 0;
  return {
    style,
    scale: 1,
    width: left + span(nodes) * column + right,
    height: top + last * step + HALF + below + 6,
    isBeside: sizes.isBeside,
    place: ({ x, ply }) => ({ x: left + (x - least) * column, y: top + ply * step }),
  };
}
