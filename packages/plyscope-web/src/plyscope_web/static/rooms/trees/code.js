// The algorithm as pseudocode or Python, with the current line marked.
import { button, html } from "../../shell/dom.js";

const LABEL = "the algorithm, its current line marked";

export class CodeView {
  text = html("div", { class: "code", role: "region", tabindex: "0", "aria-label": LABEL });
  /** @type {Trace | null} */
  trace = null;
  /** @type {TraceStep | undefined} */
  step = undefined;

  /** @param {boolean} isPython @param {(isPython: boolean) => void} onchoose */
  constructor(isPython, onchoose) {
    this.isPython = isPython;
    this.python = button("Python", () => onchoose(!this.isPython));
    this.element = html("div", {}, html("div", { class: "bar" }, this.python), this.text);
  }

  /** @param {boolean} isPython */
  choose(isPython) {
    this.isPython = isPython;
    this.draw();
  }

  /** @param {Trace} trace */
  load(trace) {
    this.trace = trace;
    this.draw();
  }

  draw() {
    this.python.setAttribute("aria-pressed", String(this.isPython));
    if (!this.trace) return;
    const { code, pseudocode } = this.trace;
    const lines = this.isPython
      ? Object.entries(code).flatMap(([module, lines]) => python(module, lines))
      : pseudocode.map((text, number) => line(text || " ", String(number)));
    this.text.classList.toggle("python", this.isPython);
    this.text.replaceChildren(...lines);
    this.mark(this.step);
  }

  /** @param {TraceStep} [step] */
  mark(step) {
    this.step = step;
    this.text.querySelector(".now")?.classList.remove("now");
    if (!step || !this.trace) return;
    const name = this.isPython ? this.trace.places[step.at].join(":") : String(step.line);
    const found = this.text.querySelector(`[data-line="${CSS.escape(name)}"]`);
    if (!(found instanceof HTMLElement)) return;
    found.classList.add("now");
    this.text.scrollTop = found.offsetTop - this.text.clientHeight / 2;
  }
}

/** @param {string} text @param {string} name */
const line = (text, name) => html("div", { class: "line", "data-line": name }, text);

/** @param {string} module @param {[number, string][]} lines */
const python = (module, lines) =>
  lines.map(([number, text], index) => {
    const isApart = index && lines[index - 1][0] + 1 < number && text.startsWith("def");
    return line((isApart ? "\n" : "") + (text || " "), `${module}:${number}`);
  });
