// A grid of small boards, each a button that opens its position.
import { html, svg } from "../shell/dom.js";
import { boardDrawing, boardSize } from "../board/smallboard.js";

/**
 * @param {JudgedBoard[]} boards @param {SmallDrawing} drawing of their game
 * @param {(position: string) => void} open
 * @param {(board: JudgedBoard) => string} [caption]
 */
export function boardGrid(boards, drawing, open, caption = judgedText) {
  const items = boards.map((board) =>
    html("li", {}, boardButton({ ...board.board, drawing }, board, open, caption(board))),
  );
  return html("ul", { class: "boards" }, items);
}

/**
 * @param {SmallBoard} drawn @param {JudgedBoard} board
 * @param {(position: string) => void} open @param {string} caption
 */
function boardButton(drawn, { position, text }, open, caption) {
  const [width, height] = boardSize(drawn);
  const viewBox = `${-width / 2 - 1} ${-height / 2 - 1} ${width + 2} ${height + 2}`;
  const picture = svg(
    "svg",
    { class: "picture", viewBox, "aria-hidden": "true" },
    ...boardDrawing(drawn, 0, 0),
  );
  const names = { type: "button", class: "board-button", title: `${text}; to Analyse` };
  return html("button", { ...names, onclick: () => open(position) }, picture, caption);
}

/** @param {JudgedBoard} board */
const judgedText = ({ side, plays, right }) =>
  `${side.toUpperCase()}: ${shortList(plays)}, not ${shortList(right)}`;

/** Return the caption of a fixed position. @param {JudgedBoard} board */
export const fixedText = ({ side, plays }) => `${side.toUpperCase()}: ${shortList(plays)}`;

/** @param {string[]} names */
function shortList(names) {
  const [first, ...others] = names;
  return others.length > 1 ? `${first} +${others.length}` : names.join(" ");
}
