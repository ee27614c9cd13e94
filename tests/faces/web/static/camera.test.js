import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fitted,
  kept,
  LEGIBLE,
  moved,
  opened,
  revealing,
  showing,
  verticalScale,
  zoomed,
} from "#page/tree/camera.js";

const VIEW = { width: 800, height: 600 };
const WIDE = { width: 80_000, height: 600 };
const SMALL = { width: 400, height: 300 };
const at = (camera, tree, [x, y]) => [
  (x - camera.left) * camera.scale,
  (y - camera.top) * verticalScale(camera.scale, tree, VIEW),
];

test("all of a tree is in view where it is fitted, and a small one in the middle", () => {
  const camera = fitted(WIDE, VIEW);
  assert.equal(at(camera, WIDE, [0, 0])[0], 0);
  assert.equal(Math.round(at(camera, WIDE, [WIDE.width, 0])[0]), VIEW.width);
  const small = fitted(SMALL, VIEW);
  const [left] = at(small, SMALL, [0, 0]);
  const [right] = at(small, SMALL, [SMALL.width, 0]);
  assert.ok(left > 0 && Math.abs(left - (VIEW.width - right)) < 1e-9);
});

test("from afar columns draw together and plies stay apart", () => {
  const { scale } = fitted(WIDE, VIEW);
  assert.ok(scale < 0.011);
  assert.equal(verticalScale(scale, WIDE, VIEW), LEGIBLE);
  assert.equal(verticalScale(0.7, WIDE, VIEW), 0.7);
});

test("what is pointed at stays where it is while one comes closer", () => {
  const start = { scale: 0.5, left: 30_000, top: 0 };
  const closer = zoomed(start, WIDE, VIEW, 2, [300, 200]);
  assert.equal(closer.scale, 1);
  const place = [start.left + 300 / 0.5, start.top + 200 / 0.5];
  assert.deepEqual(at(closer, WIDE, place).map(Math.round)[0], 300);
});

test("one comes no closer than is of use, and goes no farther than all", () => {
  let camera = fitted(WIDE, VIEW);
  assert.deepEqual(zoomed(camera, WIDE, VIEW, 0.5, [0, 0]), camera);
  for (let turn = 0; turn < 40; turn++) camera = zoomed(camera, WIDE, VIEW, 2, [400, 300]);
  assert.equal(camera.scale, 2.5);
});

test("no camera looks beyond the tree", () => {
  const camera = moved({ scale: 1, left: 100, top: 0 }, WIDE, VIEW, [5_000, 5_000]);
  assert.deepEqual(camera, { scale: 1, left: 0, top: 0 });
  assert.equal(kept({ scale: 1, left: 1e9, top: 0 }, WIDE, VIEW).left, WIDE.width - VIEW.width);
});

test("a large tree opens at its root, one that can be read as a whole", () => {
  const root = [40_000, 46];
  const camera = opened(WIDE, VIEW, root);
  assert.ok(camera.scale > 0.7);
  assert.equal(Math.round(at(camera, WIDE, root)[0]), VIEW.width / 2);
  assert.deepEqual(opened(SMALL, VIEW, [200, 46]), fitted(SMALL, VIEW));
});

test("what is in view is revealed without a move, another place comes to the middle", () => {
  const camera = { scale: 1, left: 1_000, top: 0 };
  const lookingAt = (x, above) => revealing(camera, WIDE, VIEW, [x, 300], [above, 100]).left;
  assert.equal(lookingAt(1_400, 1_400), 1_000);
  assert.equal(lookingAt(9_000, 40_000), 9_000 - VIEW.width / 2);
  assert.equal(lookingAt(9_000, 9_400), 9_200 - VIEW.width / 2); // and the place above it
});

test("a place far from the one above it is seen with it from farther away, while it can be read", () => {
  const camera = { scale: 1, left: 1_000, top: 0 };
  const both = revealing(camera, WIDE, VIEW, [9_000, 300], [9_900, 100], 0.5);
  assert.ok(both.scale < 1 && both.scale >= 0.5, `${both.scale}`);
  for (const place of [9_000, 9_900]) {
    const [x] = at(both, WIDE, [place, 300]);
    assert.ok(x > 0 && x < VIEW.width, `${place} at ${x}`);
  }
  const alone = revealing(camera, WIDE, VIEW, [9_000, 300], [40_000, 100], 0.5);
  assert.deepEqual([alone.scale, at(alone, WIDE, [9_000, 300])[0]], [1, VIEW.width / 2]);
});

test("places are all in view, however far apart they stand; a tree in view stays where it is", () => {
  const places = [
    [100, 40],
    [40_000, 200],
    [79_000, 560],
  ];
  const camera = showing({ scale: 1, left: 0, top: 0 }, WIDE, VIEW, places);
  for (const place of places) {
    const [x, y] = at(camera, WIDE, place);
    assert.ok(x >= 0 && x <= VIEW.width && y >= 0 && y <= VIEW.height, `${place}: ${[x, y]}`);
  }
  const small = fitted(SMALL, VIEW);
  const corners = [
    [0, 0],
    [SMALL.width, SMALL.height],
  ];
  assert.deepEqual(showing(small, SMALL, VIEW, corners), small);
});
