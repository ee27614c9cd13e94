// Trees: a search stepped forward and back, with its windows, bounds, cuts, code and counters.
import { heading, help, html, status } from "../../dom.js";
import { choice, field, form, numberInput, submit } from "../../forms.js";
import { TreeView } from "../../treeview.js";
import { Room } from "../room.js";
import { CodeView } from "./code.js";
import { Comparison } from "./comparison.js";
import { SearchForm } from "./conventions.js";
import { TreeEditor } from "./editor.js";
import { Stepper } from "./stepper.js";
import { counters, statesAt } from "./steps.js";

const EXAMPLE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]";
const DEEPEST = 8;

/** @param {string} text @returns {TreeSettings} */
const settingsAt = (text) => ({
  text,
  algorithm: "alphabeta",
  depth: 2,
  conventions: {},
  second: { algorithm: "alphabeta", conventions: { cut: "gt" } },
});

export class TreesRoom extends Room {
  status = status();
  counters = help();
  caption = help();
  sentences = html("ol", { class: "sentences" });
  text = html("textarea", { rows: 3, spellcheck: "false" });
  code = new CodeView();
  stepper = new Stepper(() => this.draw());
  editor = new TreeEditor((text) => this.search(text, true));
  view = new TreeView("the searched tree", (node) => this.choose(node));
  /** @type {Trace | null} */
  trace = null;
  /** The node that is edited. @type {number | null} */
  chosen = null;

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    this.settings = lab.tree ??= settingsAt(lab.place.tree ?? lab.catalogues.own ?? EXAMPLE);
    this.text.value = this.settings.text;
    this.arrange();
    this.endings.push(() => this.stepper.pause());
    this.load();
  }

  arrange() {
    const algorithms = this.lab.catalogues.algorithms.filter(({ told }) => told);
    const first = new SearchForm(this.settings, algorithms, () => this.load());
    const { status, view, counters, stepper, caption, sentences, alert, editor, code } = this;
    const controls = [stepper.bar, stepper.controls];
    const why = [heading("Why the cuts"), sentences];
    const stage = [status, view.element, counters, ...controls, caption, ...why, alert];
    const side = [
      this.searchForm(),
      this.generatorForm(),
      heading("Draw"),
      editor.element,
      heading("How it is searched"),
      first.element,
      heading("The algorithm"),
      code.element,
      new Comparison(this, algorithms).element,
    ];
    this.mount({ stage: ["tree", ...stage], side: ["what is searched, and how", ...side] });
  }

  searchForm() {
    const range = { min: 1, max: DEEPEST };
    const depth = numberInput(this.settings.depth, range, (text) => {
      this.settings.depth = Math.min(DEEPEST, Math.max(1, Number(text) || 1));
      this.load();
    });
    return form(
      () => this.search(this.text.value.trim()),
      field("Tree or position", this.text, { class: "field wide" }),
      field("Depth, of a position", depth),
      submit("Search", "play"),
    );
  }

  generatorForm() {
    const seed = numberInput(1, { min: 0 });
    const plies = choice(["2", "3", "4"], "3");
    const most = choice(["2", "3"], "2");
    const generate = async () => {
      const wishes = { seed: Number(seed.value) || 0, depth: Number(plies.value) };
      const branching = [2, Number(most.value)];
      this.search((await this.ask("question", { ...wishes, branching })).tree);
    };
    return form(
      () => this.attempt(generate),
      field("Seed", seed),
      field("Plies", plies),
      field("Children up to", most),
      submit("Generate"),
    );
  }

  get keys() {
    return this.stepper.keys;
  }

  /** Search another tree or position. @param {string} text @param {boolean} atEnd */
  search(text, atEnd = false) {
    this.settings.text = this.text.value = text;
    this.chosen = null;
    this.load(atEnd);
  }

  get asked() {
    const { text, algorithm, depth, conventions } = this.settings;
    const asked = { position: text, algorithm, conventions };
    return text.includes("[") ? asked : { ...asked, depth };
  }

  /** Ask for the search, and show its end or its beginning. */
  load(atEnd = true) {
    this.stepper.pause();
    return this.attempt(async () => {
      const trace = await this.ask("trace", this.asked);
      this.trace = trace;
      this.caption.textContent = trace.caption;
      const sentences = trace.sentences.map((text) => html("li", {}, text));
      this.sentences.replaceChildren(...sentences);
      this.code.load(trace.code);
      this.stepper.load(trace.steps, atEnd);
      this.lab.go({ tree: this.settings.text });
    });
  }

  /** @param {number} node */
  choose(node) {
    this.chosen = node;
    this.draw();
  }

  draw() {
    if (!this.trace) return;
    const { trace, chosen } = this;
    const { step } = this.stepper;
    const states = statesAt(trace, step).map(
      (state, number) => state && { ...state, selected: number === chosen },
    );
    this.view.draw(trace.nodes, states);
    const last = step ? trace.steps[step - 1] : undefined;
    const text = last ? `${last.say}.` : "Nothing has happened yet.";
    this.status.textContent = text;
    this.counters.textContent = counters(trace, step);
    this.stepper.show(text);
    this.code.mark(last);
    this.editor.draw(trace, chosen);
  }
}
