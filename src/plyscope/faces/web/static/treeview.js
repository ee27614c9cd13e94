// A tree to be looked at: zoomed, moved, folded, with a map. It draws what is in view, and from
// afar dots and lines; all nodes are there for ARIA's tree pattern while they are few.
import * as cameras from "./camera.js";
import { classes, html, iconButton, svg } from "./dom.js";
import { across, fromAfar, layout, neighbour } from "./treelayout.js";
import { edgeParts, foldSign, nodeLabel, nodeParts, roomFor } from "./treenode.js";

/** Nodes up to which all are elements, in view or not. */
const FEW = 300;
/** Beyond the view, as a part of it: what is drawn before it comes into view. */
const AHEAD = 0.25;
/** The scale of the nodes that are shown among dots. */
const AMONG_DOTS = 0.6;
const STEP = 1.4;
/** Where there is room, plies stand apart by as many times what they need. */
const STRETCH = 1.5;
const PIXELS_A_WHEEL = 320; // in which the scale doubles
const DRAG = 4; // pixels from which a press is no click
const GLIDE = 180; // milliseconds
/** The part of a tree from which on it needs no map. */
const MOST_SEEN = 0.7;
const MAP = { width: 168, height: 84 };
/** From below to above: what is drawn last is seen. */
const LOOKS = ["unseen", "", "cut", "pv", "differs"];

/** @typedef {(NodeState | null)[]} States by node; null is not there yet */
/**
 * What is shown beside the states of the nodes.
 * @typedef {object} Showing
 * @property {number | null} current
 * @property {number | null} selected
 * @property {boolean} pv whether the principal variation is marked
 * @property {Set<number>} differing
 */

/** @type {Showing} */
const NOTHING = { current: null, selected: null, pv: false, differing: new Set() };

export class TreeView {
  /** @type {TraceNode[]} */
  nodes = [];
  /** @type {States} */
  states = [];
  shown = NOTHING;
  focused = 0;
  /** @type {Set<number>} */
  folded = new Set();
  isMapWanted = true;
  /** The drawn nodes, with what they show. @type {Map<number, { said: string, item: SVGElement }>} */
  items = new Map();
  /** @type {Map<number, { said: string, parts: SVGElement[] }>} */
  edges = new Map();
  /** @type {cameras.Camera} */
  camera = { scale: 1, left: 0, top: 0 };
  /** Where the tree was opened: where one still looks until somebody moves. */
  opened = this.camera;
  /** @type {cameras.Size} */
  size = { width: 0, height: 0 };
  /** @type {Map<number, Point>} */
  pointers = new Map();
  frame = 0;
  isDragged = false;

  /** @param {string} label @param {(node: number) => void} onchoose */
  constructor(label, onchoose) {
    this.label = label;
    this.onchoose = onchoose;
    this.room = roomFor([]);
    /** What plies need, before they are stretched. */
    this.ply = this.room.ply;
    this.layout = layout([], this.folded);
    this.far = svg("g", { class: "far" });
    this.lines = svg("g", { role: "presentation" });
    this.things = svg("g", { role: "presentation" });
    this.near = svg("g", { role: "presentation" }, this.lines, this.things);
    this.root = svg(
      "svg",
      { class: "scene", role: "tree", "aria-label": label },
      this.far,
      this.near,
    );
    this.mapLines = svg("svg", { ...MAP });
    this.mapFrame = html("div", { class: "frame" });
    this.map = html("div", { class: "map", "aria-hidden": "true" }, this.mapLines, this.mapFrame);
    this.map.onpointerdown = (event) => this.lookAt(event);
    this.map.onpointermove = (event) => event.buttons && this.lookAt(event);
    this.bar = html(
      "div",
      { class: "zoom", role: "toolbar", "aria-label": `view of ${label}` },
      iconButton("closer", "Zoom in", () => this.zoom(STEP), { title: "+" }),
      iconButton("farther", "Zoom out", () => this.zoom(1 / STEP), { title: "−" }),
      iconButton("fit", "Fit", () => this.fit(), { title: "0" }),
      iconButton("fold", "Fold or unfold", () => this.fold(this.shown.selected ?? this.focused), {
        title: "f",
      }),
    );
    this.element = html("div", { class: "tree" }, this.root, this.map, this.bar);
    this.hear();
  }

  hear() {
    const { root } = this;
    root.onkeydown = (event) => this.hearKey(event);
    root.onpointerdown = (event) => this.press(event);
    root.onpointermove = (event) => this.drag(event);
    root.onpointerup = root.onpointercancel = (event) => this.release(event);
    root.onclick = (event) => this.click(event);
    root.ondblclick = (event) => {
      const number = numberAt(event.target);
      if (number !== null) this.fold(number);
    };
    this.element.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.element);
  }

  stop() {
    this.observer?.disconnect();
    cancelAnimationFrame(this.frame);
  }

  /** Another tree. @param {TraceNode[]} nodes @param {boolean} [hasNotes] */
  load(nodes, hasNotes) {
    const room = roomFor(nodes, hasNotes);
    Object.assign(this, { nodes, states: [], shown: NOTHING, focused: 0, room, ply: room.ply });
    this.opened = this.camera;
    this.folded.clear();
    this.items.clear();
    this.edges.clear();
    this.lines.replaceChildren();
    this.things.replaceChildren();
    this.arrange();
    this.open();
  }

  arrange() {
    this.layout = layout(this.nodes, this.folded);
    this.edges.clear();
    this.lines.replaceChildren();
  }

  get tree() {
    const { column, ply, margin } = this.room;
    const { columns, plies } = this.layout;
    return {
      width: (columns - 1) * column + 2 * margin,
      height: (plies.length - 1) * ply + 2 * margin,
    };
  }

  /** @param {number} number @returns {Point} */
  place(number) {
    const { margin, column, ply } = this.room;
    return [margin + this.layout.xs[number] * column, margin + this.nodes[number].ply * ply];
  }

  /** What has been opened and not moved since is opened anew in a frame of another size. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.element;
    const isAsOpened = this.camera === this.opened;
    this.size = { width, height };
    if (!width || !this.nodes.length) return;
    if (isAsOpened) this.open();
    else this.look(cameras.kept(this.camera, this.tree, this.size));
  }

  open() {
    if (!this.size.width) return;
    const { margin } = this.room;
    const { ply } = this;
    this.room.ply = ply;
    const scale = cameras.opened(this.tree, this.size, this.place(0)).scale;
    const gaps = Math.max(1, this.layout.plies.length - 1);
    const wanted = (this.size.height / scale - 2 * margin) / gaps;
    this.room.ply = Math.max(ply, Math.min(STRETCH * ply, wanted));
    this.opened = cameras.opened(this.tree, this.size, this.place(0));
    this.look(this.opened);
    if (this.shown.current) this.reveal(this.shown.current);
  }

  /** @param {States} states @param {Showing} shown */
  draw(states, shown) {
    const isMoved = shown.current !== this.shown.current;
    Object.assign(this, { states, shown });
    this.drawMap();
    if (!this.size.width) return;
    this.paint();
    if (isMoved && shown.current !== null) this.reveal(shown.current);
  }

  // Where one looks

  /** @param {cameras.Camera} camera */
  look(camera) {
    this.camera = camera;
    this.paint();
  }

  /** Look at it now where motion is not wanted, else on the way there. @param {cameras.Camera} to */
  glide(to) {
    cancelAnimationFrame(this.frame);
    const from = this.camera;
    const jump = Math.abs(to.left - from.left) * to.scale > 3 * this.size.width;
    if (jump || matchMedia("(prefers-reduced-motion: reduce)").matches) return this.look(to);
    const began = performance.now();
    /** @param {number} now */
    const next = (now) => {
      const part = Math.min(1, (now - began) / GLIDE);
      this.look(cameras.between(from, to, part * (2 - part)));
      if (part < 1) this.frame = requestAnimationFrame(next);
    };
    this.frame = requestAnimationFrame(next);
  }

  /** @param {number} factor @param {Point} [at] */
  zoom(factor, at = [this.size.width / 2, this.size.height / 2]) {
    this.glide(cameras.zoomed(this.camera, this.tree, this.size, factor, at));
  }

  fit() {
    this.glide(cameras.fitted(this.tree, this.size));
  }

  /** Have a node in view, and what it is folded in unfolded. @param {number} number */
  reveal(number) {
    if (!this.size.width) return;
    if (this.layout.isHidden[number]) {
      for (let at = this.nodes[number].parent; at !== null; at = this.nodes[at].parent)
        this.folded.delete(at);
      this.arrange();
      this.drawMap();
    }
    const above = this.place(this.nodes[number].parent ?? number);
    const to = cameras.revealing(this.camera, this.tree, this.size, this.place(number), above);
    if (to.left !== this.camera.left || to.top !== this.camera.top) this.glide(to);
    else this.paint();
  }

  /** Hide what is below a node, or show it; the node stays where it is. @param {number} number */
  fold(number) {
    if (!this.layout.below[number]) return;
    const [x, y] = this.place(number);
    if (!this.folded.delete(number)) this.folded.add(number);
    this.arrange();
    const [toX, toY] = this.place(number);
    const { scale, left, top } = this.camera;
    const camera = { scale, left: left + toX - x, top: top + toY - y };
    this.look(cameras.kept(camera, this.tree, this.size));
    this.drawMap();
  }

  // What is drawn

  get isFar() {
    return this.camera.scale < cameras.LEGIBLE;
  }

  /** @param {number} number */
  isThere(number) {
    return Boolean(this.states[number]) && !this.layout.isHidden[number];
  }

  /** The place of a node in the view. @param {number} number @returns {Point} */
  pixel(number) {
    const [x, y] = this.place(number);
    const { scale, left, top } = this.camera;
    const vertical = cameras.verticalScale(scale, this.tree, this.size);
    return [(x - left) * scale, (y - top) * vertical];
  }

  /** The nodes of a ply in view, or whose edges are. @param {number} ply @param {number} ahead */
  inView(ply, ahead) {
    const { column, margin } = this.room;
    const { scale, left } = this.camera;
    const seen = this.size.width / scale;
    const from = (left - ahead * seen - margin) / column - 1;
    const to = (left + (1 + ahead) * seen - margin) / column + 1;
    return across(this.layout, this.nodes, ply, from, to);
  }

  paint() {
    if (!this.states.length) return;
    const { scale, left, top } = this.camera;
    this.root.setAttribute(
      "class",
      classes("scene", { tiny: scale < cameras.READABLE && !this.isFar }),
    );
    this.paintFar();
    const turned = this.isFar
      ? ""
      : `matrix(${scale} 0 0 ${scale} ${-left * scale} ${-top * scale})`;
    this.near.setAttribute("transform", turned);
    this.paintEdges();
    this.paintNodes();
    this.placeFrame();
  }

  paintFar() {
    if (!this.isFar) return this.far.replaceChildren();
    const place = this.pixel.bind(this);
    const shown = (/** @type {number} */ ply) => this.inView(ply, 0);
    paintPaths(this.far, fromAfar(this.layout, this.nodes, this.lookOf, place, shown));
  }

  /** @param {number} number */
  lookOf = (number) => {
    const state = this.states[number];
    if (!state) return null;
    if (this.shown.differing.has(number)) return "differs";
    if (this.shown.pv && this.nodes[number].pv) return "pv";
    return state.cut ? "cut" : state.seen ? "" : "unseen";
  };

  paintEdges() {
    const wanted = new Set();
    if (!this.isFar) {
      for (const ply of this.layout.plies.keys()) {
        for (const number of ply ? this.inView(ply, AHEAD) : [])
          if (this.isThere(number)) wanted.add(number);
      }
    }
    for (const [number, { parts }] of this.edges) {
      if (wanted.has(number)) continue;
      for (const part of parts) part.remove();
      this.edges.delete(number);
    }
    for (const number of wanted) this.paintEdge(number);
  }

  /** @param {number} number */
  paintEdge(number) {
    const state = /** @type {NodeState} */ (this.states[number]);
    const parent = /** @type {number} */ (this.nodes[number].parent);
    const isAboveCut = Boolean(this.states[parent]?.cut);
    const marks = this.marks(number);
    const said = `${state.cut} ${state.seen} ${state.window} ${isAboveCut} ${marks.pv}`;
    const known = this.edges.get(number);
    if (known?.said === said) return;
    for (const part of known?.parts ?? []) part.remove();
    const ends = [this.place(parent), this.place(number)];
    const parts = edgeParts(state, isAboveCut, marks, ends[0], ends[1], this.room.half);
    this.lines.append(...parts);
    this.edges.set(number, { said, parts });
  }

  /** The nodes that are elements: all of a few, else those in view and those one is at. */
  get wanted() {
    const { nodes, layout } = this;
    const { current, selected } = this.shown;
    if (nodes.length <= FEW && !this.isFar)
      return [...nodes.keys()].filter((number) => this.isThere(number));
    const wanted = new Set([0, this.focused]);
    for (const number of [current, selected]) if (number !== null) wanted.add(number);
    if (!this.isFar || nodes.length <= FEW)
      for (const ply of layout.plies.keys())
        for (const number of this.inView(ply, AHEAD)) wanted.add(number);
    return [...wanted].filter((number) => this.isThere(number)).sort((one, two) => one - two);
  }

  paintNodes() {
    const { wanted } = this;
    const isWanted = new Set(wanted);
    for (const [number, { item }] of this.items) {
      if (isWanted.has(number)) continue;
      if (item === document.activeElement) this.root.focus({ preventScroll: true });
      item.remove();
      this.items.delete(number);
    }
    const place = (/** @type {number} */ number) =>
      (this.isFar ? this.pixel : this.place).call(this, number);
    const end = this.isFar ? ` scale(${AMONG_DOTS})` : "";
    let isNew = false;
    for (const number of wanted) {
      isNew = this.paintNode(number) || isNew;
      const [x, y] = place(number);
      this.items.get(number)?.item.setAttribute("transform", `translate(${x} ${y})${end}`);
    }
    if (isNew) this.order(wanted);
    if (!this.isThere(this.focused)) this.focused = 0;
    for (const [number, { item }] of this.items)
      item.setAttribute("tabindex", number === this.focused ? "0" : "-1");
  }

  /** A screen reader reads nodes in the order of the tree. @param {number[]} wanted */
  order(wanted) {
    /** @type {Element | null} */
    let before = null;
    for (const number of wanted) {
      const item = /** @type {{ item: SVGElement }} */ (this.items.get(number)).item;
      const next = /** @type {Element | null} */ (
        before ? before.nextElementSibling : this.things.firstElementChild
      );
      if (next !== item) this.things.insertBefore(item, next);
      before = item;
    }
  }

  /** Whether it is a new element. @param {number} number */
  paintNode(number) {
    const node = this.nodes[number];
    const state = /** @type {NodeState} */ (this.states[number]);
    const marks = this.marks(number);
    const label = nodeLabel(node, state, marks);
    const said = `${label} ${state.cut} ${marks.selected}`;
    const known = this.items.get(number);
    if (known?.said === said) return false;
    const { current, differs, folded, pv, selected } = marks;
    const below = this.layout.below[number];
    const attributes = {
      class: classes("node", {
        cut: state.cut,
        current,
        differs,
        pv,
        unseen: !state.seen,
        selected,
      }),
      role: "treeitem",
      tabindex: "-1",
      "data-node": number,
      "aria-level": node.ply + 1,
      "aria-label": label,
      "aria-selected": selected ? "true" : "false",
      "aria-expanded": below ? String(!folded) : null,
    };
    const half = node.board ? this.room.half - 2 : this.room.half;
    const fold = () => this.fold(number);
    const parts = [
      ...nodeParts(node, state),
      below > 0 && foldSign(below, Boolean(folded), half, fold),
    ];
    if (known) {
      for (const [name, value] of Object.entries(attributes))
        if (value !== null && name !== "tabindex") known.item.setAttribute(name, String(value));
      known.item.replaceChildren(...parts.filter((part) => part instanceof Node));
      known.said = said;
      return false;
    }
    this.items.set(number, { said, item: svg("g", attributes, ...parts) });
    return true;
  }

  /** @param {number} number @returns {NodeMarks} */
  marks(number) {
    const { current, selected, pv, differing } = this.shown;
    return {
      current: number === current,
      selected: number === selected,
      pv: pv && this.nodes[number].pv,
      differs: differing.has(number),
      folded: this.folded.has(number) ? this.layout.below[number] : 0,
    };
  }

  // The map

  /** Pixels of the map by the tree's units. */
  get mapScales() {
    const { width, height } = this.tree;
    return [MAP.width / width, MAP.height / height];
  }

  drawMap() {
    const [across, down] = this.mapScales;
    /** @param {number} number @returns {Point} */
    const place = (number) => {
      const [x, y] = this.place(number);
      return [x * across, y * down];
    };
    const shown = (/** @type {number} */ ply) => this.layout.plies[ply];
    paintPaths(this.mapLines, fromAfar(this.layout, this.nodes, this.lookOf, place, shown));
  }

  placeFrame() {
    const { camera, size, tree } = this;
    const [across, down] = this.mapScales;
    const seenWidth = size.width / camera.scale;
    const seenHeight = size.height / cameras.verticalScale(camera.scale, tree, size);
    const isMost = seenWidth * seenHeight > MOST_SEEN * tree.width * tree.height;
    this.map.toggleAttribute("hidden", isMost || !this.isMapWanted);
    const { style } = this.mapFrame;
    const [left, top] = [Math.max(0, camera.left) * across, Math.max(0, camera.top) * down];
    style.transform = `translate(${left}px, ${top}px)`;
    style.width = `${Math.max(3, Math.min(seenWidth, tree.width) * across)}px`;
    style.height = `${Math.min(seenHeight, tree.height) * down}px`;
  }

  /** Look where somebody points on the map. @param {PointerEvent} event */
  lookAt(event) {
    const [across, down] = this.mapScales;
    const { scale } = this.camera;
    const vertical = cameras.verticalScale(scale, this.tree, this.size);
    const box = this.map.getBoundingClientRect();
    const left = (event.clientX - box.left) / across - this.size.width / scale / 2;
    const top = (event.clientY - box.top) / down - this.size.height / vertical / 2;
    this.look(cameras.kept({ scale, left, top }, this.tree, this.size));
    event.preventDefault();
  }

  // Hands

  /** Where in the view somebody points. @param {MouseEvent} event @returns {Point} */
  at({ clientX, clientY }) {
    const { left, top } = this.root.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button) return;
    cancelAnimationFrame(this.frame);
    if (!this.pointers.size) this.isDragged = false;
    this.pointers.set(event.pointerId, this.at(event));
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.at(event);
    /** @type {Point} */
    const by = [now[0] - before[0], now[1] - before[1]];
    if (!this.isDragged && Math.hypot(...by) < DRAG) return;
    if (!this.isDragged) this.root.setPointerCapture(event.pointerId);
    this.isDragged = true;
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    const { camera, tree, size } = this;
    if (!other) return this.look(cameras.moved(camera, tree, size, by));
    const factor = distance(now, other) / Math.max(1, distance(before, other));
    this.look(cameras.zoomed(camera, tree, size, factor, other));
  }

  /** @param {PointerEvent} event */
  release(event) {
    this.pointers.delete(event.pointerId);
  }

  /** @param {MouseEvent} event */
  click(event) {
    const number = numberAt(event.target);
    if (number !== null && !this.isDragged) this.choose(number);
  }

  /** @param {WheelEvent} event */
  turn(event) {
    const { camera, tree, size } = this;
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const by = event.deltaY * (event.deltaMode ? 24 : 1) * (event.ctrlKey ? 6 : 1);
    const to = isSideways
      ? cameras.moved(camera, tree, size, [-(event.deltaX || event.deltaY), 0])
      : cameras.zoomed(camera, tree, size, 2 ** (-by / PIXELS_A_WHEEL), this.at(event));
    const isSame = to.scale === camera.scale && to.left === camera.left && to.top === camera.top;
    if (isSame && !event.ctrlKey) return; // the page goes on to scroll
    event.preventDefault();
    cancelAnimationFrame(this.frame);
    this.look(to);
  }

  /** @param {number} number */
  choose(number) {
    this.takeFocus(number);
    this.onchoose(number);
  }

  /** @param {number} number */
  takeFocus(number) {
    this.focused = number;
    this.reveal(number);
    this.items.get(number)?.item.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  hearKey(event) {
    const at = numberAt(event.target);
    if (at !== null) this.focused = at;
    const isThere = this.isThere.bind(this);
    const target = neighbour(event.key, this.focused, this.nodes, isThere);
    if (event.key === "Enter" || event.key === " ") this.onchoose(this.focused);
    else if (target === undefined) return;
    else if (target !== null) this.takeFocus(target);
    event.preventDefault();
    event.stopPropagation();
  }

  /** @returns {Key[]} */
  get keys() {
    return [
      { keys: ["+", "="], sign: "+", text: "zoom in", act: () => this.zoom(STEP) },
      { keys: ["-"], sign: "−", text: "zoom out", act: () => this.zoom(1 / STEP) },
      { keys: ["0"], text: "fit the tree", act: () => this.fit() },
      { keys: ["f"], text: "fold or unfold a node", act: () => this.fold(this.focused) },
      { keys: ["m"], text: "show or hide the map", act: () => this.toggleMap() },
    ];
  }

  toggleMap() {
    this.isMapWanted = !this.isMapWanted;
    this.placeFrame();
  }
}

/** The node of an element of the drawing. @param {EventTarget | null} target */
function numberAt(target) {
  const item = target instanceof Element ? target.closest("[data-node]") : null;
  return item ? Number(item.getAttribute("data-node")) : null;
}

/** @param {Point} one @param {Point} two */
const distance = (one, two) => Math.hypot(one[0] - two[0], one[1] - two[1]);

/** @param {SVGElement} group @param {ReturnType<typeof fromAfar>} paths */
function paintPaths(group, { edges, dots }) {
  const parts = LOOKS.flatMap((look) =>
    [
      { kind: "edge", d: edges.get(look) },
      { kind: "dot", d: dots.get(look) },
    ].flatMap(({ kind, d }) => (d ? [svg("path", { class: `${kind} ${look}`, d })] : [])),
  );
  group.replaceChildren(...parts);
}
