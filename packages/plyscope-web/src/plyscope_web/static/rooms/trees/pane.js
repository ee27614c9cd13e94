// One search: its tree at a step, and the sentence of the step.
import { html } from "../../shell/dom.js";
import { withDrawing } from "../../board/smallboard.js";
import { TreeView } from "../../tree/view.js";
import { captionOf } from "./caption.js";
import { Replay, passOf, saidAt } from "./steps.js";

/** @typedef {import("./details.js").SearchDetails} SearchDetails */

/** Steps among which there is one with a note, if there are any. */
const FIRST = 9;
/** @type {Set<number>} */
const NONE = new Set();

export class Pane {
  /** What is searched, and how: it stands below the room's headline. */
  caption = html("p", { class: "help caption" });
  said = html("p", { class: "help said" });
  /** @type {Trace | null} */
  trace = null;
  /** @type {Replay | null} */
  replay = null;
  /** The nodes in which the other search differs. */
  differing = NONE;

  /**
   * @param {string} label @param {SearchDetails} details
   * @param {(path: string) => void} onchoose is told of a node
   */
  constructor(label, details, onchoose) {
    this.details = details;
    this.view = new TreeView(label, (node) => this.trace && onchoose(this.trace.nodes[node].path));
    const names = { class: "pane", role: "group", "aria-label": label };
    this.element = html("div", names, this.view.element, this.said);
  }

  /** Say what goes on while nothing is drawn. @param {string} text */
  say(text) {
    if (!this.trace) this.caption.textContent = text;
    this.said.textContent = text;
  }

  /** @param {Trace} found @param {SearchSettings} search @param {TreeSettings} subject */
  load(found, search, subject) {
    const trace = withDrawing(found);
    this.trace = trace;
    this.replay = new Replay(trace);
    this.differing = NONE;
    this.caption.textContent = captionOf(search, subject, trace);
    const hasNotes = trace.steps
      .slice(0, FIRST)
      .some(({ changes }) => changes.some(([, { note }]) => note));
    this.view.load(trace.nodes, hasNotes);
  }

  get length() {
    return this.trace?.steps.length ?? 0;
  }

  /** The node at a path, null where there is none. @param {string | null} path */
  nodeAt(path) {
    const found = this.trace?.nodes.findIndex((node) => node.path === path) ?? -1;
    return found < 0 ? null : found;
  }

  /** @param {number} wanted @param {string | null} path of the node that is selected */
  draw(wanted, path) {
    if (!this.trace || !this.replay) return;
    const step = Math.min(wanted, this.length);
    const isDone = this.trace.whole && step === this.length;
    this.view.draw(this.replay.to(step), {
      current: isDone || !step ? null : this.trace.steps[step - 1].node,
      selected: this.nodeAt(path),
      pv: isDone,
      differing: this.differing,
      pass: passOf(this.trace, step),
    });
    this.said.textContent = saidAt(this.trace, step);
    this.details.draw(this.trace, step);
  }
}
