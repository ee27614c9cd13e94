// The fields of a node: its value, alpha and beta, and a cut of its edge.
import { html, icon } from "../../shell/dom.js";
import { SIGNS } from "./marking.js";

/** @typedef {"value" | "alpha" | "beta"} TextName */
/** @type {TextName[]} */
const TEXTS = ["value", "alpha", "beta"];
/** @type {Item[]} */
const ITEMS = ["window", "cut", "value"];

/** @param {string} name @param {string} label @param {string} placeholder */
const textField = (name, label, placeholder) => {
  const typed = { type: "text", autocomplete: "off", inputmode: "text", enterkeyhint: "next" };
  return html("input", { ...typed, class: name, "aria-label": label, placeholder });
};

export class Fields {
  /** @type {Partial<Record<TextName, HTMLInputElement>>} */
  texts = {};
  /** @type {HTMLButtonElement | undefined} */
  cutter;
  /** @type {Map<Item, Mark>} */
  marks = new Map();

  /**
   * @param {QuestionNode} node @param {string} name @param {string[]} asked
   * @param {() => void} onchange is told of what a person writes
   */
  constructor(node, name, asked, onchange) {
    this.onchange = onchange;
    if (asked.includes("windows")) {
      this.texts.alpha = textField("end", `alpha at ${name}`, "α");
      this.texts.beta = textField("end", `beta at ${name}`, "β");
    }
    if (asked.includes("values") && !node.leaf)
      this.texts.value = textField("value", `value of ${name}`, "?");
    for (const [kind, input] of Object.entries(this.texts))
      input.oninput = () => this.change(kind === "value" ? "value" : "window");
    if (asked.includes("cuts") && node.parent !== null) this.cutter = this.makeCutter(name);
  }

  /** A button that cuts the edge, or no longer. @param {string} name */
  makeCutter(name) {
    const label = `cut the edge to ${name}`;
    const names = { class: "cutter", "aria-pressed": "false", "aria-label": label, title: label };
    const button = html("button", { type: "button", ...names }, icon("cut"));
    button.onclick = () => {
      button.setAttribute("aria-pressed", String(!this.isCut));
      this.change("cut");
    };
    return button;
  }

  /** Remove the mark of an item that has changed. @param {Item} item */
  change(item) {
    if (this.marks.delete(item)) this.drawMarks();
    this.onchange();
  }

  get isCut() {
    return this.cutter?.getAttribute("aria-pressed") === "true";
  }

  /** All of them, in the order in which they are filled in. */
  get controls() {
    return ITEMS.flatMap((item) => this.controlsOf(item));
  }

  /** @param {Item} item */
  controlsOf(item) {
    const { alpha, beta, value } = this.texts;
    const found = { window: [alpha, beta], cut: [this.cutter], value: [value] }[item];
    return found.filter((control) => control !== undefined);
  }

  /** @returns {NodeAnswer | null} null where nothing was written */
  get answer() {
    /** @type {NodeAnswer} */
    const written = {};
    for (const name of TEXTS) {
      const text = this.texts[name]?.value.trim();
      if (text) written[name] = text;
    }
    if (this.isCut) written.cut = true;
    return Object.keys(written).length ? written : null;
  }

  /** @param {NodeAnswer} written */
  write(written) {
    for (const name of TEXTS) {
      const input = this.texts[name];
      if (input && written[name] !== undefined) input.value = written[name];
    }
    if (written.cut !== undefined) this.cutter?.setAttribute("aria-pressed", String(written.cut));
  }

  /** @param {Mark[]} marks */
  showMarks(marks) {
    this.marks = new Map(marks.map((mark) => [mark.item, mark]));
    this.drawMarks();
  }

  drawMarks() {
    for (const control of this.controls) {
      control.removeAttribute("data-mark");
      if (control.nextElementSibling?.matches(".verdict")) control.nextElementSibling.remove();
    }
    for (const [item, { verdict, possible }] of this.marks) {
      if (item === "cut" && verdict === "right" && !possible && this.texts.alpha) continue;
      // (no cut where none is: the window's own mark is enough)
      const marked = this.controlsOf(item);
      for (const control of marked) control.setAttribute("data-mark", verdict);
      const name = `verdict ${verdict} for-${item}`;
      marked.at(-1)?.after(html("span", { class: name, "aria-hidden": "true" }, SIGNS[verdict]));
    }
  }
}
