// Small boards for the nodes of a tree: cells with crosses and rings, or lines of text.
import { svg } from "./dom.js";

const WIDE = 72; // a board's width on which its cells have no more than their greatest size
const CELL = { least: 4, most: 10 };
const LETTER = { width: 5.4, height: 11, room: 4 };

/** @param {SmallBoard} board */
const columnsOf = ({ rows }) => Math.max(1, ...rows.map((row) => row.length));

/** @param {SmallBoard} board */
const cellOf = (board) =>
  Math.max(CELL.least, Math.min(CELL.most, Math.floor(WIDE / columnsOf(board))));

/** The width and the height of the drawing. @param {SmallBoard} board @returns {Point} */
export function boardSize(board) {
  const [columns, rows] = [columnsOf(board), board.rows.length];
  if (board.grid) return [columns * cellOf(board) + 2, rows * cellOf(board) + 2];
  return [columns * LETTER.width + 2 * LETTER.room, rows * LETTER.height + 2 * LETTER.room];
}

/**
 * The drawing, its middle at a place.
 * @param {SmallBoard} board @param {number} x @param {number} y
 */
export function boardDrawing(board, x, y) {
  const [width, height] = boardSize(board);
  const [left, top] = [x - width / 2, y - height / 2];
  return [
    svg("rect", { class: "shape", x: left, y: top, width, height, rx: 2 }),
    ...(board.grid ? cells(board, left + 1, top + 1) : [letters(board, left + LETTER.room, top)]),
  ];
}

/** @param {SmallBoard} board @param {number} left @param {number} top */
function cells(board, left, top) {
  const size = cellOf(board);
  const r = size * 0.3;
  const paths = { taken: "", cells: "", x: "", o: "" };
  board.rows.forEach((row, atRow) =>
    [...row].forEach((sign, atColumn) => {
      const [x, y] = [left + atColumn * size, top + atRow * size];
      const square = `M${x} ${y}h${size}v${size}h${-size}z`;
      if (sign !== " ") paths.cells += square;
      if (board.last?.[0] === atRow && board.last[1] === atColumn) paths.taken += square;
      const [middleX, middleY] = [x + size / 2, y + size / 2];
      if (sign === "x")
        paths.x += `M${middleX - r} ${middleY - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
      else if (sign === "o")
        paths.o += `M${middleX - r} ${middleY}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    }),
  );
  return Object.entries(paths)
    .filter(([, d]) => d)
    .map(([name, d]) => svg("path", { class: `small ${name}`, d }));
}

/** @param {SmallBoard} board @param {number} x @param {number} top */
function letters({ rows }, x, top) {
  const lines = rows.map((row, number) => {
    const y = top + LETTER.room + LETTER.height * (number + 0.8);
    return svg("tspan", { x, y }, row.replaceAll(" ", "\u00a0"));
  });
  return svg("text", { class: "letters" }, lines);
}
