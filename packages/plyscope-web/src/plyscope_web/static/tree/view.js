// The view of a tree: zoom, move, fold, and walk by keys.
import * as cameras from "./camera.js";
import { html, iconButton, svg } from "../shell/dom.js";
import { saveDrawing } from "../shell/drawingfile.js";
import { TreeHands, numberAt } from "./hands.js";
import { neighbour } from "./layout.js";
import { TreePainter } from "./paint.js";
import { TreeScene } from "./scene.js";
import { count, counted } from "../shell/wording.js";

const STEP = 1.4;
const GLIDE = 180; // milliseconds
const LETTER = 8; // pixels of a title's letter, in a file

export class TreeView {
  scene = new TreeScene();
  focused = 0;
  /** The camera that opened the tree, in use until somebody moves it. */
  opened = this.scene.camera;
  frame = 0;
  /** The camera that a glide leads to. @type {cameras.Camera | null} */
  goal = null;
  /**
   * The camera of the last step, which may be far away, and the scale before it.
   * @type {{ camera: cameras.Camera, scale: number } | null}
   */
  ending = null;

  /** @param {string} label @param {(node: number) => void} onchoose */
  constructor(label, onchoose) {
    this.label = label;
    this.onchoose = onchoose;
    const { scene } = this;
    this.painter = new TreePainter(label, scene, (node) => this.fold(node));
    const { root } = this.painter;
    this.told = html("p", { class: "help folded" });
    const corner = html("div", { class: "corner" }, this.told);
    this.element = html("div", { class: "tree" }, root, corner, this.bar());
    this.hands = new TreeHands(root, this.element, this);
    root.onkeydown = (event) => this.hearKey(event);
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.element);
  }

  bar() {
    const fold = () => this.fold(this.scene.shown.selected ?? this.focused);
    return html(
      "div",
      { class: "zoom", role: "toolbar", "aria-label": `view of ${this.label}` },
      iconButton("fit", "Fit", () => this.fit(), { title: "0" }),
      iconButton("fold", "Fold or unfold", fold, { title: "f" }),
    );
  }

  stop() {
    this.observer?.disconnect();
    this.still();
  }

  /** Another tree. @param {TraceNode[]} nodes @param {boolean} [hasNotes] */
  load(nodes, hasNotes) {
    this.scene.load(nodes, hasNotes);
    this.focused = 0;
    this.opened = this.scene.camera;
    this.painter.clear();
    this.open();
  }

  /** @param {NodeState[]} states @param {import("./scene.js").Showing} shown */
  draw(states, shown) {
    const { scene } = this;
    const isMoved = shown.current !== scene.shown.current || shown.pv !== scene.shown.pv;
    Object.assign(scene, { states, shown });
    if (!scene.size.width) return;
    if (isMoved) this.leaveEnding();
    if (isMoved && scene.follow(this.followed)) this.rearranged();
    this.paint();
    if (isMoved) this.showStep();
  }

  /** The current node of the search, at its end the last of the principal variation. */
  get followed() {
    const { shown } = this.scene;
    return shown.current ?? this.scene.pv.at(-1) ?? null;
  }

  /** Have in view what the step is about: at the last one the root and the principal variation. */
  showStep() {
    const { scene } = this;
    if (!scene.pv.length) return this.reveal(scene.shown.current ?? 0);
    const { scale } = scene.camera;
    this.show([0, ...scene.pv], (camera, places) =>
      cameras.showing(camera, scene.tree, scene.size, places),
    );
    this.ending = { camera: this.goal ?? scene.camera, scale };
  }

  /** Come as close again as before the last step, unless somebody has looked elsewhere since. */
  leaveEnding() {
    const { scene, ending, isAtEnding } = this;
    this.ending = null;
    if (!ending || !isAtEnding) return;
    this.still();
    const { camera, size, tree } = scene;
    scene.camera = cameras.zoomed(camera, tree, size, ending.scale / camera.scale, this.middle);
  }

  /** Return whether one looks at the last step as it was shown. */
  get isAtEnding() {
    const { ending, goal, scene } = this;
    return ending !== null && cameras.isSame(goal ?? scene.camera, ending.camera);
  }

  paint() {
    if (!this.scene.states.length) return;
    this.focused = this.painter.paint(this.focused);
  }

  // Where one looks

  /** Fit the tree into a resized frame. */
  measure() {
    const { scene } = this;
    const { clientWidth: width, clientHeight: height } = this.element;
    const isAsOpened = scene.camera === this.opened;
    const { isAtEnding } = this;
    scene.size = { width, height };
    if (!width || !scene.nodes.length) return;
    if (isAsOpened) this.open();
    else this.look(cameras.kept(scene.camera, scene.tree, scene.size));
    if (isAtEnding) this.showStep();
  }

  /** Show the tree as it is first seen, and the current step in it; nothing without a frame. */
  open() {
    const { scene } = this;
    if (!scene.size.width) return;
    scene.camera = scene.opened();
    scene.follow(this.followed);
    this.rearranged();
    this.opened = scene.camera;
    this.paint();
    if (scene.shown.current || scene.pv.length) this.showStep();
  }

  /** @param {cameras.Camera} camera */
  look(camera) {
    this.scene.camera = camera;
    this.paint();
  }

  still() {
    cancelAnimationFrame(this.frame);
    this.goal = null;
  }

  /** Look at it now where motion is not wanted, else on the way there. @param {cameras.Camera} to */
  glide(to) {
    this.still();
    const { camera: from, size } = this.scene;
    const jump = Math.abs(to.left - from.left) * to.scale > 3 * size.width;
    if (jump || matchMedia("(prefers-reduced-motion: reduce)").matches) return this.look(to);
    this.goal = to;
    const began = performance.now();
    /** @param {number} now */
    const next = (now) => {
      const part = Math.min(1, (now - began) / GLIDE);
      this.look(part < 1 ? cameras.between(from, to, part * (2 - part)) : to);
      if (part < 1) this.frame = requestAnimationFrame(next);
      else this.goal = null;
    };
    this.frame = requestAnimationFrame(next);
  }

  /** @param {number} factor */
  zoom(factor) {
    const { camera, size, tree } = this.scene;
    this.glide(cameras.zoomed(this.goal ?? camera, tree, size, factor, this.middle));
  }

  /** The middle of the view. @returns {Point} */
  get middle() {
    const { width, height } = this.scene.size;
    return [width / 2, height / 2];
  }

  /** All of the tree, and from there back to where it was opened. */
  fit() {
    const { scene } = this;
    if (scene.isFollowing && scene.folded.size) {
      scene.unfold();
      this.rearranged();
    }
    const to = cameras.fitted(scene.tree, scene.size);
    if (cameras.isSame(to, scene.camera) && !scene.isFollowing) return this.open();
    this.glide(to);
  }

  /** Have a node in view with its parent. @param {number} number */
  reveal(number) {
    const { scene } = this;
    const parent = scene.nodes[number].parent ?? number;
    this.show([number, parent], (camera, [place, above]) =>
      cameras.revealing(camera, scene.tree, scene.size, place, above, scene.least),
    );
  }

  /**
   * Unfold what hides some nodes, and look at them.
   * @param {number[]} numbers
   * @param {(camera: cameras.Camera, places: Point[]) => cameras.Camera} aim
   */
  show(numbers, aim) {
    const { scene } = this;
    if (!scene.size.width) return;
    const hidden = numbers.filter((number) => scene.layout.isHidden[number]);
    hidden.forEach((number) => scene.unfoldAbove(number));
    if (hidden.length) this.rearranged();
    const to = aim(
      scene.camera,
      numbers.map((number) => scene.place(number)),
    );
    if (cameras.isSame(to, scene.camera)) this.paint();
    else this.glide(to);
  }

  /** Hide what is below a node, or show it. @param {number} number */
  fold(number) {
    if (!this.scene.layout.below[number]) return;
    this.scene.fold(number);
    this.rearranged();
    this.paint();
  }

  /** Nodes stand elsewhere now. */
  rearranged() {
    const { hidden, nodes } = this.scene;
    this.painter.clearEdges();
    const all = counted(nodes.length, "node");
    this.told.textContent = hidden ? `${count(hidden)} of ${all} are folded: Fit shows all` : "";
  }

  // Which node one is at

  /** @param {number} number */
  choose(number) {
    this.takeFocus(number);
    this.onchoose(number);
  }

  /** @param {number} number */
  takeFocus(number) {
    this.focused = number;
    this.reveal(number);
    this.painter.items.get(number)?.item.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  hearKey(event) {
    const { scene } = this;
    const at = numberAt(event.target);
    if (at !== null) this.focused = at;
    const isThere = scene.isThere.bind(scene);
    if (event.key === "ArrowDown" && scene.folded.has(this.focused)) this.fold(this.focused);
    const target = neighbour(event.key, this.focused, scene.nodes, isThere);
    if (event.key === "Enter" || event.key === " ") this.onchoose(this.focused);
    else if (target === undefined) return;
    else if (target !== null) this.takeFocus(target);
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Save the tree as it is now: all of it, whatever is in view, but for what is folded.
   * @param {"svg" | "png"} form @param {string} title
   */
  save(form, title) {
    const scene = Object.assign(new TreeScene(), this.scene);
    const { width, height } = scene.tree;
    Object.assign(scene, { camera: { scale: 1, left: 0, top: 0 }, size: { width, height } });
    const painter = new TreePainter("", scene, () => {});
    painter.paint(0);
    for (const sign of painter.near.querySelectorAll(".fold:not(.closed)")) sign.remove();
    const wide = Math.max(width, LETTER * title.length);
    const transform = `translate(${(wide - width) / 2} 0)`;
    const drawn = svg("g", { transform }, painter.near);
    return saveDrawing(form, "tree", this.element, [drawn], [wide, height], 1, title, LETTER);
  }

  /** @returns {Key[]} */
  get keys() {
    return [
      { keys: ["+", "="], sign: "+", text: "zoom in", act: () => this.zoom(STEP) },
      { keys: ["-"], sign: "−", text: "zoom out", act: () => this.zoom(1 / STEP) },
      { keys: ["0"], text: "fit the tree", act: () => this.fit() },
      { keys: ["f"], text: "fold or unfold a node", act: () => this.fold(this.focused) },
    ];
  }
}
