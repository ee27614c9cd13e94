// How a search is carried out: the algorithm, and the conventions it takes.
import { choice, controls, field, namedOptions, numberInput } from "../../forms.js";
import { wholeNumber } from "../../wording.js";

/** What choices are called that their own names do not explain. @type {Record<string, string>} */
const CALLED = {
  soft: "fail-soft",
  hard: "fail-hard",
  ge: "at alpha ≥ beta",
  gt: "at alpha > beta",
  deep: "deep and shallow",
  shallow: "shallow alone",
};
/** The ends of the initial window, with what stands for none. */
const ENDS = { alpha: "−∞", beta: "∞" };

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
  return text === "" ? others : { ...others, [name]: wholeNumber(text) };
}

export class SearchForm {
  element = controls();

  /**
   * @param {SearchSettings} settings @param {Algorithm[]} algorithms
   * @param {() => void} [onchange]
   */
  constructor(settings, algorithms, onchange = () => {}) {
    this.settings = settings;
    this.algorithms = algorithms;
    this.onchange = onchange;
    this.draw();
  }

  get algorithm() {
    return this.algorithms.find(({ name }) => name === this.settings.algorithm);
  }

  get takes() {
    return this.algorithm?.takes ?? [];
  }

  draw() {
    const { algorithms, settings, takes } = this;
    const options = namedOptions(
      algorithms.map(({ name, summary, source }) => ({ name, summary: `${summary} (${source})` })),
    );
    const algorithm = choice(options, settings.algorithm, (name) => this.choose(name));
    const conventions = Object.entries(this.algorithm?.choices ?? {});
    this.element.replaceChildren(
      field("Algorithm", algorithm),
      ...conventions.map(([name, choices]) => field(name, this.convention(name, choices))),
      ...(takes.includes("window") ? Object.entries(ENDS) : []).map(([name, none]) =>
        field(`initial ${name}`, this.end(name, none)),
      ),
    );
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

  /** @param {string} name @param {string[]} choices */
  convention(name, choices) {
    const value = this.settings.conventions[name]?.toString();
    const options = Object.fromEntries(choices.map((key) => [key, CALLED[key] ?? key]));
    return choice(options, value, (chosen) =>
      this.set({ ...this.settings.conventions, [name]: chosen }),
    );
  }

  /** @param {string} name @param {string} placeholder */
  end(name, placeholder) {
    return numberInput(this.settings.conventions[name] ?? "", { placeholder }, (text) =>
      this.set(withEnd(this.settings.conventions, name, text)),
    );
  }
}
