// Notes on cells: as large as they fit, in short where they do not, the last alone where all would be
// hard to read, without their sign where there is no room for one, and left out before a digit of them
// is cut off. What is left out stands in the cell's title.

const FONTS = [16, 14, 12.5, 11, 9.5, 8];
/** Those that the back row reads, and how much of a large cell its tile leaves to them. */
const LARGE = [36, 30, 26, 22, 19];
const TILE = 0.62;
/** Of the others, those that are read without effort. */
const EASY = FONTS.filter((font) => font >= 11);
const LINE = 1.25;
/** How much of a cell lines may fill from above to below: in a hole those at its ends have less room. */
const HIGH = 0.85;
const PADDING = 2; // pixels of a cell that are no room for a note
/** Up to so many pixels a cell has room for numbers alone, which stand within its round mark. */
const SMALL = 48;
/** How high a digit is, by its font's size. */
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

/** How many lines have room. @param {number} font @param {number} room */
const linesAt = (font, room) => Math.max(0, Math.floor((HIGH * room) / (font * LINE)));

/**
 * The largest of the fonts in which all that is written fits.
 * @param {{ text: string }[][]} written @param {number[]} fonts
 * @param {number} room how high it is @param {(font: number) => number} wide how wide it is
 */
function largest(written, fonts, room, wide = () => room) {
  const most = Math.max(...written.map((notes) => notes.length));
  const widest = Math.max(...written.flat().map(({ text }) => pixels(text, 1)));
  return fonts.find((font) => widest * font <= wide(font) && most <= linesAt(font, room));
}

/**
 * The size of all notes on a board, in pixels, and what is written of those on each cell: one size
 * and one wording for all, so that they can be compared.
 * @param {Note[][]} lists @param {number} side of a cell @param {number} [mark] across its round mark
 * @returns {{ font: number, texts: { kind: string, text: string }[][] }}
 */
export function fitted(lists, side, mark = side) {
  const isAlone = lists.every((notes) => notes.length < 2);
  const isInMark = isAlone && side <= SMALL;
  const room = Math.min(side - PADDING, isInMark ? mark : side);
  /** How wide a text may be. @param {number} font */
  const wide = (font) =>
    isInMark ? Math.sqrt(Math.max(0, room ** 2 - (DIGIT * font) ** 2)) : room;
  /** @param {(note: Note) => string} wording */
  const worded = (wording) =>
    lists.map((notes) => notes.map((note) => ({ kind: note.kind, text: wording(note) })));
  const texts = worded(({ text }) => text);
  const shorts = worded(({ text, short }) => short ?? text);
  const [last, shortLast] = [texts, shorts].map((each) => each.map((notes) => notes.slice(-1)));
  const large = largest(texts, LARGE, TILE * room);
  if (large) return { font: large, texts };
  for (const written of [texts, shorts, last, shortLast]) {
    const font = largest(written, EASY, room, wide);
    if (font) return { font, texts: written };
  }
  // a note that stands alone needs no sign: the form beneath it says what it is
  const bares = isAlone ? worded(({ text, short, bare }) => bare ?? short ?? text) : shorts;
  for (const written of isInMark ? [bares] : [shorts, bares]) {
    const font = largest(written, FONTS, room, wide);
    if (font) return { font, texts: written };
  }
  const font = FONTS[FONTS.length - 1];
  const lines = linesAt(font, room);
  const kept = bares.map((notes) => notes.filter(({ text }) => pixels(text, font) <= wide(font)));
  return { font, texts: kept.map((notes) => (lines ? notes.slice(-lines) : [])) };
}
