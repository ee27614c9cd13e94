import assert from "node:assert/strict";
import { test } from "node:test";
import { Ladder, RUNGS, rungOf } from "#page/rooms/quiz/ladder.js";
import { progressText } from "#page/rooms/quiz/rungs.js";

/** @returns {Storage} */
function aStore() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
  };
}

const openOf = (ladder) => RUNGS.filter(({ name }) => ladder.isOpen(name)).map(({ name }) => name);

test("a rung opens when a question of the one below it is right, and everything is open", () => {
  const ladder = new Ladder(aStore());
  assert.deepEqual(openOf(ladder), ["values", "all"]);
  assert.equal(ladder.note("values", "one", false), undefined);
  assert.deepEqual(openOf(ladder), ["values", "all"]);
  assert.equal(ladder.note("values", "one", true)?.name, "cuts");
  assert.equal(ladder.note("values", "two", true), undefined); // it is open already
  assert.equal(ladder.highest.name, "cuts");
  assert.equal(ladder.note("cuts", "three", true)?.name, "windows");
  assert.equal(ladder.highest.name, "windows");
});

test("a streak is of questions that were right at their first marking", () => {
  const ladder = new Ladder(aStore());
  ladder.note("cuts", "one", true);
  ladder.note("cuts", "two", true);
  assert.deepEqual(ladder.of("cuts"), { right: 2, streak: 2, best: 2 });
  ladder.note("cuts", "three", false);
  ladder.note("cuts", "three", true);
  assert.deepEqual(ladder.of("cuts"), { right: 3, streak: 0, best: 2 });
});

test("a question counts once, and not when its key was shown", () => {
  const ladder = new Ladder(aStore());
  ladder.note("values", "one", true);
  ladder.note("values", "one", true);
  assert.equal(ladder.of("values").right, 1);
  ladder.give("values", "one"); // it was right before
  assert.deepEqual(ladder.of("values"), { right: 1, streak: 1, best: 1 });
  ladder.give("values", "two");
  ladder.note("values", "two", true);
  assert.deepEqual(ladder.of("values"), { right: 1, streak: 0, best: 1 });
});

test("progress is kept in the browser, whatever else stands there", () => {
  const store = aStore();
  new Ladder(store).note("values", "one", true);
  assert.deepEqual(openOf(new Ladder(store)), ["values", "cuts", "all"]);
  store.setItem("plyscope-quiz", '{"values": {"right": "many"}, "cuts": 7}');
  assert.deepEqual(openOf(new Ladder(store)), ["values", "all"]);
  store.setItem("plyscope-quiz", "{");
  assert.deepEqual(openOf(new Ladder(store)), ["values", "all"]);
});

test("a question is on the rung that asks the same", () => {
  const names = RUNGS.map((rung) => rungOf(rung).name);
  assert.deepEqual(names, ["values", "cuts", "windows", "boards", "signs", "all"]);
  assert.equal(rungOf({ algorithm: "alphabeta", asked: ["values"] }).name, "all");
});

test("how far one is on a rung is said with its streak", () => {
  assert.equal(progressText({ right: 0, streak: 0, best: 0 }), "");
  assert.equal(progressText({ right: 1, streak: 1, best: 1 }), "✓ 1 right");
  assert.equal(progressText({ right: 5, streak: 2, best: 3 }), "✓ 5 right, 2 in a row, 3 at best");
});
