// The text of a game on a grid: `7,6,4,gravity`, `4x4x4,4,torus`.

/**
 * What the text says: the sizes of the board, how many win in a line, and further words.
 * @typedef {{ shape: number[], k: number, words: string[] }} GameSpec
 */

/** Words that a switch sets, with what it is called. @type {[word: string, label: string, title: string][]} */
export const SWITCHES = [
  ["gravity", "gravity", "stones fall to the lowest free cell of their column"],
  ["torus", "torus", "opposite edges meet: lines go on round them"],
  ["misere", "misère", "whoever completes a line loses"],
  ["exactly", "exactly", "a longer line does not win"],
];

/** @param {string} text @returns {GameSpec | null} null where it is none */
export function parseSpec(text) {
  const match = /^(\d+,\d+|\d+(?:x\d+)+),(\d+)((?:,[^,]+)*)$/.exec(text);
  if (!match) return null;
  const [, board, k, words] = match;
  const shape = board.split(/[x,]/).map(Number);
  return { shape, k: Number(k), words: words.split(",").filter(Boolean) };
}

/** @param {GameSpec} spec */
export function formatSpec({ shape, k, words }) {
  const [width, height = 1, levels = 1, ...others] = shape;
  const isFlat = levels === 1 && !others.length;
  const board = isFlat ? `${width},${height}` : [width, height, levels, ...others].join("x");
  return [board, k, ...words].join();
}

/** @param {string} word @param {string} name */
const isOf = (word, name) => word.split("=")[0] === name;

/** @param {GameSpec} spec @param {string} name */
export const hasWord = ({ words }, name) => words.some((word) => isOf(word, name));

/** @param {GameSpec} spec @param {string} name @param {boolean} is @returns {GameSpec} */
export function withWord(spec, name, is) {
  const words = spec.words.filter((word) => !isOf(word, name));
  return { ...spec, words: is ? [...words, name] : words };
}

/** @param {GameSpec} spec @param {number} axis @param {number} size @returns {GameSpec} */
export function withSize(spec, axis, size) {
  const shape = [...spec.shape];
  while (shape.length <= axis) shape.push(1);
  shape[axis] = size;
  return { ...spec, shape };
}
