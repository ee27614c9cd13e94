import assert from "node:assert/strict";
import { test } from "node:test";
import { layoutFor } from "#page/rooms/quiz/layout.js";

const ALL = ["values", "windows", "cuts"];

/** The nodes of a full tree, as the server places them. */
function fullTree(plies, children) {
  const nodes = [];
  let leaves = 0;
  const add = (ply, path) => {
    const node = { path, ply, leaf: ply === plies, max: ply % 2 === 0 };
    nodes.push(node);
    if (node.leaf) node.x = leaves++;
    else {
      const below = Array.from({ length: children }, (_, at) => add(ply + 1, [...path, at]));
      node.x = (below[0].x + below.at(-1).x) / 2;
    }
    return node;
  };
  add(0, []);
  return nodes;
}

/** The least distance between two nodes of a ply, as they are drawn. */
function closest(nodes, { place, scale }) {
  const gaps = nodes.flatMap((one) =>
    nodes
      .filter((two) => two !== one && two.ply === one.ply)
      .map((two) => scale * Math.abs(place(one).x - place(two).x)),
  );
  return Math.min(...gaps);
}

test("eight leaves with all that can be asked fit a window of 1280 pixels with fields", () => {
  const nodes = fullTree(3, 2);
  const layout = layoutFor(nodes, ALL, 758, 500);
  assert.equal(layout.style, "rows");
  assert.ok(layout.scale * layout.width <= 758.01);
  assert.ok(closest(nodes, layout) >= 2 * 42); // alpha and beta beside each other
});

test("with more room fields stand in one row, and the drawing is larger", () => {
  const nodes = fullTree(3, 2);
  assert.equal(layoutFor(nodes, ALL, 1400, 700).style, "wide");
  const [small, large] = [340, 900].map((width) => layoutFor(nodes, ["cuts"], width, 800));
  assert.ok(large.scale > small.scale);
});

test("a tall window has longer edges, as far as the drawing stays one", () => {
  const nodes = fullTree(3, 2);
  const heights = [400, 600, 3000].map((height) => {
    const layout = layoutFor(nodes, ALL, 758, height);
    assert.ok(layout.scale * layout.height <= Math.max(height, 500));
    return layout.height;
  });
  assert.ok(heights[0] < heights[1] && heights[1] < heights[2]);
  assert.equal(heights[2] - heights[0], 3 * 60);
});

test("on a phone values alone have their fields, and all of it is asked node by node", () => {
  const nodes = fullTree(3, 2);
  const values = layoutFor(nodes, ["values"], 348, 500);
  assert.equal(values.style, "stacked");
  assert.ok(values.scale * values.width <= 348.01);
  const guided = layoutFor(nodes, ALL, 348, 500);
  assert.equal(guided.style, "guided");
  assert.ok(guided.scale * guided.width <= 348.01);
});

test("a large tree is never drawn so small that nobody can read it", () => {
  const layout = layoutFor(fullTree(3, 3), ALL, 348, 500);
  assert.equal(layout.style, "guided");
  assert.ok(layout.scale >= 0.6);
});

test("every node lies within the drawing", () => {
  for (const width of [300, 760, 1500])
    for (const asked of [["values"], ["cuts"], ["windows"], ALL])
      for (const nodes of [fullTree(3, 2), fullTree(1, 1), fullTree(2, 3)]) {
        const layout = layoutFor(nodes, asked, width, 500);
        for (const node of nodes) {
          const { x, y } = layout.place(node);
          assert.ok(x > 15 && x < layout.width - 15, `${asked} at ${width}`);
          assert.ok(y > 15 && y < layout.height - 15);
        }
      }
});
