import assert from "node:assert/strict";
import { test } from "node:test";
import { nameOf, press, signsOf } from "#page/shell/keys.js";

const target = (matched) => ({
  matches: (selector) => selector.includes(matched),
  closest: (selector) => selector.includes(matched),
});
const event = (key, { on = "body", ...others } = {}) => ({
  key,
  target: target(on),
  preventDefault() {
    this.defaultPrevented = true;
  },
  ...others,
});
/** What has been done after a key was pressed. */
function done(pressed) {
  const heard = [];
  const keys = [{ keys: ["n", " ", "Ctrl+Z", "1"], act: (name) => heard.push(name) }];
  assert.equal(press(pressed, keys), heard.length > 0);
  assert.equal(Boolean(pressed.defaultPrevented), heard.length > 0 || pressed.isTaken === true);
  return heard;
}

test("a key does what it is for, wherever the focus is", () => {
  assert.deepEqual(done(event("n")), ["n"]);
  assert.deepEqual(done(event("n", { on: "button" })), ["n"]);
  assert.deepEqual(done(event("z", { ctrlKey: true })), ["Ctrl+Z"]);
  assert.deepEqual(done(event("x")), []);
});

test("where something is typed or space presses, and what others have heard, is left alone", () => {
  assert.deepEqual(done(event("n", { on: "textarea" })), []);
  assert.deepEqual(done(event(" ", { on: "button" })), []);
  assert.deepEqual(done(event(" ")), [" "]);
  assert.deepEqual(done(event("n", { altKey: true })), []);
  assert.deepEqual(done(event("n", { defaultPrevented: true, isTaken: true })), []);
  assert.deepEqual(done(event("n", { ctrlKey: true })), []);
});

test("keys are listed by what stands on them", () => {
  assert.equal(signsOf({ keys: ["ArrowLeft", "u", "Ctrl+Z"] }), "←, u, Ctrl+Z");
  assert.equal(signsOf({ keys: ["1", "2", "3"], sign: "1 to 3" }), "1 to 3");
  assert.equal(nameOf({ key: "y", metaKey: true }), "Ctrl+Y");
});
