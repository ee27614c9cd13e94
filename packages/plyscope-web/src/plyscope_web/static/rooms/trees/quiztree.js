// The searched tree of a position as an explicit tree, for a quiz.
import { count } from "../../shell/wording.js";
import { Replay } from "./steps.js";

/** Nodes that somebody searches by hand. */
export const MOST_ASKED = 60;

/**
 * Return a tree that minimax has searched whole as nested brackets with the values of its leaves.
 * @param {Pick<Trace, "nodes" | "steps" | "whole">} trace
 */
export function treeOfSearch({ nodes, steps, whole }) {
  if (!whole)
    throw new Error(
      `the tree has more than ${count(MOST_ASKED)} nodes; ` +
        "expected a smaller depth or a later position for a quiz",
    );
  const states = new Replay({ nodes, steps }).to(steps.length);
  /** @param {number} number @returns {string} */
  const written = (number) => {
    const { leaf, max, parent } = nodes[number];
    if (leaf) return valueOf(states[number].score);
    const children = [...nodes.keys()].filter((child) => nodes[child].parent === number);
    const isTwice = parent !== null && nodes[parent].max === max;
    return `${isTwice ? (max ? "max" : "min") : ""}[${children.map(written)}]`;
  };
  return written(0);
}

/** @param {string | undefined} score */
function valueOf(score = "") {
  const value = Number(score.replace("−", "-"));
  if (!score || Number.isNaN(value))
    throw new Error(`a leaf has the value '${score}'; expected numbers in a quiz`);
  return String(value);
}
