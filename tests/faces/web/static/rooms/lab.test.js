import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutText, countText } from "#page/bench/wrong.js";
import { groupSummary, inText, tableEntries } from "#page/bench/entries.js";
import { Latest } from "#page/bench/latest.js";
import { sparseTable } from "#page/shell/tables.js";

const WHOLE = { faulty: 101, share: 0.025, low: 0.025, high: 0.025, choices: 3191 };

test("the count of wrong moves says before, after and of how many", () => {
  assert.equal(countText(WHOLE), "101 of 3,191 positions");
  assert.equal(countText({ ...WHOLE, before: { faulty: 158 } }), "158 → 101 of 3,191 positions");
});

test("a sample says its interval, and all positions that they are all", () => {
  const all = { ...WHOLE, whole: true, game: "tictactoe", about: "all positions" };
  assert.equal(
    aboutText(all),
    "all critical positions of tictactoe; equal ratings are played at random, " +
      "and 2.5 % of the moves played are wrong",
  );
  const sample = { ...WHOLE, whole: false, low: 0.01, high: 0.05, about: "positions of games" };
  assert.equal(
    aboutText(sample),
    "positions of games, only critical ones; equal ratings are played at random, and 2.5 % " +
      "of the moves played are wrong (1.0 % to 5.0 %, 95 %)",
  );
  assert.match(aboutText({ ...sample, before: { wrong: 1 }, chance: 0.02 }), /p 0\.020 by McNemar/);
});

test("of what keeps changing, the newest is asked about when there is an answer", async () => {
  const asked = [];
  let state = 0;
  const answers = [];
  const latest = new Latest(() => {
    asked.push(state);
    return new Promise((resolve) => answers.push(resolve));
  });
  for (state of [1, 2, 3]) latest.run();
  assert.deepEqual(asked, [1]);
  answers.shift()();
  await new Promise(setImmediate);
  assert.deepEqual(asked, [1, 3]);
  latest.forget();
  state = 4;
  latest.run();
  assert.deepEqual(asked, [1, 3, 4]);
  answers.shift()();
  await new Promise(setImmediate);
  assert.deepEqual(asked, [1, 3, 4]);
});

test("a table says no more than what counts", () => {
  const table = {
    values: { "2,0": 0, "1,0": 3, "0,1": -1 },
    weights: { row: 1, diagonal: 2 },
    tempo: { "1,0": 0 },
    clamp: null,
    name: "mine",
  };
  assert.equal(
    JSON.stringify(sparseTable(table)),
    '{"values":{"0,1":-1,"1,0":3},"weights":{"diagonal":2}}',
  );
});

test("a group says how many of its numbers count", () => {
  const table = { values: { "1,0": 3 }, weights: { row: 1 } };
  const scope = { orbits: [], rows: false, unsafe: false, patterns: [] };
  const entries = tableEntries(table, { longest: 2, kinds: ["row"] }, scope);
  const said = (group) => groupSummary(entries.filter((entry) => entry.group === group));
  assert.equal(said("Lines"), "1 in use");
  assert.equal(said("Threats"), "");
});

test("the numbers without sliders are counted", () => {
  assert.equal(inText({ values: { "1,0": 3 } }), 0);
  const ends = { "1,2": 5, "1,1": 0 };
  assert.equal(
    inText({ values: {}, tempo: { "1,0": 2 }, ends, kinds: { "row values 1,0": 1 } }),
    3,
  );
});
