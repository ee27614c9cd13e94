// The state of a search after each of its steps.
import { count, counted } from "../../shell/wording.js";

/** The states of all nodes, step by step forward and back; nodes not reached yet are unseen. */
export class Replay {
  step = 0;
  /** The states that each step has replaced. @type {[number, NodeState][][]} */
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

/** Return the counts so far. @param {Trace} trace @param {number} step */
export function countsAt({ steps, minimal, cuts, idle }, step) {
  const [nodes, leaves, cutoffs] = step ? steps[step - 1].counts : [0, 0, 0];
  const all = [counted(nodes, "node"), counted(leaves, "leaf", "leaves")];
  const nothing = idle.filter((at) => at <= step).length;
  if (cuts) all.push(counted(cutoffs, "cutoff") + (nothing ? `, ${nothing} of them idle` : ""));
  const least = minimal ? `; any alpha-beta needs at least ${count(minimal)} leaves here` : "";
  return `${all.join(", ")}${least}`;
}

/** Return the step of a search with its counts. @param {Trace} trace @param {number} step */
export function counters(trace, step) {
  const { steps, whole } = trace;
  return `step ${count(step)} of ${whole ? "" : "the first "}${count(steps.length)}: ${countsAt(trace, step)}`;
}

/** Two searches in step: at each common step both have visited the same number of nodes. */
export class Together {
  /** The steps of both at each common step. @type {[first: number, other: number][]} */
  pairs = [[0, 0]];
  /** The first common step at which each is at a step of its own. @type {[number[], number[]]} */
  places = [[0], [0]];

  /** @param {Pick<Trace, "steps">} first @param {Pick<Trace, "steps">} other */
  constructor(first, other) {
    this.steps = [first.steps, other.steps];
    /** @type {[number, number]} */
    let at = [0, 0];
    while (at.some((own, side) => own < this.steps[side].length)) {
      const [left, right] = at.map((own, side) => this.steps[side][own]?.counts[0] ?? Infinity);
      at = [left <= right ? at[0] + 1 : at[0], right <= left ? at[1] + 1 : at[1]];
      at.forEach((own, side) => (this.places[side][own] ??= this.pairs.length));
      this.pairs.push(at);
    }
  }

  /** Return how many common steps there are. */
  get length() {
    return this.pairs.length - 1;
  }

  /** Return the sentence of a common step. @param {number} step */
  said(step) {
    const pair = this.pairs[step];
    const nodes = pair.map((own, side) => (own ? this.steps[side][own - 1].counts[0] : 0));
    if (nodes[0] === nodes[1]) return `Both searches are at ${counted(nodes[0], "node")}.`;
    const ended = nodes[0] < nodes[1] ? 0 : 1;
    const names = ended ? ["other", "first"] : ["first", "other"];
    const [least, most] = [nodes[ended], nodes[1 - ended]];
    const end = `The ${names[0]} search ended after ${counted(least, "node")}`;
    return `${end}; the ${names[1]} one ${step === this.length ? "after" : "is at"} ${count(most)}.`;
  }
}

/** @param {Trace | undefined} trace @param {number} step */
export function saidAt(trace, step) {
  if (!trace || !step) return "The search has not begun: Next takes a step, Play runs it.";
  const { say } = trace.steps[step - 1];
  const text = /[.?]$/.test(say) ? say : `${say}.`;
  if (!trace.found || step < trace.steps.length) return text;
  return `${text} ${trace.found}.${trace.pruned ? ` ${trace.pruned}.` : ""}`;
}

/** The step at which the pass began that a step is part of. @param {Trace} trace @param {number} step */
export const passOf = ({ passes }, step) => passes.findLast(([begin]) => begin <= step)?.[0] ?? -1;

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
