// A clock for both sides, which runs for the one to move.
import { html } from "../../dom.js";
import { clockTime } from "../../wording.js";

const TICK = 0.25; // seconds

export const CLOCKS = { 0: "no clock", 1: "1 minute", 3: "3 minutes", 10: "10 minutes" };

export class Clock {
  element = html("p", { class: "clocks" });
  isOn = false;
  /** Seconds that are left. @type {Record<Side, number>} */
  left = { x: 0, o: 0 };
  /** Who has run out of time. @type {Side | null} */
  out = null;

  /**
   * @param {() => Side | null} running whose time runs just now
   * @param {() => void} onout
   */
  constructor(running, onout) {
    this.running = running;
    this.onout = onout;
    this.timer = setInterval(() => this.tick(), 1000 * TICK);
  }

  /** Begin anew. @param {number} minutes none for no clock */
  set(minutes) {
    this.isOn = minutes > 0;
    this.left = { x: 60 * minutes, o: 60 * minutes };
    this.out = null;
  }

  tick() {
    const side = this.running();
    if (!this.isOn || this.out || !side) return;
    this.left[side] = Math.max(0, this.left[side] - TICK);
    this.draw();
    if (this.left[side]) return;
    this.out = side;
    this.onout();
  }

  draw() {
    const { x, o } = this.left;
    this.element.textContent = this.isOn ? `X ${clockTime(x)}   O ${clockTime(o)}` : "";
  }

  stop() {
    clearInterval(this.timer);
  }
}
