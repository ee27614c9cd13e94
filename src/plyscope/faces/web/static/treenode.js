// A node of a drawn tree with all that is known of it, and the edge that leads to it.
import { classes, svg } from "./dom.js";
import { kindOf, nodeShape } from "./nodes.js";
import { boardDrawing, boardSize } from "./smallboard.js";
import { compact } from "./wording.js";

const MARGIN = 46;
const HALF = 17; // of a node's height
const SHAPE = { half: HALF, boxHalf: HALF - 3, spread: HALF + 3 };
const NAME = 17; // the room for a name above a board, and for a score below it
const EDGE = 58;
const GAP = 24;
const LONGEST_NAME = 14;
/** How far down its edge a window stands: there edges are apart. */
const BESIDE = 0.62;
/** A second line below a board. */
const NOTE = 12;

/** @typedef {{ column: number, ply: number, margin: number, half: number }} Room */

/**
 * The room that the nodes of a tree need: `half` is from a node's middle to where its edges end.
 * @param {TraceNode[]} nodes @param {boolean} [hasNotes] @returns {Room}
 */
export function roomFor(nodes, hasNotes = false) {
  const sizes = nodes.flatMap(({ board }) => (board ? [boardSize(board)] : []));
  if (!sizes.length)
    return {
      column: hasNotes ? 112 : 82,
      ply: 92,
      margin: MARGIN * (hasNotes ? 1.7 : 1),
      half: HALF,
    };
  const width = sizes.reduce((most, size) => Math.max(most, size[0]), 0);
  const height = sizes.reduce((most, size) => Math.max(most, size[1]), 0);
  const half = height / 2 + NAME + (hasNotes ? NOTE : 0);
  const margin = Math.max(MARGIN, width / 2 + GAP, half + GAP / 4);
  return { column: Math.max(82, width + GAP), ply: 2 * half + EDGE, margin, half };
}

/** @param {TraceNode} node @param {NodeState} state @param {NodeMarks} marks */
export function nodeLabel(node, state, marks) {
  const words = [
    `${node.name}, ${kindOf(node)}`,
    !state.seen && (state.cut ? "cut" : "not searched yet"),
    state.window && `window ${state.window}`,
    state.score && `score ${state.score}`,
    state.note,
    state.hit && "from the table",
    marks.pv && "on the principal variation",
    marks.current && "current",
    marks.differs && "differs",
    marks.folded && `folded, ${marks.folded} below`,
  ];
  return words.filter(Boolean).join(", ");
}

/**
 * A node's parts, its middle at (0, 0).
 * @param {TraceNode} node @param {NodeState} state
 */
export const nodeParts = (node, state) =>
  node.board ? boardParts(node, node.board, state) : shapeParts(node, state);

/**
 * A node by its shape, with its name in it and its score beside it.
 * @param {TraceNode} node @param {NodeState} state
 */
function shapeParts(node, { score, hit, note }) {
  const { leaf, max, name } = node;
  const scoreX = leaf ? 0 : HALF + 20;
  const scoreY = leaf ? HALF + 12 : 4 - HALF;
  const isSaid = leaf && name === score; // a leaf's name is its value
  return [
    nodeShape(node, 0, 0, SHAPE),
    svg("text", { y: leaf ? 5 : max ? 9 : -1 }, name.slice(0, 4)),
    score && !isSaid && svg("text", { class: "score halo", x: scoreX, y: scoreY }, score),
    hit && svg("text", { class: "window halo", x: -HALF - 20, y: 4 }, "table"),
    note && svg("text", { class: "note halo", y: leaf && !isSaid ? HALF + 25 : HALF + 12 }, note),
  ];
}

/**
 * A node by its board, with its kind and the move to it above, and its score below.
 * @param {TraceNode} node @param {SmallBoard} board @param {NodeState} state
 */
function boardParts({ leaf, max, name }, board, { score, hit, note }) {
  const [width, height] = boardSize(board);
  const kind = leaf ? "" : max ? "▲ " : "▼ ";
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
  return [
    svg("text", { class: "halo", y: -height / 2 - 5 }, kind + shown),
    score && svg("text", { class: "score halo", y: height / 2 + 13 }, score),
    note && svg("text", { class: "note halo", y: height / 2 + (score ? 13 + NOTE : 13) }, note),
    hit && svg("text", { class: "window halo", x: -width / 2 - 18, y: 4 }, "table"),
    ...boardDrawing(board, 0, 0),
  ];
}

/**
 * What folds or unfolds what is below a node: how much there is while it is folded.
 * @param {number} below @param {boolean} isFolded @param {number} half @param {() => void} onclick
 */
export function foldSign(below, isFolded, half, onclick) {
  const text = isFolded ? `+${compact(below)}` : "−";
  const width = isFolded ? 14 + 7 * text.length : 15;
  const listen = (/** @type {Event} */ event) => {
    event.stopPropagation();
    onclick();
  };
  return svg(
    "g",
    { class: classes("fold", { closed: isFolded }), onclick: listen, "aria-hidden": "true" },
    svg("rect", { x: -width / 2, y: half - 2, width, height: 15, rx: 7.5 }),
    svg("text", { y: half + 10 }, text),
  );
}

/**
 * The edge to a node, with its window beside it or the stroke that cuts it; it ends `half` from the
 * middles.
 * @param {NodeState} state @param {boolean} isAboveCut @param {NodeMarks} marks
 * @param {Point} from @param {Point} to @param {number} half
 */
export function edgeParts(state, isAboveCut, { pv }, [fromX, fromY], [x, toY], half) {
  const { cut, seen, window } = state;
  const [top, bottom] = [fromY + half, toY - half];
  const name = classes("edge", { cut, pv, unseen: !seen });
  /** @type {SVGElement[]} */
  const parts = [svg("path", { class: name, d: `M${fromX} ${top}L${x} ${bottom}` })];
  const [besideX, besideY] = [fromX + (x - fromX) * BESIDE, top + (bottom - top) * BESIDE];
  if (cut && !isAboveCut) {
    const d = `M${besideX - 7} ${besideY}l14 -6M${besideX - 7} ${besideY + 6}l14 -6`;
    parts.push(svg("path", { class: "slash", d }));
  } else if (window && seen) {
    const isLeft = x < fromX;
    const place = { x: besideX + (isLeft ? -5 : 5), y: besideY - 1 };
    parts.push(
      svg("text", { class: `window halo ${isLeft ? "left" : "right"}`, ...place }, window),
    );
  }
  return parts;
}
