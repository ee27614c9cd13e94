import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentAsked,
  agentName,
  agentOptions,
  DRAFT,
  heuristicAsked,
  heuristicOfPlace,
  heuristicOptions,
  heuristicPlace,
  playerOfPlace,
  playersPlace,
  isSameTable,
  Tables,
} from "#page/shell/tables.js";

/** A browser's storage. */
class Kept {
  texts = new Map();
  getItem = (key) => this.texts.get(key) ?? null;
  setItem = (key, text) => this.texts.set(key, text);
}

const NOTHING = {
  values: {},
  weights: {},
  tempo: {},
  ends: {},
  cells: {},
  threats: {},
  mobility: {},
  patterns: {},
  pattern_tempo: {},
  kinds: {},
};
const ONES = { ...NOTHING, values: { "1,0": 1, "0,1": -1 } };
const FIVES = { ...NOTHING, values: { "1,0": 5 } };

/** What rooms share, as far as choices of heuristics look. */
function lab(place = {}, kept = new Kept()) {
  const catalogues = {
    heuristics: [{ name: "counted-lines", summary: "by stones" }],
    own_heuristics: [],
    agents: [
      { name: "level-1", summary: "weak" },
      { name: "uct", summary: "playouts" },
    ],
  };
  return { place, catalogues, tables: new Tables(kept) };
}

test("what another window saves is heard while somebody listens", () => {
  const window = new EventTarget();
  const names = ["addEventListener", "removeEventListener"];
  for (const name of names) globalThis[name] = window[name].bind(window);
  const { tables } = lab();
  let heard = 0;
  const end = tables.on(() => (heard += 1));
  const news = (key) => window.dispatchEvent(Object.assign(new Event("storage"), { key }));
  news("plyscope-tables");
  news("plyscope-theme");
  news(null);
  end();
  news("plyscope-tables");
  for (const name of names) delete globalThis[name];
  assert.equal(heard, 2);
});

test("tables are kept by name, for the next visit too", () => {
  const kept = new Kept();
  const { tables } = lab({}, kept);
  const heard = [];
  const end = tables.on(() => heard.push(tables.all().map(({ name }) => name)));
  tables.save("  my   first ", ONES);
  tables.save("fives", FIVES);
  tables.save("fives", ONES);
  end();
  tables.remove("my first");
  assert.deepEqual(heard, [["my first"], ["fives", "my first"], ["fives", "my first"]]);
  assert.deepEqual(lab({}, kept).tables.all(), [{ name: "fives", table: ONES }]);
  assert.throws(() => tables.save("  ", ONES), /needs a name/);
});

test("a browser that keeps nothing, and one that keeps rubbish, have no tables", () => {
  const rubbish = { getItem: () => '[{"name": 3}, 4, null]', setItem: () => {} };
  assert.deepEqual(new Tables(rubbish).all(), []);
  assert.deepEqual(new Tables({ ...rubbish, getItem: () => "{" }).all(), []);
  const damaged = [null, { values: null }, { values: { "1,0": "x" } }, { values: {}, ends: 3 }];
  const kept = JSON.stringify(damaged.map((table) => ({ name: "old", table })));
  assert.deepEqual(new Tables({ ...rubbish, getItem: () => kept }).all(), []);
});

test("a table of an older version has the parts that it did not know", () => {
  const old = '[{"name": "old", "table": {"values": {"1,0": 1}}}]';
  const { tables } = lab({}, { getItem: () => old, setItem: () => {} });
  assert.deepEqual(tables.get("old"), { ...NOTHING, values: { "1,0": 1 } });
});

test("a choice of a heuristic offers the catalogue, the changed table and the named ones", () => {
  const here = lab();
  here.tables.save("mine", ONES);
  const values = () => heuristicOptions(here).map(([value]) => value);
  assert.deepEqual(values(), ["counted-lines", "own:mine"]);
  here.tables.setDraft(FIVES);
  assert.deepEqual(values(), ["counted-lines", DRAFT, "own:mine"]);
  assert.deepEqual(
    values().map((value) => heuristicAsked(here, value)),
    ["counted-lines", FIVES, { ...ONES, name: "mine" }],
  );
  assert.throws(() => heuristicAsked(here, "own:gone"), /table 'gone' is not in this browser/);
});

test("an address brings a table along, to a browser that does not have it", () => {
  const here = lab();
  here.tables.save("mine", ONES);
  const place = heuristicPlace(here, "own:mine", "counted-lines");
  assert.deepEqual(place, {
    heuristic: "own:mine",
    table: '{"values":{"0,1":-1,"1,0":1}}',
  });
  assert.deepEqual(heuristicPlace(here, "counted-lines", "counted-lines"), {
    heuristic: "",
    table: "",
  });
  here.place = place;
  assert.equal(heuristicOfPlace(here, "counted-lines"), "own:mine");
  const there = lab(place);
  assert.equal(heuristicOfPlace(there, "counted-lines"), DRAFT);
  assert.deepEqual(there.tables.draft, ONES);
  there.tables.save("mine", FIVES);
  assert.equal(heuristicOfPlace(there, "counted-lines"), DRAFT);
  const few = lab({ table: '{"values":{"2,0":3}}' });
  assert.equal(heuristicOfPlace(few, "counted-lines"), DRAFT);
  assert.deepEqual(few.tables.draft, { ...NOTHING, values: { "2,0": 3 } });
  assert.equal(heuristicOfPlace(lab({ heuristic: "nonsense" }), "counted-lines"), "counted-lines");
});

test("tables are the same by their numbers", () => {
  assert.ok(isSameTable(ONES, { values: { "0,1": -1, "1,0": 1, "2,0": 0 }, weights: { row: 1 } }));
  assert.ok(!isSameTable(ONES, { ...ONES, weights: { row: 0 } }));
  assert.ok(!isSameTable(ONES, { ...ONES, clamp: 3 }));
});

test("a table plays some plies deep on a board, and not in a game without lines", () => {
  const here = lab();
  here.tables.save("mine", ONES);
  const board = { agents: ["level-1"], text: null };
  const options = agentOptions(here, board);
  assert.deepEqual(options[0].slice(0, 2), ["level-1", "level-1"]);
  assert.deepEqual(options.at(-1).slice(0, 2), ["own:mine@6", "★ mine, 6 plies"]);
  assert.deepEqual(agentOptions(here, { ...board, text: ["nim"] }).length, 1);
  assert.deepEqual(agentAsked(here, "own:mine@1"), {
    heuristic: { ...ONES, name: "mine" },
    depth: 1,
  });
  assert.equal(agentAsked(here, "uct"), "uct");
  assert.deepEqual(["own:mine@1", "own:@4", "uct"].map(agentName), [
    "mine, 1 ply",
    "your table, 4 plies",
    "uct",
  ]);
});

test("a heuristic that the page was opened with plays in every game", () => {
  const here = lab();
  here.catalogues.heuristics.push({ name: "rows", summary: "rows of mine.py" });
  here.catalogues.own_heuristics.push("rows");
  const options = agentOptions(here, { agents: ["level-1"], text: ["nim"] });
  assert.deepEqual(options[1].slice(0, 2), ["rows@1", "rows, 1 ply"]);
  assert.deepEqual(agentAsked(here, "rows@4"), { heuristic: "rows", depth: 4 });
  assert.equal(agentName("rows@4"), "rows, 4 plies");
  assert.equal(playerOfPlace(here, "rows@4"), "rows@4");
  assert.deepEqual(playersPlace(here, { x: "rows@4", o: "human" }), { table: "" });
});

test("a link to a game against a table brings the table along", () => {
  const here = lab();
  here.tables.save("mine", ONES);
  const place = playersPlace(here, { x: "human", o: "own:mine@2" });
  assert.deepEqual(place, { table: '{"values":{"0,1":-1,"1,0":1}}' });
  assert.deepEqual(playersPlace(here, { x: "human", o: "level-1" }), { table: "" });
  here.place = place;
  assert.equal(playerOfPlace(here, "own:mine@2"), "own:mine@2");
  assert.equal(playerOfPlace(here, "level-1"), "level-1");
  const there = lab(place);
  assert.equal(playerOfPlace(there, "own:mine@2"), "own:@2");
  assert.ok(isSameTable(there.tables.draft, ONES));
  assert.equal(playerOfPlace(lab(), "own:mine@2"), "own:mine@2");
});
