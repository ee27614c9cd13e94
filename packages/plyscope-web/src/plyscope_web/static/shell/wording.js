// Numbers, values and names in words.

const MINUS = "−";

/** @param {number} number */
export const count = (number) =>
  // the first number that is formatted for a language costs 25 ms; most are short
  (Number.isInteger(number) && Math.abs(number) < 1e3
    ? String(number)
    : number.toLocaleString("en")
  ).replaceAll("-", MINUS);

/** @param {number} number */
export const signed = (number) => (number > 0 ? `+${count(number)}` : count(number));

/** A number in at most four digits: `1.2k`. @param {number} number */
export function compact(number) {
  const [unit, sign] = Math.abs(number) < 1e6 ? [1e3, "k"] : [1e6, "M"];
  if (Math.abs(number) < 1e3) return count(number);
  const parts = number / unit;
  return `${count(Math.abs(parts) < 10 ? Math.trunc(parts * 10) / 10 : Math.trunc(parts))}${sign}`;
}

/** @param {number} number @param {string} one @param {string} many */
export const counted = (number, one, many = `${one}s`) =>
  `${count(number)} ${number === 1 ? one : many}`;

/** A share with one digit behind the point. @param {number} share */
export const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** @param {string} text */
export const withMinus = (text) => text.replace("-", MINUS);

/**
 * The names of columns and levels: a to z, aa, ab and on.
 * @param {number} number @returns {string}
 */
export function letters(number) {
  const last = String.fromCharCode(97 + (number % 26));
  return number < 26 ? last : letters(Math.floor(number / 26) - 1) + last;
}

/**
 * What a field for a number takes: a whole number, unless its steps are fractions.
 * @typedef {{ min?: number, max?: number, step?: number, isOptional?: boolean }} NumberRange
 */

/** A range as it is said: `a whole number from 1 to 8`. @param {NumberRange} range */
function rangeWords({ min = -Infinity, max = Infinity, step = 1 }) {
  const noun = Number.isInteger(step) ? "a whole number" : "a number";
  if (Number.isFinite(min) && Number.isFinite(max))
    return `${noun} from ${count(min)} to ${count(max)}`;
  if (Number.isFinite(min)) return `${noun}, ${count(min)} or more`;
  return Number.isFinite(max) ? `${noun}, ${count(max)} or less` : noun;
}

/** A range in few words: `1 to 8`. @param {NumberRange} range */
export function limitsText({ min, max, isOptional }) {
  const least = min === undefined ? "" : count(min);
  const words = max === undefined ? `${least} or more` : `${least} to ${count(max)}`;
  return `${words}${isOptional ? ", or empty" : ""}`;
}

/** Return the fault of a typed number, empty if it is right. @param {string} text @param {NumberRange} range */
export function numberFault(text, range) {
  const { min = -Infinity, max = Infinity, step = 1, isOptional = false } = range;
  if (!text && isOptional) return "";
  const number = Number(text);
  const isKind = Number.isInteger(step) ? Number.isSafeInteger(number) : Number.isFinite(number);
  if (text && isKind && number >= min && number <= max) return "";
  return `${text && `${text}; `}expected ${rangeWords(range)}`;
}

/** Scores beyond this are wins and losses, by their plies. */
const MAX_EVALUATION = 999_989_999;
/** The evaluation that stands half-way between nothing and a win. */
const HALF_WON = 60;

/** @param {number} value */
export const isEstimate = (value) => Math.abs(value) <= MAX_EVALUATION;

/**
 * How much of the game is somebody's by an evaluation, from −1 to 1.
 * @param {number} value @param {number} half the value that is half a win
 */
export const shareOf = (value, half = HALF_WON) =>
  isEstimate(value) ? value / (Math.abs(value) + half) : Math.sign(value);

/**
 * Return whether a score is a proof: a win or loss within the depth, or exact in a settled search.
 * @param {{ value: number, sign: string, text: string }} score @param {boolean} [isSettled]
 */
export const isSureScore = ({ value, sign, text }, isSettled = false) =>
  (isSettled && sign === "=") ||
  (!isEstimate(value) && /win|loss/.test(text) && sign !== (value > 0 ? "≤" : "≥") && sign !== "≈");

/** The plies in which a score sees the end: `win in 5`. @param {string} text */
export function pliesIn(text) {
  const plies = /\bin (\d+)/.exec(text)?.[1];
  return plies === undefined ? null : Number(plies);
}

/** The words of a game for a result to the side to move. @type {Record<number, string>} */
const RESULTS = { 1: "wins", 0: "holds a draw", [-1]: "loses" };
export const EVEN = "about even";
const DEGREES = [
  { below: 0.06, good: EVEN, bad: EVEN },
  { below: 0.3, good: "slightly better", bad: "slightly worse" },
  { below: 0.6, good: "better", bad: "worse" },
  { below: Infinity, good: "much better", bad: "much worse" },
];

/**
 * A proven value in the words of the game: `wins in 13 plies`.
 * @param {{ value: number, distance: number | null }} proved distance in plies
 */
export const provedWords = ({ value, distance }) =>
  value && distance ? `${RESULTS[value]} in ${counted(distance, "ply", "plies")}` : RESULTS[value];

/**
 * A score in the words of the game; an estimate is never a win.
 * @param {{ value: number, sign: string, text: string }} score @param {boolean} [isSettled]
 */
export function scoreWords({ value, sign, text }, isSettled = false) {
  if (isSureScore({ value, sign, text }, isSettled))
    return provedWords({ value: Math.sign(value), distance: pliesIn(text) });
  const share = shareOf(value);
  const degree = DEGREES.find(({ below }) => Math.abs(share) < below) ?? DEGREES[0];
  const bound = { "≥": "at least ", "≤": "at most " }[sign] ?? "";
  return `${bound}${share < 0 ? degree.bad : degree.good}`;
}

/** Return the spoken name of a cell. @param {Shown} shown @param {number} cell */
export const spoken = ({ spoken, names }, cell) => (spoken ?? names)[cell];

/** Return the spoken name of the move to a node. @param {GameNode} node */
export const spokenMove = ({ shown, cell, move }) =>
  cell === null ? move : (shown.spoken?.[cell] ?? move);
