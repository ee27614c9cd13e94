// Requests and responses over a model's messages.
// Out go {id, verb, arguments} and {id, cancel}; in come {id, queue | told | found | error}.

/**
 * @typedef {object} OpenQuestion
 * @property {Endpoint} endpoint
 * @property {object} asked
 * @property {(answer: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {(news: any) => void} told
 * @property {(place: number) => void} queue
 * @property {boolean} isCancelled
 */

export class Client {
  /** @param {Model} model @param {() => void} lose called where nothing can be sent any more */
  constructor(model, lose = () => {}) {
    this.model = model;
    this.lose = lose;
    this.number = Math.floor(Math.random() * 1e9) * 1000;
    /** @type {Map<number, OpenQuestion>} */
    this.open = new Map();
    model.on("msg:custom", this.hear);
    model.on("connected", this.reconnect);
  }

  /**
   * Ask; `promise` is the answer, or fails in the server's words.
   * @template {Endpoint} V
   * @param {V} endpoint @param {object} asked @param {Hearers<V>} hearers
   * @returns {Job<V>}
   */
  stream(endpoint, asked, { told = () => {}, queue = () => {} } = {}) {
    const id = ++this.number;
    const promise = new Promise((resolve, reject) =>
      this.open.set(id, { endpoint, asked, resolve, reject, told, queue, isCancelled: false }),
    );
    promise.catch(() => {}); // whoever asked may have gone
    this.send({ id, endpoint, arguments: asked });
    return { promise, cancel: () => this.cancel(id) };
  }

  /** @param {object} message */
  send(message) {
    try {
      this.model.send(message);
    } catch {
      this.lose(); // a notebook's kernel that has ended
    }
  }

  /** @template {Endpoint} V @param {V} endpoint @param {object} asked */
  ask(endpoint, asked) {
    return this.stream(endpoint, asked).promise;
  }

  /** @param {number} id */
  cancel(id) {
    const job = this.open.get(id);
    if (!job) return;
    job.told = job.queue = () => {};
    job.isCancelled = true;
    this.send({ id, cancel: true });
  }

  /** @param {Message} message */
  hear = ({ id, queue, told, found, error }) => {
    const job = this.open.get(id);
    if (!job) return;
    if (queue !== undefined) job.queue(queue);
    if (told !== undefined) job.told(told);
    if (found === undefined && error === undefined) return;
    this.open.delete(id);
    if (error === undefined) job.resolve(found);
    else job.reject(new Error(error));
  };

  /** Send all open requests again after the connection was lost. @param {boolean} isConnected */
  reconnect = (isConnected) => {
    if (!isConnected) return;
    for (const [id, { endpoint, asked, reject, isCancelled }] of [...this.open]) {
      if (!isCancelled) this.send({ id, endpoint, arguments: asked });
      else if (this.open.delete(id)) reject(new Error("stopped"));
    }
  };

  /** Stop all that is open, and hear no more. */
  end() {
    for (const id of this.open.keys()) this.cancel(id);
    this.open.clear();
    this.model.off("msg:custom", this.hear);
    this.model.off("connected", this.reconnect);
  }
}
