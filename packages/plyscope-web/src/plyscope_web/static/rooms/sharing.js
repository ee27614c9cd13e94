// The menu that copies a link, copies a game in several notations and saves it as a file.
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

/**
 * Copies the link where a room has no more to share, else opens a menu.
 */
export class Sharing {
  /** The texts to copy, by notation. @type {Record<string, string>} */
  texts = {};

  /** @type {import("./room.js").Room | null} */
  room = null;
  /** The link to the place, none in a notebook. @type {(() => string) | null} */
  link = null;

  constructor() {
    const id = uniqueId("sharing");
    const names = { class: "quiet", "aria-expanded": "false", "aria-controls": id };
    this.opener = iconButton("link", "Share", () => this.toggle(), names);
    this.menu = html("div", {
      class: "menu",
      id,
      role: "group",
      "aria-label": "share",
      hidden: true,
    });
    const listeners = { onkeydown: this.hearKey.bind(this), onfocusout: this.lose.bind(this) };
    const all = { class: "sharing-menu", hidden: true, ...listeners };
    this.element = html("div", all, this.opener, this.menu);
  }

  /** @param {import("./room.js").Room | null} room @param {Sharing["link"]} link */
  follow(room, link) {
    Object.assign(this, { room, link });
    this.close();
    this.element.hidden = !link && !room?.sharedGame;
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
    const { room } = this;
    if (!room || !this.menu.hidden) return this.close();
    if (!room.sharedGame) return this.link && this.copy(this.link(), "the link");
    const { game, lab } = room;
    await room.attempt(async () => {
      const { x = "human", o = "human" } = lab.players ?? {};
      const asked = { position: game.root.shown.position, moves: game.moves, x, o };
      this.texts = await room.ask("copy", asked);
      this.draw(room);
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

  /** @param {import("./room.js").Room} room */
  draw(room) {
    const { texts, link } = this;
    const copies = Object.entries(NOTATIONS)
      .filter(([name]) => texts[name])
      .map(([name, [label, title]]) =>
        button(label, () => this.copy(texts[name], label), { title }),
      );
    const { board, caption } = room.sharedGame ?? {};
    const picture = (/** @type {"svg" | "png"} */ form) => {
      this.close(true);
      room.attempt(() => board && saveBoard(board, form, caption ?? ""));
    };
    this.menu.replaceChildren(
      html("p", { class: "help" }, "copy"),
      ...(link ? [button("Link", () => this.copy(link(), "the link"))] : []),
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
    const { room } = this;
    this.close(true);
    return room && copyText(room.lab, text, what.toLowerCase().replace("sgf", "SGF"));
  }

  /** @param {string} text */
  save(text) {
    this.close(true);
    download("plyscope.json", "application/json", text);
  }
}
