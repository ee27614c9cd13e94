// What there is to see, as cards with a picture.
import { html, svg } from "../../shell/dom.js";

/**
 * A card that leads somewhere.
 * @param {string} name @param {string} says @param {() => void} onclick
 * @param {Element | null} [drawn] its picture, where it is there already
 */
export function card(name, says, onclick, drawn = null) {
  const shown = html("span", { class: "shown" }, drawn);
  const element = html(
    "button",
    { type: "button", class: "offer", onclick },
    shown,
    html("span", { class: "offer-name" }, name),
    html("span", { class: "offer-says" }, says),
  );
  return { element, shown };
}

const LEVEL = 26;
/** Places of a tree's nodes, with the place of the parent. @type {Record<string, [x: number, ply: number, parent: string]>} */
const NODES = {
  A: [50, 0, ""],
  B: [26, 1, "A"],
  C: [74, 1, "A"],
  D: [12, 2, "B"],
  E: [40, 2, "B"],
  F: [60, 2, "C"],
  G: [88, 2, "C"],
};
const CUT = "G";
const PV = ["B", "D"];

/** A tree with a principal variation and a branch that is cut off. */
export function treePicture() {
  const edges = Object.entries(NODES).flatMap(([name, [x, ply, parent]]) => {
    if (!parent) return [];
    const [from, above] = NODES[parent];
    const kind = name === CUT ? "edge cut" : PV.includes(name) ? "edge pv" : "edge";
    const d = `M${from} ${12 + above * LEVEL}L${x} ${12 + ply * LEVEL}`;
    return [svg("path", { class: kind, d })];
  });
  const nodes = Object.entries(NODES).map(([name, [x, ply]]) => {
    const y = 12 + ply * LEVEL;
    const d =
      ply === 2
        ? `M${x - 6} ${y - 5}h12v11h-12z`
        : ply === 1
          ? `M${x - 8} ${y - 6}h16l-8 13z`
          : `M${x} ${y - 8}l8 13h-16z`;
    return svg("path", { class: name === CUT ? "shape cut" : "shape", d });
  });
  const slash = svg("path", { class: "slash", d: "M78 55l6-5M80 59l6-5" });
  const names = { class: "picture tree-picture", viewBox: "0 0 100 74", "aria-hidden": "true" };
  return svg("svg", names, edges, slash, nodes);
}
