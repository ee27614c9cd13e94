// A field for code: CodeMirror where the page has its address, else a plain text field.
import { html } from "../shell/dom.js";

/**
 * @typedef {object} Code
 * @property {string} text
 * @property {(line: number | null, column?: number | null) => void} mark marks a line, from 1
 * @property {() => void} focus
 * @property {() => void} [end]
 */

/** It begins as plain text until CodeMirror is there. */
export class CodeField {
  element = html("div", { class: "code-field" });
  isEnded = false;

  /**
   * @param {string} label @param {string | undefined} address of CodeMirror
   * @param {(text: string) => void} onchange is told of what is typed
   */
  constructor(label, address, onchange) {
    const area = html("textarea", { rows: 10, spellcheck: "false", "aria-label": label });
    area.oninput = () => onchange(area.value);
    this.area = area;
    /** @type {Code} */
    this.code = {
      get text() {
        return area.value;
      },
      set text(text) {
        area.value = text;
      },
      mark: (line) => area.toggleAttribute("aria-invalid", line !== null),
      focus: () => area.focus(),
    };
    this.element.append(area);
    // what is typed here is no key of the page
    this.element.addEventListener("keydown", (event) => event.stopPropagation());
    if (address) this.load(address, label, onchange);
  }

  /** @param {string} address @param {string} label @param {(text: string) => void} onchange */
  async load(address, label, onchange) {
    const { open } = await import(new URL(address, location.href).href);
    if (this.isEnded) return;
    const hasFocus = document.activeElement === this.area;
    const holder = html("div", { class: "script" });
    this.area.replaceWith(holder);
    this.code = open(holder, this.area.value, label, onchange);
    if (hasFocus) this.code.focus();
  }

  end() {
    this.isEnded = true;
    this.code.end?.();
  }
}
