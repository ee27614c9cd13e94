import assert from "node:assert/strict";
import { test } from "node:test";
import { fitted } from "#page/board/fitting.js";

const note = (text, short) => ({ kind: "score", text, short, title: text });
const LOSS = note("✓ loss 32", "✓L32");
const written = (lists, side) =>
  fitted(lists, side).texts.map((notes) => notes.map(({ text }) => text));

test("notes are as large as all of them fit", () => {
  const lists = [[note("= −5")], [LOSS]];
  assert.deepEqual(written(lists, 85), [["= −5"], ["✓ loss 32"]]);
  assert.ok(fitted(lists, 85).font > fitted(lists, 70).font);
});

test("on large cells they are read from afar, and stay within a tile", () => {
  const notes = [note("h 3"), note("= 0"), note("✓ draw")];
  assert.equal(fitted([notes], 235).font, 30);
  assert.equal(fitted([notes], 150).font, 19);
  assert.equal(fitted([notes], 100).font, 16);
});

test("where one is too wide all are in short, and no digit is lost", () => {
  const lists = [[note("= −5", "=−5")], [LOSS]];
  assert.deepEqual(written(lists, 45), [["=−5"], ["✓L32"]]);
});

test("what fits not even in short is left out, and so is what is too high", () => {
  assert.deepEqual(written([[note("= −5", "=−5")], [LOSS]], 22), [["=−5"], []]);
  assert.deepEqual(written([[note("1234"), note("4567"), note("7890")]], 30), [["4567", "7890"]]);
  assert.deepEqual(written([[note("1")]], 8), [[]]);
});

test("a number stands alone before it is left out, on all cells alike", () => {
  const opinion = (value) => ({ ...note(`h ${value}`, `h${value}`), bare: `${value}` });
  assert.deepEqual(written([[opinion(8)], [opinion(10)]], 27), [["h8"], ["h10"]]);
  assert.deepEqual(written([[opinion(8)], [opinion(10)]], 24), [["8"], ["10"]]);
  assert.deepEqual(written([[opinion(8)], [opinion(10)]], 16), [["8"], ["10"]]);
  assert.deepEqual(written([[opinion(8)], [opinion(10), note("12345")]], 16), [["h8"], []]);
});

test("rather than so small that nobody reads them, the last stands alone", () => {
  const notes = [note("h 1"), note("= 2"), note("✓ 3")];
  assert.deepEqual(written([notes], 26), [["✓ 3"]]);
  assert.deepEqual(written([notes], 60), [["h 1", "= 2", "✓ 3"]]);
});

test("on small cells a number alone stays within its round mark, or is left out", () => {
  const score = (value) => ({ ...note(`= ${value}`, `=${value}`), bare: `${value}` });
  const lists = [[score("−9")], [score("−17")]];
  assert.deepEqual(written(lists, 23), [["−9"], ["−17"]]);
  const seen = fitted(lists, 23, 16).texts.map((notes) => notes.map(({ text }) => text));
  assert.deepEqual(seen, [["−9"], []]);
});
