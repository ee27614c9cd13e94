// The numbers of a line table as sliders with number fields; the groups after the first fold.
import { heading, help, html } from "../shell/dom.js";
import { numberInput, setNumber } from "../shell/forms.js";
import { count, counted, numberFault } from "../shell/wording.js";
import { isSameTable } from "../shell/tables.js";
import { GROUPS, groupSummary, inText, tableEntries, tableOnBoard } from "./entries.js";

const STEPS = 200; // of a slider to each side of zero
const MOST = 1e9;

export class Sliders {
  element = html("div", { class: "groups" });
  /** The groups after the first. */
  others = html("div", { class: "groups" });
  /** The groups that are open. @type {Set<string>} */
  opened = new Set();
  /** The table that the sliders show. @type {LineTable | null} */
  own = null;
  board = "";

  /** @param {(table: LineTable) => void} onchange is told of the table after each change */
  constructor(onchange) {
    this.onchange = onchange;
  }

  /** @param {LineTable | null} table @param {Shown} shown @param {Scope} scope */
  draw(table, shown, scope) {
    const board = shown.game;
    if (table && this.own && board === this.board && isSameTable(table, this.own)) return;
    this.board = board;
    this.own = table && tableOnBoard(table, shown.kinds);
    this.element.replaceChildren();
    this.others.replaceChildren();
    if (!this.own) return;
    const entries = tableEntries(this.own, shown, scope);
    for (const name of Object.keys(GROUPS)) {
      const own = entries.filter(({ group }) => group === name);
      if (own.length) (name === "Lines" ? this.element : this.others).append(this.group(name, own));
    }
    const others = inText(this.own);
    if (others) this.others.append(help(`The text has ${counted(others, "number")} more.`));
  }

  /** @param {string} name @param {Entry[]} entries */
  group(name, entries) {
    const sliders = entries.map((entry) => this.slider(entry));
    const list = [help(GROUPS[name]), html("div", { class: "sliders" }, sliders)];
    if (name === "Lines") return html("div", { class: "group" }, heading(name), ...list);
    const said = groupSummary(entries);
    const summary = html("summary", {}, name, said && html("small", {}, said));
    const group = html("details", { class: "group" }, summary, ...list);
    group.open = this.opened.has(name);
    group.ontoggle = () => this.opened[group.open ? "add" : "delete"](name);
    return group;
  }

  /** @param {Entry} entry */
  slider({ part, keys, label, value, most }) {
    const step = most > STEPS ? Math.ceil(most / STEPS) : 1;
    const range = html("input", { type: "range", min: -most, max: most, step, value });
    const named = { "aria-label": `${label}, as a number` };
    const number = numberInput(value, { min: -MOST, max: MOST, ...named });
    const name = html("label", {}, html("span", {}, label), range);
    const row = html("div", { class: "slider" }, name, number);
    /** @param {number} value */
    const show = (value) => {
      row.classList.toggle("off", value === (part === "weights" ? 1 : 0));
      range.setAttribute("aria-valuetext", count(value));
    };
    /** @param {number} value */
    const set = (value) => {
      show(value);
      if (this.own) for (const key of keys) this.own[part][key] = value;
      this.tell();
    };
    show(value);
    range.oninput = () => {
      setNumber(number, Number(range.value));
      set(Number(range.value));
    };
    number.addEventListener("input", () => {
      const typed = Number(number.value);
      if (numberFault(number.value, { min: -MOST, max: MOST })) return;
      if (Math.abs(typed) > Number(range.max)) {
        range.min = String(-Math.abs(typed));
        range.max = String(Math.abs(typed));
      }
      range.value = String(typed);
      set(typed);
    });
    return row;
  }

  tell() {
    if (this.own) this.onchange(structuredClone(this.own));
  }
}
