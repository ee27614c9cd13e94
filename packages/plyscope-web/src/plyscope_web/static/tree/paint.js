// The drawing of a tree: elements for nodes in view, dots and lines from afar.
import { READABLE } from "./camera.js";
import { classes, svg } from "../shell/dom.js";
import { fromAfar } from "./layout.js";
import { edgeParts, foldSign, nodeLabel, nodeParts } from "./node.js";

/** Nodes up to which all are elements, in view or not. */
const FEW = 300;
/** Beyond the view, as a part of it: what is drawn before it comes into view. */
const AHEAD = 0.25;
/** The scale of the nodes that are shown among dots. */
const AMONG_DOTS = 0.6;
/** Pixels of a text on the screen, where texts are drawn. */
const LEAST_TEXT = 11;
/** From this scale on windows above leaves have room. */
const ROOMY = 0.8;
/** The sign of a folded node stands so far below what is written there. */
const SIGN = 11;
/** From below to above: what is drawn last is seen. */
const LOOKS = ["unseen", "", "cut", "pv", "differs"];

export class TreePainter {
  far = svg("g", { class: "far" });
  lines = svg("g", { role: "presentation" });
  things = svg("g", { role: "presentation" });
  near = svg("g", { role: "presentation" }, this.lines, this.things);
  /** The drawn nodes, with what they show. @type {Map<number, { said: string, item: SVGElement }>} */
  items = new Map();
  /** @type {Map<number, { said: string, parts: SVGElement[] }>} */
  edges = new Map();

  /**
   * @param {string} label @param {import("./scene.js").TreeScene} scene
   * @param {(node: number) => void} onfold
   */
  constructor(label, scene, onfold) {
    this.scene = scene;
    this.onfold = onfold;
    const names = { class: "scene", role: "tree", "aria-label": label };
    this.root = svg("svg", names, this.far, this.near);
  }

  /** Forget what is drawn. */
  clear() {
    this.items.clear();
    this.things.replaceChildren();
    this.clearEdges();
  }

  clearEdges() {
    this.edges.clear();
    this.lines.replaceChildren();
  }

  /** @param {number} focused the node that keys are heard at @returns where that is now */
  paint(focused) {
    const { scene } = this;
    const { scale, left, top } = scene.camera;
    const tiny = scale < READABLE && !scene.isFar;
    this.root.setAttribute(
      "class",
      classes("scene", { tiny, tight: scale < ROOMY, close: scale < 1 }),
    );
    const least = LEAST_TEXT / (scene.isFar ? AMONG_DOTS : Math.max(scale, READABLE));
    this.root.style.setProperty("--least-text", `${least.toFixed(2)}px`);
    this.paintFar();
    const turned = scene.isFar
      ? ""
      : `matrix(${scale} 0 0 ${scale} ${-left * scale} ${-top * scale})`;
    this.near.setAttribute("transform", turned);
    this.paintEdges();
    return this.paintNodes(focused);
  }

  paintFar() {
    const { scene } = this;
    if (!scene.isFar) return this.far.replaceChildren();
    const place = scene.pixel.bind(scene);
    const shown = (/** @type {number} */ ply) => scene.inView(ply, 0);
    paintPaths(this.far, fromAfar(scene.layout, scene.nodes, scene.lookOf, place, shown));
  }

  paintEdges() {
    const { scene } = this;
    const wanted = new Set();
    if (!scene.isFar) {
      for (const ply of scene.layout.plies.keys()) {
        for (const number of ply ? scene.inView(ply, AHEAD) : [])
          if (scene.isThere(number)) wanted.add(number);
      }
    }
    for (const [number, { parts }] of this.edges) {
      if (wanted.has(number)) continue;
      for (const part of parts) part.remove();
      this.edges.delete(number);
    }
    /** The window drawn last below each parent. @type {Record<number, string | undefined>} */
    const windows = {};
    for (const number of wanted) {
      const parent = /** @type {number} */ (scene.nodes[number].parent);
      const { seen, window } = scene.states[number];
      this.paintEdge(number, Boolean(window) && windows[parent] === window);
      if (seen) windows[parent] = window;
    }
  }

  /** @param {number} number @param {boolean} repeats */
  paintEdge(number, repeats) {
    const { scene } = this;
    const state = scene.states[number];
    const parent = /** @type {number} */ (scene.nodes[number].parent);
    const isAboveCut = Boolean(scene.states[parent]?.cut);
    const marks = { ...scene.marks(number), repeats };
    const isHere = marks.current || marks.selected;
    const { cut, seen, window } = state;
    const said = `${[cut, seen, window, isAboveCut, marks.pv, marks.past, isHere, repeats]}`;
    const known = this.edges.get(number);
    if (known?.said === said) return;
    for (const part of known?.parts ?? []) part.remove();
    const node = scene.nodes[number];
    /** @type {[Point, Point]} */
    const ends = [scene.place(parent), scene.place(number)];
    const parts = edgeParts(node, state, isAboveCut, marks, ends, scene.room.half);
    this.lines.append(...parts);
    this.edges.set(number, { said, parts });
  }

  /**
   * The nodes that are elements: all of a few, else those in view and those one is at.
   * @param {number} focused
   */
  wanted(focused) {
    const { scene } = this;
    const { nodes, layout, isFar } = scene;
    const { current, selected } = scene.shown;
    const isThere = (/** @type {number} */ number) => scene.isThere(number);
    if (nodes.length <= FEW && !isFar) return [...nodes.keys()].filter(isThere);
    const wanted = new Set([0, focused]);
    for (const number of [current, selected]) if (number !== null) wanted.add(number);
    if (!isFar || nodes.length <= FEW)
      for (const ply of layout.plies.keys())
        for (const number of scene.inView(ply, AHEAD)) wanted.add(number);
    return [...wanted].filter(isThere).sort((one, two) => one - two);
  }

  /** @param {number} focused */
  paintNodes(focused) {
    const { scene } = this;
    const wanted = this.wanted(focused);
    const isWanted = new Set(wanted);
    for (const [number, { item }] of this.items) {
      if (isWanted.has(number)) continue;
      if (item === document.activeElement) this.root.focus({ preventScroll: true });
      item.remove();
      this.items.delete(number);
    }
    const end = scene.isFar ? ` scale(${AMONG_DOTS})` : "";
    let isNew = false;
    for (const number of wanted) {
      isNew = this.paintNode(number) || isNew;
      const [x, y] = scene.isFar ? scene.pixel(number) : scene.place(number);
      this.items.get(number)?.item.setAttribute("transform", `translate(${x} ${y})${end}`);
    }
    if (isNew) this.order(wanted);
    const heard = scene.isThere(focused) ? focused : 0;
    for (const [number, { item }] of this.items)
      item.setAttribute("tabindex", number === heard ? "0" : "-1");
    return heard;
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

  /** Return whether it is a new element. @param {number} number */
  paintNode(number) {
    const { scene } = this;
    const node = scene.nodes[number];
    const state = scene.states[number];
    const marks = scene.marks(number);
    const label = nodeLabel({ ...node, name: scene.names[number] }, state, marks);
    const said = `${label} ${state.cut} ${marks.selected}`;
    const known = this.items.get(number);
    if (known?.said === said) return false;
    const below = scene.layout.below[number];
    const attributes = {
      ...attributesOf(node, state, marks, label),
      "data-node": number,
      "aria-expanded": below ? String(!marks.folded) : null,
    };
    const half = node.board && marks.folded ? scene.room.half + SIGN : scene.room.half;
    const fold = () => this.onfold(number);
    // a space parts the texts for those who read them without their places
    const parts = [
      ...nodeParts(node, state),
      below > 0 && foldSign(below, Boolean(marks.folded), half, fold),
    ].flatMap((part) => (part ? [part, " "] : []));
    if (known) {
      for (const [name, value] of Object.entries(attributes))
        if (value !== null && name !== "tabindex") known.item.setAttribute(name, String(value));
      known.item.replaceChildren(...parts);
      known.said = said;
      return false;
    }
    this.items.set(number, { said, item: svg("g", attributes, ...parts) });
    return true;
  }
}

/**
 * How a node's element is read and styled.
 * @param {TraceNode} node @param {NodeState} state @param {NodeMarks} marks @param {string} label
 */
function attributesOf(node, { cut, seen }, { current, differs, past, pv, selected }, label) {
  return {
    class: classes("node", { cut, current, differs, past, pv, unseen: !seen, selected }),
    role: "treeitem",
    tabindex: "-1",
    "aria-level": node.ply + 1,
    "aria-label": label,
    "aria-selected": selected ? "true" : "false",
  };
}

/** @param {SVGElement} group @param {ReturnType<typeof fromAfar>} paths */
export function paintPaths(group, { edges, dots }) {
  const parts = LOOKS.flatMap((look) =>
    [
      { kind: "edge", d: edges.get(look) },
      { kind: "dot", d: dots.get(look) },
    ].flatMap(({ kind, d }) => (d ? [svg("path", { class: `${kind} ${look}`, d })] : [])),
  );
  group.replaceChildren(...parts);
}
