// Sounds, made here and off until somebody wants them: a stone of either side, an end, a bell when
// time is short.
import { browser } from "../../memory.js";

const KEY = "plyscope-sounds";
/** Of each sound the tones: when it begins, its pitch in hertz, how long it lasts, in seconds. */
const TONES = {
  x: [[0, 520, 0.06]],
  o: [[0, 390, 0.06]],
  end: [
    [0, 520, 0.12],
    [0.14, 660, 0.2],
  ],
  wrong: [[0, 180, 0.18]],
};
const LOUD = 0.15;

/** @typedef {keyof typeof TONES} Sound */

export class Sounds {
  isOn = browser.getItem(KEY) === "on";
  /** @type {AudioContext | null} */
  context = null;

  /** @param {boolean} isOn */
  set(isOn) {
    this.isOn = isOn;
    browser.setItem(KEY, isOn ? "on" : "off");
    if (isOn) this.play("x");
  }

  /** @param {Sound} sound */
  play(sound) {
    if (!this.isOn || typeof AudioContext === "undefined") return;
    const context = (this.context ??= new AudioContext());
    for (const [at, pitch, length] of TONES[sound]) {
      const begin = context.currentTime + at;
      const tone = context.createOscillator();
      const loudness = context.createGain();
      tone.type = "triangle";
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(LOUD, begin);
      loudness.gain.exponentialRampToValueAtTime(0.001, begin + length);
      tone.connect(loudness).connect(context.destination);
      tone.start(begin);
      tone.stop(begin + length);
    }
  }

  stop() {
    this.context?.close();
    this.context = null;
  }
}
