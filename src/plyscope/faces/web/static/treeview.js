// A tree as an SVG with ARIA's tree pattern.
import { classes, html, svg } from "./dom.js";
import { kindOf, nodeShape } from "./nodes.js";

const COLUMN = 82;
const PLY = 92;
const MARGIN = 46;
const HALF = 17; // of a node's height
const SHAPE = { half: HALF, boxHalf: HALF - 3, spread: HALF + 3 };

/** @typedef {(NodeState | null)[]} States by node; null is not there yet */

/**
 * The node to which an arrow leads from another: the parent, the first child, or the next one of
 * the ply; null where there is none, undefined for other keys.
 * @param {string} key @param {number} from @param {TraceNode[]} nodes @param {States} states
 */
export function neighbour(key, from, nodes, states) {
  /** @param {(node: TraceNode, number: number) => boolean} test */
  const numbers = (test) =>
    [...nodes.keys()].filter((number) => states[number] && test(nodes[number], number));
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

/** @param {TraceNode} node @param {NodeState} state */
export function nodeLabel(node, state) {
  const words = [
    `${node.name}, ${kindOf(node)}`,
    !state.seen && (state.cut ? "cut" : "not searched yet"),
    state.window && `window ${state.window}`,
    state.score && `score ${state.score}`,
    state.hit && "from the table",
    state.pv && "on the principal variation",
    state.current && "current",
  ];
  return words.filter(Boolean).join(", ");
}

export class TreeView {
  /** @type {TraceNode[]} */
  nodes = [];
  /** @type {States} */
  states = [];
  /** The drawn nodes; a hole where one is not there yet. @type {SVGElement[]} */
  items = [];
  focused = 0;

  /** @param {string} label @param {(node: number) => void} onchoose */
  constructor(label, onchoose) {
    this.label = label;
    this.onchoose = onchoose;
    this.element = html("div", { class: "tree scroll" });
  }

  /** @param {TraceNode[]} nodes @param {States} states */
  draw(nodes, states) {
    Object.assign(this, { nodes, states, items: [] });
    /** @type {Point[]} */
    const places = nodes.map(({ x, ply }) => [MARGIN + x * COLUMN, MARGIN + ply * PLY]);
    const width = Math.max(...places.map(([x]) => x)) + MARGIN + 30;
    const height = Math.max(...places.map(([, y]) => y)) + MARGIN;
    /** @type {SVGElement[]} */
    const edges = [];
    nodes.forEach(({ parent }, number) => {
      const state = states[number];
      if (!state) return;
      if (parent !== null)
        edges.push(...edgeParts(state, states[parent], places[parent], places[number]));
      this.items[number] = this.item(number, state, places[number]);
    });
    const viewBox = `0 0 ${width} ${height}`;
    const root = svg(
      "svg",
      { viewBox, width, height, role: "tree", "aria-label": this.label },
      ...edges,
      ...this.items.filter(Boolean),
    );
    root.onkeydown = (event) => this.hearKey(event);
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(root);
    const target = this.items[this.focused] ?? this.items.find(Boolean);
    target?.setAttribute("tabindex", "0");
    if (hadFocus) target?.focus({ preventScroll: true });
    const current = states.findIndex((state) => state?.current);
    if (current >= 0) this.reveal(places[current]);
  }

  /** Scroll to a place that is at the edge or beyond. @param {Point} place */
  reveal([x, y]) {
    const box = this.element;
    const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = box;
    if (x < left + 60 || x > left + width - 60) box.scrollLeft = x - width / 2;
    if (y < top + 40 || y > top + height - 40) box.scrollTop = y - height / 2;
  }

  /** @param {number} number @param {NodeState} state @param {Point} place */
  item(number, state, [x, y]) {
    const node = this.nodes[number];
    const { leaf, max, name, ply } = node;
    const { cut, current, seen, selected, score, hit } = state;
    const scoreX = leaf ? x : x + HALF + 20;
    const scoreY = leaf ? y + HALF + 12 : y - HALF + 4;
    const isSaid = leaf && name === score; // a leaf's name is its value
    return svg(
      "g",
      {
        class: classes("node", { cut, current, unseen: !seen, selected }),
        role: "treeitem",
        tabindex: "-1",
        "aria-level": ply + 1,
        "aria-label": nodeLabel(node, state),
        "aria-selected": selected ? "true" : "false",
        onclick: () => this.choose(number),
        onfocus: () => this.takeFocus(number),
      },
      nodeShape(node, x, y, SHAPE),
      svg("text", { x, y: y + (leaf ? 5 : max ? 9 : -1) }, name.slice(0, 4)),
      score && !isSaid && svg("text", { class: "score halo", x: scoreX, y: scoreY }, score),
      hit && svg("text", { class: "window halo", x: x - HALF - 12, y: y + 4 }, "table"),
    );
  }

  /** @param {number} number */
  choose(number) {
    this.takeFocus(number);
    this.onchoose(number);
  }

  /** @param {number} number */
  takeFocus(number) {
    this.focused = number;
    this.items.forEach((item, other) =>
      item.setAttribute("tabindex", other === number ? "0" : "-1"),
    );
  }

  /** @param {KeyboardEvent} event */
  hearKey(event) {
    const target = neighbour(event.key, this.focused, this.nodes, this.states);
    if (event.key === "Enter" || event.key === " ") this.onchoose(this.focused);
    else if (target === undefined) return;
    else if (target !== null) {
      this.takeFocus(target);
      this.items[target].focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * The edge to a node, with its window or the stroke that cuts it.
 * @param {NodeState} state @param {NodeState | null} above
 * @param {Point} from @param {Point} to
 */
function edgeParts({ cut, pv, seen, window }, above, [fromX, fromY], [x, toY]) {
  const [top, bottom] = [fromY + HALF, toY - HALF];
  const name = classes("edge", { cut, pv, unseen: !seen });
  const d = `M${fromX} ${top}L${x} ${bottom}`;
  /** @type {SVGElement[]} */
  const parts = [svg("path", { class: name, d })];
  const [middleX, middleY] = [fromX + (x - fromX) * 0.62, top + (bottom - top) * 0.62];
  if (cut && !above?.cut) {
    const strokes = `M${middleX - 7} ${middleY}l14 -6M${middleX - 7} ${middleY + 6}l14 -6`;
    parts.push(svg("path", { class: "slash", d: strokes }));
  } else if (window && seen)
    parts.push(svg("text", { class: "window halo", x: middleX, y: middleY + 4 }, window));
  return parts;
}
