// A question of some seconds, by a form of numbers: it is run and stopped, tells how far it is, and
// its answer can be copied.
import { button, copyText, help, html, iconButton, toolbar } from "../../shell/dom.js";
import { controls, field, numberInput, numberOf } from "../../shell/forms.js";

/**
 * What is asked, and how its answer is drawn.
 * @template {Endpoint} V
 * @typedef {object} Form
 * @property {string} label
 * @property {string} about what it finds out
 * @property {string} [note] on its numbers
 * @property {import("./player.js").Player[]} [players]
 * @property {Record<string, [label: string, value: number | "", range: Range]>} numbers by the
 *   names that the endpoint has for them; an empty one is null
 * @property {(numbers: Record<string, number>) => object} asked
 * @property {(found: Answers[V]) => Children} draw
 * @property {(found: Answers[V], asked: any) => void} [done] is told of the whole answer
 */
/** @typedef {import("../../shell/wording.js").NumberRange & { placeholder?: string }} Range */

/** @template {Endpoint} V */
export class Task {
  /** @type {Job<V> | null} */
  job = null;
  /** The answer so far. @type {Answers[V] | null} */
  found = null;
  progress = html("p", { class: "progress help", role: "status" });
  result = html("div", { class: "result" });
  stale = help("The heuristic has changed since.");

  /** @param {import("./room.js").LabRoom} room @param {V} endpoint @param {Form<V>} form */
  constructor(room, endpoint, form) {
    this.room = room;
    this.endpoint = endpoint;
    this.form = form;
    const { label, about, note, players = [], numbers } = form;
    const inputs = Object.entries(numbers).map(([name, [label, value, range]]) => {
      const input = numberInput(value, range);
      return { name, input, part: field(label, input) };
    });
    this.inputs = Object.fromEntries(inputs.map(({ name, input }) => [name, input]));
    this.run = iconButton("play", label, () => this.start(), { class: "primary" });
    this.stop = button("Stop", () => this.job?.cancel(), { hidden: true });
    const copy = () => copyText(room.lab, JSON.stringify(this.found, null, 2), "the answer");
    this.copy = button("Copy as JSON", copy, { hidden: true });
    this.stale.hidden = true;
    const bar = toolbar(label, this.run, this.stop, this.copy);
    this.parts = [
      help(about),
      controls(
        players.flatMap(({ fields }) => fields),
        inputs.map(({ part }) => part),
      ),
      note && help(note),
      html("div", { class: "task" }, bar, this.progress, this.stale, this.result),
    ];
    room.endings.push(() => this.end());
  }

  end() {
    this.job?.cancel();
    this.job = null;
  }

  /** What is asked now; an error where a number is none. */
  get asked() {
    const numbers = Object.entries(this.inputs).map(([name, input]) => [name, numberOf(input)]);
    return { game: this.room.game.shown.game, ...this.form.asked(Object.fromEntries(numbers)) };
  }

  async start() {
    this.end();
    this.found = null;
    this.stale.hidden = this.copy.hidden = true;
    this.result.replaceChildren();
    this.say("asking");
    try {
      const { asked } = this;
      const job = this.room.lab.client.stream(this.endpoint, asked, {
        told: (news) => this.hear(news),
        queue: (place) => place > 1 && this.say(`waiting, place ${place} in line`),
      });
      this.job = job;
      const found = await job.promise;
      if (this.job !== job) return;
      this.show(found);
      this.form.done?.(found, asked);
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
    this.result.replaceChildren(...html("div", {}, ...this.form.draw(found)).childNodes);
  }

  /** @param {string} text */
  say(text) {
    this.progress.textContent = text && `${text} …`;
    this.progress.hidden = this.stop.hidden = !text;
    this.run.hidden = Boolean(text);
  }
}
