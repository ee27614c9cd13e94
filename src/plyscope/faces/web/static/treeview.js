// A tree as an SVG with ARIA's tree pattern. Nodes: {name, max, leaf, parent (a number or null), x, ply}; what is known of each comes with it.
import { h, s } from "./dom.js";

export const COLUMN = 82;
export const PLY = 92;
const MARGIN = 46;
const R = 17;

export class TreeView {
  constructor(label) {
    this.label = label;
    this.element = h("div", { class: "tree scroll" });
    this.focused = 0;
    this.onchoose = () => {};
  }

  // `states` hold for each node {window, score, cut, seen, current, pv, hit, selected, label}; a node whose state is null is not there yet.
  draw(nodes, states, { column = COLUMN } = {}) {
    this.nodes = nodes;
    const place = nodes.map((node) => [MARGIN + node.x * column, MARGIN + node.ply * PLY]);
    const width = Math.max(...place.map(([x]) => x)) + MARGIN + 30;
    const height = Math.max(...place.map(([, y]) => y)) + MARGIN;
    const edges = [];
    const marks = [];
    this.items = [];
    nodes.forEach((node, number) => {
      const state = states[number];
      if (!state) return;
      const [x, y] = place[number];
      if (node.parent !== null) {
        const [px, py] = place[node.parent];
        const [x1, y1, x2, y2] = [px, py + R, x, y - R];
        edges.push(s("path", { class: `edge ${state.cut ? "cut" : ""} ${state.pv ? "pv" : ""} ${state.seen ? "" : "unseen"}`, d: `M${x1} ${y1}L${x2} ${y2}` }));
        const [mx, my] = [x1 + (x2 - x1) * 0.62, y1 + (y2 - y1) * 0.62];
        if (state.cut && !states[node.parent].cut) edges.push(s("path", { class: "slash", d: `M${mx - 7} ${my}l14 -6M${mx - 7} ${my + 6}l14 -6` }));
        else if (state.window && state.seen) edges.push(s("text", { class: "window halo", x: mx, y: my + 4 }, state.window));
      }
      marks.push(this.node(node, state, number, x, y));
    });
    const root = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "tree", "aria-label": this.label });
    root.append(...edges, ...marks);
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(root);
    const target = this.items[this.focused] ?? this.items.find(Boolean);
    target?.setAttribute("tabindex", "0");
    if (hadFocus) target?.focus({ preventScroll: true });
    root.onkeydown = (event) => this.key(event);
    const current = states.findIndex((state) => state?.current);
    if (current >= 0) this.reveal(place[current]);
  }

  reveal([x, y]) {
    const box = this.element;
    if (x < box.scrollLeft + 60 || x > box.scrollLeft + box.clientWidth - 60) box.scrollLeft = x - box.clientWidth / 2;
    if (y < box.scrollTop + 40 || y > box.scrollTop + box.clientHeight - 40) box.scrollTop = y - box.clientHeight / 2;
  }

  node(node, state, number, x, y) {
    const shape = node.leaf
      ? s("rect", { class: "shape", x: x - R, y: y - R + 3, width: 2 * R, height: 2 * R - 6, rx: 3 })
      : s("path", { class: "shape", d: node.max ? `M${x} ${y - R}l${R + 3} ${2 * R}h${-2 * R - 6}z` : `M${x} ${y + R}l${R + 3} ${-2 * R}h${-2 * R - 6}z` });
    const kind = node.leaf ? "leaf" : node.max ? "MAX" : "MIN";
    const said = [`${node.name}, ${kind}`, state.seen ? null : state.cut ? "cut" : "not searched yet", state.window && `window ${state.window}`, state.score && `score ${state.score}`, state.hit && "from the table", state.pv && "on the principal variation", state.current && "current"];
    const classes = ["node", state.cut && "cut", state.current && "current", state.seen ? "" : "unseen", state.selected && "selected"].filter(Boolean).join(" ");
    const score = state.score && !(node.leaf && node.name === state.score);
    const item = s(
      "g",
      {
        class: classes,
        role: "treeitem",
        tabindex: "-1",
        "aria-level": node.ply + 1,
        "aria-label": said.filter(Boolean).join(", "),
        "aria-selected": state.selected ? "true" : "false",
        onclick: () => (this.take(number), this.onchoose(number)),
        onfocus: () => this.take(number),
      },
      shape,
      s("text", { x, y: y + (node.leaf ? 5 : node.max ? 9 : -1) }, node.name.length < 5 ? node.name : node.name.slice(0, 4)),
      score && s("text", { class: "score halo", x: node.leaf ? x : x + R + 20, y: node.leaf ? y + R + 12 : y - R + 4 }, state.score),
      state.hit && s("text", { class: "window halo", x: x - R - 12, y: y + 4 }, "table"),
    );
    this.items[number] = item;
    return item;
  }

  take(number) {
    this.focused = number;
    this.items.forEach((item, other) => item?.setAttribute("tabindex", other === number ? "0" : "-1"));
  }

  key(event) {
    const { nodes, items, focused } = this;
    const there = (number) => items[number];
    const same = (step) => {
      for (let number = focused + step; number >= 0 && number < nodes.length; number += step) if (there(number) && nodes[number].ply === nodes[focused].ply) return number;
      return null;
    };
    const to = {
      ArrowUp: () => nodes[focused].parent,
      ArrowDown: () => nodes.findIndex((node, number) => node.parent === focused && there(number)),
      ArrowLeft: () => same(-1),
      ArrowRight: () => same(1),
      Home: () => 0,
    }[event.key]?.();
    if (event.key === "Enter" || event.key === " ") this.onchoose(focused);
    else if (to === undefined) return;
    else if (to !== null && to >= 0) {
      this.take(to);
      items[to].focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
