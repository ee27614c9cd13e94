import assert from "node:assert/strict";
import { test } from "node:test";
import { formatMoves, formatVariations, parseMoves, parseVariations } from "#page/shell/trail.js";
import { node } from "./games.js";

test("moves may have commas, and a sign that encodes nothing is itself", () => {
  assert.deepEqual(parseMoves("a%2Cb,c,%"), ["a,b", "c", "%"]);
  assert.deepEqual(parseMoves(), []);
  assert.deepEqual(parseMoves(formatMoves(["a,b", "(c)", "%", "d1"])), ["a,b", "(c)", "%", "d1"]);
});

test("variations stand in brackets after the move that they stand for", () => {
  const root = node("", [
    node("a", [node("b", [node("c")]), node("x", [node("y"), node("z")])]),
    node("m"),
  ]);
  const text = "a,(m),b,(x,y,(z)),c";
  assert.equal(formatVariations(root), text);
  assert.deepEqual(parseVariations(text), ["a", ["m"], "b", ["x", "y", ["z"]], "c"]);
});

test("brackets that do not match are told", () => {
  assert.throws(() => parseVariations("a,(b"), /'\(' without '\)' in the variations 'a,\(b'/);
  assert.throws(() => parseVariations("a)"), /'\)' without '\('/);
});

test("a long game is cut off where there is no more room, and can still be read", () => {
  let line = node("a1");
  for (let number = 0; number < 600; number++) line = node("h8", [line, node("j9")]);
  const text = formatVariations(node("", [line]));
  assert.ok(text.length <= 1500 && text.length > 1400, `${text.length} signs`);
  let deep = node("a1");
  for (let number = 0; number < 600; number++) deep = node("b2", [node("c3"), deep]);
  const nested = formatVariations(node("", [deep]));
  assert.ok(nested.length <= 1500, `${nested.length} signs`);
  parseVariations(nested);
});
