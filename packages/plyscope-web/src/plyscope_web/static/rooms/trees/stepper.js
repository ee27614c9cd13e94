// The buttons, the slider and the keys for the steps of a search.
import { button, html, iconButton, idle, labelled, svg, toolbar } from "../../shell/dom.js";
import { count } from "../../shell/wording.js";
import { nextOf, previousOf } from "./steps.js";

const MOST_PASSES = 12;
/** Milliseconds between steps that play. */
const STEP_MS = 250;

export class Stepper {
  step = 0;
  length = 0;
  /** The steps of the cutoffs. @type {number[]} */
  cutoffs = [];
  /** @type {Trace["passes"]} */
  passes = [];
  /** The timer while the steps play. @type {ReturnType<typeof setInterval> | undefined} */
  timer = undefined;
  slider = html("input", { type: "range", min: 0, value: 0, "aria-label": "step" });
  /** A tick at each cutoff. */
  ticks = svg("svg", { class: "ticks", preserveAspectRatio: "none", "aria-hidden": "true" });
  marks = html("div", { class: "passes", role: "group", "aria-label": "passes" });

  /** @param {() => void} onmove */
  constructor(onmove) {
    this.onmove = onmove;
    this.buttons = {
      first: iconButton("first", "Start", this.first, { title: "Start: g" }),
      previous: iconButton("cutback", "Previous cutoff", this.previous, {
        title: "Previous cutoff: C",
      }),
      back: iconButton("back", "Back", this.back, { title: "Back: p" }),
      play: iconButton("play", "Play", () => this.playOrPause(), { title: "Play: space" }),
      forward: iconButton("forward", "Next", this.forward, { title: "Next: n" }),
      next: iconButton("cutnext", "Next cutoff", this.next, { class: "named", title: "c" }),
      last: iconButton("last", "End", this.last, { title: "End: G" }),
    };
    const slider = html("div", { class: "track" }, this.slider, this.ticks, this.marks);
    this.bar = toolbar("steps", Object.values(this.buttons), slider);
    this.bar.classList.add("steps");
    this.slider.oninput = () => this.moveTo(Number(this.slider.value));
  }

  get isAtEnd() {
    return this.step === this.length;
  }

  /**
   * @param {number} length @param {number[]} cutoffs @param {Trace["passes"]} passes
   * @param {number} step
   */
  load(length, cutoffs, passes, step) {
    Object.assign(this, { length, cutoffs, passes });
    this.slider.max = String(length);
    this.ticks.setAttribute("viewBox", `0 0 ${length || 1} 1`);
    this.ticks.replaceChildren(svg("path", { d: cutoffs.map((at) => `M${at} 0v1`).join("") }));
    const some = passes.length > 1 && passes.length <= MOST_PASSES ? passes : [];
    const marks = some.map(([begin, text], number) => {
      const name = `pass ${number + 1}: ${text}`;
      const mark = button(String(number + 1), () => this.moveTo(begin), { title: name });
      mark.setAttribute("aria-label", `${name}, step ${count(begin)}`);
      mark.style.left = `${(100 * begin) / length}%`;
      return mark;
    });
    this.marks.replaceChildren(...marks);
    this.marks.hidden = !marks.length;
    this.moveTo(step);
  }

  /** Show where we are. @param {string} text */
  show(text) {
    this.slider.value = String(this.step);
    this.slider.setAttribute("aria-valuetext", text);
    const { back, first, previous, forward, last, next } = this.buttons;
    for (const button of [back, first, previous]) idle(button, !this.step);
    for (const button of [forward, last, next]) idle(button, this.isAtEnd);
    const pass = this.passes.filter(([begin]) => begin <= this.step).length;
    [...this.marks.children].forEach((mark, number) =>
      mark.setAttribute("aria-current", number + 1 === pass ? "step" : "false"),
    );
  }

  /** @param {number} step */
  moveTo(step) {
    this.step = Math.max(0, Math.min(this.length, step));
    this.onmove();
  }

  first = () => this.moveTo(0);
  back = () => this.moveTo(this.step - 1);
  forward = () => this.moveTo(this.step + 1);
  last = () => this.moveTo(this.length);
  previous = () => this.moveTo(previousOf(this.cutoffs, this.step));
  next = () => this.moveTo(nextOf(this.cutoffs, this.step, this.length));

  get begins() {
    return this.passes.map(([step]) => step);
  }

  playOrPause() {
    if (this.timer) return this.pause();
    if (this.isAtEnd) this.step = 0;
    this.play();
  }

  play() {
    this.buttons.play.replaceChildren(...labelled("pause", "Pause"));
    const tick = () => (this.isAtEnd ? this.pause() : this.forward());
    this.timer = setInterval(tick, STEP_MS);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.buttons.play.replaceChildren(...labelled("play", "Play"));
  }

  /** @returns {Key[]} */
  get keys() {
    const { first, back, forward, last, previous, next } = this;
    const nextPass = () => this.moveTo(nextOf(this.begins, this.step, this.length));
    const previousPass = () => this.moveTo(previousOf(this.begins, this.step));
    return [
      { keys: ["n"], text: "next step", act: forward },
      { keys: ["p"], text: "previous step", act: back },
      { keys: ["c"], text: "next cutoff", act: next },
      { keys: ["C"], text: "previous cutoff", act: previous },
      { keys: ["i"], text: "next pass", act: nextPass },
      { keys: ["I"], text: "previous pass", act: previousPass },
      { keys: ["g"], text: "start", act: first },
      { keys: ["G"], text: "end", act: last },
      { keys: [" "], text: "play or pause", act: () => this.playOrPause() },
    ];
  }
}
