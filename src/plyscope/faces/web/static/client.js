// Questions and answers over a model's messages.
// Out go {id, verb, arguments} and {id, cancel}; in come {id, queue | told | found | error}.

export class Client {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.number = Math.floor(Math.random() * 1e9) * 1000;
    /** @type {Map<number, Record<"resolve" | "reject" | "told" | "queue", (news: any) => void>>} */
    this.open = new Map();
    model.on("msg:custom", (message) => this.hear(message));
  }

  /**
   * Ask; `promise` is the answer, or fails in the server's words.
   * @template {Verb} V
   * @param {V} verb @param {object} asked @param {Hearers<V>} hearers
   * @returns {Job<V>}
   */
  stream(verb, asked, { told = () => {}, queue = () => {} } = {}) {
    const id = ++this.number;
    const promise = new Promise((resolve, reject) =>
      this.open.set(id, { resolve, reject, told, queue }),
    );
    promise.catch(() => {}); // whoever asked may have gone
    this.model.send({ id, verb, arguments: asked });
    return { promise, cancel: () => this.cancel(id) };
  }

  /** @template {Verb} V @param {V} verb @param {object} asked */
  ask(verb, asked) {
    return this.stream(verb, asked).promise;
  }

  /** @param {number} id */
  cancel(id) {
    const job = this.open.get(id);
    if (!job) return;
    job.told = job.queue = () => {};
    this.model.send({ id, cancel: true });
  }

  /** @param {Message} message */
  hear({ id, queue, told, found, error }) {
    const job = this.open.get(id);
    if (!job) return;
    if (queue !== undefined) job.queue(queue);
    if (told !== undefined) job.told(told);
    if (found === undefined && error === undefined) return;
    this.open.delete(id);
    if (error === undefined) job.resolve(found);
    else job.reject(new Error(error));
  }

  /** The server is out of reach: every open question fails. */
  lost() {
    for (const { reject } of this.open.values()) reject(new Error("plyscope is out of reach"));
    this.open.clear();
  }
}
