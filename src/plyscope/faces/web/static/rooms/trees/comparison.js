// Where two searches of one tree differ.
import { button, details, failure, html, paragraph, scroller, table } from "../../dom.js";
import { count } from "../../wording.js";
import { SearchForm } from "./conventions.js";

export class Comparison {
  result = html("div");

  /** @param {import("./room.js").TreesRoom} room @param {Algorithm[]} algorithms */
  constructor(room, algorithms) {
    this.room = room;
    const second = new SearchForm(room.settings.second, algorithms);
    const compare = button("Compare", () => this.compare());
    const question = "Where do these two differ?";
    this.element = details(question, second.element, compare, this.result);
  }

  async compare() {
    const { asked, settings } = this.room;
    try {
      this.draw(await this.room.ask("differ", { ...asked, second: settings.second }));
    } catch (error) {
      this.result.replaceChildren(failure(error));
    }
  }

  /** @param {Difference} difference */
  draw({ first, second, counts, values, differences }) {
    const rows = Object.entries(counts).map(([name, pair]) => [name, ...pair.map(count)]);
    rows.push(["value", ...values.map(String)]);
    const nodes = differences.map((node) => [node.name, node.first, node.second]);
    this.result.replaceChildren(
      paragraph(`first: ${first}`),
      paragraph(`second: ${second}`),
      table(["of the search", "first", "second"], rows),
      nodes.length
        ? scroller("nodes that differ", table(["node", "first", "second"], nodes))
        : paragraph("no node differs"),
    );
  }
}
