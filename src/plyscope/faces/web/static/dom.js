// Elements, icons, and a voice for screen readers.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
export const s = (tag, attributes = {}, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

const ICONS = {
  logo: "M12 2 20 10H4zM12 9 6 21M12 9l6 12M13 16l7-3",
  undo: "M9 5 4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3",
  redo: "M15 5l5 5-5 5M20 10H10a5 5 0 0 0 0 10h3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3 11v2h6v-2a6 6 0 0 0-3-11",
  link: "M10 14a4 4 0 0 1 0-6l3-3a4 4 0 0 1 6 6l-1 1M14 10a4 4 0 0 1 0 6l-3 3a4 4 0 0 1-6-6l1-1",
  down: "M12 4v11M7 11l5 5 5-5M5 20h14",
  first: "M6 5v14M18 5 9 12l9 7z",
  back: "M16 5 7 12l9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
  cut: "M6 6l12 12M6 18 18 6M6 4a2 2 0 1 1 0 4 2 2 0 0 1 0-4M6 16a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5v14M17 5v14",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z",
  halves: "M12 3a9 9 0 1 1 0 18zM12 3a9 9 0 1 0 0 18",
};

export const icon = (name) =>
  s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, s("path", { d: ICONS[name] }));

export const iconButton = (name, label, onclick, attributes = {}) =>
  h(
    "button",
    { type: "button", ...attributes, onclick: (event) => event.currentTarget.getAttribute("aria-disabled") !== "true" && onclick(event) },
    icon(name),
    h("span", {}, label),
  );

// A button that is of no use just now keeps its place for whoever goes by keys: it says so, and does nothing.
export const idle = (button, is) => button.setAttribute("aria-disabled", is);

export function announcer() {
  const element = h("div", { class: "spoken", role: "status", "aria-live": "polite" });
  return { element, announce: (text) => (element.textContent = text) };
}

let fields = 0;
// A labelled control. `control` is an input, select or textarea.
export function field(label, control, attributes = {}) {
  control.id ||= `field-${++fields}`;
  return h("div", { class: "field", ...attributes }, h("label", { for: control.id }, label), control);
}

// A select of [value, text] pairs or texts.
export function choice(options, value, onchange) {
  const items = options.map((item) => (Array.isArray(item) ? item : [item, item]));
  const element = h("select", { onchange: (event) => onchange?.(event.target.value) });
  element.append(...items.map(([key, text, title]) => h("option", { value: key, title }, text)));
  if (value !== undefined) element.value = value;
  return element;
}

export function table(head, rows, caption) {
  return h(
    "table",
    {},
    caption && h("caption", {}, caption),
    h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell ?? ""))))),
  );
}

// A region that scrolls sideways, which keys can reach.
export const scroller = (label, ...children) => h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, children);

export const count = (number) => number.toLocaleString("en").replaceAll("-", "−");

export function download(name, type, text) {
  const url = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
