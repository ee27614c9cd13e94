// The algorithm's own code, with the line that has just been carried out.
import { html } from "../../dom.js";

const LABEL = "the algorithm's code, its current line marked";

export class CodeView {
  element = html("div", { class: "code", role: "region", tabindex: "0", "aria-label": LABEL });

  /** @param {Trace["code"]} code lines with their numbers, by module */
  load(code) {
    const lines = Object.entries(code).flatMap(([module, lines]) =>
      lines.map(([number, text], index) => {
        const isApart = index && lines[index - 1][0] + 1 < number && text.startsWith("def");
        const place = { class: "line", "data-line": `${module}:${number}` };
        return html("div", place, isApart ? "\n" : "", text || " ");
      }),
    );
    this.element.replaceChildren(...lines);
  }

  /** @param {TraceStep} [step] */
  mark(step) {
    this.element.querySelector(".now")?.classList.remove("now");
    if (!step) return;
    const name = CSS.escape(step.at.join(":"));
    const line = /** @type {HTMLElement | null} */ (
      this.element.querySelector(`[data-line="${name}"]`)
    );
    if (!line) return;
    line.classList.add("now");
    this.element.scrollTop = line.offsetTop - this.element.clientHeight / 2;
  }
}
