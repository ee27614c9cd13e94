// A board as a file, with its stones, marks and values.
import { svg } from "../shell/dom.js";
import { saveDrawing } from "../shell/drawingfile.js";

const SIZE = 560; // pixels of the longer side
const CAPTION = 0.03; // the caption's height at most, as a part of the longer side

/** @param {import("./board.js").Board} board @param {"svg" | "png"} form @param {string} title */
export function saveBoard(board, form, title) {
  const { scene, element } = board;
  const size = scene.plan?.size ?? [1, 1];
  const parts = [...scene.base.children, ...scene.overlay.children].map(
    (part) => /** @type {Element} */ (part.cloneNode(true)),
  );
  const longer = Math.max(...size);
  const all = [...parts, ...notes(board)];
  return saveDrawing(
    ...[form, "plyscope", element, all, size, SIZE / longer, title, longer * CAPTION],
  );
}

/** The words on the cells. @param {import("./board.js").Board} board */
function notes(board) {
  return board.grid.cells.flatMap((cell, number) => {
    const words = [...cell.querySelectorAll(".note")];
    const size = parseFloat(getComputedStyle(words[0] ?? cell).fontSize) / board.unit;
    const [x, y] = board.scene.centre(number);
    return words.map((word, line) => {
      const drop = (line - words.length / 2 + 0.8) * 1.25 * size;
      const fill = getComputedStyle(word).color;
      const place = { class: "written", x, y: y + drop, "font-size": size, fill };
      return svg("text", place, word.textContent);
    });
  });
}
