// A position of a user-defined game: its text, and a button for each move.
import { button, html } from "../shell/dom.js";

export class TextBoard {
  /** @param {(move: string) => void} onplay */
  constructor(onplay) {
    this.onplay = onplay;
    this.text = html("pre", { class: "position", tabindex: "0", role: "img" });
    this.moves = html("div", { class: "choices", role: "group", "aria-label": "legal moves" });
    this.element = html("div", { class: "textboard" }, this.text, this.moves);
  }

  /** @param {Shown} shown @param {Marks} marks */
  draw(shown, { best = [], isLocked = false }) {
    const hadFocus = this.moves.contains(document.activeElement);
    this.text.textContent = (shown.text ?? []).join("\n");
    this.text.setAttribute("aria-label", `${shown.game}: ${this.text.textContent}`);
    const buttons = shown.names.map((name, number) =>
      button(name, () => this.onplay(name), {
        disabled: isLocked || shown.over,
        class: best.includes(number) ? "best" : null,
      }),
    );
    this.moves.replaceChildren(...buttons);
    if (hadFocus) (buttons.find((each) => !each.disabled) ?? this.text).focus();
  }
}
