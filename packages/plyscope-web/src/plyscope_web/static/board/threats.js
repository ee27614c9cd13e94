// Threats on a board: a diamond on the cell that makes one good, a thin line through its stones.
import { svg } from "../shell/dom.js";

/** The sign in the diamond of each kind. @type {Record<Threat["kind"], string>} */
const LETTERS = { line: "!", double: "2", odd: "1", even: "0" };
/** @type {Record<Threat["kind"], string>} */
const THREATS = {
  line: "◆! completes a line as soon as it is taken",
  double: "◇2 threatens two lines at once: a fork, or an open three",
  odd: "◆1 completes a line in an odd row, once the column is that high",
  even: "◆0 the same in an even row",
};
const SIZE = 0.27;
const ASIDE = { x: -0.24, o: 0.24 };
const DIAMOND = `M0-${SIZE}L${SIZE} 0L0 ${SIZE}L-${SIZE} 0z`;
/** Neighbours on a line stand so far apart at most; further, it goes round the edge of a torus. */
const NEAR = 1.6;

/** @param {Threat[]} threats @param {(cell: number) => Point} centre */
export function threatParts(threats, centre) {
  const lines = threats.flatMap(({ side, kind, line }) => {
    const points = line?.map(centre) ?? [];
    if (points.length < 2 || !isStraight(points)) return [];
    const path = points.map(([x, y]) => `${x} ${y}`).join("L");
    return [svg("path", { class: `threat ${side} ${kind}`, d: `M${path}` })];
  });
  const sides = sidesOf(threats);
  const marks = threats.flatMap(({ side, kind, cells, title }) =>
    cells.map((cell) => {
      const [x, y] = centre(cell);
      return svg(
        "g",
        {
          class: `threat ${side} ${kind}`,
          transform: `translate(${x + (sides.get(cell) === "xo" ? ASIDE[side] : 0)} ${y})`,
        },
        title && svg("title", {}, title),
        svg("path", { d: DIAMOND }),
        svg("text", { y: 0.115 }, LETTERS[kind]),
      );
    }),
  );
  return [...lines, ...marks];
}

/** Return the sides that threaten on each cell: `x`, `o` or `xo`. @param {Threat[]} threats */
function sidesOf(threats) {
  /** @type {Map<number, string>} */
  const sides = new Map();
  for (const { side, cells } of threats)
    for (const cell of cells)
      if (!sides.get(cell)?.includes(side)) sides.set(cell, `${sides.get(cell) ?? ""}${side}`);
  return sides;
}

/** Return whether no step of a line leads round an edge. @param {Point[]} points */
export const isStraight = (points) =>
  points
    .slice(1)
    .every(([x, y], before) => Math.hypot(x - points[before][0], y - points[before][1]) < NEAR);

/** Return the legend for the signs on the board. @param {Threat[]} threats */
export function threatsLegend(threats) {
  const kinds = /** @type {Threat["kind"][]} */ (Object.keys(THREATS));
  const seen = kinds.filter((kind) => threats.some((threat) => threat.kind === kind));
  return seen.map((kind) => THREATS[kind]).join(" · ") || "neither side threatens anything";
}
