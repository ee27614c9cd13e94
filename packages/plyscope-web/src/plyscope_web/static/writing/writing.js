// A heuristic that the user writes: its text, how it is read, its fault, its values at once.
import { button, html, paragraph, redraw, status } from "../shell/dom.js";
import { choice, field, optionsOf } from "../shell/forms.js";
import { CodeField } from "./code.js";

/** Milliseconds without a change after which a text is read, and after which it is searched with. */
const TYPED = 300;
const SETTLED = 600;
/** Milliseconds after which one can stop it. */
const LONG = 500;

/**
 * @typedef {object} Hooks
 * @property {() => string} position the position whose values are shown
 * @property {(name: string) => void} follow is told of a text that has values
 * @property {(name: string) => void} settle is told of one that has not been changed for a while
 */

/** One text, with what is said of it. */
export class Writing {
  begin = choice([], undefined, (text) => this.start(text));
  reading = status("help");
  fault = html("p", { class: "error fault", role: "alert" });
  notes = html("div");
  /** The request that is open. @type {Job<"define"> | null} */
  job = null;
  /** @type {Record<"typed" | "settled" | "long", ReturnType<typeof setTimeout> | undefined>} */
  timers = { typed: undefined, settled: undefined, long: undefined };

  /**
   * @param {import("../rooms/room.js").Room} room @param {string} name @param {Hooks} hooks
   */
  constructor(room, name, hooks) {
    this.room = room;
    this.lab = room.lab;
    this.name = name;
    this.hooks = hooks;
    const label = name === "mine" ? "your heuristic" : "the other heuristic";
    this.code = new CodeField(label, this.lab.editor, (text) => this.change(text));
    this.code.code.text = this.lab.texts.get(name);
    this.stop = button("Stop", () => this.job?.cancel(), { hidden: true });
    this.back = button("Bring back the text before", () => this.bringBack(), { hidden: true });
    this.shared = html("input", { type: "checkbox", checked: this.lab.texts.linked.has(name) });
    this.shared.onchange = () => this.share();
    this.element = html(
      "div",
      { class: "writing" },
      html(
        "div",
        { class: "form" },
        field(`${name}: begin with`, this.begin),
        this.stop,
        this.back,
      ),
      this.code.element,
      this.fault,
      this.reading,
      this.notes,
      html("label", { class: "sharing" }, this.shared, ` Put ${name} into the link`),
    );
    room.endings.push(() => this.end());
    this.offer();
    this.read();
  }

  /** Offer the examples. */
  async offer() {
    const { examples } = await this.lab.client.ask("define", { text: "" });
    /** @type {[string, string][]} */
    const options = examples.map(({ name, text }) => [text, name]);
    this.begin.replaceChildren(...optionsOf([["", "an example …"], ...options]));
    this.back.hidden = !this.lab.texts.before(this.name);
  }

  /** Begin with an example. @param {string} text */
  start(text) {
    if (!text) return;
    this.begin.value = "";
    this.take(text);
  }

  bringBack() {
    this.take(this.lab.texts.before(this.name));
  }

  /** Take a text in the place of the one that is there. @param {string} text */
  take(text) {
    this.lab.texts.bring(this.name, text);
    this.code.code.text = text;
    this.back.hidden = !this.lab.texts.before(this.name);
    this.change(text);
    this.code.code.focus();
  }

  /** @param {string} text */
  change(text) {
    this.lab.texts.set(this.name, text || "\n"); // an empty text is none, and leaves all lists
    clearTimeout(this.timers.typed);
    clearTimeout(this.timers.settled);
    this.timers.typed = setTimeout(() => this.read(true), TYPED);
  }

  /** Read the text, and evaluate the position with it. */
  async read(isChanged = false) {
    const { name, lab } = this;
    const text = lab.texts.get(name);
    this.job?.cancel();
    const job = lab.client.stream("define", { name, text, position: this.hooks.position() });
    this.job = job;
    clearTimeout(this.timers.long);
    this.timers.long = setTimeout(() => (this.stop.hidden = false), LONG);
    try {
      const found = await job.promise;
      if (this.job === job) this.draw(found, isChanged);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      const why = this.stop.hidden ? "was not read" : "did not end";
      if (this.job === job) this.refuse(`'${name}' ${why}: ${message}; its text is kept`);
    }
    if (this.job !== job) return;
    this.job = null;
    clearTimeout(this.timers.long);
    this.stop.hidden = true;
  }

  /** @param {Defined} found @param {boolean} isChanged */
  draw({ reading, explanation, fault }, isChanged) {
    this.refuse(fault?.text ?? "", fault?.line, fault?.column);
    this.reading.textContent = reading;
    redraw(this.notes, ...(explanation?.notes ?? []).map((note) => paragraph(note)));
    if (fault || !explanation) return;
    this.hooks.follow(this.name);
    const settle = () => this.hooks.settle(this.name);
    if (isChanged) this.timers.settled = setTimeout(settle, SETTLED);
  }

  /** Say what is wrong, and mark its place. @param {string} text @param {number | null} [line] @param {number | null} [column] */
  refuse(text, line = null, column = null) {
    this.fault.textContent = text;
    this.code.code.mark(line, column);
  }

  /** Put the text into the address, or take it out. */
  share() {
    this.room.attempt(() => {
      const { name, lab, shared } = this;
      try {
        lab.texts.link(name, shared.checked);
      } catch (error) {
        shared.checked = false;
        throw error;
      }
      lab.go(lab.texts.place);
    });
  }

  end() {
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.job?.cancel();
    this.job = null;
    this.code.end();
  }
}
