// Numbers and names as people read and type them.

const MINUS = "−";

/** @param {number} number */
export const count = (number) => number.toLocaleString("en").replaceAll("-", MINUS);

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

/** @param {string} text */
export const withMinus = (text) => text.replace("-", MINUS);

/** Seconds as a clock shows them. @param {number} seconds */
export function clockTime(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

/**
 * The names of columns and levels: a to z, aa, ab and on.
 * @param {number} number @returns {string}
 */
export function letters(number) {
  const last = String.fromCharCode(97 + (number % 26));
  return number < 26 ? last : letters(Math.floor(number / 26) - 1) + last;
}

/** What somebody typed as a whole number within bounds. @param {string} text */
export function wholeNumber(text, least = -Infinity, most = Infinity) {
  return Math.min(most, Math.max(least, Math.trunc(Number(text)) || 0));
}
