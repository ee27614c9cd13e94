// A question about a board: its value, its best move, or the order of some moves.
import { Board } from "../../board/board.js";
import { button, help, html } from "../../shell/dom.js";
import { field, textInput } from "../../shell/forms.js";
import { withMinus } from "../../shell/wording.js";

const WORDS = { evaluation: "Value", choice: "Its value", order: "The best first" };
const MOVE = "Move";

/** Moves as they are typed, apart. @param {string} text */
export const movesIn = (text) => text.split(/[\s,]+/).filter(Boolean);

/**
 * The moves after one has been chosen: it is added at the end, or taken out.
 * @param {string[]} moves @param {string} move
 */
export const toggled = (moves, move) =>
  moves.includes(move) ? moves.filter((other) => other !== move) : [...moves, move];

export class BoardPaper {
  board = new Board((move) => this.choose(move));
  form = html("div", { class: "form" });
  element = html("div", { class: "posed" }, this.board.element, this.form);
  inputs = { value: textInput(""), move: textInput(""), order: textInput("") };
  /** @type {Posed | null} */
  posed = null;

  /** @param {() => void} onend is told of Enter in the last field */
  constructor(onend) {
    this.form.onkeydown = ({ key, target }) => {
      if (key !== "Enter" || !(target instanceof HTMLInputElement)) return;
      const fields = [...this.form.querySelectorAll("input")];
      const next = fields[fields.indexOf(target) + 1];
      if (next) next.focus();
      else onend();
    };
    for (const input of Object.values(this.inputs))
      input.oninput = () => this.type(input, input.value);
  }

  /** @param {Posed} posed */
  draw(posed) {
    this.posed = posed;
    const { value, move, order } = this.inputs;
    for (const input of [value, move, order]) this.type(input, "");
    const { item } = posed;
    this.form.replaceChildren(
      ...(item === "choice" ? [field(MOVE, move)] : []),
      field(WORDS[item], item === "order" ? order : value),
      item === "evaluation" ? "" : help("Choose moves on the board, or type them."),
      item === "order" ? button("Start again", () => this.type(order, "")) : "",
    );
    this.show();
  }

  /** A move was chosen on the board. @param {string} move */
  choose(move) {
    const { item, moves = [] } = this.posed ?? {};
    const { order } = this.inputs;
    if (item === "choice") this.type(this.inputs.move, move);
    if (item === "order" && moves.includes(move))
      this.type(order, toggled(movesIn(order.value), move).join(" "));
  }

  /** @param {HTMLInputElement} input @param {string} text */
  type(input, text) {
    input.value = text;
    input.removeAttribute("data-mark");
    this.show();
  }

  /** Draw the board with what was chosen on it. */
  show() {
    if (!this.posed) return;
    const { shown, item, moves } = this.posed;
    const chosen = movesIn(this.inputs[item === "order" ? "order" : "move"].value);
    const order = item === "order" ? moves : chosen;
    /** @type {Map<number, Note>} */
    const notes = new Map();
    for (const move of order) {
      const cell = shown.names.indexOf(move);
      const place = chosen.indexOf(move);
      const text = place < 0 ? "?" : item === "order" ? `${place + 1}` : "★";
      if (cell >= 0) notes.set(cell, { kind: "best", text, title: `${move}: ${text}` });
    }
    this.board.draw(shown, { notes });
  }

  /** @returns {BoardAnswer} */
  get answer() {
    const item = this.posed?.item;
    const [value, move] = [this.inputs.value.value.trim(), this.inputs.move.value.trim()];
    const order = movesIn(this.inputs.order.value);
    if (item === "order") return order.length ? { order } : {};
    return { ...(value ? { value } : {}), ...(item === "choice" && move ? { move } : {}) };
  }

  /** @param {Grading} grading */
  showMarks({ marks, key }) {
    if (key) {
      const { value, move, order } = this.inputs;
      value.value = withMinus(`${key.value ?? ""}`);
      move.value = key.move?.[0] ?? "";
      order.value = key.order?.join(" ") ?? "";
      this.show();
    }
    for (const { item, verdict } of marks)
      this.inputs[/** @type {"value"} */ (item)]?.setAttribute("data-mark", verdict);
  }
}
