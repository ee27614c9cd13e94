// Positions as small pictures.
import { svg } from "../shell/dom.js";
import { at, levelParts, paths, Plan, stoneAt } from "./drawing.js";

/** From the middle of an outer cell to the edge of the picture, without coordinates. */
const EDGE = 0.75;
/** Columns beyond which the middle of a board is shown, and how many of it are. */
const [WIDE, MIDDLE] = [12, 9];

/** @param {Shown} shown */
export function picture({ drawing, cells, strike }) {
  if (!drawing) return null;
  const plan = new Plan(drawing, drawing.levels.length > 2 ? 2 : drawing.levels.length);
  const stones = [...cells].map((sign, cell) =>
    sign === "x" || sign === "o" ? stoneAt(plan, cell, sign) : null,
  );
  const strikes = strike ? paths([["won", plan.path(strike)]]) : [];
  const parts = [levelParts(plan, "ground"), stones, levelParts(plan, "front"), strikes];
  const box = drawing.levels.length > 1 ? [0, 0, ...plan.size] : boxOf(drawing);
  return svg(
    "svg",
    { class: "drawing picture", viewBox: box.join(" "), "aria-hidden": "true" },
    at([0, 0], ...parts.flat()),
  );
}

/** Return the view box of a board of one level. @param {Drawing} drawing */
function boxOf({ origin: [x, y], columns, rows, row }) {
  const across = columns - 1 + (rows - 1) * row[0];
  const down = (rows - 1) * row[1];
  if (columns <= WIDE) return [x - EDGE, y - EDGE, across + 2 * EDGE, down + 2 * EDGE];
  return [x + (across - MIDDLE) / 2, y + (down - MIDDLE) / 2, MIDDLE, MIDDLE];
}

/** Pictures, requested one after another and each once, since a page has few requests at a time. */
export class Pictures {
  /** @type {Map<string, Promise<Shown>>} */
  asked = new Map();
  /** @type {Promise<unknown>} */
  last = Promise.resolve();

  /** @param {Client} client */
  constructor(client) {
    this.client = client;
  }

  /**
   * Put the picture of a position into an element once it is known.
   * @param {string} position @param {Element} element
   */
  async into(position, element) {
    let shown = this.asked.get(position);
    if (!shown) {
      shown = this.last.then(() => this.client.ask("show", { position }));
      this.last = shown.catch(() => {});
      this.asked.set(position, shown);
    }
    try {
      element.replaceChildren(picture(await shown) ?? "");
    } catch {
      this.asked.delete(position); // and may be asked for again
    }
  }
}
