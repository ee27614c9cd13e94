// The values of moves as marks on their cells. The form of a mark shows how the value is known, its
// colour and point whom it favours, its depth by how much. Lengths are cells, from the centre.
import { classes, svg } from "../shell/dom.js";

/** Shares of the game within which nobody is ahead. */
const EVEN = 0.04;
const TILE = "M-.17-.36h.34q.19 0 .19.19v.34q0 .19-.19.19h-.34q-.19 0-.19-.19v-.34q0-.19.19-.19z";
/** In a frame the whole hole is the tile. */
const HOLE = "M-.42 0a.42.42 0 1 0 .84 0a.42.42 0 1 0-.84 0z";
/** Out of the mark, clear of its words: up for a win, down for a loss. */
const POINTERS = { win: "M-.1-.34h.2l-.1-.1z", loss: "M-.1.34h.2l-.1.1z", draw: "" };
const RADIUS = 0.35;
/** Of a ring's line, half on its inside. */
const STROKE = 0.06;
/** On crossings, where no lines and no holes part the cells, marks are as large as stones. */
const ON_CROSSINGS = 1.25;
/** Of what a search has bounded and not measured, and of one of many moves that lose. */
const SMALL = 0.14;
const SMALL_TILE = "M-.1-.1h.2v.2h-.2z";
/** The opacity of the fill for an even value, and for a win. */
const [PALEST, DEEPEST] = [0.14, 0.5];

/** @typedef {"win" | "draw" | "loss"} Outcome */

/** @param {string} [style] of the board's drawing */
const scaleOn = (style) => (style === "crossings" ? ON_CROSSINGS : 1);

/** Return the inner diameter of a ring, in cells. @param {string} [style] of the board's drawing */
export const roomInMark = (style) => scaleOn(style) * (2 * RADIUS - STROKE);

/** @param {number} share @returns {Outcome} */
export const outcomeOf = (share) => (share > EVEN ? "win" : share < -EVEN ? "loss" : "draw");

/** Return how opaque a fill is. @param {number} share */
export const depthOf = (share) =>
  Number((PALEST + (DEEPEST - PALEST) * Math.min(1, Math.abs(share))).toFixed(3));

/** The forms of knowledge: a tile for a proof, a ring for a search, dots for a heuristic's value. */
const FORMS = {
  /** @param {number} opacity @param {string} [style] @returns {SVGElement[]} */
  proved: (opacity, style) => [
    svg("path", { d: style === "frame" ? HOLE : TILE, "fill-opacity": opacity }),
  ],
  /** @param {number} opacity @returns {SVGElement[]} */
  searched: (opacity) => [svg("circle", { r: RADIUS, "fill-opacity": opacity })],
  /** @param {number} opacity @returns {SVGElement[]} */
  heuristic: (opacity) => [svg("circle", { r: RADIUS, "fill-opacity": opacity / 2 })],
};

/** The same forms where there is little to say. */
const SMALL_FORMS = {
  ...FORMS,
  /** @param {number} opacity @returns {SVGElement[]} */
  proved: (opacity) => [svg("path", { d: SMALL_TILE, "fill-opacity": opacity })],
  /** @param {number} opacity @returns {SVGElement[]} */
  searched: (opacity) => [svg("circle", { r: SMALL, "fill-opacity": opacity })],
  /** @param {number} opacity @returns {SVGElement[]} */
  heuristic: (opacity) => [svg("circle", { r: SMALL / 2, "fill-opacity": opacity })],
};

/**
 * The marks of moves, beneath the stones and the words; a word without a form has none.
 * @param {Map<number, ValueMark>} values @param {(cell: number) => Point} centre
 * @param {string} [style] of the board's drawing
 */
export function valueMarks(values, centre, style) {
  return [...values].flatMap(([cell, { knowledge, share, isSmall, isFaded }]) => {
    if (!knowledge) return [];
    const [x, y] = centre(cell);
    const outcome = outcomeOf(share);
    const name = classes(`value-mark ${knowledge} ${outcome}`, { small: isSmall, faded: isFaded });
    const opacity = isFaded && !isSmall ? 0 : depthOf(share);
    const parts = (isSmall ? SMALL_FORMS : FORMS)[knowledge](opacity, style);
    // a heuristic's value has no pointer: its number is in that place
    if (!isSmall && !isFaded && knowledge !== "heuristic")
      parts.unshift(svg("path", { class: "pointer", d: POINTERS[outcome] }));
    const size = isSmall ? 1 : scaleOn(style);
    const transform = `translate(${x} ${y})${size === 1 ? "" : ` scale(${size})`}`;
    return [svg("g", { class: name, transform }, ...parts)];
  });
}
