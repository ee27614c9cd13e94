// The model of a page without a server: workers of this browser answer, and keep to one queue.
import { PageModel } from "./pagemodel.js";

/** Workers with Python: one may compute for long, the other answers meanwhile. */
const MOST_WORKERS = 2;
/** Milliseconds after which an interrupt is repeated: one that comes during an import is lost. */
const AGAIN = 50;
/** Milliseconds that a request which cannot be interrupted has to end by itself. */
const PATIENCE = 200;
/** What Python writes into the buffer of an interrupt: the number of the signal. */
const INTERRUPT = 2;

/**
 * What the page is made of: addresses, and answers that were found when it was written.
 * @typedef {{ worker: string, python: object, editor: string,
 *   first: Record<string, object> }} Files
 * What Python says of the endpoints as it starts: see `ready` in browser.py.
 * @typedef {{ seconds: Record<string, number>, long: string[], whole: string[],
 *   stop_seconds: number, stopped: string, late: string }} Ready
 * @typedef {{ id: number, endpoint: string, arguments: object, last?: object }} Request
 */

/** A worker with Python, which answers one request at a time. */
class Hand {
  isReady = false;
  /** @type {Request | null} */
  request = null;
  /** When the request is taken as endless, and when it is interrupted again. */
  timers = { limit: 0, stop: 0 };

  /** @param {Files} files @param {(hand: Hand, message: any) => void} hear */
  constructor(files, hear) {
    this.interrupt = crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
    this.worker = new Worker(files.worker, { type: "module", name: "plyscope" });
    this.worker.onmessage = ({ data }) => hear(this, JSON.parse(data));
    this.worker.onerror = (event) => hear(this, { fault: event.message ?? "it cannot be loaded" });
    this.worker.postMessage({ ...files.python, interrupt: this.interrupt });
  }

  /** @param {Request} request */
  ask(request) {
    this.request = request;
    if (this.interrupt) this.interrupt[0] = 0;
    const { id, endpoint } = request;
    this.worker.postMessage({ id, endpoint, arguments: JSON.stringify(request.arguments) });
  }

  /** The request has its answer. */
  finish() {
    this.request = null;
    clearTimeout(this.timers.limit);
    clearInterval(this.timers.stop);
    this.timers.stop = 0;
  }

  end() {
    this.finish();
    this.worker.terminate();
  }
}

/** @implements {Model} */
export class TabModel extends PageModel {
  /** @type {Hand[]} */
  hands = [];
  /** @type {Request[]} */
  waiting = [];
  /** @type {Ready | null} */
  ready = null;
  /** Why no worker can start. */
  fault = "";

  /** @param {Files} files */
  constructor(files) {
    super();
    this.files = files;
    this.editor = files.editor;
  }

  /** Whether Python is still being loaded, which takes as long as the network does. */
  get isStarting() {
    return !this.ready && !this.fault;
  }

  /** @param {any} message */
  send({ id, cancel, endpoint, arguments: asked }) {
    if (cancel) return this.cancel(id);
    const found = this.files.first[`${endpoint} ${JSON.stringify(asked)}`];
    if (found) return queueMicrotask(() => this.say({ id, found }));
    if (this.of(id)) return;
    if (this.fault) return queueMicrotask(() => this.say({ id, error: this.fault }));
    this.waiting.push({ id, endpoint, arguments: asked });
    if (this.isStarting) this.say({ id, told: { text: "Python is being loaded" } });
    this.dispatch();
  }

  /** @param {number} id */
  of(id) {
    const running = this.hands.map(({ request }) => request);
    return [...this.waiting, ...running].find((request) => request?.id === id);
  }

  /** @param {object} message */
  say(message) {
    this.tell("msg:custom", message);
  }

  /** Start a worker. */
  begin() {
    this.hands.push(new Hand(this.files, this.hear));
  }

  /** Give what waits to workers that are free; of requests that take long, one at a time. */
  dispatch() {
    const { ready } = this;
    if (!ready) return;
    const isLong = (/** @type {Request | null} */ request) =>
      request !== null && ready.long.includes(request.endpoint);
    for (const hand of this.hands.filter(({ isReady, request }) => isReady && !request)) {
      let next = this.waiting.findIndex((request) => !isLong(request));
      if (next < 0 && !this.hands.some(({ request }) => isLong(request))) next = 0;
      if (next < 0 || !this.waiting.length) return;
      const [request] = this.waiting.splice(next, 1);
      hand.ask(request);
      this.limit(hand, ready.seconds[request.endpoint] ?? 0);
      if (this.hands.length < MOST_WORKERS && isLong(request)) this.begin();
    }
  }

  /** End the worker unless it answers within a time. @param {Hand} hand @param {number} seconds */
  limit(hand, seconds) {
    clearTimeout(hand.timers.limit);
    if (seconds) hand.timers.limit = setTimeout(() => this.end(hand, "late"), seconds * 1000);
  }

  /** @param {Hand} hand @param {any} message */
  hear = (hand, message) => {
    if (!this.hands.includes(hand)) return;
    const { ready, fault, id, seconds, ...news } = message;
    if (ready) {
      this.ready = ready;
      hand.isReady = true;
      this.tell("ready", null);
      this.dispatch();
    } else if (fault && hand.isReady) this.end(hand, "fault", fault);
    else if (fault) this.fail(`plyscope cannot start in this browser: ${fault}`);
    else if (seconds) this.limit(hand, seconds);
    else {
      if (hand.request && news.told && !news.told.text) hand.request.last = news.told;
      if (news.told && hand.timers.stop) return; // whoever asked hears no more
      if (!news.told) hand.finish();
      this.say({ id, ...news });
      this.dispatch();
    }
  };

  /** Answer with an error, now and from now on, unless a worker is there. @param {string} error */
  fail(error) {
    this.tell("fault", new Error(error));
    if (this.hands.some(({ isReady }) => isReady)) return;
    this.fault = error;
    for (const { id } of this.waiting.splice(0)) this.say({ id, error });
  }

  /** @param {number} id */
  cancel(id) {
    const place = this.waiting.findIndex((request) => request.id === id);
    if (place >= 0) {
      this.waiting.splice(place, 1);
      this.say({ id, error: this.ready?.stopped ?? "stopped" });
      return;
    }
    const hand = this.hands.find(({ request }) => request?.id === id);
    if (!hand || hand.timers.stop) return;
    const { interrupt } = hand;
    const seconds = interrupt ? (this.ready?.stop_seconds ?? 0) : PATIENCE / 1000;
    const until = performance.now() + seconds * 1000;
    const repeat = () => {
      if (performance.now() >= until) this.end(hand, "stopped");
      else if (interrupt) interrupt[0] = INTERRUPT;
    };
    hand.timers.stop = setInterval(repeat, AGAIN);
    repeat();
  }

  /**
   * End a worker, start another, and answer the request with what it has found.
   * @param {Hand} hand @param {"stopped" | "late" | "fault"} why @param {string} [fault]
   */
  end(hand, why, fault = "") {
    const { request } = hand;
    hand.end();
    this.hands.splice(this.hands.indexOf(hand), 1);
    this.begin();
    if (!request || !this.ready) return;
    const { id, endpoint, last } = request;
    const error =
      why === "fault" ? `${fault} in '${endpoint}'; expected a smaller request` : this.ready[why];
    const isFound = last && why !== "fault" && this.ready.whole.includes(endpoint);
    this.say(isFound ? { id, found: last } : { id, error });
    this.dispatch();
  }
}
