// A clock for both sides, which runs for the one to move. Its times are the game's: each move has
// those at which it was reached, and who goes back to it has them again.
import { html } from "../../dom.js";
import { clockTime } from "../../wording.js";

const TICK = 250; // milliseconds

export const CLOCKS = { 0: "no clock", 1: "1 minute", 3: "3 minutes", 10: "10 minutes" };

export class Clock {
  element = html("p", { class: "clocks" });

  /**
   * @param {Game} game
   * @param {() => Side | null} running whose time runs just now
   * @param {() => void} onout
   */
  constructor(game, running, onout) {
    this.game = game;
    this.running = running;
    this.onout = onout;
    this.last = performance.now();
    this.timer = setInterval(() => this.tick(), TICK);
  }

  /** Who has run out of time. @returns {Side | null} */
  get out() {
    const { left } = this.game;
    if (!left) return null;
    return left.x <= 0 ? "x" : left.o <= 0 ? "o" : null;
  }

  /** Begin anew. @param {number} minutes none for no clock */
  set(minutes) {
    this.game.setClock(minutes ? { x: 60 * minutes, o: 60 * minutes } : null);
  }

  /** Take off what has gone by, however seldom the page is let run. */
  tick() {
    const now = performance.now();
    const seconds = (now - this.last) / 1000;
    this.last = now;
    const side = this.running();
    const { left } = this.game;
    if (!left || this.out || !side) return;
    left[side] = Math.max(0, left[side] - seconds);
    this.draw();
    if (this.out) this.onout();
  }

  draw() {
    const { left } = this.game;
    this.element.textContent = left ? `X ${clockTime(left.x)}   O ${clockTime(left.o)}` : "";
  }

  stop() {
    this.tick();
    clearInterval(this.timer);
  }
}
