// How a search is carried out: the algorithm, and the conventions it takes, in a student's words.
import { html } from "../../shell/dom.js";
import { controls, field, numberInput } from "../../shell/forms.js";

/** @typedef {{ label: string, values: Record<string, [name: string, sentence: string]> }} Said */

/**
 * What conventions are called, and what each of their values means.
 * @type {Record<string, Said>}
 */
export const SAID = {
  cut: {
    label: "When to cut",
    values: {
      ge: ["when equal (α ≥ β)", "A move that could only tie is not looked at."],
      gt: ["only above (α > β)", "A tie is looked at: equal scores come out exactly."],
    },
  },
  cutoffs: {
    label: "Whose bounds cut",
    values: {
      deep: ["any ancestor's (deep)", "Bounds are handed down through all plies."],
      shallow: ["the parent's (shallow)", "Bounds are handed down by one ply alone."],
    },
  },
  bound: {
    label: "What is returned",
    values: {
      soft: ["best score (fail-soft)", "It may lie outside the window, and says more."],
      hard: ["clipped (fail-hard)", "It is brought back to alpha or beta."],
    },
  },
  root: {
    label: "Window of the root's moves",
    values: {
      shared: ["one for all", "A later move is only asked whether it is better."],
      open: ["open for each", "Every move of the root gets its exact value."],
    },
  },
  order: {
    label: "Order of the moves",
    values: {
      generated: ["as written", "Children are searched from left to right."],
      best: ["best first", "By the heuristic: most is cut."],
      worst: ["worst first", "By the heuristic: least is cut."],
      random: ["at random", "Each ply has an order of its own, drawn from a seed."],
    },
  },
  scoring: {
    label: "A finished game is worth",
    values: {
      heuristic: ["as the heuristic says", "A win is one more evaluation."],
      result: ["win, draw or loss", "All wins are alike, however long they take."],
      distance: ["quicker wins more", "A win in few plies is better than one in many."],
    },
  },
};
/** The ends of the initial window, with what stands for none. */
const ENDS = { alpha: "−∞", beta: "∞" };
/** The furthest end of an initial window. */
const MOST = 1_000_000;
const NEEDS_LINES = "for line games alone, such as tictactoe";

/**
 * The conventions that an algorithm takes of those that are set.
 * @param {Conventions} conventions @param {string[]} takes @returns {Conventions}
 */
export function taken(conventions, takes) {
  const isTaken = (/** @type {string} */ name) => takes.includes(name in ENDS ? "window" : name);
  return Object.fromEntries(Object.entries(conventions).filter(([name]) => isTaken(name)));
}

/**
 * The conventions with one set or, by an empty text, taken back.
 * @param {Conventions} conventions @param {string} name @param {string} text @returns {Conventions}
 */
export function withEnd(conventions, name, text) {
  const { [name]: _, ...others } = conventions;
  return text === "" ? others : { ...others, [name]: Number(text) };
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

  get takes() {
    return this.algorithm?.takes ?? [];
  }

  /** Offer what can search what is shown. @param {boolean} hasLines whether it is a line game */
  offer(hasLines) {
    if (hasLines === this.hasLines) return;
    this.hasLines = hasLines;
    this.draw();
  }

  draw() {
    const { takes } = this;
    const choices = this.algorithm?.choices ?? {};
    const conventions = Object.keys(SAID).filter((name) => choices[name]);
    this.element.replaceChildren(
      field("Algorithm", this.algorithmChoice(), { class: "field wide" }),
      ...conventions.map((name) => this.convention(name, choices[name])),
      ...(takes.includes("window") ? Object.entries(ENDS) : []).map(([name, none]) =>
        field(`First ${name}`, this.end(name, none)),
      ),
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
    this.settings.conventions = taken(this.settings.conventions, this.takes);
    this.draw();
    this.onchange();
  }

  /** @param {Conventions} conventions */
  set(conventions) {
    this.settings.conventions = conventions;
    this.onchange();
  }

  /**
   * A choice, with a sentence on what is chosen; the first is the usual one.
   * @param {string} name @param {string[]} values
   */
  convention(name, values) {
    const said = SAID[name];
    const chosen = this.settings.conventions[name]?.toString() ?? values[0];
    const options = values.map((value) => html("option", { value }, said.values[value][0]));
    const element = html("select", {}, options);
    const sentence = html("p", { class: "help" });
    const explain = () => {
      const usual = element.value === values[0] ? "Usual. " : "";
      sentence.textContent = usual + said.values[element.value][1];
    };
    element.value = chosen;
    explain();
    element.onchange = () => {
      explain();
      const { [name]: _, ...others } = this.settings.conventions;
      const isUsual = element.value === values[0];
      this.set(isUsual ? others : { ...others, [name]: element.value });
    };
    const part = field(said.label, element, { class: "field convention" });
    sentence.id = `${element.id}-said`;
    element.setAttribute("aria-describedby", sentence.id);
    part.append(sentence);
    return part;
  }

  /** @param {string} name @param {string} placeholder */
  end(name, placeholder) {
    const range = { min: -MOST, max: MOST, isOptional: true, placeholder };
    return numberInput(this.settings.conventions[name] ?? "", range, (text) =>
      this.set(withEnd(this.settings.conventions, name, text)),
    );
  }
}
