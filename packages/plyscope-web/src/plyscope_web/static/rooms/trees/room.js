// Trees: step through a search, with windows, bounds, cutoffs and code.
import { button, heading, help, html, status, toolbar } from "../../shell/dom.js";
import {
  choice,
  controls,
  field,
  form,
  numberInput,
  optionsOf,
  submit,
} from "../../shell/forms.js";
import {
  heuristicAsked,
  heuristicOfPlace,
  heuristicOptions,
  heuristicPlace,
} from "../../shell/tables.js";
import { WRITE } from "../../shell/texts.js";
import { Tools } from "../../shell/tools.js";
import { count, counted } from "../../shell/wording.js";
import { beginText, Editor } from "../../writing/editor.js";
import { Room } from "../room.js";
import { DEEPEST, EXAMPLE, FEW, isTree, placeOf, settingsOf, usualSettings } from "./address.js";
import { Comparison } from "./comparison.js";
import { SearchForm } from "./conventions.js";
import { SearchDetails } from "./details.js";
import { Pane } from "./pane.js";
import { MOST_ASKED, treeOfSearch } from "./quiztree.js";
import { Stepper } from "./stepper.js";
import { counters, saidAt, Together } from "./steps.js";

/** Milliseconds without a step after which the address has it. */
const REST = 250;
const MANY = 10_000;
/** The names of two searches. */
const NAMES = ["First", "Other"];
/** The heuristic of a position's search unless another is chosen. */
const HEURISTIC = "counted-lines";

export class TreesRoom extends Room {
  status = status();
  counters = help();
  left = html("p", { class: "left", role: "note" });
  text = html("textarea", { rows: 4, spellcheck: "false" });
  stepper = new Stepper(() => this.draw());
  /** The steps of two searches at each step of the room. @type {Together | null} */
  together = null;
  quiz = button("Quiz me on this tree", () => this.askQuiz(), { class: "wide" });
  heuristic = choice([], undefined, (heuristic) => this.chooseHeuristic(heuristic));
  /** The path of the node that is chosen, in both searches, and edited. @type {string | null} */
  chosen = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  rest = undefined;

  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    super(panel, lab);
    this.algorithms = lab.catalogues.algorithms.filter(({ told }) => told);
    this.settings = this.entered();
    const choose = (/** @type {boolean} */ isPython) => {
      this.settings.isPython = isPython;
      for (const { details } of this.both) details.code.choose(isPython);
    };
    this.both = ["the searched tree", "the other search's tree"].map((label, side) => {
      const go = (/** @type {number} */ step) => this.goTo(side, step);
      const details = new SearchDetails(this.settings.isPython, choose, go);
      return new Pane(label, details, (path) => this.lookAt(path));
    });
    this.first = this.both[0];
    this.second = this.both[1];
    this.form = new SearchForm(this.settings, this.algorithms, () => this.load());
    this.comparison = new Comparison(this);
    this.text.value = this.settings.text;
    this.writing = new Editor(this, {
      position: () => this.settings.text,
      follow: () => {},
      settle: () => this.load(),
    });
    this.offerHeuristics();
    this.arrange();
    this.endings.push(
      () => this.stepper.pause(),
      () => clearTimeout(this.rest),
      () => this.both.forEach(({ view }) => view.stop()),
      lab.tables.on(() => this.offerHeuristics()),
      lab.texts.on(() => this.offerHeuristics()),
    );
    const names = this.algorithms.map(({ name }) => name);
    this.expect("algorithm", names);
    this.expect("algorithm2", names);
    const { depth, step } = lab.place;
    if (Number(depth) > DEEPEST) lab.doubt("depth", `a whole number 1 to ${DEEPEST}`);
    this.load(this.settings.step).then(() => {
      const { length } = this.stepper;
      if (length && Number(step) > length) lab.doubt("step", `a whole number 0 to ${length}`);
    });
  }

  /** The settings of the address, else those with which the room was left. */
  entered() {
    const { lab } = this;
    const { place } = lab;
    if (!place.tree && lab.tree) return lab.tree;
    const usual = lab.tree ?? usualSettings(lab.catalogues.own ?? EXAMPLE);
    const heuristic = heuristicOfPlace(lab, HEURISTIC);
    return (lab.tree = settingsOf(place, usual, this.algorithms, heuristic));
  }

  offerHeuristics() {
    this.heuristic.replaceChildren(...optionsOf(heuristicOptions(this.lab)));
    this.heuristic.value = this.settings.heuristic;
    this.writing.show(this.isTree ? "" : this.settings.heuristic);
  }

  /** @param {string} value */
  chooseHeuristic(value) {
    return this.attempt(async () => {
      const heuristic = value === WRITE ? await beginText(this.lab) : value;
      this.set({ heuristic });
      this.offerHeuristics();
    });
  }

  arrange() {
    const { status, counters, stepper, alert, left, both } = this;
    const trees = html("div", { class: "panes" }, ...both.map(({ element }) => element));
    const show = button(`Show up to ${counted(MANY, "node")}`, () => this.set({ most: MANY }));
    this.more = html("div", { class: "more" }, left, show);
    const shelves = [
      {
        name: "steps",
        label: "Steps",
        parts: [counters, ...both.map(({ details }) => details.element)],
      },
      {
        name: "search",
        label: "Search",
        parts: [this.positionForm(), this.form.element, this.comparison.element],
      },
      {
        name: "tree",
        label: "Tree",
        parts: [
          this.treeForm(),
          heading("Save, or answer questions"),
          toolbar(
            "save the drawing",
            button("SVG", () => this.save("svg"), { title: "a drawing for documents" }),
            button("PNG", () => this.save("png"), { title: "a picture" }),
          ),
          this.quiz,
        ],
      },
    ];
    const open = (/** @type {string} */ shelf) => this.go({ shelf });
    const tools = new Tools("tools", shelves, this.settings.shelf, open);
    this.expect("shelf", tools.names);
    const head = html("div", { class: "head" }, status, ...both.map(({ caption }) => caption));
    const stage = [head, trees, stepper.bar, this.more, alert];
    this.mount({ stage: ["tree", ...stage], side: ["what is searched, and how", tools.element] });
  }

  /** Save the first tree as it is drawn at this step. @param {"svg" | "png"} form */
  save(form) {
    const { view, caption } = this.first;
    const title = `${caption.textContent}; ${this.counters.textContent}`;
    return this.attempt(() => view.save(form, title));
  }

  /** Return the form for the depth and the heuristic of a position's search. */
  positionForm() {
    const range = { min: 1, max: DEEPEST };
    const depth = numberInput(this.settings.depth, range, (text) =>
      this.set({ depth: Number(text) }),
    );
    const fields = controls(field("Depth", depth), field("Heuristic", this.heuristic));
    this.ofPosition = html("div", {}, fields, this.writing.element);
    return this.ofPosition;
  }

  treeForm() {
    const about =
      "Nested brackets with numbers, or a position such as connect4 444. " +
      "Enter searches; a text of several lines is searched with Ctrl+Enter.";
    const search = () => this.search(this.text.value.trim());
    this.text.onkeydown = (event) => {
      const isDone = event.ctrlKey || event.metaKey || !this.text.value.trim().includes("\n");
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || !isDone) return;
      event.preventDefault();
      search();
    };
    return form(
      search,
      field("Tree or position", this.text, { class: "field wide" }),
      help(about),
      submit("Search", "play"),
    );
  }

  get title() {
    return this.settings.text;
  }

  get keys() {
    return [...this.stepper.keys, ...this.first.view.keys];
  }

  get panes() {
    return this.settings.second ? this.both : [this.first];
  }

  /** Search another tree or position. @param {string} text */
  search(text) {
    this.text.value = text;
    this.chosen = null;
    this.set({ text, most: FEW }, 0);
  }

  /** @param {Partial<TreeSettings>} settings @param {number} [step] */
  set(settings, step) {
    Object.assign(this.settings, settings);
    this.load(step);
  }

  /** Search in two ways, or in one. @param {boolean} is */
  compare(is) {
    const other = { algorithm: "alphabeta", conventions: { cut: "gt" } };
    this.settings.second = is ? other : null;
    this.comparison.draw();
    this.load();
  }

  get isTree() {
    return isTree(this.settings.text);
  }

  get asked() {
    const { text, algorithm, depth, conventions, most, heuristic } = this.settings;
    const asked = { position: text, algorithm, conventions, most };
    if (this.isTree) return asked;
    return { ...asked, depth, heuristic: heuristicAsked(this.lab, heuristic) };
  }

  /** Ask for the search, and show it where one was. */
  load(step = this.stepper.step) {
    this.stepper.pause();
    this.cancel("trace", "differ");
    this.say(this.settings.second ? "starting the searches …" : "starting the search …");
    this.second.element.hidden = this.second.caption.hidden = !this.settings.second;
    return this.attempt(async () => {
      const { settings } = this;
      const { second } = settings;
      this.first.load(await this.trace({}), settings, settings);
      if (second) this.second.load(await this.trace(second), second, settings);
      this.show(step);
      if (second) await this.comparison.compare();
    }).then(() => this.alert.textContent && this.say(""));
  }

  /** One search, which tells how far it is. @param {Partial<SearchSettings>} search */
  trace(search) {
    return this.ask(
      "trace",
      { ...this.asked, ...search },
      {
        told: ({ text = "" }) => this.say(`${text} …`),
        queue: (place) => place > 1 && this.say(`waiting, place ${place} in the queue …`),
      },
    );
  }

  /** Say what goes on before anything is drawn. @param {string} text */
  say(text) {
    this.status.textContent = text;
    for (const pane of this.panes) pane.say(text);
  }

  /** Show what has been found. @param {number} step */
  show(step) {
    const { panes } = this;
    const { trace } = this.first;
    if (!trace) return;
    if (this.ofPosition) this.ofPosition.hidden = this.isTree;
    const hasLines = Boolean(trace.nodes[0].board?.grid);
    for (const form of [this.form, this.comparison.search]) form?.offer(hasLines);
    if (this.more) this.more.hidden = panes.every(({ trace }) => trace?.whole);
    this.left.textContent = panes.map(({ trace }) => trace?.left ?? "").join(" ");
    this.more?.lastElementChild?.toggleAttribute("hidden", this.settings.most === MANY);
    this.together = null;
    if (this.settings.second && this.second.trace)
      this.together = new Together(trace, this.second.trace);
    this.both.forEach(({ trace, caption, details }, side) => {
      const name = this.together ? `${NAMES[side]}: ${caption.textContent}` : "";
      details.element.hidden = side >= panes.length;
      if (trace && panes[side]) details.load(trace, name);
    });
    const cutoffs = panes
      .flatMap(({ trace }, side) =>
        (trace?.sentences ?? [])
          .filter(([own]) => !trace?.idle.includes(own))
          .map(([own]) => this.stepAt(side, own)),
      )
      .sort((one, other) => one - other);
    /** @type {Trace["passes"]} */
    const passes = trace.passes.map(([own, text]) => [this.stepAt(0, own), text]);
    this.stepper.load(this.together?.length ?? this.first.length, cutoffs, passes, step);
  }

  /** The step of one search at a step of the room. @param {number} side @param {number} step */
  ownStep(side, step) {
    return this.together ? this.together.pairs[step][side] : step;
  }

  /** The room's step at one of a search's own. @param {number} side @param {number} own */
  stepAt(side, own) {
    return this.together ? this.together.places[side][own] : own;
  }

  /** Go to a step of one search, and to its node. @param {number} side @param {number} own */
  goTo(side, own) {
    const { trace, view } = this.both[side];
    this.stepper.moveTo(this.stepAt(side, own));
    if (trace) view.takeFocus(trace.steps[own - 1].node);
  }

  /** Choose a node in both searches. @param {string} path */
  lookAt(path) {
    for (const pane of this.panes) {
      const node = pane.nodeAt(path);
      if (node !== null) pane.view.reveal(node);
    }
    this.chosen = path;
    this.draw();
  }

  /** @param {Partial<TreeSettings>} settings */
  go(settings) {
    Object.assign(this.settings, settings);
    const chosen = heuristicPlace(this.lab, this.settings.heuristic, HEURISTIC);
    const place = this.isTree ? { heuristic: "", table: "" } : chosen;
    this.lab.go({ ...placeOf(this.settings), ...place });
  }

  /** Ask about the tree; of a position about all that minimax searches, where that is little. */
  askQuiz() {
    return this.attempt(async () => {
      const asked = { ...this.asked, algorithm: "minimax", conventions: {}, most: MOST_ASKED };
      const { text } = this.settings;
      const tree = this.isTree ? text : treeOfSearch(await this.ask("trace", asked));
      this.lab.go({ room: "quiz", tree }, true);
    });
  }

  draw() {
    const { first, chosen, stepper, together } = this;
    const { trace } = first;
    if (!trace) return;
    const { step } = stepper;
    this.panes.forEach((pane, side) => pane.draw(this.ownStep(side, step), chosen));
    const at = this.ownStep(0, step);
    const text = together && step ? together.said(step) : saidAt(trace, at);
    this.counters.textContent = together
      ? `step ${count(step)} of ${count(stepper.length)}, in step`
      : counters(trace, at);
    this.status.textContent = text;
    stepper.show(text);
    this.settings.step = step;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.go({ step }), REST);
  }
}
