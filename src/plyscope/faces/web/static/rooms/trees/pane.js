// One search in a view of its own: its tree at a step, and what that step says.
import { html } from "../../shell/dom.js";
import { withDrawing } from "../../board/smallboard.js";
import { TreeView } from "../../tree/view.js";
import { Replay, passOf, saidAt } from "./steps.js";

/** Steps among which there is one with a note, if there are any. */
const FIRST = 9;
/** @type {Set<number>} */
const NONE = new Set();

export class Pane {
  caption = html("p", { class: "help caption" });
  said = html("p", { class: "help said" });
  /** @type {Trace | null} */
  trace = null;
  /** @type {Replay | null} */
  replay = null;
  /** The nodes in which the other search differs. */
  differing = NONE;

  /** @param {string} label @param {(node: number) => void} onchoose */
  constructor(label, onchoose) {
    this.view = new TreeView(label, onchoose);
    const names = { class: "pane", role: "group", "aria-label": label };
    this.element = html("div", names, this.caption, this.view.element, this.said);
  }

  /** Say what goes on while nothing is drawn. @param {string} text */
  say(text) {
    if (!this.trace) this.caption.textContent = text;
    this.said.textContent = text;
  }

  /** @param {Trace} found @param {string} caption */
  load(found, caption) {
    const trace = withDrawing(found);
    this.trace = trace;
    this.replay = new Replay(trace);
    this.differing = NONE;
    this.caption.textContent = caption;
    const hasNotes = trace.steps
      .slice(0, FIRST)
      .some(({ changes }) => changes.some(([, { note }]) => note));
    this.view.load(trace.nodes, hasNotes);
  }

  get length() {
    return this.trace?.steps.length ?? 0;
  }

  /** @param {number} wanted @param {number | null} selected */
  draw(wanted, selected) {
    if (!this.trace || !this.replay) return;
    const step = Math.min(wanted, this.length);
    const isDone = this.trace.whole && step === this.length;
    this.view.draw(this.replay.to(step), {
      current: isDone || !step ? null : this.trace.steps[step - 1].node,
      selected,
      pv: isDone,
      differing: this.differing,
      pass: passOf(this.trace, step),
    });
    this.said.textContent = saidAt(this.trace, step);
  }
}
