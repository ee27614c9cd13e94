// The best lines of a search: pointing at one shows it on the board, a click plays its first move.
import { button, html, paragraph, scroller, table } from "../../dom.js";
import { count } from "../../wording.js";

const HEAD = ["score", "line: hover shows it, click plays its first move"];

/** What a search did, in a line. @param {Search} search */
export function searchCaption(search) {
  const { algorithm, depth, complete, nodes, cutoffs } = search;
  const reach = `depth ${depth}${complete ? " (to the end)" : ""}`;
  const counts = `${count(nodes)} nodes, ${count(cutoffs)} cutoffs`;
  return [`${algorithm}: ${reach}, ${counts}`, ...speed(search)].join(", ");
}

/** Of all depths together; nothing where the time was too short to say. @param {Search} search */
function speed({ nodes, total_nodes = nodes, total_seconds }) {
  if (total_seconds === undefined || total_seconds <= 0.001) return [];
  return [`${count(Math.round(total_nodes / total_seconds))} nodes/s`];
}

/** @typedef {{ preview(cells: number[] | null): void, play(move: string): void }} LineActions */

export class BestLines {
  /** @param {LineActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.element = html("div", { class: "lines" });
  }

  /** @param {Search | null} search @param {boolean} isOver */
  draw(search, isOver) {
    if (isOver) return this.element.replaceChildren(paragraph("the game is over"));
    if (!search) return this.element.replaceChildren(paragraph("searching …"));
    const focused = this.buttons.findIndex((line) => line === document.activeElement);
    const rows = search.lines.map((line) => [line.text, this.button(line)]);
    const lines = table(HEAD, rows, searchCaption(search));
    this.element.replaceChildren(scroller("best lines", lines));
    this.buttons[focused]?.focus();
  }

  get buttons() {
    return [...this.element.querySelectorAll("button")];
  }

  /** @param {BestLine} line */
  button({ pv, cells }) {
    const { play, preview } = this.actions;
    return button(pv.join(" ") || "–", () => play(pv[0]), {
      class: "line",
      onmouseenter: () => preview(cells),
      onmouseleave: () => preview(null),
      onfocus: () => preview(cells),
    });
  }
}
