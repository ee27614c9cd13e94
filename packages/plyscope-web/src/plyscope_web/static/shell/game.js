// A game as a tree of variations.
import { foreseen } from "../board/cells.js";
import { Listened } from "./listened.js";
import { formatMoves, formatVariations } from "./trail.js";

/**
 * A position of the game, with the move and the cell that led to it: none at the root.
 * @typedef {object} GameNode
 * @property {Shown} shown
 * @property {string} move
 * @property {number | null} cell
 * @property {GameNode | null} parent
 * @property {GameNode[]} children
 * @property {string} [text] that of the position, as it was asked for, at a root
 */

/** Moves beyond which a title counts them. */
const LONG = 9;

/**
 * The root of the game that begins at a position.
 * @param {Client} client @param {string} text @returns {Promise<GameNode>}
 */
export async function askRoot(client, text) {
  const shown = await client.ask("show", { position: text });
  return { shown, move: "", cell: null, parent: null, children: [], text };
}

/**
 * The node that a move leads to, which joins the tree if it is new there.
 * @param {Client} client @param {GameNode} from @param {string} move @returns {Promise<GameNode>}
 */
export async function askChild(client, from, move) {
  const known = from.children.find((child) => child.move === move);
  if (known) return known;
  const shown = await client.ask("play", { position: from.shown.position, move });
  const same = from.children.find(({ cell }) => cell === shown.cell);
  if (same) return same;
  const child = { shown, move: shown.move, cell: shown.cell, parent: from, children: [] };
  from.children.push(child);
  return child;
}

/** @param {GameNode} node @returns {GameNode} */
const rootOf = (node) => (node.parent ? rootOf(node.parent) : node);

/** Return whether a game's name alone does not say where it begins. @param {Shown} shown */
const isBegun = ({ text, cells, side }) => Boolean(text) || /[xo]/.test(cells) || side === "o";

/** Return the text of the start of a game. @param {Shown} shown */
export const rootText = (shown) => (isBegun(shown) ? shown.position : shown.game);

/** @extends {Listened<[]>} */
export class Game extends Listened {
  /** @param {Client} client @param {GameNode} node where one is in it */
  constructor(client, node) {
    super();
    this.client = client;
    this.node = node;
    this.root = rootOf(node);
    /** The moves that were played and that the server has not answered yet. @type {string[]} */
    this.ahead = [];
    /** The queue of moves that is being sent, and its end. @type {string[] | null} */
    this.sent = null;
    this.sending = Promise.resolve();
  }

  /** The game that begins at a position. @param {Client} client @param {string} text */
  static async open(client, text) {
    return new Game(client, await askRoot(client, text));
  }

  /** Begin anew at a position. @param {string} text */
  async start(text) {
    this.turnTo(await askRoot(this.client, text));
  }

  /** Go to a node, of another tree too. @param {GameNode} node */
  turnTo(node) {
    this.root = rootOf(node);
    this.go(node);
  }

  /**
   * Play a move after those still waiting, which a refusal, the end of the game or `go` drops.
   * @param {string} move
   */
  play(move) {
    this.ahead.push(move);
    if (this.sent !== this.ahead) {
      this.sent = this.ahead;
      this.sending = this.send(this.ahead);
    }
    this.tell();
    return this.sending;
  }

  /** Ask the server for moves, one after the other. @param {string[]} ahead */
  async send(ahead) {
    try {
      do {
        const child = await askChild(this.client, this.node, ahead[0]);
        if (this.ahead !== ahead) return;
        ahead.shift();
        this.reach(child);
      } while (ahead.length && this.ahead === ahead && !this.shown.over);
    } finally {
      if (this.ahead === ahead) {
        this.ahead = [];
        if (ahead.length) this.tell();
      }
    }
  }

  /** The position as it is after the moves that the server has not answered yet. */
  get foreseen() {
    return this.ahead.reduce(foreseen, this.shown);
  }

  /** The cell of the last move, answered or not. */
  get last() {
    const move = this.ahead.at(-1);
    return move === undefined ? this.node.cell : this.shown.names.indexOf(move);
  }

  /** Go to a node: moves that wait for the server are dropped. @param {GameNode} node */
  go(node) {
    this.ahead = [];
    this.reach(node);
  }

  /** @param {GameNode} node */
  reach(node) {
    this.node = node;
    this.tell();
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

  /** The game and its moves in short: `connect4 444`. */
  get title() {
    const { shown } = this.root;
    const { moves } = this;
    if (moves.length > LONG) return `${shown.game}, ${moves.length} moves`;
    const isTyped = shown.gravity && shown.shape.length === 2 && shown.shape[0] < 10;
    const typed = this.path.slice(1).map(({ cell }) => ((cell ?? 0) % shown.shape[0]) + 1);
    return `${shown.game} ${isTyped ? typed.join("") : moves.join(" ")}`.trim();
  }

  /** The address of the game: its start, its moves and its variations. */
  get place() {
    const { shown } = this.root;
    const moves = formatMoves(this.moves);
    const variations = formatVariations(this.root);
    return { position: rootText(shown), moves, variations: variations === moves ? "" : variations };
  }
}
