import assert from "node:assert/strict";
import { test } from "node:test";
import { fitted } from "#page/board/fitting.js";

const note = (text, short) => ({ kind: "score", text, short, title: text });
const LOSS = note("loss 32", "L32");
const written = (notes, side, mark) => fitted(notes, side, mark).texts;

test("notes are as large as all of them fit", () => {
  const notes = [note("−5"), LOSS];
  assert.deepEqual(written(notes, 85), ["−5", "loss 32"]);
  assert.ok(fitted(notes, 85).font > fitted(notes, 65).font);
});

test("on large cells they are read from afar, and stay within a tile", () => {
  assert.equal(fitted([note("draw")], 235).font, 36);
  assert.equal(fitted([note("draw")], 150).font, 30);
  assert.equal(fitted([note("draw")], 60).font, 16);
});

test("where one is too wide all are in short, and no digit is lost", () => {
  assert.deepEqual(written([note("≤ −5", "≤−5"), LOSS], 45), ["≤−5", "L32"]);
});

test("what fits not even in short is left out, and so is what is too high", () => {
  assert.deepEqual(written([note("−5"), note("12345")], 22), ["−5", ""]);
  assert.deepEqual(written([note("1")], 8), [""]);
});

test("on small cells a number stays within its round mark, or is left out", () => {
  const notes = [note("−9"), note("−17")];
  assert.deepEqual(written(notes, 23), ["−9", "−17"]);
  assert.deepEqual(written(notes, 23, 16), ["−9", ""]);
});
