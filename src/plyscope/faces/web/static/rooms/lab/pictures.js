// Pictures of what the lab finds: wrong moves by depth, results of a match, ratings.
import { classes, html, numberCell, svg, table, tableRow } from "../../shell/dom.js";
import { count, percent } from "../../shell/wording.js";

const TALL = 90;
const WIDE = 46; // of a depth
const BAR = 14;
const LEFT = 34;

/**
 * Wrong moves by depth, with their intervals, beside those of the search with no heuristic.
 * @param {{ depth: number, mistakes: number, low: number, high: number, null_mistakes: number }[]} depths
 */
export function depthChart(depths) {
  const most = Math.max(
    0.01,
    ...depths.flatMap(({ high, null_mistakes }) => [high, null_mistakes]),
  );
  /** @param {number} share */
  const y = (share) => TALL - (TALL - 12) * (share / most);
  const width = LEFT + WIDE * depths.length + 4;
  const bars = depths.flatMap(({ depth, mistakes, low, high, null_mistakes }, at) => {
    const x = LEFT + WIDE * at + 6;
    const middle = x + BAR / 2;
    return [
      svg("rect", { class: "own", x, y: y(mistakes), width: BAR, height: TALL - y(mistakes) }),
      low < high && svg("path", { class: "interval", d: `M${middle} ${y(low)}V${y(high)}` }),
      svg("rect", {
        class: "null",
        x: x + BAR + 3,
        y: y(null_mistakes),
        width: BAR,
        height: TALL - y(null_mistakes),
      }),
      svg("text", { x: x + BAR + 1.5, y: TALL + 13 }, String(depth)),
    ];
  });
  const said = depths.map(
    ({ depth, mistakes, null_mistakes }) =>
      `depth ${depth}: ${percent(mistakes)}, with no heuristic ${percent(null_mistakes)}`,
  );
  return html(
    "figure",
    { class: "depth-chart" },
    svg(
      "svg",
      {
        viewBox: `0 0 ${width} ${TALL + 18}`,
        width,
        height: TALL + 18,
        role: "img",
        "aria-label": `wrong moves by depth; ${said.join("; ")}`,
      },
      svg("path", { class: "axis", d: `M${LEFT} 6V${TALL}H${width}` }),
      svg("text", { class: "scale", x: LEFT - 4, y: y(most) + 4 }, `${(100 * most).toFixed(0)} %`),
      svg("text", { class: "scale", x: LEFT - 4, y: TALL }, "0"),
      ...bars.filter((bar) => bar !== false),
    ),
    html(
      "figcaption",
      { class: "help" },
      html("span", { class: "key own" }),
      "wrong moves by depth",
      html("span", { class: "key null" }),
      "with no heuristic",
    ),
  );
}

/** Wins, draws and losses of the first player as one bar. @param {number[]} results */
export function resultBar(results) {
  const names = ["won", "drawn", "lost"];
  const parts = results.map((number, at) => {
    const text = `${number} ${names[at]}`;
    const part = html("span", { class: `part ${names[at]}`, title: text }, number ? text : "");
    part.style.flexGrow = String(number);
    part.hidden = !number;
    return part;
  });
  const said = results.map((number, at) => `${number} ${names[at]}`).join(", ");
  return html("div", { class: "result-bar", role: "img", "aria-label": said }, ...parts);
}

/**
 * Players by rating, each with its interval on one scale.
 * @param {Rating[]} players @param {(name: string) => boolean} isOwn
 */
export function ratingTable(players, isOwn) {
  const low = Math.min(...players.map((player) => player.low));
  const high = Math.max(...players.map((player) => player.high));
  /** @param {number} value */
  const x = (value) => 4 + 192 * ((value - low) / Math.max(1, high - low));
  const rows = players.map(({ name, low, high, value, text, games }, at) => {
    const picture = svg(
      "svg",
      { class: "rating", viewBox: "0 0 200 16", "aria-hidden": "true" },
      svg("path", { d: `M${x(low)} 8H${x(high)}` }),
      svg("circle", { cx: x(value), cy: 8, r: 4 }),
    );
    const cells = [at + 1, `${isOwn(name) ? "★ " : ""}${name}`, picture, text];
    const row = { class: classes("", { own: isOwn(name) }) };
    return tableRow([...cells, numberCell(count(games))], row);
  });
  return table(["", "player", "", "Elo", "games"], rows, null, { class: "ratings" });
}
