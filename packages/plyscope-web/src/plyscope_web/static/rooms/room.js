// The base of all rooms: a panel, requests that end with the room, and an error line.
import { html } from "../shell/dom.js";
import { textName } from "../shell/texts.js";

export class Room {
  /** @param {HTMLElement} panel @param {Lab} lab */
  constructor(panel, lab) {
    this.panel = panel;
    this.lab = lab;
    this.game = lab.game;
    this.alert = html("p", { class: "error", role: "alert" });
    /** Where the alert stands, unless a form was sent. @type {Comment | null} */
    this.home = null;
    /** The form that was sent last. @type {HTMLFormElement | null} */
    this.submitted = null;
    /** @type {Map<Endpoint, { cancel(): void }>} */
    this.jobs = new Map();
    /** Functions to call when the room is left. @type {(() => void)[]} */
    this.endings = [];
  }

  /** @param {Partial<Record<"stage" | "side", [label: string, ...parts: Children]>>} parts */
  mount(parts) {
    for (const [name, [label, ...children]] of Object.entries(parts))
      this.panel.append(html("section", { class: name, "aria-label": label }, ...children));
    this.home = document.createComment("errors");
    this.alert.before(this.home);
    const hear = (/** @type {Event} */ { target }) =>
      (this.submitted = /** @type {HTMLFormElement} */ (target));
    this.panel.addEventListener("submit", hear, true);
  }

  /** Show no progress any more: who answered has gone. */
  quiet() {}

  /** Say so where the address has another value than these. @param {string} key @param {string[]} names */
  expect(key, names) {
    const value = this.lab.place[key];
    if (value && !names.includes(value)) this.lab.doubt(key, names.join(", "));
  }

  /** The subject of the room, for the window's title. */
  get title() {
    return this.game.title;
  }

  /**
   * The board and its caption, in a room whose game can be copied and saved.
   * @returns {{ board: import("../board/board.js").Board | null, caption: string } | null}
   */
  get sharedGame() {
    return null;
  }

  /** The keys of the room, wherever the focus is. @returns {Key[]} */
  get keys() {
    return [];
  }

  /**
   * Send a request. Only the newest of an endpoint settles, and none after the room is left.
   * @template {Endpoint} V
   * @param {V} endpoint @param {object} asked @param {Hearers<V>} [hearers]
   * @returns {Promise<Answers[V]>}
   */
  ask(endpoint, asked, hearers) {
    this.cancel(endpoint);
    const job = this.lab.client.stream(endpoint, asked, hearers);
    this.jobs.set(endpoint, job);
    const isHeard = () => this.jobs.get(endpoint) === job;
    return new Promise((resolve, reject) => {
      job.promise.then(
        (answer) => isHeard() && resolve(answer),
        (error) => isHeard() && reject(withText(error, asked)),
      );
    });
  }

  /** @param {...Endpoint} endpoints */
  cancel(...endpoints) {
    for (const endpoint of endpoints) {
      this.jobs.get(endpoint)?.cancel();
      this.jobs.delete(endpoint);
    }
  }

  /** Do what may fail, and say why it did. @param {() => unknown} action */
  async attempt(action) {
    // an error stands in the form that was sent, else in the room's place for it
    if (this.submitted) this.submitted.append(this.alert);
    else this.home?.after(this.alert);
    this.submitted = null;
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

/**
 * Return an error that names the text of the user that was to be run, such as one without an end.
 * @param {Error} error @param {any} asked
 */
function withText(error, asked) {
  const { heuristic, agent, a, b } = asked ?? {};
  const names = [heuristic, agent?.heuristic, a?.heuristic, b?.heuristic].map(textName);
  const named = names.filter((name) => name && !error.message.includes(`'${name}`));
  return named.length ? new Error(`with '${named.join("' and '")}': ${error.message}`) : error;
}
