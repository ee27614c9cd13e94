import assert from "node:assert/strict";
import { test } from "node:test";
import { Memory } from "#page/shell/memory.js";

/** A browser's storage that takes so many things. */
class Storage {
  texts = new Map();
  room = Infinity;
  getItem = (key) => this.texts.get(key) ?? null;
  setItem(key, text) {
    if (this.texts.size >= this.room) throw new Error("full");
    this.texts.set(key, text);
  }
}

test("what a browser takes is there for the next visit", () => {
  const storage = new Storage();
  new Memory(() => storage).setItem("theme", "dark");
  assert.equal(new Memory(() => storage).getItem("theme"), "dark");
  assert.equal(new Memory(() => storage).getItem("sounds"), null);
});

test("what a browser has no room for is kept until the page goes, and that is said once", () => {
  const storage = new Storage();
  const memory = new Memory(() => storage);
  let said = 0;
  const end = memory.on(() => (said += 1));
  memory.setItem("theme", "dark");
  storage.room = 0;
  memory.setItem("theme", "light");
  memory.setItem("theme", "auto");
  assert.equal(memory.getItem("theme"), "auto");
  assert.equal(said, 1);
  memory.setItem("sounds", "on");
  assert.equal(said, 2);
  end();
  storage.room = Infinity;
  memory.setItem("theme", "auto");
  assert.equal(new Memory(() => storage).getItem("theme"), "auto");
});

test("where a browser forbids its storage, a page has one of its own", () => {
  const memory = new Memory(() => assert.fail("denied"));
  assert.equal(memory.getItem("theme"), null);
  memory.setItem("theme", "dark");
  assert.equal(memory.getItem("theme"), "dark");
});
