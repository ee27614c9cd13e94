import assert from "node:assert/strict";
import { test } from "node:test";
import { formatSpec, hasWord, parseSpec, withSize, withWord } from "#page/shell/gamespec.js";

test("the text of a game is taken apart and put together", () => {
  for (const text of [
    ...["3,3,3", "7,6,4,gravity", "4x4x4,4,torus", "3x3x3x3,3", "6,5,4,torus=x,misere"],
    ...["9,9,5,holes=a1+b2", "19,19,6,stones=2"],
  ])
    assert.equal(formatSpec(parseSpec(text)), text);
  for (const text of ["connect4", "", "7,6", "7,6,4 44", "X.O/.X./..O"])
    assert.equal(parseSpec(text), null);
});

test("a switch adds its word, or takes it away with its value", () => {
  const spec = parseSpec("6,5,4,torus=x,stones=2");
  assert.ok(hasWord(spec, "torus"));
  assert.equal(formatSpec(withWord(spec, "torus", false)), "6,5,4,stones=2");
  assert.equal(formatSpec(withWord(spec, "gravity", true)), "6,5,4,torus=x,stones=2,gravity");
});

test("a board of one level is flat, and one of several is a cube", () => {
  const flat = parseSpec("4,4,4");
  assert.equal(formatSpec(withSize(flat, 2, 4)), "4x4x4,4");
  assert.equal(formatSpec(withSize(parseSpec("4x4x4,4"), 2, 1)), "4,4,4");
  assert.equal(formatSpec(withSize(flat, 0, 9)), "9,4,4");
});
