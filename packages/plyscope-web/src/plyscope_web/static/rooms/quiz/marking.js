// The texts of answers and marks.
import { distinctNames } from "../../tree/nodes.js";
import { withMinus } from "../../shell/wording.js";

/** @type {Record<Verdict, string>} */
export const SIGNS = { right: "✓", wrong: "✗", missing: "…", follows: "½" };

/**
 * The names of nodes after those of their ancestors, by path: `B E`, and the root is named alone.
 * @param {QuestionNode[]} nodes
 */
export function fullNames(nodes) {
  const names = distinctNames(nodes);
  /** @type {Map<string, string>} */
  const full = new Map();
  nodes.forEach(({ path, parent }, number) => {
    const above = parent ? `${full.get(parent)} ` : "";
    full.set(path, `${above}${withMinus(names[number])}`);
  });
  return full;
}

/**
 * What there is to look at, mark by mark; what was left out stands last.
 * @param {QuestionNode[]} nodes @param {Mark[]} marks
 */
export function remarks(nodes, marks) {
  const names = fullNames(nodes);
  return marks
    .filter(({ verdict }) => verdict !== "right")
    .map(({ path, item, given, expected, verdict }) => ({
      path,
      item,
      verdict,
      where: `${item === "cut" ? "edge to " : ""}${names.get(path)}`,
      what: item === "cut" ? "" : item,
      given: given || "left out",
      expected,
    }))
    .sort((one, two) => Number(one.verdict === "missing") - Number(two.verdict === "missing"));
}

/** Points as they are said: halves by their sign. @param {number} points */
export const pointsText = (points) => (points % 1 ? `${Math.trunc(points) || ""}½` : `${points}`);

/** The key as it is written into the fields. @param {KeyEntry} key */
export function keyTexts({ value, window, cut }) {
  const [alpha, beta] = window ?? [];
  return {
    cut,
    value: value === null ? undefined : withMinus(`${value}`),
    alpha: window ? withMinus(`${alpha ?? "−∞"}`) : undefined,
    beta: window ? withMinus(`${beta ?? "∞"}`) : undefined,
  };
}
