// The moves of a game, two in a row, with variations in brackets.
import { button, html, redraw } from "../../shell/dom.js";
import { spokenMove } from "../../shell/wording.js";

/**
 * Return the moves after a node: the main line, with the variations in brackets.
 * @typedef {{ node: GameNode, number: number } | Written[]} Written a move, or a variation
 * @param {GameNode} node @param {number} number of the move that led to it
 * @returns {Written[]}
 */
export function written(node, number = 0) {
  const parts = [];
  for (let at = node; at.children.length; at = at.children[0]) {
    number++;
    const [first, ...others] = at.children;
    parts.push({ node: first, number });
    for (const other of others) parts.push([{ node: other, number }, ...written(other, number)]);
  }
  return parts;
}

export class Variations {
  element = html("div", {
    class: "variations",
    role: "group",
    "aria-label": "moves and variations",
  });

  /** @param {(node: GameNode) => void} go */
  constructor(go) {
    this.go = go;
  }

  /** @param {Game} game */
  draw({ root, node }) {
    const rows = root.children.length
      ? this.rows(written(root), root, node)
      : [html("p", { class: "help" }, "no move yet")];
    redraw(this.element, ...rows);
    const current = this.element.querySelector("[aria-current]");
    if (current instanceof HTMLElement) this.reveal(current);
  }

  /** Scroll the list alone, and not the page. @param {HTMLElement} element */
  reveal(element) {
    const { top, bottom } = element.getBoundingClientRect();
    const frame = this.element.getBoundingClientRect();
    if (top < frame.top) this.element.scrollTop -= frame.top - top;
    else if (bottom > frame.bottom) this.element.scrollTop += bottom - frame.bottom;
  }

  /**
   * The main line in rows of two; a variation breaks its row.
   * @param {Written[]} parts @param {GameNode} root @param {GameNode} current
   */
  rows(parts, root, current) {
    const begins = root.shown.side === "o" ? 1 : 0;
    /** @type {HTMLElement[]} */
    const rows = [];
    /** @type {HTMLElement | null} */
    let row = null;
    for (const part of parts) {
      if (Array.isArray(part)) {
        rows.push(html("div", { class: "aside" }, "(", ...this.moves(part, current), ")"));
        row = null;
        continue;
      }
      const place = part.number - 1 + begins;
      if (!row || place % 2 === 0) {
        const number = html(
          "span",
          { class: "count", "aria-hidden": "true" },
          `${Math.floor(place / 2) + 1}.`,
        );
        row = html("div", { class: "pair" }, number);
        if (place % 2) row.append(html("span", { class: "gap", "aria-hidden": "true" }, "…"));
        rows.push(row);
      }
      row.append(this.button(part.node, part.number, part.node === current));
    }
    return rows;
  }

  /** @param {Written[]} parts @param {GameNode} current @returns {(HTMLElement | string)[]} */
  moves(parts, current) {
    return parts.map((part) =>
      Array.isArray(part)
        ? html("span", { class: "aside" }, "(", ...this.moves(part, current), ")")
        : this.button(part.node, part.number, part.node === current),
    );
  }

  /** @param {GameNode} node @param {number} number @param {boolean} isCurrent */
  button(node, number, isCurrent) {
    const side = moverOf(node);
    return button(spokenMove(node), () => this.go(node), {
      class: `move ${side.toLowerCase()}`,
      "aria-current": isCurrent && "step",
      "aria-label": `move ${number}, ${side} ${spokenMove(node)}`,
    });
  }
}

/** Return the side that played the move to a node. @param {GameNode} node */
export const moverOf = ({ parent }) => (parent?.shown.side ?? "").toUpperCase();
