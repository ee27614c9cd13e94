// The font and the wording of notes on cells; a note that does not fit is left out.

const FONTS = [16, 14, 12.5, 11, 9.5, 8];
/** Those that the back row reads, and how much of a large cell its tile leaves to them. */
const LARGE = [36, 30, 26, 22, 19];
const TILE = 0.62;
/** Of the others, those that are read without effort. */
const EASY = FONTS.filter((font) => font >= 11);
const LINE = 1.25;
/** The share of a cell's height that a note may fill. */
const HIGH = 0.85;
const PADDING = 2; // pixels of a cell that are no room for a note
/** Up to so many pixels a cell has room for numbers alone, which stand within its round mark. */
const SMALL = 48;
/** The height of a digit in em. */
const DIGIT = 0.73;
/** The width of a character at most, by its font's size. */
const WIDTHS = { letter: 0.68, digit: 0.66, sign: 0.85, narrow: 0.4 };

/** @param {string} letter */
function widthOf(letter) {
  if (/[ .,·]/.test(letter)) return WIDTHS.narrow;
  if (/[0-9kM]/.test(letter)) return WIDTHS.digit;
  return /[a-z]/.test(letter) ? WIDTHS.letter : WIDTHS.sign;
}

/** @param {string} text @param {number} font */
const pixels = (text, font) => font * [...text].reduce((sum, letter) => sum + widthOf(letter), 0);

/**
 * Return one font size for all notes, and their texts; a note that does not fit is empty.
 * @param {Note[]} notes @param {number} side of a cell @param {number} [mark] across its round mark
 * @returns {{ font: number, texts: string[] }}
 */
export function fitted(notes, side, mark = side) {
  const isInMark = side <= SMALL;
  const room = Math.min(side - PADDING, isInMark ? mark : side);
  /** Return how wide a text may be. @param {number} font */
  const wide = (font) =>
    isInMark ? Math.sqrt(Math.max(0, room ** 2 - (DIGIT * font) ** 2)) : room;
  /** @param {string[]} texts @param {number[]} fonts @param {number} high @param {typeof wide} [across] */
  const largest = (texts, fonts, high, across = () => high) => {
    const widest = Math.max(...texts.map((text) => pixels(text, 1)));
    return fonts.find((font) => widest * font <= across(font) && LINE * font <= HIGH * high);
  };
  const texts = notes.map(({ text }) => text);
  const shorts = notes.map(({ text, short }) => short ?? text);
  const large = largest(texts, LARGE, TILE * room);
  if (large) return { font: large, texts };
  for (const [written, fonts] of [
    [texts, EASY],
    [shorts, FONTS],
  ]) {
    const font = largest(
      /** @type {string[]} */ (written),
      /** @type {number[]} */ (fonts),
      room,
      wide,
    );
    if (font) return { font, texts: /** @type {string[]} */ (written) };
  }
  const font = FONTS[FONTS.length - 1];
  const isFitting = LINE * font <= HIGH * room;
  return {
    font,
    texts: shorts.map((text) => (isFitting && pixels(text, font) <= wide(font) ? text : "")),
  };
}
