// The moves of a game in an address: `d1,d2,(c1,c2),d3`, with variations in brackets.

/** Signs of a text beyond which an address leaves variations out. */
const MOST = 1500;

/** Names may have commas and brackets. @param {string} move */
const encoded = (move) => encodeURIComponent(move).replaceAll("(", "%28").replaceAll(")", "%29");

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {string[]} moves */
export const formatMoves = (moves) => moves.map(encoded).join();

/** @param {string} [text] */
export const parseMoves = (text = "") => text.split(",").filter(Boolean).map(decoded);

/**
 * Return the moves after a node with their variations, as far as there is room.
 * @param {GameNode} node
 */
export function formatVariations(node, room = MOST) {
  const parts = [];
  for (let at = node; at.children.length; at = at.children[0]) {
    const [first, ...others] = at.children;
    for (const child of [first, ...others]) {
      const part = child === first ? encoded(child.move) : inBrackets(child, room);
      room -= part.length + 1;
      if (room < 0) return parts.join();
      parts.push(part);
    }
  }
  return parts.join();
}

/** @param {GameNode} node @param {number} room @returns {string} */
function inBrackets(node, room) {
  const move = encoded(node.move);
  const rest = formatVariations(node, room - move.length - 4);
  return `(${[move, rest].filter(Boolean).join()})`;
}

/**
 * Moves one after another, and variations of the one before.
 * @typedef {(string | Trail)[]} Trail
 * @param {string} text @returns {Trail}
 */
export function parseVariations(text) {
  /** @type {Trail[]} */
  const open = [[]];
  for (const word of text.match(/[(),]|[^(),]+/g) ?? []) {
    if (word === "(") {
      /** @type {Trail} */
      const variation = [];
      open[0].push(variation);
      open.unshift(variation);
    } else if (word === ")") {
      if (open.length === 1) throw new Error(`')' without '(' in the variations '${text}'`);
      open.shift();
    } else if (word !== ",") open[0].push(decoded(word));
  }
  if (open.length > 1) throw new Error(`'(' without ')' in the variations '${text}'`);
  return open[0];
}
