// The board as a file: what is drawn and written on it, in the light theme, its style inside.
import { download, html, svg } from "../shell/dom.js";

const SIZE = 560; // pixels of the longer side
const CAPTION = 0.03; // the caption's height, as a part of the longer side
const LETTER = 0.58; // a letter's width, as a part of its height
/** What a file takes over of the style, where an element differs from the one that holds it. */
const INHERITED = [
  ...["fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity"],
  ...["stroke-dasharray", "stroke-linecap", "stroke-linejoin", "paint-order"],
  ...["text-anchor", "font-family", "font-size", "font-weight"],
];

/** @param {import("./board.js").Board} board @param {string} title */
function boardSvg(board, title) {
  const { scene } = board;
  const [wide, high] = scene.plan?.size ?? [1, 1];
  const type = Math.min(Math.max(wide, high) * CAPTION, (0.96 * wide) / (title.length * LETTER));
  const scale = SIZE / Math.max(wide, high);
  const drawing = svg(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: "drawing",
      viewBox: `0 0 ${wide} ${high + 2 * type}`,
      width: Math.round(wide * scale),
      height: Math.round((high + 2 * type) * scale),
    },
    svg("title", {}, title),
    svg("rect", { class: "paper", width: "100%", height: "100%" }),
    ...[...scene.base.children, ...scene.overlay.children].map((part) => part.cloneNode(true)),
    ...notes(board),
    svg("text", { class: "caption", x: wide / 2, y: high + type, "font-size": type }, title),
  );
  const page = html("div", { class: "board exported" }, drawing);
  board.element.append(page);
  for (const element of [drawing, ...drawing.querySelectorAll("*")]) takeStyle(element);
  page.remove();
  for (const element of [drawing, ...drawing.querySelectorAll("[class]")])
    element.removeAttribute("class");
  return drawing;
}

/** The words on the cells. @param {import("./board.js").Board} board */
function notes(board) {
  return board.grid.cells.flatMap((cell, number) => {
    const words = [...cell.querySelectorAll(".note")];
    const size = parseFloat(getComputedStyle(words[0] ?? cell).fontSize) / board.unit;
    const [x, y] = board.scene.centre(number);
    return words.map((word, line) => {
      const drop = (line - words.length / 2 + 0.8) * 1.25 * size;
      const place = { class: "written", x, y: y + drop, "font-size": size };
      const text = svg("text", place, word.textContent);
      text.setAttribute("fill", getComputedStyle(word).color);
      return text;
    });
  });
}

/** @param {Element} element */
function takeStyle(element) {
  const [own, outer] = [element, element.parentElement ?? element].map((each) =>
    getComputedStyle(each),
  );
  for (const name of INHERITED) {
    const value = own.getPropertyValue(name);
    if (value !== outer.getPropertyValue(name)) element.setAttribute(name, value);
  }
  if (own.opacity !== "1") element.setAttribute("opacity", own.opacity);
}

/** @param {import("./board.js").Board} board @param {string} title */
const serialized = (board, title) => new XMLSerializer().serializeToString(boardSvg(board, title));

/** @param {import("./board.js").Board} board @param {string} title */
export function saveSvg(board, title) {
  download("plyscope.svg", "image/svg+xml", serialized(board, title));
}

/** At twice its size, for sharp prints. @param {import("./board.js").Board} board @param {string} title */
export function savePng(board, title) {
  const image = new Image();
  image.onload = () => {
    const canvas = html("canvas", { width: image.width * 2, height: image.height * 2 });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && download("plyscope.png", "image/png", blob));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(serialized(board, title))}`;
}
