// A question of some seconds: it is run and stopped, tells how far it is, and its answer can be
// copied.
import { button, help, html, iconButton, toolbar } from "../../shell/dom.js";

/** @template {Verb} V */
export class Task {
  /** @type {Job<V> | null} */
  job = null;
  /** The answer so far. @type {Answers[V] | null} */
  found = null;
  progress = html("p", { class: "progress help", role: "status" });
  result = html("div", { class: "result" });
  stale = help("The heuristic has changed since.");

  /**
   * @param {import("../room.js").Room} room @param {V} verb @param {string} label
   * @param {() => object} asked @param {(found: Answers[V]) => Children} draw
   * @param {(found: Answers[V], asked: any) => void} [done] is told of the whole answer
   */
  constructor(room, verb, label, asked, draw, done = () => {}) {
    this.room = room;
    this.verb = verb;
    this.asked = asked;
    this.draw = draw;
    this.done = done;
    this.run = iconButton("play", label, () => this.start(), { class: "primary" });
    this.stop = button("Stop", () => this.job?.cancel(), { hidden: true });
    this.copy = button("Copy as JSON", () => this.copyAnswer(), { hidden: true });
    this.stale.hidden = true;
    this.buttons = toolbar(label, this.run, this.stop, this.copy);
    this.element = html(
      "div",
      { class: "task" },
      this.buttons,
      this.progress,
      this.stale,
      this.result,
    );
    room.endings.push(() => this.end());
  }

  end() {
    this.job?.cancel();
    this.job = null;
  }

  async start() {
    this.end();
    this.found = null;
    this.stale.hidden = this.copy.hidden = true;
    this.result.replaceChildren();
    this.say("asking");
    try {
      const asked = this.asked();
      const job = this.room.lab.client.stream(this.verb, asked, {
        told: (news) => this.hear(news),
        queue: (place) => place > 1 && this.say(`waiting, place ${place} in line`),
      });
      this.job = job;
      const found = await job.promise;
      if (this.job !== job) return;
      this.show(found);
      this.done(found, asked);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      // what was found until then stays
      if (message !== "stopped") this.result.append(html("p", { class: "error" }, message));
    }
    this.job = null;
    this.say("");
  }

  /** @param {Partial<Answers[V]> & { text?: string }} news an answer so far, or how far it is */
  hear(news) {
    if (Object.keys(news).length > 1) this.show(/** @type {Answers[V]} */ (news));
    else this.say(news.text ?? "");
  }

  /** @param {Answers[V]} found */
  show(found) {
    this.found = found;
    this.copy.hidden = false;
    this.result.replaceChildren(
      .../** @type {Node[]} */ (
        this.draw(found)
          .flat()
          .filter((child) => child instanceof Node)
      ),
    );
  }

  /** @param {string} text */
  say(text) {
    this.progress.textContent = text && `${text} …`;
    this.progress.hidden = this.stop.hidden = !text;
    this.run.hidden = Boolean(text);
  }

  /** What was found is about a heuristic, or a game, that is no longer there. */
  age() {
    this.stale.hidden = !this.found;
  }

  async copyAnswer() {
    try {
      await navigator.clipboard.writeText(JSON.stringify(this.found, null, 2));
      this.room.lab.tell("copied");
    } catch {
      this.room.lab.tell("this browser does not let the page copy");
    }
  }
}
