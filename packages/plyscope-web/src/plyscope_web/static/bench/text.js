// A table as text: TOML, Python or JSON, to copy and paste.
import { button, copyText, help, html, status } from "../shell/dom.js";
import { choice, field } from "../shell/forms.js";
import { sparseTable } from "../shell/tables.js";

const FORMS = { toml: "TOML", python: "Python", json: "JSON" };

export class TableText {
  text = html("textarea", { rows: 6, spellcheck: "false", "aria-label": "the table as text" });
  said = status("help");
  form = "toml";
  /** How often the text was typed or asked for. */
  changes = 0;
  /** The table whose text is shown. @type {LineTable | null} */
  table = null;

  /**
   * @param {import("../rooms/room.js").Room} room
   * @param {(name: string, table: LineTable) => void} take is told of a table that was pasted
   */
  constructor(room, take) {
    this.room = room;
    this.take = take;
    const form = choice(FORMS, this.form, (form) => {
      this.form = form;
      this.write();
    });
    this.text.oninput = () => this.changes++;
    const buttons = html(
      "div",
      { class: "form" },
      field("As", form),
      button("Copy", () => copyText(room.lab, this.text.value, "the table")),
      button("Use this text", () => this.read()),
    );
    this.element = html(
      "div",
      {},
      buttons,
      this.text,
      this.said,
      help("Copy it into a file or a notebook, or paste a table here in any of these forms."),
    );
  }

  /** @param {LineTable | null} table @param {string} name */
  draw(table, name) {
    this.table = table && { ...sparseTable(table), name };
    this.write();
  }

  async write() {
    const isOpen = this.element.closest("details")?.open;
    if (!isOpen || !this.table || document.activeElement === this.text) return;
    const change = ++this.changes;
    const texts = await this.room.ask("write", { table: this.table });
    if (change !== this.changes) return; // somebody typed, or another text was asked for
    this.text.value = texts[/** @type {keyof typeof FORMS} */ (this.form)];
  }

  async read() {
    try {
      const { name, table } = await this.room.ask("paste", { text: this.text.value });
      this.said.textContent = `read ${name || "the table"}`;
      this.take(name, table);
    } catch (error) {
      this.said.textContent = /** @type {Error} */ (error).message;
    }
  }
}
