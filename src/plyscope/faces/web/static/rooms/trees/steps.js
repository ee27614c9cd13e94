// Where a search stands after some of its steps.
import { count, counted } from "../../wording.js";

/**
 * What is known of every node, step by step forward and back. All nodes are there from the
 * beginning: those that the search has yet to reach have not been seen.
 */
export class Replay {
  step = 0;
  /** What each step that was taken has changed. @type {[number, NodeState][][]} */
  taken = [];

  /** @param {Pick<Trace, "nodes" | "steps">} trace */
  constructor({ nodes, steps }) {
    this.steps = steps;
    /** @type {NodeState[]} */
    this.states = nodes.map(() => ({ seen: false }));
  }

  /** @param {number} step */
  to(step) {
    while (this.step < step) this.forward(this.steps[this.step].changes);
    while (this.step > step) this.back();
    return this.states;
  }

  /** @param {TraceStep["changes"]} changes */
  forward(changes) {
    this.step++;
    this.taken.push(changes.map(([number]) => [number, this.states[number]]));
    for (const [number, change] of changes)
      this.states[number] = { ...change, seen: Boolean(change.visits), at: this.step };
  }

  back() {
    this.step--;
    for (const [number, before] of this.taken.pop() ?? []) this.states[number] = before;
  }
}

/** What has been counted so far. @param {Trace} trace @param {number} step */
export function counters({ steps, minimal, whole, cuts }, step) {
  const [nodes, leaves, cutoffs] = step ? steps[step - 1].counts : [0, 0, 0];
  const all = [counted(nodes, "node"), counted(leaves, "leaf", "leaves")];
  if (cuts) all.push(counted(cutoffs, "cutoff"));
  const least = minimal ? `; any alpha-beta needs ${count(minimal)} leaves here at least` : "";
  const shown = whole ? "" : "the first ";
  return `step ${count(step)} of ${shown}${count(steps.length)}: ${all.join(", ")}${least}`;
}

/** @param {Trace | undefined} trace @param {number} step */
export function saidAt(trace, step) {
  if (!trace || !step) return "The search has not begun: Next takes a step, Play runs it.";
  const { say } = trace.steps[step - 1];
  const text = /[.?]$/.test(say) ? say : `${say}.`;
  return trace.found && step === trace.steps.length ? `${text} ${trace.found}.` : text;
}

/** The step at which the pass began that a step is part of. @param {Trace} trace @param {number} step */
export const passOf = ({ passes }, step) => passes.findLast(([begin]) => begin <= step)?.[0] ?? -1;

/** The steps of cutoffs. @param {Trace} trace */
export const cutoffsOf = ({ sentences }) => sentences.map(([step]) => step);

/** The next of some steps, or the end. @param {number[]} steps @param {number} step @param {number} end */
export const nextOf = (steps, step, end) => steps.find((other) => other > step) ?? end;

/** The one before of some steps, or the start. @param {number[]} steps @param {number} step */
export const previousOf = (steps, step) => steps.findLast((other) => other < step) ?? 0;

/**
 * The nodes at which searches differ, of those that are drawn.
 * @param {TraceNode[]} nodes @param {{ path: string }[]} differences
 */
export function differing(nodes, differences) {
  const paths = new Set(differences.map(({ path }) => path));
  return new Set([...nodes.keys()].filter((number) => paths.has(nodes[number].path)));
}
