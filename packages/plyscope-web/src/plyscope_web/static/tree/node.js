// The drawing of a node with its state, and of the edge above it.
import { classes, svg } from "../shell/dom.js";
import { kindOf, nodeShape } from "./nodes.js";
import { boardDrawing, boardSize } from "../board/smallboard.js";
import { compact } from "../shell/wording.js";

const MARGIN = 46;
const HALF = 17; // of a node's height
const SHAPE = { half: HALF, boxHalf: HALF - 3, spread: HALF + 3 };
/** Half the width of a letter in a leaf, and the room beside its name. */
const LETTER = 4.2;
const BESIDE_NAME = 4;
const COLUMN = { usual: 82, noted: 112, gap: 12 };
/** Signs that have room in a triangle. */
const MOST_SIGNS = 4;
const NAME = 17; // the room for a name above a board, and for a score below it
const EDGE = 58;
const GAP = 24;
const LONGEST_NAME = 14;
/** The place of a cut on its edge, from 0 to 1, and of a window: low enough to clear the next one. */
const [CUT_FRACTION, WINDOW_FRACTION] = [0.62, 0.9];
/** A second line below a board. */
const NOTE = 16;

/**
 * @typedef {object} Room
 * @property {number} column @property {number} ply @property {number} margin
 * @property {number} half @property {boolean} hasNotes
 */

/** Half the width of a leaf's box: the whole of a number is read. @param {string} name */
const boxWidth = (name) => Math.max(HALF, LETTER * name.length + BESIDE_NAME);

/** The offsets of two lines below a node: in em, since texts have a least size. */
const BELOW = [".85em", "1.85em"];

/**
 * The room that the nodes of a tree need: `half` is from a node's middle to where its edges end.
 * @param {TraceNode[]} nodes @param {boolean} [hasNotes] @returns {Room}
 */
export function roomFor(nodes, hasNotes = false) {
  const sizes = nodes.flatMap(({ board }) => (board ? [boardSize(board)] : []));
  const least = hasNotes ? COLUMN.noted : COLUMN.usual;
  if (!sizes.length) {
    const widest = nodes.reduce(
      (most, { leaf, name }) => (leaf ? Math.max(most, boxWidth(name)) : most),
      0,
    );
    const column = Math.max(least, 2 * widest + COLUMN.gap);
    return { column, ply: 92, margin: MARGIN * (hasNotes ? 1.7 : 1), half: HALF, hasNotes };
  }
  const width = sizes.reduce((most, size) => Math.max(most, size[0]), 0);
  const height = sizes.reduce((most, size) => Math.max(most, size[1]), 0);
  const half = height / 2 + NAME + (hasNotes ? NOTE : 0);
  const margin = Math.max(MARGIN, width / 2 + GAP, half + GAP / 4 + NOTE);
  return { column: Math.max(least, width + GAP), ply: 2 * half + EDGE, margin, half, hasNotes };
}

/** A node's name as far as it has room. @param {TraceNode} node */
function shownName({ leaf, name, board }) {
  const most = board ? LONGEST_NAME : leaf ? Infinity : MOST_SIGNS;
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}

/** A node's score, but for a leaf whose name it is. @param {TraceNode} node @param {NodeState} state */
const shownScore = ({ leaf, name }, { score }) => (leaf && name === score ? undefined : score);

/** The sign of what is folded below a node. @param {number} below */
const foldedText = (below) => `+${compact(below)}`;

/**
 * Return the label of a node: first what is written on it (for voice control), then the rest.
 * @param {TraceNode} node @param {NodeState} state @param {NodeMarks} marks
 */
export function nodeLabel(node, state, marks) {
  const words = [
    shownName(node),
    shownScore(node, state),
    noteOf(state.note, state.hit),
    node.parent === null && state.window,
    marks.folded && foldedText(marks.folded),
    shownName(node) !== node.name && node.name,
    kindOf(node),
    !state.seen && (state.cut ? "cut" : "not searched yet"),
    state.window && `window ${state.window}`,
    state.hit && "from the table",
    marks.past && "found in an earlier pass",
    marks.pv && "on the principal variation",
    marks.current && "current",
    marks.differs && "differs",
    marks.folded && `folded, ${marks.folded} below`,
  ];
  return words.filter(Boolean).join(", ");
}

/** Return the note below a node. @param {string} [note] @param {boolean} [hit] */
const noteOf = (note, hit) => [note, hit && "table"].filter(Boolean).join(", ");

/** A node's parts, its middle at (0, 0). @param {TraceNode} node @param {NodeState} state */
export const nodeParts = (node, state) =>
  node.board ? boardParts(node, node.board, state) : shapeParts(node, state);

/**
 * A node by its shape, with its name in it and its score beside it.
 * @param {TraceNode} node @param {NodeState} state
 */
function shapeParts(node, state) {
  const { leaf, max, mean, name, parent } = node;
  const { hit, note, window } = state;
  const score = shownScore(node, state);
  const isUnderScore = Boolean(leaf && score);
  const below = noteOf(note, hit);
  const beside = { x: max ? HALF - 4 : HALF + 8, y: 4 - HALF };
  const under = leaf ? HALF - 1 : HALF + 4;
  const place = leaf ? { y: under, dy: BELOW[0] } : beside;
  const size = leaf ? { ...SHAPE, half: boxWidth(name) } : SHAPE;
  return [
    nodeShape(node, 0, 0, size),
    svg("text", { y: leaf || mean ? 5 : max ? 9 : -1 }, shownName(node)),
    score && svg("text", { class: classes("score halo", { right: !leaf }), ...place }, score),
    below && svg("text", { class: "note halo", y: under, dy: BELOW[Number(isUnderScore)] }, below),
    parent === null &&
      window &&
      svg("text", { class: "window halo left", x: -beside.x, y: beside.y }, window),
  ];
}

/**
 * A node by its board, with its kind and the move to it above, and its score below.
 * @param {TraceNode} node @param {SmallBoard} board @param {NodeState} state
 */
function boardParts(node, board, state) {
  const { leaf, max, mean, parent } = node;
  const { hit, note, window } = state;
  const score = shownScore(node, state);
  const height = boardSize(board)[1];
  const said = noteOf(note, hit);
  const kind = leaf || mean ? "" : max ? "▲ " : "▼ ";
  const below = height / 2 + 2;
  return [
    svg("text", { class: "halo", y: -height / 2 - 5 }, kind + shownName(node)),
    score && svg("text", { class: "score halo", y: below, dy: BELOW[0] }, score),
    said && svg("text", { class: "note halo", y: below, dy: BELOW[Number(Boolean(score))] }, said),
    parent === null && window && svg("text", { class: "window halo", y: -height / 2 - 22 }, window),
    ...boardDrawing(board, 0, 0),
  ];
}

/**
 * What folds or unfolds what is below a node: how much there is while it is folded.
 * @param {number} below @param {boolean} isFolded @param {number} half @param {() => void} onclick
 */
export function foldSign(below, isFolded, half, onclick) {
  const text = isFolded ? foldedText(below) : "−";
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
 * Return the edge to a node with its window or its cut; it ends `half` from the middles.
 * @param {TraceNode} node @param {NodeState} state @param {boolean} isAboveCut
 * @param {NodeMarks} marks @param {[from: Point, to: Point]} ends @param {number} half
 */
export function edgeParts({ leaf }, state, isAboveCut, marks, [[fromX, fromY], [x, toY]], half) {
  const { pv, past, current, selected, repeats } = marks;
  const { cut, seen, window } = state;
  const [top, bottom] = [fromY + half, toY - half];
  const name = classes("edge", { cut, past, pv, unseen: !seen });
  /** @type {SVGElement[]} */
  const parts = [svg("path", { class: name, d: `M${fromX} ${top}L${x} ${bottom}` })];
  const fraction = cut || x === fromX ? CUT_FRACTION : WINDOW_FRACTION;
  const [besideX, besideY] = [fromX + (x - fromX) * fraction, top + (bottom - top) * fraction];
  if (cut && !isAboveCut) {
    const d = `M${besideX - 7} ${besideY}l14 -6M${besideX - 7} ${besideY + 6}l14 -6`;
    parts.push(svg("path", { class: classes("slash", { past }), d }));
  } else if (window && seen) {
    const isAlone = x === fromX; // beside the edge; else on it, near its child
    const place = { x: besideX + (isAlone ? 5 : 0), y: besideY - 1 };
    const isAway = !current && !selected;
    const [spare, again] = [leaf && isAway, repeats && isAway];
    const name = classes("window halo", { right: isAlone, past, spare, again });
    parts.push(svg("text", { class: name, ...place }, window));
  }
  return parts;
}
