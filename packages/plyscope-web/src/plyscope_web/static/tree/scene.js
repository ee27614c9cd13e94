// The scene of a tree: layout, states, folding and camera.
import * as cameras from "./camera.js";
import { distinctNames } from "./nodes.js";
import { across, layout } from "./layout.js";
import { roomFor } from "./node.js";

/** The most that plies are stretched if there is room. */
const STRETCH = 1.5;
/** The scale at which notes below nodes, such as proof numbers, do not meet. */
const NOTED = 0.64;

/**
 * What is shown beside the states of the nodes.
 * @typedef {object} Showing
 * @property {number | null} current
 * @property {number | null} selected
 * @property {boolean} pv whether the principal variation is marked
 * @property {Set<number>} differing
 * @property {number} pass the step at which this pass of the search began
 */

/** @type {Showing} */
const NOTHING = { current: null, selected: null, pv: false, differing: new Set(), pass: -1 };

export class TreeScene {
  /** @type {TraceNode[]} */
  nodes = [];
  /** The names of the nodes, different among siblings. @type {string[]} */
  names = [];
  /** The state of each node. @type {NodeState[]} */
  states = [];
  shown = NOTHING;
  /** @type {Set<number>} */
  folded = new Set();
  /** Whether it is folded and unfolded as the search goes on. */
  isFollowing = true;
  /** The first ply of which the nodes are folded then. */
  foldedFrom = 1;
  /** @type {cameras.Camera} */
  camera = { scale: 1, left: 0, top: 0 };
  /** @type {cameras.Size} */
  size = { width: 0, height: 0 };
  room = roomFor([]);
  /** The height of a ply before stretching. */
  ply = this.room.ply;
  layout = layout([], this.folded);

  /** Another tree, seen from where one stands. @param {TraceNode[]} nodes @param {boolean} [hasNotes] */
  load(nodes, hasNotes) {
    const room = roomFor(nodes, hasNotes);
    Object.assign(this, { nodes, states: [], shown: NOTHING, room, ply: room.ply });
    this.names = distinctNames(nodes);
    this.folded.clear();
    this.arrange();
  }

  arrange() {
    this.layout = layout(this.nodes, this.folded);
  }

  /** Return how large it is, in its own units. */
  get tree() {
    const { column, ply, margin } = this.room;
    const { columns, plies } = this.layout;
    return {
      width: (columns - 1) * column + 2 * margin,
      height: (plies.length - 1) * ply + 2 * margin,
    };
  }

  /** Return the camera that opens the tree, folded until it can be read. */
  opened() {
    const { margin } = this.room;
    const { ply } = this;
    this.room.ply = ply;
    this.foldToFit();
    const height = this.last * ply + 2 * margin; // with the plies that are folded
    const { scale } = cameras.opened(this.tree, this.size, this.place(0), this.least, height);
    const wanted = (this.size.height / scale - 2 * margin) / Math.max(1, this.last);
    this.room.ply = Math.max(ply, Math.min(STRETCH * ply, wanted));
    return cameras.opened(this.tree, this.size, this.place(0), this.least, height);
  }

  /** The nodes of the principal variation, where it is marked. */
  get pv() {
    return this.shown.pv ? [...this.nodes.keys()].filter((number) => this.nodes[number].pv) : [];
  }

  /** The deepest ply, folded or not. */
  get last() {
    return this.nodes.reduce((most, { ply }) => Math.max(most, ply), 0);
  }

  /** The scale from which on its texts do not meet. */
  get least() {
    return this.room.hasNotes ? NOTED : cameras.READABLE;
  }

  /** Fold all plies below those of which the nodes can be read side by side. */
  foldToFit() {
    this.isFollowing = true;
    for (this.foldedFrom = this.last; this.foldedFrom > 0; this.foldedFrom--) {
      this.foldBelow(null);
      if (this.foldedFrom === 1 || cameras.fitScale(this.tree, this.size) >= this.least) return;
    }
  }

  /** Fold what has no room, but not on the way to a node and below it. @param {number | null} kept */
  foldBelow(kept) {
    const way = new Set();
    for (let at = kept; at !== null; at = this.nodes[at].parent) way.add(at);
    const { foldedFrom } = this;
    const isFolded = (/** @type {number} */ number) =>
      this.nodes[number].ply >= foldedFrom && !way.has(number);
    this.folded = new Set([...this.nodes.keys()].filter(isFolded));
    this.arrange();
  }

  /**
   * Fold what the search has left, until somebody folds by hand; the seen node keeps its place.
   * @param {number | null} number
   * @returns whether nodes stand elsewhere now
   */
  follow(number) {
    if (!this.isFollowing || this.last <= this.foldedFrom) return false;
    let seen = number ?? 0;
    while (this.layout.isHidden[seen]) seen = this.nodes[seen].parent ?? 0;
    const columns = this.layout.columns;
    const before = this.place(seen);
    this.foldBelow(number);
    this.camera = this.movedWith(before, this.place(seen));
    return columns !== this.layout.columns || number !== null;
  }

  /** @param {Point} from @param {Point} to */
  movedWith([x, y], [toX, toY]) {
    const { scale, left, top } = this.camera;
    const camera = { scale, left: left + toX - x, top: top + toY - y };
    return cameras.kept(camera, this.tree, this.size);
  }

  /** Return how many nodes are folded away. */
  get hidden() {
    return this.layout.isHidden.filter(Boolean).length;
  }

  /** Unfold everything. */
  unfold() {
    this.isFollowing = false;
    this.folded.clear();
    this.arrange();
  }

  /** @param {number} number @returns {Point} */
  place(number) {
    const { margin, column, ply } = this.room;
    return [margin + this.layout.xs[number] * column, margin + this.nodes[number].ply * ply];
  }

  /** Pixels by the tree's units, downward. */
  get verticalScale() {
    return cameras.verticalScale(this.camera.scale, this.tree, this.size);
  }

  /** The place of a node in the view. @param {number} number @returns {Point} */
  pixel(number) {
    const [x, y] = this.place(number);
    const { scale, left, top } = this.camera;
    return [(x - left) * scale, (y - top) * this.verticalScale];
  }

  /** Return whether nodes are dots. */
  get isFar() {
    return this.camera.scale < cameras.LEGIBLE;
  }

  /** @param {number} number */
  isThere(number) {
    return number in this.states && !this.layout.isHidden[number];
  }

  /**
   * The nodes of a ply in view, or whose edges are.
   * @param {number} ply @param {number} ahead beyond the view, as a part of it
   */
  inView(ply, ahead) {
    const { column, margin } = this.room;
    const { scale, left } = this.camera;
    const seen = this.size.width / scale;
    const from = (left - ahead * seen - margin) / column - 1;
    const to = (left + (1 + ahead) * seen - margin) / column + 1;
    return across(this.layout, this.nodes, ply, from, to);
  }

  /** Return the style of a node from afar. @param {number} number */
  lookOf = (number) => {
    const { cut, seen } = this.states[number] ?? {};
    if (this.shown.differing.has(number)) return "differs";
    if (this.shown.pv && this.nodes[number].pv) return "pv";
    return cut ? "cut" : seen ? "" : "unseen";
  };

  /** @param {number} number @returns {NodeMarks} */
  marks(number) {
    const { current, selected, pv, differing, pass } = this.shown;
    return {
      current: number === current,
      selected: number === selected,
      pv: pv && this.nodes[number].pv,
      differs: differing.has(number),
      past: (this.states[number]?.at ?? Infinity) <= pass,
      folded: this.folded.has(number) ? this.layout.below[number] : 0,
    };
  }

  /**
   * Fold what is below a node, or unfold it; the camera goes along, so that the node stays where it is.
   * @param {number} number
   */
  fold(number) {
    const before = this.place(number);
    this.isFollowing = false;
    if (!this.folded.delete(number)) this.folded.add(number);
    this.arrange();
    this.camera = this.movedWith(before, this.place(number));
  }

  /** Unfold all that a node is hidden in. @param {number} number */
  unfoldAbove(number) {
    for (let at = this.nodes[number].parent; at !== null; at = this.nodes[at].parent)
      this.folded.delete(at);
    this.arrange();
  }
}
