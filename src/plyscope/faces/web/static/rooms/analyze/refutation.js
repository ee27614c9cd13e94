// Why not this move? The line that answers it.
import { button, failure, html, iconButton, paragraph } from "../../dom.js";
import { choice, controls, field } from "../../forms.js";
import { spoken } from "../../wording.js";

export class Refutation {
  /**
   * @param {import("../room.js").Room} room
   * @param {{ preview(cells: number[] | null): void, togglePreview(cells: number[]): void }} board
   */
  constructor(room, board) {
    this.room = room;
    this.board = board;
    this.move = choice([]);
    const ask = iconButton("hint", "Answer", () => this.ask());
    this.question = controls(field("Why not", this.move), ask);
    this.answer = html("div", { class: "why", role: "status" });
  }

  /** @param {Shown} shown */
  offer(shown) {
    const { moves, names, over } = shown;
    this.move.replaceChildren(
      ...moves.map((cell) => html("option", { value: names[cell] }, spoken(shown, cell))),
    );
    this.question.hidden = over;
  }

  clear() {
    this.answer.replaceChildren();
  }

  /** @param {string} [move] the one that is chosen in the list, unless it is said */
  async ask(move = this.move.value) {
    if (!move) return;
    this.move.value = move;
    this.answer.replaceChildren(paragraph("looking for the answer …"));
    const { shown } = this.room.game;
    const asked = { position: shown.position, move };
    try {
      const { text, cells } = await this.room.ask("refute", asked);
      const line = cells.map((cell) => spoken(shown, cell)).join(" ");
      const show = button(`show ${line}`, () => this.board.togglePreview(cells), {
        onmouseenter: () => this.board.preview(cells),
        onmouseleave: () => this.board.preview(null),
      });
      this.answer.replaceChildren(paragraph(text), show);
    } catch (error) {
      this.answer.replaceChildren(failure(error));
    }
  }
}
