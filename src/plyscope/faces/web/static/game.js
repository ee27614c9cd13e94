// A game as a tree of variations.

/**
 * A position of the game, with the move and the cell that led to it: none at the root.
 * @typedef {object} GameNode
 * @property {Shown} shown
 * @property {string} move
 * @property {number | null} cell
 * @property {GameNode | null} parent
 * @property {GameNode[]} children
 * @property {Times} [left] the seconds that were left when it was reached first
 */

/** @typedef {Record<Side, number>} Times */

/** @param {Shown} shown @returns {GameNode} */
const rootOf = (shown) => ({ shown, move: "", cell: null, parent: null, children: [] });

export class Game {
  /** @param {Client} client @param {Shown} shown */
  constructor(client, shown) {
    this.client = client;
    this.root = this.node = rootOf(shown);
    /** The seconds that each side has left; null without a clock. @type {Times | null} */
    this.left = null;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /** The game that begins at a position. @param {Client} client @param {string} text */
  static async open(client, text) {
    return new Game(client, await client.ask("show", { position: text }));
  }

  /** Listen for changes; what is returned stops that. @param {() => void} listener */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Begin anew at a position. @param {string} text */
  async start(text) {
    this.root = rootOf(await this.client.ask("show", { position: text }));
    this.left = null;
    this.go(this.root);
  }

  /** Set the clock where the game begins, or do without. @param {Times | null} left */
  setClock(left) {
    this.left = left;
    this.go(this.node);
  }

  /** Play a move by its name; it joins the tree if it is new there. @param {string} move */
  async play(move) {
    const from = this.node;
    const known = from.children.find((child) => child.move === move);
    if (known) return this.go(known);
    const played = await this.client.ask("play", { position: from.shown.position, move });
    if (this.node !== from) return;
    let child = from.children.find(({ cell }) => cell === played.cell);
    if (!child) {
      child = { shown: played, move: played.move, cell: played.cell, parent: from, children: [] };
      from.children.push(child);
    }
    this.go(child);
  }

  /** @param {GameNode} node */
  go(node) {
    if (this.left) this.left = { ...(node.left ?? this.left) };
    if (this.left) node.left ??= { ...this.left };
    this.node = node;
    for (const listener of this.listeners) listener();
  }

  get shown() {
    return this.node.shown;
  }

  /** Nodes from the root to the one where we are. */
  get path() {
    const path = [];
    for (let node = /** @type {GameNode | null} */ (this.node); node; node = node.parent)
      path.unshift(node);
    return path;
  }

  /** The variation through the node where we are, on to its end by first children. */
  get variation() {
    const nodes = this.path;
    for (let node = this.node; node.children.length; nodes.push(node)) node = node.children[0];
    return nodes;
  }

  get moves() {
    return this.path.slice(1).map((node) => node.move);
  }

  /** The moves as an address has them: names may have commas. */
  get trail() {
    return this.moves.map(encodeURIComponent).join(",");
  }
}
