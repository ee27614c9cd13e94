// The map of a tree: all of it in a corner, with a frame around the part that is in view.
import { html, svg } from "../shell/dom.js";
import { fromAfar } from "./layout.js";
import { paintPaths } from "./paint.js";

/** The part of a tree from which on it needs no map. */
const MOST_SEEN = 0.7;
const MAP = { width: 168, height: 84 };

export class TreeMap {
  isWanted = true;
  lines = svg("svg", { ...MAP });
  frame = html("div", { class: "frame" });
  element = html("div", { class: "map", "aria-hidden": "true" }, this.lines, this.frame);

  /**
   * @param {import("./scene.js").TreeScene} scene
   * @param {(left: number, top: number) => void} onlook is told where in the tree to look
   */
  constructor(scene, onlook) {
    this.scene = scene;
    this.onlook = onlook;
    this.element.onpointerdown = (event) => this.lookAt(event);
    this.element.onpointermove = (event) => event.buttons && this.lookAt(event);
  }

  /** Pixels of the map by the tree's units. */
  get scales() {
    const { width, height } = this.scene.tree;
    return [MAP.width / width, MAP.height / height];
  }

  draw() {
    const { scene } = this;
    const [across, down] = this.scales;
    /** @param {number} number @returns {Point} */
    const place = (number) => {
      const [x, y] = scene.place(number);
      return [x * across, y * down];
    };
    const shown = (/** @type {number} */ ply) => scene.layout.plies[ply];
    paintPaths(this.lines, fromAfar(scene.layout, scene.nodes, scene.lookOf, place, shown));
  }

  placeFrame() {
    const { camera, size, tree, verticalScale } = this.scene;
    const [across, down] = this.scales;
    const seenWidth = size.width / camera.scale;
    const seenHeight = size.height / verticalScale;
    const isMost = seenWidth * seenHeight > MOST_SEEN * tree.width * tree.height;
    this.element.toggleAttribute("hidden", isMost || !this.isWanted);
    const { style } = this.frame;
    const [left, top] = [Math.max(0, camera.left) * across, Math.max(0, camera.top) * down];
    style.transform = `translate(${left}px, ${top}px)`;
    style.width = `${Math.max(3, Math.min(seenWidth, tree.width) * across)}px`;
    style.height = `${Math.min(seenHeight, tree.height) * down}px`;
  }

  /** Look where somebody points. @param {PointerEvent} event */
  lookAt(event) {
    const { camera, size, verticalScale } = this.scene;
    const [across, down] = this.scales;
    const box = this.element.getBoundingClientRect();
    const left = (event.clientX - box.left) / across - size.width / camera.scale / 2;
    const top = (event.clientY - box.top) / down - size.height / verticalScale / 2;
    this.onlook(left, top);
    event.preventDefault();
  }

  toggle() {
    this.isWanted = !this.isWanted;
    this.placeFrame();
  }
}
