// The model of a page of its own: the address bar keeps the place; what carries requests is added.
import { formatPlace, parsePlace } from "./link.js";
import widget from "../widget.js";

/** @abstract */
export class PageModel {
  /** @type {Map<string, ((message: any) => void)[]>} */
  listeners = new Map();

  /** @param {string} name @param {(message: any) => void} listener */
  on(name, listener) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }

  /** @param {string} name @param {(message: any) => void} listener */
  off(name, listener) {
    this.listeners.set(
      name,
      (this.listeners.get(name) ?? []).filter((other) => other !== listener),
    );
  }

  /** @param {string} name @param {unknown} message */
  tell(name, message) {
    for (const listener of this.listeners.get(name) ?? []) listener(message);
  }

  /** Only the place is kept, in the address. @param {"place"} _name */
  get(_name) {
    return parsePlace(location.hash.slice(1));
  }

  /** @param {"place"} _name @param {Place} place @param {{ isStep?: boolean }} [how] */
  set(_name, place, { isStep = false } = {}) {
    const text = formatPlace(place);
    const address = text ? `#${text}` : location.pathname + location.search;
    if (isStep) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  save_changes() {}

  /** @param {string} title */
  entitle(title) {
    document.title = title;
  }
}

/** Show the page in its window. @param {Model & PageModel} model */
export function open(model) {
  const root = /** @type {HTMLElement} */ (document.getElementById("plyscope"));
  widget.render({ model, el: root });
  for (const kind of ["popstate", "hashchange"])
    addEventListener(kind, () => model.tell("change:place", undefined));
  // The whole page is the widget's: it hears keys that nothing else has.
  addEventListener("keydown", (event) => {
    if (event.target !== document.body) return;
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const same = { key, ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true };
    if (!root.firstElementChild?.dispatchEvent(new KeyboardEvent("keydown", same)))
      event.preventDefault();
  });
}
