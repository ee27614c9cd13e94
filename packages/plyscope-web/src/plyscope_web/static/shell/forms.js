// Forms and their controls.
import { html, labelled, uniqueId } from "./dom.js";
import { limitsText, numberFault } from "./wording.js";

/** A form's own button. @param {string} label @param {IconName} [name] */
export const submit = (label, name) =>
  name
    ? html("button", { type: "submit", class: "primary" }, ...labelled(name, label))
    : html("button", { type: "submit" }, label);

/**
 * A form that is sent once all its numbers are right.
 * @param {() => void} onsubmit @param {Children} children
 */
export function form(onsubmit, ...children) {
  const element = html("form", { class: "form", novalidate: true }, ...children);
  element.onsubmit = (event) => {
    event.preventDefault();
    /** @type {NodeListOf<HTMLInputElement>} */
    const numbers = element.querySelectorAll("input[type=number]:enabled");
    const wrong = [...numbers].find((input) => !isRight(input));
    if (wrong) wrong.focus();
    else onsubmit();
  };
  return element;
}

/** Controls that stand together without being sent. @param {Children} children */
export const controls = (...children) => html("div", { class: "form" }, ...children);

/**
 * A labelled control. A field for a number says its limits.
 * @param {string} label @param {HTMLElement} control @param {Attributes} attributes
 */
export function field(label, control, attributes = {}) {
  control.id ||= uniqueId("field");
  const name = html("label", { for: control.id }, label);
  if (control.getAttribute("type") !== "number")
    return html("div", { class: "field", ...attributes }, name, control);
  const range = rangeOf(/** @type {HTMLInputElement} */ (control));
  const limits = html("small", { id: `${control.id}-limits` }, limitsText(range));
  control.setAttribute("aria-describedby", limits.id);
  return html("div", { class: "field", ...attributes }, name, limits, control);
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
 * A field for a number in a range. What is wrong with one that was typed stands below the field.
 * @param {number | string} value
 * @param {import("./wording.js").NumberRange & Attributes} range
 * @param {(text: string) => void} [onchange] is told what was typed, if it is right
 */
export function numberInput(value, { isOptional = false, ...attributes }, onchange) {
  const names = { type: "number", required: !isOptional, ...attributes, value };
  const element = html("input", names);
  element.onchange = () => isRight(element) && onchange?.(element.value);
  element.oninput = () => element.matches("[aria-invalid]") && isRight(element);
  return element;
}

/** Put a number into a field. @param {HTMLInputElement} input @param {number} value */
export function setNumber(input, value) {
  input.value = String(value);
  isRight(input);
}

/** Whether what stands in a field is a number that it takes; what is wrong is said below it. */
export function isRight(/** @type {HTMLInputElement} */ input) {
  const fault = faultOf(input);
  const id = `${(input.id ||= uniqueId("number"))}-fault`;
  const before = input.nextElementSibling;
  const said = before?.id === id ? before : html("p", { class: "error fault", id, role: "alert" });
  said.textContent = fault;
  if (!fault) {
    input.removeAttribute("aria-invalid");
    said.remove();
  } else {
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-errormessage", id);
    if (said !== before) input.after(said);
  }
  return !fault;
}

/** @param {HTMLInputElement} input */
function rangeOf({ min, max, step, required, validity }) {
  const number = (/** @type {string} */ text) => (text === "" ? undefined : Number(text));
  const isOptional = !required && !validity.badInput;
  return { min: number(min), max: number(max), step: number(step), isOptional };
}

/** @param {HTMLInputElement} input */
const faultOf = (input) => numberFault(input.value, rangeOf(input));

/** A number, null where a field may be empty; raise its fault. @param {HTMLInputElement} input */
export function numberOf(input) {
  if (isRight(input)) return input.value === "" ? null : Number(input.value);
  throw new Error(`${input.labels?.[0]?.textContent ?? "number"}: ${faultOf(input)}`);
}
