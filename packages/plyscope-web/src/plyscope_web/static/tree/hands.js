// Mouse, touch and wheel on a tree: move, zoom, choose, fold.
import * as cameras from "./camera.js";

const PIXELS_A_WHEEL = 320; // in which the scale doubles
const DRAG = 4; // pixels from which a press is no click

/**
 * What hands do to a view.
 * @typedef {object} Handled
 * @property {import("./scene.js").TreeScene} scene
 * @property {(camera: cameras.Camera) => void} look
 * @property {(node: number) => void} choose
 * @property {(node: number) => void} fold
 * @property {() => void} still stop where one is on the way to
 */

export class TreeHands {
  /** @type {Map<number, Point>} */
  pointers = new Map();
  isDragged = false;

  /** @param {SVGElement} root @param {HTMLElement} frame @param {Handled} view */
  constructor(root, frame, view) {
    this.root = root;
    this.view = view;
    root.onpointerdown = (event) => this.press(event);
    root.onpointermove = (event) => this.drag(event);
    root.onpointerup = root.onpointercancel = (event) => this.release(event);
    root.onclick = (event) => this.click(event);
    root.ondblclick = (event) => {
      const number = numberAt(event.target);
      if (number !== null) view.fold(number);
    };
    frame.addEventListener("wheel", (event) => this.turn(event), { passive: false });
  }

  /** Return the pointer's place in the view. @param {MouseEvent} event @returns {Point} */
  at({ clientX, clientY }) {
    const { left, top } = this.root.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button) return;
    this.view.still();
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
    const { camera, tree, size } = this.view.scene;
    if (!other) return this.view.look(cameras.moved(camera, tree, size, by));
    const factor = distance(now, other) / Math.max(1, distance(before, other));
    this.view.look(cameras.zoomed(camera, tree, size, factor, other));
  }

  /** @param {PointerEvent} event */
  release(event) {
    this.pointers.delete(event.pointerId);
  }

  /** @param {MouseEvent} event */
  click(event) {
    const number = numberAt(event.target);
    if (number !== null && !this.isDragged) this.view.choose(number);
  }

  /** @param {WheelEvent} event */
  turn(event) {
    const { camera, tree, size } = this.view.scene;
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const by = event.deltaY * (event.deltaMode ? 24 : 1) * (event.ctrlKey ? 6 : 1);
    const to = isSideways
      ? cameras.moved(camera, tree, size, [-(event.deltaX || event.deltaY), 0])
      : cameras.zoomed(camera, tree, size, 2 ** (-by / PIXELS_A_WHEEL), this.at(event));
    if (cameras.isSame(to, camera) && !event.ctrlKey) return; // the page goes on to scroll
    event.preventDefault();
    this.view.still();
    this.view.look(to);
  }
}

/** The node of an element of the drawing. @param {EventTarget | null} target */
export function numberAt(target) {
  const item = target instanceof Element ? target.closest("[data-node]") : null;
  return item ? Number(item.getAttribute("data-node")) : null;
}

/** @param {Point} one @param {Point} two */
const distance = (one, two) => Math.hypot(one[0] - two[0], one[1] - two[1]);
