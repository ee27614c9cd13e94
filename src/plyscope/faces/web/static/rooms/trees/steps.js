// Where a search stands after some of its steps.
import { count, counted } from "../../wording.js";

/**
 * What is known of every node after `step` steps. Of a given tree all nodes are there from the
 * beginning, of a searched one those that have been reached.
 * @param {Trace} trace @param {number} step
 * @returns {(NodeState | null)[]}
 */
export function statesAt({ nodes, steps, given }, step) {
  /** @type {(NodeState | null)[]} */
  const states = nodes.map(({ leaf, name }) =>
    given ? { score: leaf ? name : "", seen: false } : null,
  );
  for (const { changes } of steps.slice(0, step)) {
    for (const [number, change] of changes) {
      const seen = Boolean(change.visits);
      states[number] = { ...states[number], ...change, seen };
    }
  }
  states[0] ??= { seen: false };
  return step < steps.length ? withCurrent(states, steps[step - 1]) : withPv(states, nodes);
}

/** @param {(NodeState | null)[]} states @param {TraceStep | undefined} step */
const withCurrent = (states, step) =>
  states.map((state, number) => state && { ...state, current: number === step?.node });

/** @param {(NodeState | null)[]} states @param {TraceNode[]} nodes */
const withPv = (states, nodes) =>
  states.map((state, number) => state && { ...state, pv: nodes[number].pv });

/** What has been counted so far. @param {Trace} trace @param {number} step */
export function counters({ steps, minimal }, step) {
  const [nodes, leaves, cutoffs] = step ? steps[step - 1].counts : [0, 0, 0];
  const all = [
    counted(nodes, "node"),
    counted(leaves, "leaf", "leaves"),
    counted(cutoffs, "cutoff"),
  ];
  const least = minimal ? `; any alpha-beta needs ${count(minimal)} leaves here at least` : "";
  return `step ${step} of ${steps.length}: ${all.join(", ")}${least}`;
}

/** The step of the next cutoff, or the end. @param {TraceStep[]} steps @param {number} step */
export function nextCutoff(steps, step) {
  const next = steps.findIndex(({ kind }, number) => kind === "cutoff" && number >= step);
  return next < 0 ? steps.length : next + 1;
}

/** The step of the cutoff before, or the start. @param {TraceStep[]} steps @param {number} step */
export function previousCutoff(steps, step) {
  return steps.findLastIndex(({ kind }, number) => kind === "cutoff" && number + 1 < step) + 1;
}
