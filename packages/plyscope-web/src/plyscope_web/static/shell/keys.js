// The page's keys, heard except where text is typed, and the dialog that lists them.
import { button, heading, html, table } from "./dom.js";

const WRITING = "input, select, textarea, [contenteditable]";
const PRESSED_BY_SPACE = "button, summary, a, [role=button], [role=gridcell], [role=treeitem]";
/** @type {Record<string, string>} */
const SIGNS = { ArrowLeft: "←", ArrowRight: "→", " ": "space" };
export const HELP = "?";

/** A key as it is listed: `Ctrl+Z`, `ArrowLeft`, `n`. @param {KeyboardEvent} event */
export function nameOf({ key, ctrlKey, metaKey }) {
  return ctrlKey || metaKey ? `Ctrl+${key.toUpperCase()}` : key;
}

/** Return the labels of keys. @param {Key} key */
export const signsOf = ({ keys, sign }) =>
  sign ?? keys.map((name) => SIGNS[name] ?? name).join(", ");

/**
 * Do what a key is for; whether it is for anything.
 * @param {KeyboardEvent} event @param {Key[]} keys
 */
export function press(event, keys) {
  const target = /** @type {Element} */ (event.target);
  if (event.defaultPrevented || event.altKey || target.matches(WRITING)) return false;
  const name = nameOf(event);
  if (name === " " && target.closest(PRESSED_BY_SPACE)) return false;
  const key = keys.find(({ keys }) => keys.includes(name));
  if (!key) return false;
  key.act(name);
  event.preventDefault();
  return true;
}

/** Keys that parts of the page hear while they have the focus. @type {[string, string][]} */
const PARTS = [
  ["← → ↑ ↓, Home, End", "on a board or in a tree: from cell to cell, from node to node"],
  ["Page up, Page down", "on a board of several levels: from level to level"],
  ["Enter, space", "on a cell: play there; on a node: choose it"],
  ["Enter, Shift+Enter", "in a field of a quiz: to the next one, to the one before"],
  ["← →", "on the names of rooms and shelves: from one to the next"],
];

/** The list of the keys; Escape closes it. */
export class KeysDialog {
  body = html("div");
  element = html("dialog", { class: "keys", "aria-label": "keys" });

  constructor() {
    const close = button("Close", () => this.element.close());
    this.element.append(heading("Keys"), this.body, close);
  }

  /** @param {string} room @param {Key[]} keys */
  show(room, keys) {
    if (this.element.open) return;
    const own = keys.map((key) => [signsOf(key), key.text]);
    this.body.replaceChildren(
      ...(own.length ? [table(["key", room], own)] : []),
      table(["key", "everywhere"], [...PARTS, [HELP, "this list"], ["Escape", "closes it"]]),
    );
    this.element.showModal();
  }
}
