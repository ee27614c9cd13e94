// The tools next to a board, on shelves; on a narrow page a sheet at the bottom.
import { button, html } from "./dom.js";

/** @typedef {{ name: string, label: string, parts: Children }} Shelf */

/** Tabs; arrow keys move between them. @param {string} label @param {Attributes} names */
export function tabList(label, names) {
  const element = html("div", { role: "tablist", "aria-label": label, ...names });
  element.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...element.querySelectorAll("button")];
    const at = tabs.findIndex((tab) => tab === event.target);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    next.click();
    next.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return element;
}

export class Tools {
  /** @type {Map<string, { tab: HTMLButtonElement, shelf: HTMLElement }>} */
  shelves = new Map();
  handle = button("Tools", () => this.raise(!this.isRaised), { class: "quiet handle" });

  /**
   * @param {string} label @param {Shelf[]} shelves
   * @param {string} [open] the first open shelf
   * @param {(name: string) => void} [onopen] is called with the shelf that a person opens
   */
  constructor(label, shelves, open = shelves[0].name, onopen = () => {}) {
    this.onopen = onopen;
    const tabs = tabList(label, { class: "shelves" });
    this.element = html("div", { class: "tools" }, this.handle, tabs);
    for (const { name, label, parts } of shelves) {
      const tab = button(label, () => this.choose(name), { role: "tab" });
      const names = { class: "shelf", role: "tabpanel", "aria-label": label };
      const shelf = html("div", names, ...parts);
      this.shelves.set(name, { tab, shelf });
      tabs.append(tab);
      this.element.append(shelf);
    }
    this.opened = shelves[0].name;
    this.show(this.shelves.has(open) ? open : this.opened);
    this.raise(false);
  }

  get isRaised() {
    return this.element.matches(".raised");
  }

  /** Raise or lower the sheet. @param {boolean} is */
  raise(is) {
    this.element.classList.toggle("raised", is);
    this.handle.setAttribute("aria-expanded", String(is));
  }

  get names() {
    return [...this.shelves.keys()];
  }

  /** Open a shelf. @param {string} wanted */
  show(wanted) {
    this.opened = wanted;
    for (const [name, { tab, shelf }] of this.shelves) {
      const isOpen = name === wanted;
      tab.setAttribute("aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      shelf.hidden = !isOpen;
    }
  }

  /** @param {string} name */
  choose(name) {
    this.show(name);
    this.raise(true);
    this.onopen(name);
  }
}
