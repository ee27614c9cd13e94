// A tree as it is looked at: where its nodes stand, what is known of them, which are in view.
import * as cameras from "./camera.js";
import { across, layout } from "./treelayout.js";
import { roomFor } from "./treenode.js";

/** Where there is room, plies stand apart by as many times what they need. */
const STRETCH = 1.5;

/** @typedef {(NodeState | null)[]} States by node; null is not there yet */
/**
 * What is shown beside the states of the nodes.
 * @typedef {object} Showing
 * @property {number | null} current
 * @property {number | null} selected
 * @property {boolean} pv whether the principal variation is marked
 * @property {Set<number>} differing
 */

/** @type {Showing} */
const NOTHING = { current: null, selected: null, pv: false, differing: new Set() };

export class TreeScene {
  /** @type {TraceNode[]} */
  nodes = [];
  /** @type {States} */
  states = [];
  shown = NOTHING;
  /** @type {Set<number>} */
  folded = new Set();
  /** @type {cameras.Camera} */
  camera = { scale: 1, left: 0, top: 0 };
  /** @type {cameras.Size} */
  size = { width: 0, height: 0 };
  room = roomFor([]);
  /** What plies need, before they are stretched. */
  ply = this.room.ply;
  layout = layout([], this.folded);

  /** Another tree, seen from where one stands. @param {TraceNode[]} nodes @param {boolean} [hasNotes] */
  load(nodes, hasNotes) {
    const room = roomFor(nodes, hasNotes);
    Object.assign(this, { nodes, states: [], shown: NOTHING, room, ply: room.ply });
    this.folded.clear();
    this.arrange();
  }

  arrange() {
    this.layout = layout(this.nodes, this.folded);
  }

  /** How large it is, in its own units. */
  get tree() {
    const { column, ply, margin } = this.room;
    const { columns, plies } = this.layout;
    return {
      width: (columns - 1) * column + 2 * margin,
      height: (plies.length - 1) * ply + 2 * margin,
    };
  }

  /** Where one opens it: its plies stand apart as far as there is room. */
  opened() {
    const { margin } = this.room;
    const { ply } = this;
    this.room.ply = ply;
    const scale = cameras.opened(this.tree, this.size, this.place(0)).scale;
    const gaps = Math.max(1, this.layout.plies.length - 1);
    const wanted = (this.size.height / scale - 2 * margin) / gaps;
    this.room.ply = Math.max(ply, Math.min(STRETCH * ply, wanted));
    return cameras.opened(this.tree, this.size, this.place(0));
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

  /** Whether nodes are dots. */
  get isFar() {
    return this.camera.scale < cameras.LEGIBLE;
  }

  /** @param {number} number */
  isThere(number) {
    return Boolean(this.states[number]) && !this.layout.isHidden[number];
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

  /** How a node looks from afar, null where it is not there yet. @param {number} number */
  lookOf = (number) => {
    const state = this.states[number];
    if (!state) return null;
    if (this.shown.differing.has(number)) return "differs";
    if (this.shown.pv && this.nodes[number].pv) return "pv";
    return state.cut ? "cut" : state.seen ? "" : "unseen";
  };

  /** @param {number} number @returns {NodeMarks} */
  marks(number) {
    const { current, selected, pv, differing } = this.shown;
    return {
      current: number === current,
      selected: number === selected,
      pv: pv && this.nodes[number].pv,
      differs: differing.has(number),
      folded: this.folded.has(number) ? this.layout.below[number] : 0,
    };
  }

  /**
   * Fold what is below a node, or unfold it; the camera goes along, so that the node stays where it is.
   * @param {number} number
   */
  fold(number) {
    const [x, y] = this.place(number);
    if (!this.folded.delete(number)) this.folded.add(number);
    this.arrange();
    const [toX, toY] = this.place(number);
    const { scale, left, top } = this.camera;
    const camera = { scale, left: left + toX - x, top: top + toY - y };
    this.camera = cameras.kept(camera, this.tree, this.size);
  }

  /** Unfold all that a node is hidden in. @param {number} number */
  unfoldAbove(number) {
    for (let at = this.nodes[number].parent; at !== null; at = this.nodes[at].parent)
      this.folded.delete(at);
    this.arrange();
  }
}
