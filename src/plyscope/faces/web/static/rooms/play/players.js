// Who can play, in words: levels with what they do and how strong they are, other agents, tables of
// one's own.
import { html } from "../../shell/dom.js";
import { optionsOf } from "../../shell/forms.js";
import { agentName, agentOptions, isOwnAgent } from "../../shell/tables.js";

/**
 * Of levels 1 to 10: the plies that they look ahead, or their time, and the random moves in 100.
 * @type {[reach: string, slips: number][]}
 */
const LEVELS = [
  ["1 ply", 70],
  ["1 ply", 40],
  ["1 ply", 20],
  ["2 plies", 15],
  ["2 plies", 5],
  ["3 plies", 0],
  ["4 plies", 0],
  ["6 plies", 0],
  ["8 plies", 0],
  ["3 seconds", 0],
];
/**
 * Elo above the random player, as `bench/levels.py` measured it.
 * @type {Record<string, number[]>}
 */
export const ELO = {
  tictactoe: [290, 516, 673, 698, 745, 856, 852, 893, 891, 877],
  connect4: [293, 472, 586, 621, 696, 815, 904, 1066, 1081, 1372],
  gomoku15: [565, 970, 1230, 1316, 1498, 1722, 1780, 1891, 1998],
};
const LEVEL = /^level-(\d+)$/;

/**
 * A player in a few words.
 * @param {Lab["catalogues"]} catalogues @param {string} name @param {Shown} shown
 */
export function playerText({ agents }, name, { game, text }) {
  if (name === "human") return "a person";
  if (isOwnAgent(name)) return `alpha-beta with your table: ${agentName(name)}`;
  const number = Number(LEVEL.exec(name)?.[1] ?? 0);
  if (!number || text) return agents.find((agent) => agent.name === name)?.summary ?? name;
  const [reach, slips] = LEVELS[number - 1];
  const slip = slips ? `plays any move ${slips} times in 100` : "never slips";
  const elo = ELO[game]?.[number - 1];
  const strength = elo === undefined ? "" : `; some ${elo} Elo above random play`;
  const search = reach.endsWith("seconds") ? `thinks for ${reach}` : `looks ${reach} ahead`;
  return `${search}, ${slip}${strength}`;
}

/**
 * The options of a seat, in groups; whoever sits there is among them.
 * @param {Lab} lab @param {Shown} shown @param {string} seated
 */
export function seatOptions(lab, shown, seated) {
  const offered = agentOptions(lab, shown);
  if (seated !== "human" && !offered.some(([value]) => value === seated))
    offered.push([seated, agentName(seated)]);
  /** @param {string} value */
  const groupOf = (value) =>
    LEVEL.test(value) ? "Levels" : isOwnAgent(value) ? "Your tables" : "Other agents";
  /** @param {string} label */
  const group = (label) => {
    const own = offered.filter(([value]) => groupOf(value) === label);
    const named = own.map(
      ([value, text]) =>
        /** @type {[string, string, string]} */ ([
          value,
          text,
          playerText(lab.catalogues, value, shown),
        ]),
    );
    return own.length ? html("optgroup", { label }, ...optionsOf(named)) : null;
  };
  const groups = ["Levels", "Other agents", "Your tables"].map(group);
  const person = optionsOf([["human", "a person"]]);
  return [...person, ...groups.filter((found) => found !== null)];
}
