// The form for a search: its algorithm and that algorithm's conventions.
import { help, html } from "../../shell/dom.js";
import { choice, controls, field, numberInput } from "../../shell/forms.js";

/** @typedef {{ label: string, values: Record<string, [name: string, sentence: string]> }} Said */

/** The labels of conventions, and the meaning of each value. @type {Record<string, Said>} */
export const SAID = {
  cut: {
    label: "When to cut",
    values: {
      ge: ["when equal (α ≥ β)", "A move that could only tie is not searched."],
      gt: ["only above (α > β)", "A move that could tie is searched: equal scores are exact."],
    },
  },
  cutoffs: {
    label: "Whose bounds cut",
    values: {
      deep: ["any ancestor's (deep)", "Bounds are passed down through all plies."],
      shallow: ["the parent's (shallow)", "Bounds are passed down by only one ply."],
    },
  },
  bound: {
    label: "Returned score",
    values: {
      soft: [
        "best score (fail-soft)",
        "A score may lie outside the window, and is then a tighter bound.",
      ],
      hard: ["clipped (fail-hard)", "A score is clipped to alpha or beta."],
    },
  },
  root: {
    label: "Window of the root's moves",
    values: {
      shared: ["one for all", "Later moves are only tested for being better."],
      open: ["open for each", "Every root move gets its exact value."],
    },
  },
  order: {
    label: "Order of the moves",
    values: {
      generated: ["as written", "Children are searched from left to right."],
      best: ["best first", "By the heuristic: the most cutoffs."],
      worst: ["worst first", "By the heuristic: the fewest cutoffs."],
      random: ["at random", "Each ply has its own random order, from a seed."],
    },
  },
  scoring: {
    label: "Value of a finished game",
    values: {
      heuristic: ["by the heuristic", "A win is just another evaluation."],
      result: ["win, draw or loss", "All wins count the same, however long they take."],
      distance: ["quick wins are better", "A win in few plies counts more than one in many."],
    },
  },
};
/** The ends of the initial window, with what stands for none. */
const ENDS = { alpha: "−∞", beta: "∞" };
/** The furthest end of an initial window. */
const MOST = 1_000_000;
const NEEDS_LINES = "only for line games such as tictactoe";

/**
 * The conventions that an algorithm takes of those that are set.
 * @param {Conventions} conventions @param {string[]} takes @returns {Conventions}
 */
export function taken(conventions, takes) {
  const isTaken = (/** @type {string} */ name) => takes.includes(name in ENDS ? "window" : name);
  return Object.fromEntries(Object.entries(conventions).filter(([name]) => isTaken(name)));
}

/**
 * The conventions with one set or, without a value, taken back.
 * @param {Conventions} conventions @param {string} name @param {string | number} [value]
 * @returns {Conventions}
 */
export function withOne(conventions, name, value) {
  const { [name]: _, ...others } = conventions;
  return value === undefined ? others : { ...others, [name]: value };
}

export class SearchForm {
  element = controls();

  /**
   * @param {SearchSettings} settings @param {Algorithm[]} algorithms
   * @param {() => void} onchange
   */
  constructor(settings, algorithms, onchange) {
    this.settings = settings;
    this.algorithms = algorithms;
    this.onchange = onchange;
    this.hasLines = true;
    this.draw();
  }

  get algorithm() {
    return this.algorithms.find(({ name }) => name === this.settings.algorithm);
  }

  /** Offer what can search what is shown. @param {boolean} hasLines whether it is a line game */
  offer(hasLines) {
    if (hasLines === this.hasLines) return;
    this.hasLines = hasLines;
    this.draw();
  }

  draw() {
    const { takes = [], choices = {} } = this.algorithm ?? {};
    const conventions = Object.keys(SAID).filter((name) => choices[name]);
    this.element.replaceChildren(
      field("Algorithm", this.algorithmChoice(), { class: "field wide" }),
      ...conventions.map((name) => this.convention(name, choices[name])),
      ...(takes.includes("window") ? Object.entries(ENDS) : []).map(([name, placeholder]) => {
        const range = { min: -MOST, max: MOST, isOptional: true, placeholder };
        const set = (/** @type {string} */ text) => this.set(name, text ? Number(text) : undefined);
        const end = numberInput(this.settings.conventions[name] ?? "", range, set);
        return field(`First ${name}`, end);
      }),
    );
  }

  algorithmChoice() {
    const { settings, hasLines } = this;
    const options = this.algorithms.map(({ name, summary, source, lines }) => {
      const isIdle = lines && !hasLines;
      const title = isIdle ? NEEDS_LINES : `${summary} (${source})`;
      const text = isIdle ? `${name} (${NEEDS_LINES})` : name;
      return html("option", { value: name, title, disabled: isIdle }, text);
    });
    const element = html("select", {}, options);
    element.value = settings.algorithm;
    element.onchange = () => this.choose(element.value);
    return element;
  }

  /** @param {string} algorithm */
  choose(algorithm) {
    this.settings.algorithm = algorithm;
    this.settings.conventions = taken(this.settings.conventions, this.algorithm?.takes ?? []);
    this.draw();
    this.onchange();
  }

  /** @param {string} name @param {string | number} [value] none is the usual one */
  set(name, value) {
    this.settings.conventions = withOne(this.settings.conventions, name, value);
    this.onchange();
  }

  /**
   * A choice, with a sentence on what is chosen; the first is the usual one.
   * @param {string} name @param {string[]} values
   */
  convention(name, values) {
    const said = SAID[name];
    const chosen = this.settings.conventions[name]?.toString() ?? values[0];
    /** @type {[value: string, text: string][]} */
    const options = values.map((value) => [value, said.values[value][0]]);
    const sentence = help();
    const explain = (/** @type {string} */ value) => {
      const usual = value === values[0] ? "Usual. " : "";
      sentence.textContent = usual + said.values[value][1];
    };
    explain(chosen);
    const element = choice(options, chosen, (value) => {
      explain(value);
      this.set(name, value === values[0] ? undefined : value);
    });
    const part = field(said.label, element, { class: "field convention" });
    sentence.id = `${element.id}-said`;
    element.setAttribute("aria-describedby", sentence.id);
    part.append(sentence);
    return part;
  }
}
