// The board as a drawing of its own, for files.
import { columnName, geometry } from "./board.js";
import { download, html, svg } from "./dom.js";

const SIZE = 40; // of a cell
const LEFT = 20;
const TOP = 12;
const GAP = 24; // between levels
const COLOURS = { x: "#0550ae", o: "#9a4a00", mark: "#1a7f37", grid: "#8c959f" };

/** @param {Shown} shown @param {number | null} last the cell played last */
export function boardSvg(shown, last) {
  const { width, height, levels } = geometry(shown);
  const [wide, high] = [levels * (width * SIZE + GAP) + 16, height * SIZE + 40];
  const viewBox = `0 0 ${wide} ${high}`;
  const root = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox,
    width: wide,
    height: high,
  });
  root.append(
    svg("title", {}, `${shown.game}: ${shown.position}`),
    svg("rect", { width: "100%", height: "100%", fill: "#fff" }),
  );
  for (const cell of shown.names.keys()) root.append(...cellParts(shown, cell, last));
  if (shown.line) root.append(winningLine(shown, shown.line));
  for (let column = 0; column < width; column++) {
    const x = LEFT + column * SIZE + SIZE / 2;
    root.append(coordinate(x, height * SIZE + 30, columnName(shown, column)));
  }
  for (let row = 0; row < height; row++)
    root.append(coordinate(10, TOP + row * SIZE + 24, `${height - row}`));
  return root;
}

/** @param {Shown} shown @param {number} cell */
function centre(shown, cell) {
  const { width, height } = geometry(shown);
  const level = Math.floor(cell / (width * height));
  const row = Math.floor(cell / width) % height;
  const x = LEFT + level * (width * SIZE + GAP) + (cell % width) * SIZE + SIZE / 2;
  return [x, TOP + row * SIZE + SIZE / 2];
}

/** @param {Shown} shown @param {number} cell @param {number | null} last */
function cellParts(shown, cell, last) {
  const [x, y] = centre(shown, cell);
  const { x: blue, o: brown, mark, grid } = COLOURS;
  const box = { x: x - SIZE / 2, y: y - SIZE / 2, width: SIZE, height: SIZE };
  /** @type {SVGElement[]} */
  const parts = [svg("rect", { ...box, fill: "none", stroke: grid })];
  if (shown.cells[cell] === "x") {
    const d = `M${x - 10} ${y - 10}l20 20M${x + 10} ${y - 10}l-20 20`;
    parts.push(svg("path", { d, stroke: blue, "stroke-width": 5, fill: "none" }));
  }
  if (shown.cells[cell] === "o") {
    const ring = { stroke: brown, "stroke-width": 5, fill: "none" };
    parts.push(svg("circle", { cx: x, cy: y, r: 11, ...ring }));
  }
  if (cell === last) parts.push(svg("circle", { cx: x, cy: y, r: 4, fill: mark }));
  return parts;
}

/** @param {Shown} shown @param {number[]} cells */
function winningLine(shown, cells) {
  const points = cells.map((cell) => centre(shown, cell).join()).join(" ");
  return svg("polyline", { points, stroke: COLOURS.mark, "stroke-width": 4, fill: "none" });
}

/** @param {number} x @param {number} y @param {string} text */
function coordinate(x, y, text) {
  const font = { "font-family": "sans-serif", "font-size": 12, "text-anchor": "middle" };
  return svg("text", { x, y, ...font }, text);
}

/** @param {Shown} shown @param {number | null} last */
export function saveSvg(shown, last) {
  download("plyscope.svg", "image/svg+xml", serialized(shown, last));
}

/** At twice its size, for sharp prints. @param {Shown} shown @param {number | null} last */
export function savePng(shown, last) {
  const image = new Image();
  image.onload = () => {
    const canvas = html("canvas", { width: image.width * 2, height: image.height * 2 });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && download("plyscope.png", "image/png", blob));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(serialized(shown, last))}`;
}

/** @param {Shown} shown @param {number | null} last */
const serialized = (shown, last) => new XMLSerializer().serializeToString(boardSvg(shown, last));
