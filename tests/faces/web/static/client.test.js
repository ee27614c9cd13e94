import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "#page/client.js";

/** A model that keeps what is sent, and lets a test answer. */
function aModel() {
  const sent = [];
  const listeners = [];
  return {
    sent,
    on: (name, listener) => name === "msg:custom" && listeners.push(listener),
    send: (message) => sent.push(message),
    answer: (message) => listeners.forEach((listener) => listener(message)),
  };
}

test("an answer finds its question, in whatever order answers come", async () => {
  const model = aModel();
  const client = new Client(model);
  const [first, second] = [
    client.ask("show", { position: "a" }),
    client.ask("show", { position: "b" }),
  ];
  const [{ id: one, verb, arguments: asked }, { id: two }] = model.sent;
  assert.deepEqual([verb, asked], ["show", { position: "a" }]);
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

test("when the server is lost every open question fails", async () => {
  const client = new Client(aModel());
  const asked = [client.ask("show", {}), client.ask("play", {})];
  client.lost();
  for (const question of asked) await assert.rejects(question, { message: /out of reach/ });
  assert.equal(client.open.size, 0);
});
