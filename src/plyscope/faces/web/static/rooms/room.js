// What every room is: a panel, questions of which none outlives the room, and a place for errors.
import { html } from "../shell/dom.js";

export class Room {
  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    this.panel = panel;
    this.lab = lab;
    this.game = lab.game;
    this.alert = html("p", { class: "error", role: "alert" });
    /** @type {Map<Verb, { cancel(): void }>} */
    this.jobs = new Map();
    /** What has to be undone when the room is left. @type {(() => void)[]} */
    this.endings = [];
  }

  /** @param {Partial<Record<"stage" | "side", [label: string, ...parts: Children]>>} parts */
  mount(parts) {
    for (const [name, [label, ...children]] of Object.entries(parts))
      this.panel.append(html("section", { class: name, "aria-label": label }, ...children));
  }

  /** Say so where the address has another value than these. @param {string} key @param {string[]} names */
  expect(key, names) {
    const value = this.lab.place[key];
    if (value && !names.includes(value)) this.lab.doubt(key, names.join(", "));
  }

  /** What is looked at here, for the window's title. */
  get title() {
    return this.game.title;
  }

  /** What keys do here, wherever the focus is. @returns {Key[]} */
  get keys() {
    return [];
  }

  /**
   * Ask. Only the newest question of a verb is heard, and none once the room is left: the promise
   * of any other stays open, so that what waits for it simply ends.
   * @template {Verb} V
   * @param {V} verb @param {object} asked @param {Hearers<V>} [hearers]
   * @returns {Promise<Answers[V]>}
   */
  ask(verb, asked, hearers) {
    this.cancel(verb);
    const job = this.lab.client.stream(verb, asked, hearers);
    this.jobs.set(verb, job);
    const isHeard = () => this.jobs.get(verb) === job;
    return new Promise((resolve, reject) => {
      job.promise.then(
        (answer) => isHeard() && resolve(answer),
        (error) => isHeard() && reject(error),
      );
    });
  }

  /** @param {...Verb} verbs */
  cancel(...verbs) {
    for (const verb of verbs) {
      this.jobs.get(verb)?.cancel();
      this.jobs.delete(verb);
    }
  }

  /** Do what may fail, and say why it did. @param {() => unknown} action */
  async attempt(action) {
    this.alert.textContent = "";
    try {
      await action();
    } catch (error) {
      this.alert.textContent = /** @type {Error} */ (error).message;
    }
  }

  stop() {
    this.cancel(...this.jobs.keys());
    for (const end of this.endings) end();
  }
}
