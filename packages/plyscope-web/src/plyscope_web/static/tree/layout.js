// The layout of a tree, the nodes in view, and the drawing from afar.

/**
 * @typedef {object} Layout
 * @property {Float64Array} xs in columns
 * @property {number[][]} plies the nodes that stand in each ply, from left to right
 * @property {boolean[]} isHidden below a folded node
 * @property {number[]} below how many nodes there are below each
 * @property {number} columns
 */

/**
 * Return the layout: leaves and folded nodes side by side, parents above the middle of their
 * children.
 * @param {TraceNode[]} nodes @param {Set<number>} folded
 * @returns {Layout}
 */
export function layout(nodes, folded) {
  const xs = new Float64Array(nodes.length);
  const below = new Array(nodes.length).fill(0);
  /** @type {boolean[]} */
  const isHidden = [];
  /** @type {number[][]} */
  const plies = [];
  /** The first and the last child of each. @type {([number, number] | undefined)[]} */
  const ends = [];
  nodes.forEach(({ parent, ply }, number) => {
    isHidden[number] = parent !== null && (isHidden[parent] || folded.has(parent));
    if (isHidden[number]) return;
    (plies[ply] ??= []).push(number);
    if (parent !== null) ends[parent] = [ends[parent]?.[0] ?? number, number];
  });
  let columns = 0;
  nodes.forEach((_, number) => {
    if (!isHidden[number] && !ends[number]) xs[number] = columns++;
  });
  for (let number = nodes.length - 1; number >= 0; number--) {
    const { parent } = nodes[number];
    if (parent !== null) below[parent] += below[number] + 1;
    const children = ends[number];
    if (children) xs[number] = (xs[children[0]] + xs[children[1]]) / 2;
  }
  return { xs, plies, isHidden, below, columns };
}

/**
 * The first place in a sorted list at which a test holds.
 * @param {number[]} list @param {(number: number) => boolean} test
 */
function firstAt(list, test) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Return the nodes of a ply between two columns, and those whose edges cross them.
 * @param {Layout} layout @param {TraceNode[]} nodes
 * @param {number} ply @param {number} from @param {number} to
 */
export function across({ xs, plies }, nodes, ply, from, to) {
  const list = plies[ply] ?? [];
  const above = (/** @type {number} */ number) => xs[nodes[number].parent ?? number];
  const begin = firstAt(list, (number) => Math.max(xs[number], above(number)) >= from);
  const end = firstAt(list, (number) => Math.min(xs[number], above(number)) > to);
  return list.slice(begin, end);
}

/** Dots closer than this many pixels are drawn once. */
const FINE = 2;
const rounded = (/** @type {number} */ pixels) => Math.round(pixels * 10) / 10;

/**
 * The nodes and edges as dots and lines, one path for each look; pixels come from `place`.
 * @param {Layout} layout @param {TraceNode[]} nodes
 * @param {(number: number) => string} look
 * @param {(number: number) => Point} place
 * @param {(ply: number) => number[]} shown the nodes of a ply that are in view
 * @returns {{ edges: Map<string, string>, dots: Map<string, string> }}
 */
export function fromAfar({ plies }, nodes, look, place, shown) {
  const edges = new Map();
  const dots = new Map();
  for (const ply of plies.keys()) {
    /** @type {Record<string, number>} */
    const drawn = {};
    for (const number of shown(ply)) {
      const name = look(number);
      const [x, y] = place(number);
      if (x - drawn[name] < FINE) continue;
      drawn[name] = x;
      const at = `${rounded(x)} ${rounded(y)}`;
      dots.set(name, `${dots.get(name) ?? ""}M${at}h0`);
      const { parent } = nodes[number];
      if (parent === null) continue;
      const [fromX, fromY] = place(parent);
      edges.set(name, `${edges.get(name) ?? ""}M${rounded(fromX)} ${rounded(fromY)}L${at}`);
    }
  }
  return { edges, dots };
}

/**
 * Return the node that a key leads to, null if there is none, undefined for other keys.
 * @param {string} key @param {number} from @param {TraceNode[]} nodes
 * @param {(number: number) => boolean} isThere
 */
export function neighbour(key, from, nodes, isThere) {
  /** @param {(node: TraceNode, number: number) => boolean} test */
  const numbers = (test) =>
    [...nodes.keys()].filter((number) => test(nodes[number], number) && isThere(number));
  const { parent, ply } = nodes[from];
  switch (key) {
    case "ArrowUp":
      return parent;
    case "ArrowDown":
      return numbers((node) => node.parent === from)[0] ?? null;
    case "ArrowLeft":
      return numbers((node, number) => node.ply === ply && number < from).at(-1) ?? null;
    case "ArrowRight":
      return numbers((node, number) => node.ply === ply && number > from)[0] ?? null;
    case "Home":
      return 0;
  }
  return undefined;
}
