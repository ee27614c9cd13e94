// The buttons, the slider and the keys that lead through a search's steps.
import { html, iconButton, idle, labelled, toolbar } from "../../dom.js";
import { field } from "../../forms.js";
import { nextCutoff, previousCutoff } from "./steps.js";

export class Stepper {
  /** @type {TraceStep[]} */
  steps = [];
  step = 0;
  /** The one that plays, while it does. @type {ReturnType<typeof setInterval> | undefined} */
  timer = undefined;
  slider = html("input", { type: "range", min: 0, value: 0, "aria-label": "step" });
  speed = html("input", { type: "range", min: 1, max: 20, value: 4 });

  /** @param {() => void} onmove */
  constructor(onmove) {
    this.onmove = onmove;
    this.buttons = {
      first: iconButton("first", "Start", this.first, { title: "g" }),
      previous: iconButton("cut", "Previous cutoff", this.previous, { title: "C" }),
      back: iconButton("back", "Back", this.back, { title: "p" }),
      play: iconButton("play", "Play", () => this.playOrPause(), { title: "space" }),
      forward: iconButton("forward", "Next", this.forward, { title: "n" }),
      next: iconButton("cut", "Next cutoff", this.next, { title: "c" }),
      last: iconButton("last", "End", this.last, { title: "G" }),
    };
    this.bar = toolbar("steps", Object.values(this.buttons));
    this.slider.oninput = () => this.moveTo(Number(this.slider.value));
    this.speed.onchange = () => this.timer && this.play();
  }

  get controls() {
    const slider = html("div", { class: "field wide" }, this.slider);
    return html("div", { class: "form" }, slider, field("Steps a second", this.speed));
  }

  get isAtEnd() {
    return this.step === this.steps.length;
  }

  /** @param {TraceStep[]} steps @param {boolean} atEnd */
  load(steps, atEnd) {
    this.steps = steps;
    this.slider.max = String(steps.length);
    this.moveTo(atEnd ? steps.length : 0);
  }

  /** Show where we are. @param {string} text */
  show(text) {
    this.slider.value = String(this.step);
    this.slider.setAttribute("aria-valuetext", text);
    const { back, first, previous, forward, last, next } = this.buttons;
    for (const button of [back, first, previous]) idle(button, !this.step);
    for (const button of [forward, last, next]) idle(button, this.isAtEnd);
  }

  /** @param {number} step */
  moveTo(step) {
    this.step = Math.max(0, Math.min(this.steps.length, step));
    this.onmove();
  }

  first = () => this.moveTo(0);
  back = () => this.moveTo(this.step - 1);
  forward = () => this.moveTo(this.step + 1);
  last = () => this.moveTo(this.steps.length);
  previous = () => this.moveTo(previousCutoff(this.steps, this.step));
  next = () => this.moveTo(nextCutoff(this.steps, this.step));

  playOrPause() {
    if (this.timer) return this.pause();
    if (this.isAtEnd) this.step = 0;
    this.play();
  }

  /** Play at the speed of the slider. */
  play() {
    clearInterval(this.timer);
    this.buttons.play.replaceChildren(...labelled("pause", "Pause"));
    const tick = () => (this.isAtEnd ? this.pause() : this.forward());
    this.timer = setInterval(tick, 1000 / Number(this.speed.value));
  }

  pause() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.buttons.play.replaceChildren(...labelled("play", "Play"));
  }

  /** @returns {Key[]} */
  get keys() {
    const { first, back, forward, last, previous, next } = this;
    return [
      { keys: ["n"], text: "next step", act: forward },
      { keys: ["p"], text: "previous step", act: back },
      { keys: ["c"], text: "next cutoff", act: next },
      { keys: ["C"], text: "previous cutoff", act: previous },
      { keys: ["g"], text: "start", act: first },
      { keys: ["G"], text: "end", act: last },
      { keys: [" "], text: "play or pause", act: () => this.playOrPause() },
    ];
  }
}
