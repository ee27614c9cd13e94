// Requests that take seconds, one after the other, with progress and a stop button.
import { button, status } from "../../shell/dom.js";

export class Runner {
  progress = status("progress help");
  stop = button("Stop", () => this.end(), { hidden: true });
  /** The open request. @type {{ cancel(): void } | null} */
  job = null;
  isStopped = true;

  /**
   * @param {import("../room.js").Room} room
   * @param {() => HTMLElement[]} starts the buttons that start something, hidden meanwhile
   */
  constructor(room, starts) {
    this.room = room;
    this.starts = starts;
    room.endings.push(() => this.end());
  }

  /** Send requests in turn, until they end or are stopped. @param {() => Promise<unknown>} work */
  async run(work) {
    if (!this.isStopped) return;
    this.isStopped = false;
    this.say("asking");
    await this.room.attempt(work);
    this.say("");
    this.isStopped = true;
  }

  /**
   * Return the answer to a request; what is known before is passed to `told`.
   * @template {Endpoint} V
   * @param {V} endpoint @param {object} asked @param {(news: any) => void} [told]
   * @returns {Promise<Answers[V]>}
   */
  ask(endpoint, asked, told = () => {}) {
    const job = this.room.lab.client.stream(endpoint, asked, {
      told: ({ text, ...news }) => {
        if (text) this.say(text);
        if (Object.keys(news).length) told(news);
      },
      queue: (place) => place > 1 && this.say(`waiting, place ${place} in the queue`),
    });
    this.job = job;
    return job.promise;
  }

  end() {
    this.isStopped = true;
    this.job?.cancel();
  }

  /** @param {string} text */
  say(text) {
    this.progress.textContent = text && `${text} …`;
    this.progress.hidden = this.stop.hidden = !text;
    for (const start of this.starts()) start.hidden = Boolean(text);
  }
}
