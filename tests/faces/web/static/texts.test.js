// Heuristics that the user writes: kept, in lists, in links, and asked about where a link brings one.
import assert from "node:assert/strict";
import { test } from "node:test";

import { knownPlace } from "#page/shell/link.js";
import { agentAsked, agentOptions, heuristicAsked, heuristicOfPlace } from "#page/shell/tables.js";
import { heuristicOptions, heuristicPlace, Tables } from "#page/shell/tables.js";
import { decodeText, encodeText, MOST_LINKED, textName, Texts, WRITE } from "#page/shell/texts.js";
import { admit } from "#page/writing/consent.js";
import { differencesOf } from "#page/writing/editor.js";

const TEXT = "def mine(board):\n    return 'ä→∞'\n";

class Kept {
  texts = new Map();
  getItem = (key) => this.texts.get(key) ?? null;
  setItem = (key, text) => this.texts.set(key, text);
}

function lab(place = {}, writes = true) {
  const catalogues = {
    heuristics: [{ name: "counted-lines", summary: "by stones" }],
    own_heuristics: [],
    agents: [{ name: "level-1", summary: "weak" }],
    algorithms: [],
    writes,
  };
  return { place, catalogues, tables: new Tables(new Kept()), texts: new Texts(new Kept()) };
}

const values = (options) => options.map(([value]) => value);

test("a text is offered once it is written, and before that a way to begin one", () => {
  const here = lab();
  assert.deepEqual(values(heuristicOptions(here)), ["counted-lines", WRITE]);
  here.texts.set("mine", TEXT);
  assert.deepEqual(values(heuristicOptions(here)), ["counted-lines", "mine"]);
  assert.equal(heuristicAsked(here, "mine"), `mine:\n${TEXT}`);
  const asked = [heuristicAsked(here, "mine"), "counted-lines", undefined, {}];
  assert.deepEqual(asked.map(textName), ["mine", "", "", ""]);
  const agents = agentOptions(here, { agents: ["level-1"], text: null });
  assert.deepEqual(values(agents), ["level-1", "mine@1", "mine@2", "mine@4", "mine@6"]);
  assert.deepEqual(agentAsked(here, "mine@2"), { heuristic: `mine:\n${TEXT}`, depth: 2 });
});

test("where the page has a server nothing can be written, and a text in a link is a mistake", () => {
  const there = lab({ heuristic: "mine" }, false);
  there.texts.set("mine", TEXT);
  assert.deepEqual(values(heuristicOptions(there)), ["counted-lines"]);
  assert.equal(heuristicOfPlace(there, "counted-lines"), "counted-lines");
  const given = { room: "analyze", heuristic: "mine", mine: encodeText(TEXT), x: "mine@2" };
  const { place, mistakes } = knownPlace(given, there.catalogues, ["analyze"]);
  assert.deepEqual(place, { room: "analyze" });
  assert.equal(mistakes.length, 3);
  assert.deepEqual(knownPlace(given, lab().catalogues, ["analyze"]).place, given);
});

test("a text in an address is the same text again, and anything else is none", () => {
  for (const text of [TEXT, "", "a", "ab", "abc", "?>~\u{1F600}"])
    assert.equal(decodeText(encodeText(text)), text);
  assert.match(encodeText("??>>~~\u{1F600}"), /^[\w-]*$/);
  for (const code of ["%", "a", "_w", encodeText("x".repeat(MOST_LINKED + 1))])
    assert.equal(decodeText(code), null);
});

test("a text is in the address if the user says so, and not if it is too long", () => {
  const here = lab();
  here.texts.set("mine", TEXT);
  assert.equal(heuristicPlace(here, "mine").mine, "");
  here.texts.link("mine", true);
  assert.equal(heuristicPlace(here, "mine").mine, encodeText(TEXT));
  here.texts.link("mine", false);
  here.texts.set("mine", "x".repeat(MOST_LINKED + 1));
  assert.throws(() => here.texts.link("mine", true), /6001 characters; expected at most 6000/);
});

test("a text from a link is asked about, and the text that it replaces is kept", async () => {
  const { texts } = lab();
  const place = { heuristic: "mine", x: "mine@2", mine: encodeText(TEXT) };
  const asked = [];
  const answer = (is) => async (text, replaces) => {
    asked.push([text, replaces]);
    return is;
  };
  assert.deepEqual(await admit(place, texts, answer(false)), {});
  assert.equal(texts.get("mine"), "");
  texts.set("mine", "own");
  assert.deepEqual(await admit(place, texts, answer(false)), { heuristic: "mine", x: "mine@2" });
  assert.deepEqual(await admit(place, texts, answer(true)), place);
  assert.deepEqual([texts.get("mine"), texts.before("mine")], [TEXT, "own"]);
  assert.deepEqual(
    asked.map(([, replaces]) => replaces),
    [false, true, true],
  );
  assert.deepEqual(await admit(place, texts, answer(false)), place); // it is one's own by now
  assert.equal(asked.length, 3);
});

test("the difference of two heuristics is that of their values, move by move", () => {
  const of = (...numbers) => ({ after: numbers.map((value, cell) => ({ cell, value })) });
  assert.deepEqual([...differencesOf(of(1, -2, 5), of(1, 2, 3))], [[0, 0], [1, -4], [2, 2]]); // prettier-ignore
});
