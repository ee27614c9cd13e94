// The counts, the code and the cutoffs of a search.
import { button, details, heading, help, html } from "../../shell/dom.js";
import { counted } from "../../shell/wording.js";
import { CodeView } from "./code.js";
import { countsAt } from "./steps.js";

export class SearchDetails {
  /** Whose search it is, where there are two. */
  name = heading("");
  counts = help();
  remark = help();
  sentences = html("ol", { class: "sentences" });
  /** Why branches were cut, of algorithms that cut. */
  idle = html("ol", { class: "sentences" });
  /** Of these nothing was left to search. */
  apart = details("", this.idle);
  cuts = html("div", {}, heading("Why the cuts"), this.sentences, this.apart);

  /**
   * @param {boolean} isPython @param {(isPython: boolean) => void} onpython is told of the code chosen
   * @param {(step: number) => void} onstep is told of a step to go to
   */
  constructor(isPython, onpython, onstep) {
    this.onstep = onstep;
    this.code = new CodeView(isPython, onpython);
    const { name, counts, code, remark, cuts } = this;
    this.element = html("section", { hidden: "" }, name, counts, code.element, remark, cuts);
  }

  /** @param {Trace} trace @param {string} name of one search of two */
  load(trace, name) {
    const { sentences, whole } = trace;
    this.name.textContent = name;
    this.name.hidden = this.counts.hidden = !name;
    this.code.load(trace);
    this.remark.textContent = trace.remark;
    this.cuts.hidden = !trace.cuts;
    const [idle, items] = [true, false].map((isIdle) =>
      sentences
        .filter(([step]) => trace.idle.includes(step) === isIdle)
        .map(([step, text]) => {
          const names = { class: "sentence", "data-step": step };
          return html(
            "li",
            {},
            button(text, () => this.onstep(step), names),
          );
        }),
    );
    const none = help(whole ? "Nothing is cut." : "No branch is cut in this tree.");
    this.sentences.replaceChildren(...(items.length ? items : [none]));
    this.idle.replaceChildren(...idle);
    this.apart.hidden = !idle.length;
    const count = counted(idle.length, "cutoff that cuts", "cutoffs that cut");
    this.apart.querySelector("summary")?.replaceChildren(`${count} nothing`);
  }

  /** @param {Trace} trace @param {number} step */
  draw(trace, step) {
    this.counts.textContent = countsAt(trace, step);
    this.code.mark(step ? trace.steps[step - 1] : undefined);
    for (const item of this.cuts.querySelectorAll("button"))
      item.setAttribute("aria-current", item.dataset.step === String(step) ? "step" : "false");
  }
}
