// A question on a board: its value, its best move, or some moves in order, chosen on the board.
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
  value = textInput("");
  move = textInput("");
  order = textInput("");
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
    for (const input of [this.value, this.move, this.order])
      input.oninput = () => {
        input.removeAttribute("data-mark");
        this.show();
      };
  }

  /** @param {Posed} posed */
  draw(posed) {
    this.posed = posed;
    for (const input of [this.value, this.move, this.order]) {
      input.value = "";
      input.removeAttribute("data-mark");
    }
    const { item } = posed;
    this.form.replaceChildren(
      ...(item === "choice" ? [field(MOVE, this.move)] : []),
      field(WORDS[item], item === "order" ? this.order : this.value, { class: "field" }),
      item === "evaluation" ? "" : help("Moves are chosen on the board, or typed."),
      item === "order" ? button("Begin again", () => this.type(this.order, "")) : "",
    );
    this.show();
  }

  /** A move was chosen on the board. @param {string} move */
  choose(move) {
    const item = this.posed?.item;
    if (item === "choice") this.type(this.move, move);
    const isAsked = this.posed?.moves.includes(move);
    if (item === "order" && isAsked)
      this.type(this.order, toggled(movesIn(this.order.value), move).join(" "));
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
    const chosen = item === "order" ? movesIn(this.order.value) : movesIn(this.move.value);
    const order = item === "order" ? moves : chosen;
    /** @type {Map<number, Note[]>} */
    const notes = new Map();
    for (const move of order) {
      const cell = shown.names.indexOf(move);
      const place = chosen.indexOf(move);
      const text = place < 0 ? "?" : item === "order" ? `${place + 1}` : "★";
      if (cell >= 0) notes.set(cell, [{ kind: "best", text, title: `${move}: ${text}` }]);
    }
    this.board.draw(shown, { notes });
  }

  /** @returns {BoardAnswer} */
  get answer() {
    const item = this.posed?.item;
    const [value, move] = [this.value.value.trim(), this.move.value.trim()];
    const order = movesIn(this.order.value);
    if (item === "order") return order.length ? { order } : {};
    return { ...(value ? { value } : {}), ...(item === "choice" && move ? { move } : {}) };
  }

  /** @param {Grading} grading */
  showMarks({ marks, key }) {
    if (key) {
      this.value.value = withMinus(`${key.value ?? ""}`);
      this.move.value = key.move?.[0] ?? "";
      this.order.value = key.order?.join(" ") ?? "";
      this.show();
    }
    for (const { item, verdict } of marks)
      ({ value: this.value, move: this.move, order: this.order })[item]?.setAttribute(
        "data-mark",
        verdict,
      );
  }
}
