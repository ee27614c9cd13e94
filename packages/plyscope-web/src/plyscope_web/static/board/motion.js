// Animations: a disc falls, a sign is written, a line grows; none with reduced motion.

const [FALL, WRITE, GROW] = [90, 220, 450]; // milliseconds, the first of a cell

/** Return whether the system asks for reduced motion. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
function move(element, frames, options) {
  if (!isStill()) element.animate(frames, options);
}

/** A disc falls through so many cells, faster and faster, and bounces. @param {Element} disc @param {number} cells */
export function fall(disc, cells) {
  const frames = [
    { translate: `0 ${-cells}px`, easing: "cubic-bezier(.5, 0, 1, .7)" },
    { translate: "0 0", offset: 0.75, easing: "ease-out" },
    { translate: `0 ${-0.04 * cells}px`, offset: 0.87, easing: "ease-in" },
    { translate: "0 0" },
  ];
  move(disc, frames, { duration: FALL * (2 + cells) });
}

/** A stroke grows from its begin to its end. @param {Element} path */
export function grow(path, duration = GROW) {
  path.setAttribute("pathLength", "1");
  const frames = [
    { strokeDasharray: "1 1", strokeDashoffset: 1 },
    { strokeDasharray: "1 1", strokeDashoffset: 0 },
  ];
  move(path, frames, { duration, easing: "ease-out" });
}

/** A sign is written; a stone is put down. @param {Element} stone */
export function sketch(stone) {
  const [first] = stone.children;
  if (first.matches(".disc"))
    move(stone, [{ scale: 0.6, opacity: 0.3 }, { scale: 1 }], { duration: WRITE / 2 });
  else grow(first, WRITE);
}
