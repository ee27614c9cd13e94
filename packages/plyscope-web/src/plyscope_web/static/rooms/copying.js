// A menu that copies a game in several notations and saves it as a file.
import { saveBoard } from "../board/boardfile.js";
import { button, copyText, download, html, iconButton, uniqueId } from "../shell/dom.js";

/**
 * The notations, in the order of the menu, and what each is for.
 * @type {Record<string, [label: string, title: string]>}
 */
const NOTATIONS = {
  position: ["Position", "the board as plyscope reads it"],
  columns: ["Columns", "as Pons' solver takes them: 44455"],
  cells: ["Cells", "as gomocalc and Yixin take them: h8i9g7"],
  sgf: ["SGF", "for editors of Gomoku and Renju"],
};

export class Copying {
  /** The texts to copy, by notation. @type {Record<string, string>} */
  texts = {};

  /**
   * @param {import("./room.js").Room} room
   * @param {() => import("../board/board.js").Board | null} board that is saved as a picture
   * @param {() => string} caption of the picture
   */
  constructor(room, board, caption) {
    this.room = room;
    this.board = board;
    this.caption = caption;
    const id = uniqueId("copying");
    const names = { "aria-expanded": "false", "aria-controls": id };
    this.opener = iconButton("link", "Copy", () => this.toggle(), names);
    this.menu = html("div", {
      class: "menu",
      id,
      role: "group",
      "aria-label": "copy",
      hidden: true,
    });
    const listeners = { onkeydown: this.hearKey.bind(this), onfocusout: this.lose.bind(this) };
    this.element = html("div", { class: "copying", ...listeners }, this.opener, this.menu);
  }

  /** @param {KeyboardEvent} event */
  hearKey(event) {
    if (event.key !== "Escape" || this.menu.hidden) return;
    this.close(true);
    event.stopPropagation();
  }

  /** @param {FocusEvent} event */
  lose({ relatedTarget }) {
    const target = /** @type {Node | null} */ (relatedTarget);
    if (target && !this.element.contains(target)) this.close();
  }

  async toggle() {
    if (!this.menu.hidden) return this.close();
    const { game, lab } = this.room;
    await this.room.attempt(async () => {
      const { x = "human", o = "human" } = lab.players ?? {};
      const asked = { position: game.root.shown.position, moves: game.moves, x, o };
      this.texts = await this.room.ask("copy", asked);
      this.draw();
      this.menu.hidden = false;
      this.opener.setAttribute("aria-expanded", "true");
      this.menu.querySelector("button")?.focus();
    });
  }

  /** @param {boolean} [withFocus] */
  close(withFocus = false) {
    this.menu.hidden = true;
    this.opener.setAttribute("aria-expanded", "false");
    if (withFocus) this.opener.focus();
  }

  draw() {
    const { texts } = this;
    const copies = Object.entries(NOTATIONS)
      .filter(([name]) => texts[name])
      .map(([name, [label, title]]) =>
        button(label, () => this.copy(texts[name], label), { title }),
      );
    const board = this.board();
    const picture = (/** @type {"svg" | "png"} */ form) => {
      this.close(true);
      this.room.attempt(() => board && saveBoard(board, form, this.caption()));
    };
    this.menu.replaceChildren(
      html("p", { class: "help" }, "copy"),
      ...copies,
      html("p", { class: "help" }, "save"),
      button("Game", () => this.save(texts.saved), {
        title: "a file that the page and plyscope play open",
      }),
      ...(board ? [button("SVG", () => picture("svg")), button("PNG", () => picture("png"))] : []),
    );
  }

  /** @param {string} text @param {string} what */
  copy(text, what) {
    this.close(true);
    return copyText(this.room.lab, text, what.toLowerCase().replace("sgf", "SGF"));
  }

  /** @param {string} text */
  save(text) {
    this.close(true);
    download("plyscope.json", "application/json", text);
  }
}
