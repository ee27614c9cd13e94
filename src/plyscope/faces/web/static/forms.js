// Forms and their controls.
import { html, labelled, uniqueId } from "./dom.js";

/** A form's own button. @param {string} label @param {IconName} [name] */
export const submit = (label, name) =>
  name
    ? html("button", { type: "submit", class: "primary" }, ...labelled(name, label))
    : html("button", { type: "submit" }, label);

/** @param {() => void} onsubmit @param {Children} children */
export function form(onsubmit, ...children) {
  /** @param {Event} event */
  const listen = (event) => {
    event.preventDefault();
    onsubmit();
  };
  return html("form", { class: "form", onsubmit: listen }, ...children);
}

/** Controls that stand together without being sent. @param {Children} children */
export const controls = (...children) => html("div", { class: "form" }, ...children);

/**
 * A labelled control.
 * @param {string} label @param {HTMLElement} control @param {Attributes} attributes
 */
export function field(label, control, attributes = {}) {
  control.id ||= uniqueId("field");
  const name = html("label", { for: control.id }, label);
  return html("div", { class: "field", ...attributes }, name, control);
}

/**
 * A list to choose from, at its first option unless a value is given.
 * @param {Options} options @param {string} [value] @param {(value: string) => void} [onchange]
 */
export function choice(options, value, onchange) {
  const element = html("select", { onchange: () => onchange?.(element.value) });
  element.append(...optionsOf(options));
  if (value !== undefined) element.value = value;
  return element;
}

/**
 * A few choices side by side, of which one is taken.
 * @param {string} label @param {Record<string, string>} options
 * @param {string} value @param {(value: string) => void} onchange
 */
export function toggle(label, options, value, onchange) {
  const name = uniqueId("toggle");
  const choices = Object.entries(options).map(([key, text]) => {
    const input = html("input", { type: "radio", name, value: key, checked: key === value });
    input.onchange = () => onchange(key);
    return html("label", {}, input, html("span", {}, text));
  });
  return html(
    "fieldset",
    { class: "toggle" },
    html("legend", { class: "spoken" }, label),
    ...choices,
  );
}

/** @param {Options} options */
export function optionsOf(options) {
  return (Array.isArray(options) ? options : Object.entries(options)).map((option) => {
    const [key, text, title] = typeof option === "string" ? [option, option] : option;
    return html("option", { value: key, title }, text);
  });
}

/** The entries of a catalogue as options. @param {Named[]} entries */
export function namedOptions(entries) {
  /** @param {Named} entry @returns {[string, string, string]} */
  const option = ({ name, summary }) => [name, name, summary];
  return entries.map(option);
}

/** @param {string} value @param {Attributes} attributes */
export function textInput(value, attributes = {}) {
  const plain = { type: "text", spellcheck: "false", autocomplete: "off" };
  return html("input", { ...plain, value, ...attributes });
}

/**
 * @param {number | string} value @param {Attributes} attributes
 * @param {(text: string) => void} [onchange] is told what was typed
 */
export function numberInput(value, attributes, onchange) {
  const element = html("input", { type: "number", ...attributes, value });
  element.onchange = () => onchange?.(element.value);
  return element;
}
