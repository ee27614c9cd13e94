// Elements and icons.

const SVG = "http://www.w3.org/2000/svg";
const LONG = 500; // letters of a text that a message has no room for

const ICONS = {
  logo: "M12 2 20 10H4zM12 9 6 21M12 9l6 12M13 16l7-3",
  undo: "M9 5 4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3",
  redo: "M15 5l5 5-5 5M20 10H10a5 5 0 0 0 0 10h3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3 11v2h6v-2a6 6 0 0 0-3-11",
  link:
    "M10 14a4 4 0 0 1 0-6l3-3a4 4 0 0 1 6 6l-1 1" + "M14 10a4 4 0 0 1 0 6l-3 3a4 4 0 0 1-6-6l1-1",
  down: "M12 4v11M7 11l5 5 5-5M5 20h14",
  first: "M6 5v14M18 5 9 12l9 7z",
  back: "M16 5 7 12l9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
  cut: "M6 6l12 12M6 18 18 6M6 4a2 2 0 1 1 0 4 2 2 0 0 1 0-4M6 16a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
  cutback: "M10 6l10 10M10 16 20 6M7 6l-5 5 5 5",
  cutnext: "M4 6l10 10M4 16 14 6M17 6l5 5-5 5",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  fold: "M12 3v6M12 9 6 15M12 9l6 6M4 20h16M9 20v-2M15 20v-2",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5v14M17 5v14",
  sun:
    "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 2v3M12 19v3M2 12h3M19 12h3" +
    "M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z",
  halves: "M12 3a9 9 0 1 1 0 18zM12 3a9 9 0 1 0 0 18",
};

/** @typedef {keyof typeof ICONS} IconName */

/**
 * @template {Element} Made
 * @param {Made} element @param {Attributes} attributes @param {Children} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  const shown = children.flat().filter((child) => child !== false && child != null);
  element.append(.../** @type {(Node | string)[]} */ (shown));
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} attributes @param {Children} children
 */
export const html = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} attributes @param {Children} children
 */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/**
 * A class attribute: names, and those of the flags that are set.
 * @param {string} names @param {Record<string, unknown>} flags
 */
export function classes(names, flags) {
  const set = Object.entries(flags).filter(([, is]) => is);
  return [names, ...set.map(([name]) => name)].join(" ");
}

/** Signs of this page alone: a notebook shows several, each with scripts of its own. */
const PAGE = Math.random().toString(36).slice(2, 8);
let named = 0;

/** An id that nothing else in the document has. @param {string} name */
export const uniqueId = (name) => `${name}-${PAGE}-${++named}`;

/** @param {IconName} name */
export const icon = (name) =>
  svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: ICONS[name] }),
  );

/** @param {string} label @param {() => void} onclick @param {Attributes} attributes */
export const button = (label, onclick, attributes = {}) =>
  html("button", { type: "button", ...attributes, onclick }, label);

/** @param {IconName} name @param {string} label */
export const labelled = (name, label) => [icon(name), html("span", {}, label)];

/**
 * A button that does nothing while it is idle.
 * @param {IconName} name @param {string} label
 * @param {() => void} onclick @param {Attributes} attributes
 */
export function iconButton(name, label, onclick, attributes = {}) {
  /** @param {Event & { currentTarget: Element }} event */
  const listen = ({ currentTarget }) =>
    currentTarget.getAttribute("aria-disabled") !== "true" && onclick();
  const all = { type: "button", ...attributes, onclick: listen };
  return html("button", all, ...labelled(name, label));
}

/**
 * A button that is of no use just now keeps its place for whoever goes by keys: it says so.
 * @param {Element} element @param {boolean} is
 */
export const idle = (element, is) => element.setAttribute("aria-disabled", String(is));

/**
 * Replace the children of an element. The focus, if it is inside, goes to the control with the same
 * number, else to the last one; without controls to the element until there are some.
 * @param {HTMLElement} element @param {(Node | string)[]} children
 */
export function redraw(element, ...children) {
  const controls = () => [...element.querySelectorAll("button, [tabindex='0']")];
  const active = document.activeElement;
  const at = element === active ? 0 : controls().findIndex((control) => control === active);
  element.replaceChildren(...children);
  if (at < 0) return;
  const left = controls();
  element.tabIndex = -1;
  /** @type {HTMLElement} */ (left[at] ?? left.at(-1) ?? element).focus({ preventScroll: true });
}

/** @param {string} label @param {Children} children */
export const toolbar = (label, ...children) =>
  html("div", { class: "bar", role: "toolbar", "aria-label": label }, ...children);

/** @param {string} text */
export const heading = (text) => html("h2", {}, text);

/** @param {Child} [text] */
export const paragraph = (text) => html("p", {}, text);

/** @param {string} [text] */
export const help = (text) => html("p", { class: "help" }, text);

/** A paragraph whose changes are read aloud. @param {string} name */
export const status = (name = "status") => html("p", { class: name, role: "status" });

/** Return the message of an error as a paragraph. @param {unknown} error */
export const failure = (error) =>
  html("p", { class: "error" }, /** @type {Error} */ (error).message);

/** @param {string} summary @param {Children} children */
export const details = (summary, ...children) =>
  html("details", {}, html("summary", {}, summary), ...children);

/**
 * A table; a row may be an element, and so may a cell.
 * @param {string[]} head @param {(Child[] | HTMLTableRowElement)[]} rows @param {Child} [caption]
 * @param {Attributes} attributes
 */
export function table(head, rows, caption, attributes = {}) {
  const headings = head.map((text) => html("th", { scope: "col" }, text));
  return html(
    "table",
    attributes,
    caption && html("caption", {}, caption),
    head.length > 0 && html("thead", {}, html("tr", {}, headings)),
    html(
      "tbody",
      {},
      rows.map((row) => (row instanceof Element ? row : tableRow(row))),
    ),
  );
}

/** @param {Child[]} cells @param {Attributes} attributes */
export function tableRow(cells, attributes = {}) {
  const isCell = (/** @type {Child} */ cell) => cell instanceof HTMLTableCellElement;
  return html(
    "tr",
    attributes,
    ...cells.map((cell) => (isCell(cell) ? cell : html("td", {}, cell))),
  );
}

/** A cell of a number. @param {Child} child */
export const numberCell = (child) => html("td", { class: "number" }, child);

/** A region that scrolls, which keys can reach. @param {string} label @param {Children} children */
export const scroller = (label, ...children) =>
  html("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, ...children);

/**
 * Copy a text, and tell that it is; where the browser forbids that, tell the text.
 * @param {Pick<Lab, "tell">} lab @param {string} text @param {string} what
 */
export async function copyText(lab, text, what) {
  try {
    await navigator.clipboard.writeText(text);
    lab.tell(`${what} copied`);
  } catch {
    const said = text.length < LONG ? `; the text is: ${text}` : "";
    lab.tell(`this browser does not allow copying${said}`);
  }
}

/** @param {string} name @param {string} type @param {Blob | string} content */
export function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  html("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
