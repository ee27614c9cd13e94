// The camera on a tree; at small scales columns draw together, plies keep apart.

/** Left and top in the tree's own units; `scale` is of columns. */
/** @typedef {{ scale: number, left: number, top: number }} Camera */
/** @typedef {{ width: number, height: number }} Size */

/** Below this scale nodes are dots. */
export const LEGIBLE = 0.4;
const LARGEST = 2.5;
/** A small tree fills no more than this. */
const FULL = 1.4;
/** The scale at which a tree opens that does not fit. */
const COMFORTABLE = 0.85;
/** From this scale on texts are drawn: a tree that fits at it is opened whole. */
export const READABLE = 0.54;
/** The part of the view at each side that is its edge. */
const EDGE = 0.12;

/** The scale of plies. @param {number} scale @param {Size} tree @param {Size} view */
export const verticalScale = (scale, tree, view) =>
  Math.max(scale, Math.min(LEGIBLE, view.height / tree.height));

/** The scale at which all is seen. @param {Size} tree @param {Size} view */
export const fitScale = (tree, view) =>
  Math.min(FULL, view.width / tree.width, view.height / tree.height);

/**
 * A camera that does not look beyond the tree; what is smaller than the view stands in its middle.
 * @param {Camera} camera @param {Size} tree @param {Size} view @returns {Camera}
 */
export function kept({ scale, left, top }, tree, view) {
  /** @param {number} at @param {number} size @param {number} seen */
  const within = (at, size, seen) =>
    seen >= size ? (size - seen) / 2 : Math.max(0, Math.min(size - seen, at));
  const vertical = verticalScale(scale, tree, view);
  return {
    scale,
    left: within(left, tree.width, view.width / scale),
    top: within(top, tree.height, view.height / vertical),
  };
}

/** @param {Size} tree @param {Size} view */
export const fitted = (tree, view) =>
  kept({ scale: fitScale(tree, view), left: 0, top: 0 }, tree, view);

/**
 * Where a tree is opened: all of it where that can be read, else its root.
 * @param {Size} tree @param {Size} view @param {Point} root
 * @param {number} [least] the scale from which on it can be read
 * @param {number} [height] of the tree unfolded, which has room where it can
 */
export function opened(tree, view, [x], least = READABLE, height = tree.height) {
  const fit = fitScale(tree, view);
  if (fit >= least) {
    const scale = Math.min(fit, Math.max(COMFORTABLE, fitScale({ ...tree, height }, view)));
    return kept({ scale, left: x - view.width / scale / 2, top: 0 }, tree, view);
  }
  const left = x - view.width / COMFORTABLE / 2;
  return kept({ scale: COMFORTABLE, left, top: 0 }, tree, view);
}

/**
 * Closer by a factor, a place of the view staying where it is.
 * @param {Camera} camera @param {Size} tree @param {Size} view
 * @param {number} factor @param {Point} at
 */
export function zoomed(camera, tree, view, factor, [x, y]) {
  const least = Math.min(fitScale(tree, view), LEGIBLE);
  const scale = Math.max(least, Math.min(LARGEST, camera.scale * factor));
  const before = verticalScale(camera.scale, tree, view);
  const vertical = verticalScale(scale, tree, view);
  const left = camera.left + x / camera.scale - x / scale;
  const top = camera.top + y / before - y / vertical;
  return kept({ scale, left, top }, tree, view);
}

/**
 * Moved by as many pixels of the view.
 * @param {Camera} camera @param {Size} tree @param {Size} view @param {Point} by
 */
export function moved(camera, tree, view, [x, y]) {
  const { scale, left, top } = camera;
  const vertical = verticalScale(scale, tree, view);
  return kept({ scale, left: left - x / scale, top: top - y / vertical }, tree, view);
}

/**
 * Return the camera moved, and zoomed out if necessary, until all places are in view.
 * @param {Camera} camera @param {Size} tree @param {Size} view @param {Point[]} places
 */
export function showing(camera, tree, view, places) {
  const spans = [0, 1].map((axis) => {
    const ends = places.map((place) => place[axis]);
    return [Math.min(...ends), Math.max(...ends)];
  });
  const inner = 1 - 2 * EDGE;
  /** @param {number} all @param {number} seen @param {number[]} span */
  const limit = (all, seen, [low, high]) => Math.max(seen / all, (seen * inner) / (high - low));
  const scale = Math.min(
    camera.scale,
    limit(tree.width, view.width, spans[0]),
    limit(tree.height, view.height, spans[1]),
  );
  /** @param {number} at @param {number} seen @param {number[]} span */
  const shifted = (at, seen, [low, high]) =>
    low >= at + seen * EDGE && high <= at + seen * (1 - EDGE) ? at : (low + high - seen) / 2;
  const left = shifted(camera.left, view.width / scale, spans[0]);
  const top = shifted(camera.top, view.height / verticalScale(scale, tree, view), spans[1]);
  return kept({ scale, left, top }, tree, view);
}

/**
 * Showing a place and the one above it; the place alone where both could not be read.
 * @param {Camera} camera @param {Size} tree @param {Size} view
 * @param {Point} place @param {Point} above @param {number} [least] the scale at which texts are read
 */
export function revealing(camera, tree, view, place, above, least = READABLE) {
  const both = showing(camera, tree, view, [place, above]);
  return both.scale < Math.min(camera.scale, least) ? showing(camera, tree, view, [place]) : both;
}

/**
 * Part of the way from one camera to another.
 * @param {Camera} from @param {Camera} to @param {number} part @returns {Camera}
 */
export function between(from, to, part) {
  /** @param {"scale" | "left" | "top"} name */
  const mean = (name) => from[name] + (to[name] - from[name]) * part;
  return { scale: mean("scale"), left: mean("left"), top: mean("top") };
}

/** @param {Camera} one @param {Camera} other */
export const isSame = (one, other) =>
  one.scale === other.scale && one.left === other.left && one.top === other.top;
