// The moves of a game as a list of buttons, variations in brackets.
import { button, html } from "../../dom.js";

/**
 * What is written after a node: the first child goes on, the others stand in brackets before it
 * does.
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
    this.element.replaceChildren(...this.parts(written(root), node));
  }

  /** @param {Written[]} parts @param {GameNode} current @returns {HTMLElement[]} */
  parts(parts, current) {
    return parts.map((part) =>
      Array.isArray(part)
        ? html("span", { class: "aside" }, "(", ...this.parts(part, current), ")")
        : this.button(part.node, part.number, part.node === current),
    );
  }

  /** @param {GameNode} node @param {number} number @param {boolean} isCurrent */
  button(node, number, isCurrent) {
    const side = moverOf(node);
    return button(`${number}. ${side} ${node.move}`, () => this.go(node), {
      class: `move ${side.toLowerCase()}`,
      "aria-current": isCurrent && "step",
      "aria-label": `move ${number}, ${side} ${node.move}`,
    });
  }
}

/** Who played the move that led to a node. @param {GameNode} node */
export const moverOf = ({ parent }) => (parent?.shown.side ?? "").toUpperCase();
