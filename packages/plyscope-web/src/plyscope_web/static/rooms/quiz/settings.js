// The settings of a question, their form, and their text in an address.
import { help, html } from "../../shell/dom.js";
import { choice, controls, field, form, numberInput, submit } from "../../shell/forms.js";
import { ITEMS, RUNGS, rungOf } from "./ladder.js";

/** Plies from which a cutoff can be deep. */
const DEEP_PLIES = 4;
const PLIES = ["2", "3", "4"];
const BRANCHING = { 2: "2", "2,3": "2 to 3", 3: "3" };
const DEEP = { 0: "any", 1: `1 at least (${DEEP_PLIES} plies)` };
const CUT = { ge: "at α ≥ β", gt: "at α > β" };
const BOUND = { soft: "fail-soft", hard: "fail-hard" };
const MINIMAX = "minimax";
export const BOARD = "board";
const [FIRST] = RUNGS;

/** @type {QuestionSettings} */
export const USUAL = {
  algorithm: FIRST.algorithm,
  asked: FIRST.asked,
  seed: 1,
  depth: 3,
  branching: [2, 2],
  deep: 0,
  ties: true,
  agree: false,
  cut: "ge",
  bound: "soft",
};

/** A tree that can be asked about is written out; a position is none. @param {string} [text] */
const isTree = (text) => /^\s*[[({]/.test(text ?? "");

/** @param {number[]} branching */
const spanOf = ([few, many]) => (few === many ? `${few}` : `${few},${many}`);

/** @param {string} text */
const branchingOf = (text) => [Number(text.split(",")[0]), Number(text.split(",").at(-1))];

/**
 * What an address has of a setting: which texts, how they are read, and how they are written.
 * @type {Record<string, [RegExp, (text: string) => any, (value: any) => string]>}
 */
const SHAPE = {
  seed: [/^\d{1,15}$/, Number, String],
  depth: [/^[234]$/, Number, String],
  branching: [/^(2|2,3|3)$/, branchingOf, spanOf],
  deep: [/^[01]$/, Number, String],
  ties: [/^(no|yes)$/, (text) => text === "yes", (is) => (is ? "yes" : "no")],
  agree: [/^(no|yes)$/, (text) => text === "yes", (is) => (is ? "yes" : "no")],
};
/** @type {typeof SHAPE} */
const CONVENTIONS = { cut: [/^g[et]$/, String, String], bound: [/^(soft|hard)$/, String, String] };

/**
 * What an address asks; of what it does not say, or says wrongly, as it was before.
 * @param {Place} place @param {QuestionSettings} before @returns {QuestionSettings}
 */
export function settingsOf({ ask, tree, ...place }, before = USUAL) {
  const settings = { ...before, tree: isTree(tree) ? tree : undefined };
  const items = ITEMS.filter((item) => ask?.split(",").includes(item));
  if (ask === MINIMAX) Object.assign(settings, { algorithm: MINIMAX, asked: ["values"] });
  else if (ask === BOARD || ask === "signs")
    Object.assign(settings, { algorithm: BOARD, asked: [ask] });
  else if (items.length) Object.assign(settings, { algorithm: "alphabeta", asked: items });
  for (const [name, [texts, read]] of Object.entries({ ...SHAPE, ...CONVENTIONS }))
    if (texts.test(place[name] ?? "")) Object.assign(settings, { [name]: read(place[name]) });
  return settings;
}

/** The same as an address has it; what is usual is left out. @param {QuestionSettings} settings @returns {Place} */
export function placeOf(settings) {
  const { algorithm, asked, tree } = settings;
  /** @type {Place} */
  const place = { ask: algorithm === MINIMAX ? MINIMAX : asked.join(), tree: tree ?? "" };
  for (const [name, [, , write]] of Object.entries({ ...SHAPE, ...CONVENTIONS })) {
    const [value, usual] = [settings, USUAL].map((all) => write(/** @type {any} */ (all)[name]));
    place[name] = value === usual || (tree && name in SHAPE) ? "" : value;
  }
  return place;
}

/**
 * What is asked after one item has been ticked or unticked: something is always asked.
 * @param {string[]} asked @param {string} item @param {boolean} is
 */
export function withItem(asked, item, is) {
  const wanted = ITEMS.filter((other) => (other === item ? is : asked.includes(other)));
  return wanted.length ? wanted : ["values"];
}

export class SettingsForm {
  tree = html("div");
  rules = html("div");

  /** @param {QuestionSettings} settings @param {() => void} onchange */
  constructor(settings, onchange) {
    this.settings = settings;
    this.onchange = onchange;
    this.render();
  }

  /** Draw the fields that the question has. */
  render() {
    const { seed, tree } = this.settings;
    this.seed = numberInput(seed, { min: 0 });
    const own = help("This question is about your own tree, until you draw another one.");
    own.hidden = !tree;
    this.tree.replaceChildren(
      own,
      form(
        () => this.draw({ seed: Number(this.seed?.value) }),
        field("Seed", this.seed),
        ...this.shapes(),
        submit("Draw this question"),
      ),
    );
    this.rules.replaceChildren(...this.conventions());
  }

  shapes() {
    const { depth, branching, deep, ties, agree, algorithm } = this.settings;
    const setBranching = (/** @type {string} */ text) =>
      this.draw({ branching: branchingOf(text) });
    if (algorithm === BOARD) return [];
    const plies = choice(PLIES, `${depth}`, (text) =>
      this.draw({ depth: Number(text), deep: Number(text) < DEEP_PLIES ? 0 : deep }),
    );
    const cutoffs = choice(DEEP, `${deep}`, (text) =>
      this.draw({ deep: Number(text), depth: Number(text) ? DEEP_PLIES : depth }),
    );
    const isSearch = algorithm !== MINIMAX;
    return [
      field("Plies", plies),
      field("Children", choice(BRANCHING, spanOf(branching), setBranching)),
      isSearch && field("Deep cutoffs", cutoffs),
      tick("no two leaves alike", !ties, (is) => this.draw({ ties: !is })),
      isSearch &&
        tick("the same cuts under every convention", agree, (agree) => this.draw({ agree })),
    ];
  }

  conventions() {
    const { cut, bound, asked, algorithm } = this.settings;
    if (algorithm === MINIMAX || algorithm === BOARD) return [];
    const asks = ITEMS.map((item) =>
      tick(`ask for ${item}`, asked.includes(item), (is) =>
        this.set({ asked: withItem(this.settings.asked, item, is) }),
      ),
    );
    const cuts = choice(CUT, cut, (cut) => this.set({ cut }));
    const values = choice(BOUND, bound, (bound) => this.set({ bound }));
    const isAll = rungOf(this.settings).name === "all";
    return [controls(field("Cut", cuts), field("Values", values), isAll && asks)];
  }

  /** Draw another tree than one's own. @param {Partial<QuestionSettings>} settings */
  draw(settings) {
    this.set({ ...settings, tree: undefined });
  }

  /** @param {Partial<QuestionSettings>} settings */
  set(settings) {
    Object.assign(this.settings, settings);
    this.render();
    this.onchange();
  }
}

/** @param {string} label @param {boolean} checked @param {(is: boolean) => void} onchange */
function tick(label, checked, onchange) {
  const input = html("input", { type: "checkbox", checked });
  input.onchange = () => onchange(input.checked);
  return field(label, input, { class: "field tick" });
}
