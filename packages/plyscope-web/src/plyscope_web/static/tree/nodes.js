// The shapes of nodes: a box for a leaf, triangles for MAX and MIN, a circle for a mean.
import { svg } from "../shell/dom.js";

/** @typedef {{ leaf: boolean, max: boolean, mean?: boolean }} Kind */

/** @param {Kind} node */
export const kindOf = ({ leaf, max, mean }) =>
  leaf ? "leaf" : mean ? "mean" : max ? "MAX" : "MIN";

/**
 * The names of nodes, numbered where siblings have the same one: `5 (2 of 3)`.
 * @param {{ name: string, parent: number | string | null }[]} nodes
 */
export function distinctNames(nodes) {
  /** @type {Map<string, number[]>} */
  const alike = new Map();
  const names = nodes.map(({ name, parent }, number) => {
    const key = `${parent} ${name}`;
    alike.set(key, [...(alike.get(key) ?? []), number]);
    return name;
  });
  for (const numbers of alike.values())
    if (numbers.length > 1)
      numbers.forEach(
        (number, at) => (names[number] = `${names[number]} (${at + 1} of ${numbers.length})`),
      );
  return names;
}

/**
 * @param {Kind} node @param {number} x @param {number} y the centre
 * @param {{ half: number, boxHalf: number, spread: number }} size
 */
export function nodeShape({ leaf, max, mean }, x, y, { half, boxHalf, spread }) {
  if (leaf) {
    const size = { width: 2 * half, height: 2 * boxHalf, rx: 3 };
    return svg("rect", { class: "shape", x: x - half, y: y - boxHalf, ...size });
  }
  if (mean) return svg("circle", { class: "shape", cx: x, cy: y, r: half });
  const up = max ? 1 : -1;
  const sides = `l${spread} ${up * 2 * half}h${-2 * spread}z`;
  return svg("path", { class: "shape", d: `M${x} ${y - up * half}${sides}` });
}
