// The pace of games between agents: when a move that was found is played.

/** What can be chosen, in seconds a move. */
export const PACES = {
  0: "at once",
  0.25: "¼ second",
  0.5: "½ second",
  1: "1 second",
  2: "2 seconds",
  3: "3 seconds",
};
export const USUAL_PACE = "1";

export class Pace {
  isPaused = false;
  /** How many moves are let through while it is paused. */
  steps = 0;
  /** When the last move was played, in milliseconds. */
  last = -Infinity;
  /** What waits for its time. @type {(() => void) | null} */
  held = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;

  /** @param {number} seconds @param {() => number} now */
  constructor(seconds, now = () => performance.now()) {
    this.seconds = seconds;
    this.now = now;
  }

  /** The milliseconds that a move has to wait; null for as long as it is paused. */
  get wait() {
    if (this.steps) return 0;
    return this.isPaused ? null : Math.max(0, this.last + 1000 * this.seconds - this.now());
  }

  /** Play a move when its time has come. @param {() => void} play */
  hold(play) {
    this.held = play;
    this.go();
  }

  go() {
    clearTimeout(this.timer);
    const { wait } = this;
    if (this.held && wait !== null) this.timer = setTimeout(() => this.release(), wait);
  }

  release() {
    const play = this.held;
    this.held = null;
    this.last = this.now();
    this.steps = Math.max(0, this.steps - 1);
    play?.();
  }

  pauseOrGo() {
    this.isPaused = !this.isPaused;
    this.steps = 0;
    this.go();
  }

  /** Let one move through, and wait then. */
  step() {
    this.isPaused = true;
    this.steps = 1;
    this.go();
  }

  /** @param {number} seconds */
  set(seconds) {
    this.seconds = seconds;
    this.go();
  }

  /** Forget the move that waits. */
  drop() {
    clearTimeout(this.timer);
    this.held = null;
  }
}
