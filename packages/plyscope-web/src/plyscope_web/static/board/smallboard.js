// Small boards for the nodes of a tree: the board as Python draws it, or lines of text.
import { at, paths } from "./drawing.js";
import { svg } from "../shell/dom.js";

const LETTER = { width: 5.4, height: 11, room: 4 };

/** Add the drawing, which is sent once for a tree, to its boards. @param {Trace} trace */
export function withDrawing(trace) {
  for (const { board } of trace.nodes) if (board?.grid) board.drawing = trace.drawing;
  return trace;
}

/** The width and the height of the drawing. @param {SmallBoard} board @returns {Point} */
export function boardSize({ rows, drawing }) {
  if (drawing) return drawing.size;
  const columns = Math.max(1, ...rows.map((row) => row.length));
  return [columns * LETTER.width + 2 * LETTER.room, rows.length * LETTER.height + 2 * LETTER.room];
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
 * @param {SmallBoard} board @param {SmallDrawing} drawing @param {number} left @param {number} top
 */
function cells({ rows, last }, { cell, levels, places, stones }, left, top) {
  const drawn = levels.map(([x, y, ground]) => at([x, y], paths(ground)));
  /** @type {Map<string, string>} */
  const data = new Map();
  rows.forEach((signs, row) =>
    [...signs].forEach((sign, column) => {
      for (const [kind, path] of stones[/** @type {Side} */ (sign)] ?? [])
        data.set(kind, `${data.get(kind) ?? ""}${places[row][column]}${path}`);
    }),
  );
  const taken = last ? paths([["taken", `${places[last[0]][last[1]]}${BOX}`]]) : [];
  const ordered = [...data].sort(([kind], [other]) => depth(kind) - depth(other));
  const transform = `translate(${left} ${top}) scale(${cell})`;
  return svg("g", { class: "drawing little", transform }, drawn, taken, paths(ordered));
}

const BOX = "m-.5-.5h1v1h-1z";

/** Return whether a path is engraved in stones, and so drawn after them. @param {string} kind */
const depth = (kind) => Number(kind === "engraved");

/** @param {SmallBoard} board @param {number} x @param {number} top */
function letters({ rows }, x, top) {
  const lines = rows.map((row, number) => {
    const y = top + LETTER.room + LETTER.height * (number + 0.8);
    return svg("tspan", { x, y }, row.replaceAll(" ", "\u00a0"));
  });
  return svg("text", { class: "letters" }, lines);
}
