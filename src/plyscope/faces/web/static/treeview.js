// A tree as an SVG with ARIA's tree pattern.
import { classes, html, svg } from "./dom.js";
import { kindOf, nodeShape } from "./nodes.js";
import { boardDrawing, boardSize } from "./smallboard.js";

const MARGIN = 46;
const HALF = 17; // of a node's height
const SHAPE = { half: HALF, boxHalf: HALF - 3, spread: HALF + 3 };
const NAME = 17; // the room for a name above a board, and for a score below it
const EDGE = 58;
const GAP = 24;
const LONGEST_NAME = 14;

/**
 * The room that the nodes of a tree need: `half` is from a node's middle to where its edges end.
 * @param {TraceNode[]} nodes
 */
function roomFor(nodes) {
  const sizes = nodes.flatMap(({ board }) => (board ? [boardSize(board)] : []));
  if (!sizes.length) return { column: 82, ply: 92, margin: MARGIN, half: HALF };
  const [width, height] = [0, 1].map((axis) => Math.max(...sizes.map((size) => size[axis])));
  const half = height / 2 + NAME;
  const margin = Math.max(MARGIN, width / 2 + GAP, half + GAP / 4);
  return { column: Math.max(82, width + GAP), ply: 2 * half + EDGE, margin, half };
}

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
    const room = roomFor(nodes);
    /** @type {Point[]} */
    const places = nodes.map(({ x, ply }) => [
      room.margin + x * room.column,
      room.margin + ply * room.ply,
    ]);
    const width = Math.max(...places.map(([x]) => x)) + room.margin + 30;
    const height = Math.max(...places.map(([, y]) => y)) + room.margin;
    /** @type {SVGElement[]} */
    const edges = [];
    nodes.forEach(({ parent }, number) => {
      const state = states[number];
      if (!state) return;
      if (parent !== null)
        edges.push(...edgeParts(state, states[parent], places[parent], places[number], room.half));
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
    const { cut, current, pv, seen, selected } = state;
    return svg(
      "g",
      {
        class: classes("node", { cut, current, pv, unseen: !seen, selected }),
        role: "treeitem",
        tabindex: "-1",
        "aria-level": node.ply + 1,
        "aria-label": nodeLabel(node, state),
        "aria-selected": selected ? "true" : "false",
        onclick: () => this.choose(number),
        onfocus: () => this.takeFocus(number),
      },
      ...(node.board ? boardParts(node, node.board, state, x, y) : nodeParts(node, state, x, y)),
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
 * A node by its shape, with its name in it and its score beside it.
 * @param {TraceNode} node @param {NodeState} state @param {number} x @param {number} y
 */
function nodeParts(node, { score, hit }, x, y) {
  const { leaf, max, name } = node;
  const scoreX = leaf ? x : x + HALF + 20;
  const scoreY = leaf ? y + HALF + 12 : y - HALF + 4;
  const isSaid = leaf && name === score; // a leaf's name is its value
  return [
    nodeShape(node, x, y, SHAPE),
    svg("text", { x, y: y + (leaf ? 5 : max ? 9 : -1) }, name.slice(0, 4)),
    score && !isSaid && svg("text", { class: "score halo", x: scoreX, y: scoreY }, score),
    hit && svg("text", { class: "window halo", x: x - HALF - 12, y: y + 4 }, "table"),
  ];
}

/**
 * A node by its board, with its kind and the move to it above, and its score below.
 * @param {TraceNode} node @param {SmallBoard} board @param {NodeState} state
 * @param {number} x @param {number} y
 */
function boardParts({ leaf, max, name }, board, { score, hit }, x, y) {
  const [width, height] = boardSize(board);
  const kind = leaf ? "" : max ? "▲ " : "▼ ";
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
  return [
    svg("text", { class: "halo", x, y: y - height / 2 - 5 }, kind + shown),
    score && svg("text", { class: "score halo", x, y: y + height / 2 + 13 }, score),
    hit && svg("text", { class: "window halo", x: x - width / 2 - 14, y: y + 4 }, "table"),
    ...boardDrawing(board, x, y),
  ];
}

/**
 * The edge to a node, with its window or the stroke that cuts it; it ends `half` from the middles.
 * @param {NodeState} state @param {NodeState | null} above
 * @param {Point} from @param {Point} to @param {number} half
 */
function edgeParts({ cut, pv, seen, window }, above, [fromX, fromY], [x, toY], half) {
  const [top, bottom] = [fromY + half, toY - half];
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
