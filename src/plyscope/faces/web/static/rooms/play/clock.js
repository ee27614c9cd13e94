// A clock for both sides, which runs for the one to move. Its times are the game's: each move has
// those at which it was reached, and who goes back to it has them again. It stands still while
// nobody can see it: in another room, and while the window is hidden.
import { html } from "../../dom.js";
import { clockTime } from "../../wording.js";

const TICK = 250; // milliseconds
/** Seconds below which tenths are shown, and the clock is marked. */
const SHORT = 20;

export const NO_CLOCK = "0";
/** Minutes for each side, and the seconds that each move adds: `3+2`. */
export const CLOCKS = {
  0: "no clock",
  1: "1 minute",
  3: "3 minutes",
  "3+2": "3 minutes, 2 seconds a move",
  "5+5": "5 minutes, 5 seconds a move",
  10: "10 minutes",
  "15+10": "15 minutes, 10 seconds a move",
};

/**
 * The seconds of a clock, none for no clock.
 * @param {string} text @returns {{ start: number, increment: number } | null}
 */
export function clockOf(text) {
  const [minutes, increment = 0] = text.split("+").map(Number);
  return minutes > 0 ? { start: 60 * minutes, increment } : null;
}

export class Clock {
  element = html("p", { class: "clocks" });
  isHidden = false;

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
    this.isHidden = document.hidden;
    document.addEventListener("visibilitychange", this.look);
  }

  /** Who has run out of time. @returns {Side | null} */
  get out() {
    const { left } = this.game;
    if (!left) return null;
    return left.x <= 0 ? "x" : left.o <= 0 ? "o" : null;
  }

  /** Begin anew. @param {string} text */
  set(text) {
    const clock = clockOf(text);
    this.game.setClock(clock && { x: clock.start, o: clock.start }, clock?.increment);
  }

  /** What went by before the window was hidden counts, what goes by until it is seen does not. */
  look = () => {
    this.tick();
    this.isHidden = document.hidden;
  };

  /** Take off what has gone by, however seldom the page is let run. */
  tick() {
    const now = performance.now();
    const seconds = (now - this.last) / 1000;
    this.last = now;
    const side = this.running();
    const { left } = this.game;
    if (!left || this.out || !side || this.isHidden) return;
    left[side] = Math.max(0, left[side] - seconds);
    this.draw();
    if (this.out) this.onout();
  }

  draw() {
    const { left } = this.game;
    const side = this.running();
    this.element.hidden = !left;
    if (!left) return;
    /** @param {Side} of */
    const face = (of) => {
      const flags = [`clock ${of}`, side === of && "runs", left[of] < SHORT && "short"];
      const attributes = { class: flags.filter(Boolean).join(" ") };
      return html("span", attributes, `${of.toUpperCase()} ${clockTime(left[of])}`);
    };
    this.element.replaceChildren(face("x"), " ", face("o"));
  }

  stop() {
    this.tick();
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.look);
  }
}
