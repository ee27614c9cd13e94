import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { TabModel } from "#page/shell/tabmodel.js";

const READY = {
  seconds: { show: 10, explain: 10, analyze: 30, solve: 30 },
  long: ["analyze", "solve"],
  whole: ["analyze"],
  stop_seconds: 1,
  stopped: "stopped",
  late: "no answer in time",
};

/** Stands for a worker with Python: keeps what it is asked, and answers what a test lets it. */
class FakeWorker {
  /** @type {FakeWorker[]} */
  static all = [];
  asked = [];
  isEnded = false;

  constructor() {
    FakeWorker.all.push(this);
  }
  postMessage(message) {
    if (message.endpoint) this.asked.push(message.endpoint);
    else this.interrupt = message.interrupt;
  }
  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  terminate() {
    this.isEnded = true;
  }
}

/** @type {object[]} */
let heard;

function aModel(first = {}) {
  const model = new TabModel({ worker: "w.js", python: {}, first });
  heard = [];
  model.on("msg:custom", (message) => message.told?.text || heard.push(message));
  model.begin();
  return model;
}

/** A model and its worker, in which Python has started. */
function aReadyModel() {
  const model = aModel();
  const worker = FakeWorker.all.at(-1);
  worker.say({ ready: READY });
  return [model, worker];
}

beforeEach(() => {
  FakeWorker.all = [];
  globalThis.Worker = FakeWorker;
  globalThis.crossOriginIsolated = false;
  mock.restoreAll();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  let now = 0;
  mock.method(performance, "now", () => now);
  globalThis.pass = (milliseconds) => {
    now += milliseconds;
    mock.timers.tick(milliseconds);
  };
});

test("answers from the file at once, and keeps the rest until Python is there", async () => {
  const model = aModel({ 'show {"position":"tictactoe"}': { cells: "........." } });
  model.send({ id: 1, endpoint: "show", arguments: { position: "tictactoe" } });
  model.send({ id: 2, endpoint: "show", arguments: { position: "connect4" } });
  await Promise.resolve();
  assert.deepEqual(heard, [{ id: 1, found: { cells: "........." } }]);
  const [worker] = FakeWorker.all;
  assert.deepEqual([worker.asked, model.isStarting], [[], true]);
  worker.say({ ready: READY });
  assert.deepEqual([worker.asked, model.isStarting], [["show"], false]);
});

test("a second worker answers while the first one searches; one search runs at a time", () => {
  const [model, first] = aReadyModel();
  model.send({ id: 1, endpoint: "analyze", arguments: {} });
  model.send({ id: 2, endpoint: "solve", arguments: {} });
  model.send({ id: 3, endpoint: "show", arguments: {} });
  const [, second] = FakeWorker.all;
  second.say({ ready: READY });
  assert.deepEqual([first.asked, second.asked], [["analyze"], ["show"]]);
  second.say({ id: 3, found: 3 });
  assert.deepEqual(second.asked, ["show"]);
  first.say({ id: 1, found: 1 });
  assert.deepEqual(first.asked, ["analyze", "solve"]);
  assert.equal(FakeWorker.all.length, 2);
});

test("a worker that cannot be interrupted is replaced, and what it found is the answer", () => {
  const [model, first] = aReadyModel();
  model.send({ id: 1, endpoint: "analyze", arguments: {} });
  first.say({ id: 1, told: { depth: 3 } });
  model.send({ id: 1, cancel: true });
  pass(500);
  assert.deepEqual(heard.at(-1), { id: 1, found: { depth: 3 } });
  assert.ok(first.isEnded);
  model.send({ id: 2, endpoint: "solve", arguments: {} });
  FakeWorker.all.at(-1).say({ ready: READY });
  model.send({ id: 2, cancel: true });
  pass(500);
  assert.deepEqual(heard.at(-1), { id: 2, error: "stopped" }); // it found nothing whole
});

test("a request that ends by itself soon costs no worker", () => {
  const [model, first] = aReadyModel();
  model.send({ id: 1, endpoint: "explain", arguments: {} });
  model.send({ id: 1, cancel: true });
  pass(100);
  first.say({ id: 1, found: 1 });
  pass(10_000);
  assert.deepEqual([first.isEnded, heard], [false, [{ id: 1, found: 1 }]]);
});

test("interrupts through shared memory, again and again, and then ends the worker", () => {
  globalThis.crossOriginIsolated = true;
  const [model, first] = aReadyModel();
  model.send({ id: 1, endpoint: "analyze", arguments: {} });
  model.send({ id: 1, cancel: true });
  assert.equal(first.interrupt[0], 2);
  first.interrupt[0] = 0; // Python has handled it, during an import
  pass(100);
  assert.equal(first.interrupt[0], 2);
  first.say({ id: 1, found: { depth: 2 } });
  model.send({ id: 2, endpoint: "analyze", arguments: {} });
  assert.equal(first.interrupt[0], 0); // it is not meant for the next one
  model.send({ id: 2, cancel: true });
  pass(900);
  assert.ok(!first.isEnded);
  pass(200);
  assert.ok(first.isEnded);
});

test("what waits is cancelled at once, and an endless request ends its worker", () => {
  const [model, first] = aReadyModel();
  model.send({ id: 1, endpoint: "explain", arguments: {} });
  model.send({ id: 2, endpoint: "show", arguments: {} });
  model.send({ id: 2, cancel: true });
  assert.deepEqual(heard, [{ id: 2, error: "stopped" }]);
  first.say({ id: 1, seconds: 40 });
  pass(39_000);
  assert.ok(!first.isEnded);
  pass(2_000);
  assert.deepEqual(heard.at(-1), { id: 1, error: "no answer in time" });
});

test("says when Python cannot start, and when a worker is lost", () => {
  const model = aModel();
  const faults = [];
  model.on("fault", ({ message }) => faults.push(message));
  model.send({ id: 1, endpoint: "show", arguments: {} });
  FakeWorker.all[0].say({ fault: "no WebAssembly" });
  const error = "plyscope cannot start in this browser: no WebAssembly";
  assert.deepEqual([faults, heard], [[error], [{ id: 1, error }]]);
  const [other, worker] = aReadyModel();
  other.send({ id: 1, endpoint: "show", arguments: {} });
  worker.say({ fault: "RangeError" });
  assert.deepEqual(heard, [{ id: 1, error: "RangeError in 'show'; expected a smaller request" }]);
});
