// Small boards for the nodes of a tree: the board as it is drawn everywhere, or lines of text.
import { at, paths } from "./drawing.js";
import { svg } from "../shell/dom.js";

const WIDE = 72; // a board's width on which its cells have no more than their greatest size
const CELL = { least: 4, most: 10 };
const LETTER = { width: 5.4, height: 11, room: 4 };
const COARSE = new Set(["star", "beyond"]); // what is left out

/** What is sent once for a tree: what its boards are drawn on. @param {Trace} trace */
export function withDrawing(trace) {
  for (const { board } of trace.nodes) if (board?.grid) board.drawing = trace.drawing;
  return trace;
}

/** The width and the height in cells, levels a cell apart. @param {Drawing} drawing @returns {Point} */
function extentOf({ levels, box: [, , width, height] }) {
  return [levels.length * (width + 1) - 1, height];
}

/** @param {Drawing} drawing */
const cellOf = (drawing) =>
  Math.max(CELL.least, Math.min(CELL.most, Math.floor(WIDE / Math.max(1, extentOf(drawing)[0]))));

/** The width and the height of the drawing. @param {SmallBoard} board @returns {Point} */
export function boardSize({ rows, drawing }) {
  if (!drawing) {
    const columns = Math.max(1, ...rows.map((row) => row.length));
    return [
      columns * LETTER.width + 2 * LETTER.room,
      rows.length * LETTER.height + 2 * LETTER.room,
    ];
  }
  const [width, height] = extentOf(drawing).map((cells) => cells * cellOf(drawing) + 2);
  return [width, height];
}

/**
 * The drawing, its middle at a place.
 * @param {SmallBoard} board @param {number} x @param {number} y
 */
export function boardDrawing(board, x, y) {
  const [width, height] = boardSize(board);
  const [left, top] = [x - width / 2, y - height / 2];
  const { drawing } = board;
  return [
    svg("rect", { class: "shape", x: left, y: top, width, height, rx: 2 }),
    drawing ? cells(board, drawing, left + 1, top + 1) : letters(board, left + LETTER.room, top),
  ];
}

/**
 * The levels, the cell that was taken, and of each kind of stone one path.
 * @param {SmallBoard} board @param {Drawing} drawing @param {number} left @param {number} top
 */
function cells({ rows, last }, drawing, left, top) {
  const { origin, row: by, box, levels, columns } = drawing;
  const levelWidth = box[2] + 1;
  const drawn = levels.map(({ ground, front }, number) => {
    const kept = [...ground, ...front].filter(([kind]) => !COARSE.has(kind));
    return at([number * levelWidth - box[0], -box[1]], paths(kept));
  });
  /** @type {Map<string, string>} */
  const stones = new Map();
  rows.forEach((signs, row) =>
    [...signs].forEach((sign, place) => {
      const [level, column] = [Math.floor(place / (columns + 1)), place % (columns + 1)];
      const x = origin[0] - box[0] + column + row * by[0] + level * levelWidth;
      const begin = `M${x.toFixed(3)} ${(origin[1] - box[1] + row * by[1]).toFixed(3)}`;
      if (last?.[0] === row && last[1] === place)
        drawn.push(...paths([["taken", `${begin}${BOX}`]]));
      for (const [kind, data] of drawing.stones[/** @type {Side} */ (sign)] ?? [])
        stones.set(kind, `${stones.get(kind) ?? ""}${begin}${data}`);
    }),
  );
  const ordered = [...stones].sort(([kind], [other]) => depth(kind) - depth(other));
  const transform = `translate(${left} ${top}) scale(${cellOf(drawing)})`;
  return svg("g", { class: "drawing little", transform }, drawn, paths(ordered));
}

const BOX = "m-.5-.5h1v1h-1z";

/** What is engraved in stones is drawn after them. @param {string} kind */
const depth = (kind) => Number(kind === "engraved");

/** @param {SmallBoard} board @param {number} x @param {number} top */
function letters({ rows }, x, top) {
  const lines = rows.map((row, number) => {
    const y = top + LETTER.room + LETTER.height * (number + 0.8);
    return svg("tspan", { x, y }, row.replaceAll(" ", "\u00a0"));
  });
  return svg("text", { class: "letters" }, lines);
}
