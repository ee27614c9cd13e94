// Which questions are drawn.
import { help, html } from "../../dom.js";
import { choice, field, form, numberInput, submit } from "../../forms.js";
import { wholeNumber } from "../../wording.js";

const ITEMS = ["values", "windows", "cuts"];
/** Plies from which a cutoff can be deep. */
const DEEP_PLIES = 4;
const BRANCHING = { "2,2": "2", "2,3": "2 to 3", "3,3": "3" };
const DEEP = { 0: "any", 1: `1 at least (${DEEP_PLIES} plies)` };
const CUT = { ge: "at alpha ≥ beta", gt: "at alpha > beta" };
const VALUES = { soft: "fail-soft", hard: "fail-hard" };

/** @type {QuestionWishes} */
export const USUAL = {
  seed: 1,
  depth: 3,
  branching: [2, 2],
  deep: 0,
  ties: true,
  agree: false,
  cut: "ge",
  bound: "soft",
  asked: ITEMS,
};

/**
 * What is asked after one item has been ticked or unticked: something is always asked.
 * @param {string[]} asked @param {string} item @param {boolean} is
 */
export function withItem(asked, item, is) {
  const wanted = ITEMS.filter((other) => (other === item ? is : asked.includes(other)));
  return wanted.length ? wanted : ["values"];
}

export class WishesForm {
  /** @param {QuestionWishes} wishes @param {() => void} onchange */
  constructor(wishes, onchange) {
    this.wishes = wishes;
    this.onchange = onchange;
    this.seed = numberInput(wishes.seed, { min: 0 });
    this.own = help("about a tree of your own, until another question is drawn");
    this.own.hidden = !wishes.tree;
    this.element = form(
      () => this.draw({ seed: wholeNumber(this.seed.value, 0) }),
      this.own,
      field("Seed", this.seed),
      ...this.choices(),
      ...this.ticks(),
      submit("Draw this question"),
    );
  }

  choices() {
    const { depth, branching, deep, cut, bound } = this.wishes;
    const setBranching = (/** @type {string} */ text) =>
      this.draw({ branching: text.split(",").map(Number) });
    const plies = choice(["2", "3", "4"], `${depth}`, (text) => this.setDepth(Number(text)));
    return [
      field("Plies", plies),
      field("Children", choice(BRANCHING, branching.join(), setBranching)),
      field(
        "Deep cutoffs",
        choice(DEEP, `${deep}`, (text) => this.setDeep(Number(text))),
      ),
      field(
        "Cut",
        choice(CUT, cut, (cut) => this.set({ cut })),
      ),
      field(
        "Values",
        choice(VALUES, bound, (bound) => this.set({ bound })),
      ),
    ];
  }

  ticks() {
    const { ties, agree, asked } = this.wishes;
    const asks = ITEMS.map((item) =>
      tick(`ask for ${item}`, asked.includes(item), (is) =>
        this.set({ asked: withItem(this.wishes.asked, item, is) }),
      ),
    );
    return [
      tick("no two leaves alike", !ties, (is) => this.draw({ ties: !is })),
      tick("the same cuts under every convention", agree, (agree) => this.draw({ agree })),
      ...asks,
    ];
  }

  /** @param {number} depth */
  setDepth(depth) {
    this.draw({ depth, deep: depth < DEEP_PLIES ? 0 : this.wishes.deep });
  }

  /** @param {number} deep */
  setDeep(deep) {
    this.draw({ deep, depth: deep ? DEEP_PLIES : this.wishes.depth });
  }

  /** Draw another tree than one's own. @param {Partial<QuestionWishes>} wishes */
  draw(wishes) {
    this.own.hidden = true;
    this.set({ ...wishes, tree: undefined });
  }

  /** @param {Partial<QuestionWishes>} wishes */
  set(wishes) {
    Object.assign(this.wishes, wishes);
    this.seed.value = String(this.wishes.seed);
    this.onchange();
  }
}

/** @param {string} label @param {boolean} checked @param {(is: boolean) => void} onchange */
function tick(label, checked, onchange) {
  const input = html("input", { type: "checkbox", checked });
  input.onchange = () => onchange(input.checked);
  return field(label, input, { class: "field tick" });
}
