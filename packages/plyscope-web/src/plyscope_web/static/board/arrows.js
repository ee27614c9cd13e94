// Arrows on a board, from the last stone to a move; lengths are cells.
import { svg } from "../shell/dom.js";

const [TAIL, TIP] = [0.3, 0.36]; // from the centres of the two cells
const [NECK, WING] = [0.2, 0.15]; // of the head: its length, and half its width
const [THIN, THICK] = [0.04, 0.13];
/** The numbers on the cells between are read through even the best. */
const [FAINTEST, FULLEST] = [0.25, 0.65];

/**
 * Where an arrow's shaft begins, where its head does, and where it points.
 * @param {Point} from @param {Point} to
 * @returns {{ tail: Point, neck: Point, tip: Point, across: Point }}
 */
export function arrowPoints([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  /** @param {number} far @returns {Point} */
  const along = (far) => [x + dx * far, y + dy * far];
  const tip = length - TIP;
  return {
    tail: along(Math.min(TAIL, tip - NECK - 0.05)),
    neck: along(tip - NECK),
    tip: along(tip),
    across: [-dy, dx],
  };
}

/** @param {Point[]} points */
const pathOf = (points) => points.map((at) => at.map((n) => n.toFixed(3)).join(" ")).join("L");

/** A head that points down at a cell: of an arrow that comes from nowhere. @param {Point} to */
function pin([x, y]) {
  const top = y - 0.62;
  return `M${pathOf([
    [x - WING, top],
    [x + WING, top],
    [x, top + NECK],
  ])}z`;
}

/** @param {Arrow[]} arrows @param {(cell: number) => Point} centre */
export function arrowParts(arrows, centre) {
  return arrows.map(({ from, to, weight, label }) => {
    const opacity = (FAINTEST + (FULLEST - FAINTEST) * weight).toFixed(2);
    const name = `arrow${weight === 1 ? " best" : ""}`;
    const title = label && svg("title", {}, label);
    if (from === undefined)
      return svg("g", { class: name, opacity }, title, svg("path", { d: pin(centre(to)) }));
    const { tail, neck, tip, across } = arrowPoints(centre(from), centre(to));
    /** @param {Point} at @param {number} by @returns {Point} */
    const aside = ([x, y], by) => [x + across[0] * by, y + across[1] * by];
    const half = (THIN + (THICK - THIN) * weight) / 2;
    const outline = [
      aside(tail, half),
      aside(neck, half),
      aside(neck, WING),
      tip,
      aside(neck, -WING),
      aside(neck, -half),
      aside(tail, -half),
    ];
    return svg("g", { class: name, opacity }, title, svg("path", { d: `M${pathOf(outline)}z` }));
  });
}
