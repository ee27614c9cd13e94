// The answer to "Why not this move?": the line that refutes it.
import { button, failure, html, paragraph } from "../../shell/dom.js";
import { spoken } from "../../shell/wording.js";

export class Refutation {
  /**
   * @param {import("../room.js").Room} room
   * @param {(cells: number[] | null, isClick?: boolean) => void} preview
   */
  constructor(room, preview) {
    this.room = room;
    this.preview = preview;
    this.answer = html("div", { class: "why", role: "status" });
    /** The move whose answer the heuristic gives. */
    this.unproved = "";
  }

  /** Ask again when a proof of the position arrives. @param {string} position */
  hear(position) {
    const isHere = position === this.room.game.shown.position;
    if (isHere && this.unproved) this.ask(this.unproved);
  }

  clear() {
    this.unproved = "";
    this.answer.replaceChildren();
  }

  /** @param {string} move @returns {Promise<void>} */
  async ask(move) {
    this.unproved = "";
    this.answer.replaceChildren(paragraph("looking for the answer …"));
    const { shown, node } = this.room.game;
    const { proofs } = this.room.lab;
    const asked = { position: shown.position, move, known: proofs.carried([node]) };
    try {
      const { text, cells, proved, proof, reason } = await this.room.ask("refute", asked);
      if (!proved && proofs.of(node) && !asked.known.length) return this.ask(move); // proved meanwhile
      proofs.learn(proof);
      this.unproved = proved ? "" : move;
      const line = cells.map((cell) => spoken(shown, cell)).join(" ");
      const show = button(`show ${line}`, () => this.preview(cells, true), {
        onmouseenter: () => this.preview(cells),
        onmouseleave: () => this.preview(null),
      });
      const why = reason ? [paragraph(reason.sentence)] : [];
      this.answer.replaceChildren(paragraph(text), ...why, show);
    } catch (error) {
      this.answer.replaceChildren(failure(error));
    }
  }
}
