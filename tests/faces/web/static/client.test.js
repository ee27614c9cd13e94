import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "#page/shell/client.js";

/** A model that keeps what is sent, and lets a test answer or cut the connection. */
function aModel() {
  const sent = [];
  const listeners = new Set();
  const tell = (name, message) =>
    [...listeners].forEach(([heard, listener]) => heard === name && listener(message));
  const find = (name, listener) => [...listeners].find(([a, b]) => a === name && b === listener);
  return {
    sent,
    listeners,
    on: (name, listener) => listeners.add([name, listener]),
    off: (name, listener) => listeners.delete(find(name, listener)),
    send: (message) => sent.push(message),
    answer: (message) => tell("msg:custom", message),
    connect: (is) => tell("connected", is),
  };
}

test("an answer finds its question, in whatever order answers come", async () => {
  const model = aModel();
  const client = new Client(model);
  const [first, second] = [
    client.ask("show", { position: "a" }),
    client.ask("show", { position: "b" }),
  ];
  const [{ id: one, endpoint, arguments: asked }, { id: two }] = model.sent;
  assert.deepEqual([endpoint, asked], ["show", { position: "a" }]);
  model.answer({ id: two, found: "B" });
  model.answer({ id: one, found: "A" });
  assert.deepEqual(await Promise.all([first, second]), ["A", "B"]);
});

test("a question fails in the server's words", async () => {
  const model = aModel();
  const asked = new Client(model).ask("show", {});
  model.answer({ id: model.sent[0].id, error: "no such game" });
  await assert.rejects(asked, { message: "no such game" });
});

test("what is found on the way is heard until the question is cancelled", () => {
  const model = aModel();
  const heard = [];
  const told = (news) => heard.push(news);
  const queue = (place) => heard.push(place);
  const job = new Client(model).stream("analyze", {}, { told, queue });
  const [{ id }] = model.sent;
  model.answer({ id, queue: 2 });
  model.answer({ id, told: { depth: 1 } });
  job.cancel();
  model.answer({ id, told: { depth: 2 } });
  assert.deepEqual(heard, [2, { depth: 1 }]);
  assert.deepEqual(model.sent.at(-1), { id, cancel: true });
});

test("what a lost connection has left open is asked again, but what was taken back", async () => {
  const model = aModel();
  const client = new Client(model);
  const asked = client.ask("show", { position: "a" });
  const stopped = client.stream("analyze", {});
  stopped.cancel();
  model.connect(false);
  const late = client.ask("play", { move: "b" });
  model.sent.length = 0;
  model.connect(true);
  assert.deepEqual(
    model.sent.map(({ endpoint, arguments: asked }) => [endpoint, asked]),
    [
      ["show", { position: "a" }],
      ["play", { move: "b" }],
    ],
  );
  await assert.rejects(stopped.promise, { message: "stopped" });
  for (const { id } of model.sent) model.answer({ id, found: id });
  assert.deepEqual(
    await Promise.all([asked, late]),
    model.sent.map(({ id }) => id),
  );
});

test("a client that has ended stops its questions, and hears no more", () => {
  const model = aModel();
  const client = new Client(model);
  client.ask("analyze", {});
  client.end();
  assert.deepEqual(model.sent.at(-1), { id: model.sent[0].id, cancel: true });
  assert.equal(model.listeners.size, 0);
});
