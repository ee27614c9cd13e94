// A second search next to the first, and their differences.
import {
  button,
  failure,
  heading,
  help,
  html,
  paragraph,
  scroller,
  table,
} from "../../shell/dom.js";
import { count, counted } from "../../shell/wording.js";
import { SearchForm } from "./conventions.js";
import { differing } from "./steps.js";

/** Differences that are listed; all of those that are drawn are lit. */
const LISTED = 200;

export class Comparison {
  result = html("div", { role: "status" });
  form = html("div");
  toggle = button(
    "Compare with another search",
    () => this.room.compare(!this.room.settings.second),
    { class: "wide" },
  );

  /** @param {import("./room.js").TreesRoom} room */
  constructor(room) {
    this.room = room;
    this.element = html("div", { class: "comparison" }, this.toggle, this.form, this.result);
    this.draw();
  }

  /** The form of the second search, if there is one. */
  draw() {
    const { second } = this.room.settings;
    this.toggle.setAttribute("aria-pressed", String(Boolean(second)));
    this.result.replaceChildren();
    this.search = second && new SearchForm(second, this.room.algorithms, () => this.room.load());
    this.form.replaceChildren(
      ...(this.search ? [heading("The other search"), this.search.element] : []),
    );
  }

  /** Ask where they differ, and light that in both. */
  async compare() {
    const { asked, settings, panes } = this.room;
    try {
      const found = await this.room.ask("differ", { ...asked, second: settings.second });
      for (const pane of panes)
        pane.differing = differing(pane.trace?.nodes ?? [], found.differences);
      this.show(found);
    } catch (error) {
      this.result.replaceChildren(failure(error));
    }
    this.room.draw();
  }

  /** @param {Difference} difference */
  show({ counts, values, differences, parting, count: all }) {
    const rows = Object.entries(counts).map(([name, pair]) => [name, ...pair.map(count)]);
    rows.push(["value", ...values.map(String)]);
    const nodes = differences
      .slice(0, LISTED)
      .map(({ name, path, first, second }) => [
        button(name, () => this.room.lookAt(path), { class: "line" }),
        first,
        second,
      ]);
    const part = button("Go to the first difference", () =>
      this.room.stepper.moveTo((parting ?? 0) + 1),
    );
    const some = all > LISTED ? `the first ${LISTED} of ${counted(all, "node")} are listed` : "";
    this.result.replaceChildren(
      table(["of the search", "first", "other"], rows),
      ...(nodes.length
        ? [
            paragraph(
              `${counted(all, "node")} ${all === 1 ? "differs" : "differ"}, highlighted in both.`,
            ),
            part,
            scroller("nodes that differ", table(["node", "first", "other"], nodes)),
            help(some),
          ]
        : [paragraph("No node differs.")]),
    );
  }
}
