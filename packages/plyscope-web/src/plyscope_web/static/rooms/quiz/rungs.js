// The list of the kinds of questions, with the progress on each.
import { html } from "../../shell/dom.js";
import { RUNGS } from "./ladder.js";

/** @typedef {import("./ladder.js").Ladder} Ladder */

/** Return the progress on a rung in words. @param {import("./ladder.js").Progress} progress */
export function progressText({ right, streak, best }) {
  if (!right) return "";
  const row = streak > 1 ? `, ${streak} in a row` : "";
  return `✓ ${right} right${row}${best > Math.max(1, streak) ? `, ${best} at best` : ""}`;
}

export class RungList {
  element = html("ol", { class: "rungs", "aria-label": "the ladder" });

  /** @param {Ladder} ladder @param {(name: string) => void} onchoose */
  constructor(ladder, onchoose) {
    this.ladder = ladder;
    this.onchoose = onchoose;
  }

  /** @param {string} now the rung of the question */
  draw(now) {
    const hadFocus = this.element.contains(document.activeElement);
    const rungs = RUNGS.map((_, place) => this.rung(place, now));
    this.element.replaceChildren(...rungs.map((button) => html("li", {}, button)));
    if (hadFocus) rungs.find((button) => button.hasAttribute("aria-current"))?.focus();
  }

  /** @param {number} place @param {string} now */
  rung(place, now) {
    const { name, label, about } = RUNGS[place];
    const isOpen = name === now || this.ladder.isOpen(name);
    const progress = progressText(this.ladder.of(name));
    const said = isOpen
      ? progress || about
      : `opens with a right answer in ${RUNGS[place - 1].label}`;
    const words = [html("b", {}, label), html("span", { class: "help" }, said)];
    if (!isOpen) return html("div", { class: "rung" }, ...words);
    const names = { class: "rung", "aria-current": name === now && "step", title: about };
    return html("button", { type: "button", ...names, onclick: () => this.onchoose(name) }, words);
  }
}
