// An answer as it is sent, and its marks in words.
import { withMinus } from "../../wording.js";

/** @type {Record<Verdict, string>} */
export const SIGNS = { right: "✓", wrong: "✗", missing: "…", follows: "½" };

/**
 * A node's name after those of its ancestors: E of B alone is `B E`, and the root is named alone.
 * @param {QuestionNode[]} nodes @param {string} path
 */
export function fullName(nodes, path) {
  const names = [];
  for (let at = /** @type {string | null} */ (path); at !== null;) {
    const node = /** @type {QuestionNode} */ (nodes.find((other) => other.path === at));
    names.unshift(node.name);
    at = node.parent;
  }
  return (names.length > 1 ? names.slice(1) : names).join(" ");
}

/**
 * What there is to look at, mark by mark; what was left out stands last.
 * @param {QuestionNode[]} nodes @param {Mark[]} marks
 */
export function remarks(nodes, marks) {
  return marks
    .filter(({ verdict }) => verdict !== "right")
    .map(({ path, item, given, expected, verdict }) => ({
      path,
      item,
      verdict,
      where: `${item === "cut" ? "edge to " : ""}${withMinus(fullName(nodes, path))}`,
      what: item === "cut" ? "" : item,
      given: given || "left out",
      expected,
    }))
    .sort((one, two) => Number(one.verdict === "missing") - Number(two.verdict === "missing"));
}

/** Points as they are said: halves by their sign. @param {number} points */
export const pointsText = (points) => (points % 1 ? `${Math.trunc(points) || ""}½` : `${points}`);

/** The key as it is written into the fields. @param {KeyEntry} key */
export function keyTexts({ value, window }) {
  const [alpha, beta] = window ?? [];
  return {
    value: value === null ? undefined : withMinus(`${value}`),
    alpha: window ? withMinus(`${alpha ?? "−∞"}`) : undefined,
    beta: window ? withMinus(`${beta ?? "∞"}`) : undefined,
  };
}
