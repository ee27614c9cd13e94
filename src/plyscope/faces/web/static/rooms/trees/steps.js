// Where a search stands after some of its steps.
import { count, counted } from "../../wording.js";

/** @typedef {(NodeState | null)[]} States by node; null is not there yet */

/**
 * What is known of every node, step by step forward and back. Of a given tree all nodes are there
 * from the beginning, of a searched one those that have been reached.
 */
export class Replay {
  step = 0;
  /** What each step that was taken has changed. @type {[number, NodeState | null][][]} */
  taken = [];

  /** @param {Pick<Trace, "nodes" | "steps" | "given">} trace */
  constructor({ nodes, steps, given }) {
    this.steps = steps;
    /** @type {States} */
    this.states = nodes.map((_, number) => (given || !number ? { seen: false } : null));
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
      this.states[number] = { ...change, seen: Boolean(change.visits) };
  }

  back() {
    this.step--;
    for (const [number, before] of this.taken.pop() ?? []) this.states[number] = before;
  }
}

/** What has been counted so far. @param {Trace} trace @param {number} step */
export function counters({ steps, minimal, whole }, step) {
  const [nodes, leaves, cutoffs] = step ? steps[step - 1].counts : [0, 0, 0];
  const all = [
    counted(nodes, "node"),
    counted(leaves, "leaf", "leaves"),
    counted(cutoffs, "cutoff"),
  ];
  const least = minimal ? `; any alpha-beta needs ${count(minimal)} leaves here at least` : "";
  const shown = whole ? "" : "the first ";
  return `step ${count(step)} of ${shown}${count(steps.length)}: ${all.join(", ")}${least}`;
}

/** @param {Trace | undefined} trace @param {number} step */
export const saidAt = (trace, step) =>
  trace && step
    ? `${trace.steps[step - 1].say}.`
    : "The search has not begun: Next takes a step, Play runs it.";

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
