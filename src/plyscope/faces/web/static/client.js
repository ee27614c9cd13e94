// Questions and answers over a model's messages: {id, verb, arguments} out, {id, queue | told | found | error} in.

export class Client {
  constructor(model) {
    this.model = model;
    this.number = Math.floor(Math.random() * 1e9) * 1000;
    this.open = new Map();
    model.on("msg:custom", (message) => this.hear(message));
  }

  // Ask and be told on the way; `promise` is what was found, rejected with an Error in the server's words; `cancel` stops it.
  stream(verb, asked, { told = () => {}, queue = () => {} } = {}) {
    const id = ++this.number;
    const promise = new Promise((resolve, reject) => this.open.set(id, { resolve, reject, told, queue }));
    promise.catch(() => {});
    this.model.send({ id, verb, arguments: asked });
    const cancel = () => {
      const job = this.open.get(id);
      if (!job) return;
      job.told = job.queue = () => {};
      this.model.send({ id, cancel: true });
    };
    return { promise, cancel };
  }

  ask(verb, asked) {
    return this.stream(verb, asked).promise;
  }

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

  lost() {
    for (const [id, job] of this.open) {
      this.open.delete(id);
      job.reject(new Error("plyscope is out of reach"));
    }
  }
}
