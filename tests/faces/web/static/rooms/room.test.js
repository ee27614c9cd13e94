import assert from "node:assert/strict";
import { test } from "node:test";
import { Room } from "#page/rooms/room.js";

globalThis.document = { createElement: () => ({ setAttribute() {}, append() {} }) };

/** A room whose questions a test answers, by `jobs[n].answer` and `jobs[n].fail`. */
function aRoom() {
  const jobs = [];
  const stream = (verb) => {
    const job = { verb, isCancelled: false, cancel: () => (job.isCancelled = true) };
    job.promise = new Promise((answer, fail) => Object.assign(job, { answer, fail }));
    jobs.push(job);
    return job;
  };
  return { room: new Room(null, { client: { stream } }), jobs };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("only the newest question of a verb is heard", async () => {
  const { room, jobs } = aRoom();
  const heard = [];
  room.ask("trace").then((answer) => heard.push(answer));
  room.ask("trace").then((answer) => heard.push(answer));
  room.ask("differ").then((answer) => heard.push(answer));
  assert.deepEqual(
    jobs.map(({ isCancelled }) => isCancelled),
    [true, false, false],
  );
  for (const [number, job] of jobs.entries()) job.answer(number);
  await turn();
  assert.deepEqual(heard, [1, 2]);
});

test("what goes wrong is said, until something else is tried", async () => {
  const { room, jobs } = aRoom();
  const tried = room.attempt(() => room.ask("show"));
  jobs[0].fail(new Error("no such game"));
  await tried;
  assert.equal(room.alert.textContent, "no such game");
  await room.attempt(() => {});
  assert.equal(room.alert.textContent, "");
});

test("a room that is left stops its questions and undoes what it has done", async () => {
  const { room, jobs } = aRoom();
  const heard = [];
  room.endings.push(() => heard.push("undone"));
  room.ask("solve").then((answer) => heard.push(answer));
  room.attempt(() => room.ask("show"));
  room.stop();
  assert.ok(jobs.every(({ isCancelled }) => isCancelled));
  jobs[0].answer("too late");
  jobs[1].fail(new Error("too late"));
  await turn();
  assert.deepEqual(heard, ["undone"]);
  assert.equal(room.alert.textContent, "");
});
