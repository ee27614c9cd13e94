// Proved values of positions: one store that all rooms read and fill, so that they agree.
import { Listened } from "./listened.js";

/** Positions that are kept at most. */
const MOST = 2000;

/** Return how much a proof tells. @param {Proved} proof */
const weight = ({ moves, best, distance, line, lines, reason }) =>
  2 * moves.length +
  (best.length ? 1 : 0) +
  (distance === null ? 0 : 0.5) +
  (line?.length ? 0.25 : 0) +
  (lines?.length ?? 0) / 100 +
  (reason ? 0.001 : 0);

/** The cells of a proved line that begins with a move. @param {Proved | null} proof @param {number} cell */
export const provedCells = (proof, cell) =>
  [proof?.line ?? [], ...(proof?.lines ?? [])].find(([first]) => first === cell);

/**
 * What two proofs of one position tell together.
 * @param {Proved} one @param {Proved} other @returns {Proved}
 */
export function merged(one, other) {
  const [more, less] = weight(one) >= weight(other) ? [one, other] : [other, one];
  const { line, lines } = more.line?.length ? more : less;
  const reason = more.reason ?? less.reason;
  const both = { ...more, ...(line && { line, lines }), ...(reason && { reason }) };
  if (more.distance !== null || less.distance === null) return both;
  return { ...both, distance: less.distance, best: less.best }; // those that take so many plies
}

/**
 * What a proof of a position says of the one after a move.
 * @param {Proved | null} proof @param {GameNode} parent @param {GameNode} node
 * @returns {Proved | null}
 */
export function proofOfChild(proof, parent, node) {
  const known = proof?.moves.find(({ move }) => move === node.cell);
  if (!proof || !known || node.shown.over) return null;
  const value = (parent.shown.side === node.shown.side ? known.value : -known.value) || 0;
  const distance = known.distance === null ? null : known.distance - 1;
  const { position } = node.shown;
  const line = provedCells(proof, known.move)?.slice(1);
  const best = line?.slice(0, 1) ?? [];
  return { position, value, distance, proof: proof.proof, moves: [], best, ...(line && { line }) };
}

/** Listeners are told of positions. @extends {Listened<[position: string]>} */
export class Proofs extends Listened {
  /** By position. @type {Map<string, Proved>} */
  known = new Map();

  /** @param {string} position @returns {Proved | null} */
  get(position) {
    return this.known.get(position) ?? null;
  }

  /** Return the proof of a node, perhaps from its parent's. @param {GameNode} node @returns {Proved | null} */
  of(node) {
    const { parent } = node;
    const known = this.get(node.shown.position);
    if (known || !parent) return known;
    return proofOfChild(this.get(parent.shown.position), parent, node);
  }

  /** @param {Proved | null | undefined} proof */
  learn(proof) {
    if (!proof || proof.value === null) return;
    const { position } = proof;
    const before = this.get(position);
    const after = before ? merged(before, proof) : proof;
    if (before && weight(after) === weight(before)) return;
    this.known.delete(position);
    this.known.set(position, after);
    const [oldest] = this.known.keys();
    if (this.known.size > MOST) this.known.delete(oldest);
    this.tell(position);
  }

  /** Return the proofs of some nodes for a request. @param {GameNode[]} nodes */
  carried(nodes) {
    return nodes.flatMap((node) => {
      const proof = this.of(node);
      if (!proof || proof.value === null || node.shown.over || node.shown.text) return [];
      const { value, distance, best } = proof;
      const moves = proof.moves.map(({ move, value, distance }) => ({ move, value, distance }));
      return [{ position: node.shown.position, value, distance, best, moves }];
    });
  }
}
