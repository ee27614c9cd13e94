// The line above a tree: its algorithm, depth, heuristic and unusual conventions.
import { withMinus } from "../../shell/wording.js";
import { SAID } from "./conventions.js";

const USUAL = "with the usual conventions";

/** The long names of algorithms. @type {Record<string, string>} */
const NAMES = {
  alphabeta: "alpha-beta",
  pvs: "principal variation search (pvs)",
  mtdf: "MTD(f)",
  sss: "SSS*",
  pn: "proof-number search (pn)",
  dfpn: "depth-first proof-number search (dfpn)",
  uct: "Monte Carlo tree search (uct)",
  "iterative-deepening": "iterative deepening",
};

/** @param {Conventions} conventions */
function unusual({ alpha, beta, ...choices }) {
  const said = Object.entries(choices).flatMap(([name, value]) => {
    const known = SAID[name];
    return known ? [`${known.label.toLowerCase()}: ${known.values[String(value)][0]}`] : [];
  });
  const isNarrow = alpha !== undefined || beta !== undefined;
  return isNarrow
    ? [...said, withMinus(`first window (${alpha ?? "−∞"}, `) + withMinus(`${beta ?? "∞"})`)]
    : said;
}

/**
 * @param {SearchSettings} search @param {{ depth: number, heuristic: string }} subject
 * @param {Pick<Trace, "nodes" | "given">} trace
 */
export function captionOf({ algorithm, conventions }, { depth, heuristic }, { nodes, given }) {
  const plies = depth === 1 ? "1 ply" : `${depth} plies`;
  const how = nodes[0].mean ? "games played at random" : `${plies} deep`;
  const judged = given ? [] : [`${how}, judged by ${heuristic.replace(/^own:/, "")}`];
  const said = unusual(conventions);
  return [NAMES[algorithm] ?? algorithm, ...judged, ...(said.length ? said : [USUAL])].join(", ");
}
