// Figures and charts of the lab: wrong moves by depth, match results.
import { html } from "../../shell/dom.js";
import { percent } from "../../shell/wording.js";

/** Shares above this have an axis in steps of 20 %. */
const COARSE = 0.4;

/** A large number with a label. @param {string} value @param {string} label @param {string} kind */
export const figure = (value, label, kind = "") =>
  html("p", { class: `figure ${kind}` }, html("strong", {}, value), html("span", {}, label));

/**
 * Wrong moves by depth, with their intervals, next to those of the search without a heuristic.
 * @param {{ depth: number, mistakes: number, low: number, high: number, null_mistakes: number }[]} depths
 */
export function depthChart(depths) {
  const most = Math.max(...depths.flatMap(({ high, null_mistakes }) => [high, null_mistakes]));
  const step = most > COARSE ? 20 : 10;
  const top = Math.max(step, step * Math.ceil((100 * most) / step));
  /** @param {string} name @param {number} share @param {number} [from] */
  const bar = (name, share, from = 0) => {
    const element = html("span", { class: name });
    element.style.bottom = `${(10_000 * from) / top}%`;
    element.style.height = `${(10_000 * (share - from)) / top}%`;
    return element;
  };
  const ticks = Array.from({ length: top / step + 1 }, (_, at) => {
    const tick = html("span", { class: "tick" }, html("span", {}, at ? `${at * step} %` : "0"));
    tick.style.bottom = `${(100 * at * step) / top}%`;
    return tick;
  });
  const columns = depths.map(({ depth, mistakes, low, high, null_mistakes }) =>
    html(
      "div",
      { class: "depth" },
      html(
        "span",
        { class: "slot" },
        bar("own", mistakes),
        low < high && bar("interval", high, low),
      ),
      html("span", { class: "slot" }, bar("null", null_mistakes)),
      html("small", {}, String(depth)),
    ),
  );
  const said = depths.map(
    ({ depth, mistakes, null_mistakes }) =>
      `depth ${depth}: ${percent(mistakes)}, without a heuristic ${percent(null_mistakes)}`,
  );
  const names = {
    class: "plot",
    role: "img",
    "aria-label": `wrong moves by depth; ${said.join("; ")}`,
  };
  return html(
    "figure",
    { class: "depth-chart" },
    html("div", names, ...ticks, html("div", { class: "depths" }, columns)),
    html(
      "figcaption",
      { class: "help" },
      html("span", { class: "key own" }),
      "wrong moves by depth",
      html("span", { class: "key null" }),
      "without a heuristic",
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
