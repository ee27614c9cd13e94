// How a search is carried out: the algorithm, and the conventions it takes.
import { choice, controls, field, namedOptions, numberInput } from "../../forms.js";
import { wholeNumber } from "../../wording.js";

/** The first of each is the usual one. @type {Record<string, Options>} */
const CONVENTIONS = {
  scoring: ["heuristic", "result", "distance"],
  order: ["generated", "best", "worst", "random"],
  root: ["shared", "open"],
  bound: { soft: "fail-soft", hard: "fail-hard" },
  cut: { ge: "at alpha ≥ beta", gt: "at alpha > beta" },
  cutoffs: { deep: "deep and shallow", shallow: "shallow alone" },
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

  get takes() {
    const { algorithm } = this.settings;
    return this.algorithms.find(({ name }) => name === algorithm)?.takes ?? [];
  }

  draw() {
    const { algorithms, settings, takes } = this;
    const options = namedOptions(
      algorithms.map(({ name, summary, source }) => ({ name, summary: `${summary} (${source})` })),
    );
    const algorithm = choice(options, settings.algorithm, (name) => this.choose(name));
    const conventions = Object.keys(CONVENTIONS).filter((name) => takes.includes(name));
    this.element.replaceChildren(
      field("Algorithm", algorithm),
      ...conventions.map((name) => field(name, this.convention(name))),
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

  /** @param {string} name */
  convention(name) {
    const value = this.settings.conventions[name]?.toString();
    return choice(CONVENTIONS[name], value, (chosen) =>
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
