// The tree of a question, with a field for every value, window and cut that is asked.
import { html, icon, svg } from "../../dom.js";
import { nodeShape } from "../../nodes.js";
import { SIGNS, fullName, keyTexts } from "./marking.js";

const COLUMN = 126;
const PLY = 128;
const MARGIN = 62;
const TOP = 40;
const HALF = 17; // of a node's height
const SHAPE = { half: HALF, boxHalf: 14, spread: 20 };
const LABEL = "the tree to fill in";

/**
 * What can be filled in at a node and its edge.
 * @typedef {object} Fields
 * @property {HTMLInputElement} [value]
 * @property {HTMLInputElement} [alpha]
 * @property {HTMLInputElement} [beta]
 * @property {HTMLButtonElement} [cut]
 */

/** @type {["value", "alpha", "beta"]} */
const TEXTS = ["value", "alpha", "beta"];

/** @param {HTMLElement} element @param {number} x @param {number} y */
function put(element, x, y) {
  element.style.left = `${x}px`;
  element.style.top = `${y}px`;
  return element;
}

/** @param {string} name @param {string} label @param {string} placeholder */
const textField = (name, label, placeholder) =>
  html("input", {
    type: "text",
    class: name,
    "aria-label": label,
    placeholder,
    autocomplete: "off",
  });

/** @param {HTMLButtonElement} cutter */
const isPressed = (cutter) => cutter.getAttribute("aria-pressed") === "true";

export class Paper {
  element = html("div", {
    class: "sheet scroll",
    role: "region",
    tabindex: "0",
    "aria-label": LABEL,
  });
  /** @type {Map<string, Fields>} */
  fields = new Map();

  /** @param {Question} question */
  draw({ nodes, asked }) {
    const places = nodes.map(placeOf);
    const width = Math.max(...places.map(({ x }) => x)) + MARGIN;
    const height = Math.max(...places.map(({ y }) => y)) + 50;
    const viewBox = `0 0 ${width} ${height}`;
    const drawing = svg("svg", { width, height, viewBox, "aria-hidden": "true" });
    const paper = html("div", { class: "paper" }, drawing);
    paper.style.width = `${width}px`;
    paper.style.height = `${height}px`;
    this.fields.clear();
    for (const node of nodes) {
      const parent = nodes.find(({ path }) => path === node.parent);
      const edge = parent && edgeBetween(placeOf(parent), placeOf(node));
      drawing.append(...(edge ? [edge] : []), ...nodeParts(node));
      const fields = fieldsOf(node, fullName(nodes, node.path), asked, edge);
      paper.append(...placed(node, fields));
      this.fields.set(node.path, fields);
    }
    this.element.replaceChildren(paper);
    this.element.scrollLeft = places[0].x - this.element.clientWidth / 2; // the root
  }

  /** What has been filled in, by path. */
  get answer() {
    /** @type {Record<string, NodeAnswer>} */
    const answer = {};
    for (const [path, fields] of this.fields) {
      /** @type {NodeAnswer} */
      const written = {};
      for (const name of TEXTS) {
        const text = fields[name]?.value.trim();
        if (text) written[name] = text;
      }
      if (fields.cut && isPressed(fields.cut)) written.cut = true;
      if (Object.keys(written).length) answer[path] = written;
    }
    return answer;
  }

  /** @param {Mark[]} marks */
  showMarks(marks) {
    for (const old of this.element.querySelectorAll(".verdict")) old.remove();
    for (const old of this.element.querySelectorAll("[data-mark]"))
      old.removeAttribute("data-mark");
    for (const mark of marks) this.showMark(mark, this.fields.get(mark.path) ?? {});
  }

  /** @param {Mark} mark @param {Fields} fields */
  showMark({ item, verdict, possible }, fields) {
    const saysWindow = item === "cut" && verdict === "right" && !possible && fields.alpha;
    if (saysWindow) return; // no cut where none is: the window's own mark is enough
    const marked = item === "window" ? [fields.alpha, fields.beta] : [fields[item]];
    const controls = marked.filter((control) => control !== undefined);
    for (const control of controls) control.setAttribute("data-mark", verdict);
    const last = controls.at(-1);
    if (!last) return;
    const name = `verdict ${verdict} for-${item}`;
    const sign = html("span", { class: name, "aria-hidden": "true" }, SIGNS[verdict]);
    const { left, top } = last.style;
    last.after(item === "value" ? put(sign, parseFloat(left) + 56, parseFloat(top) + 3) : sign);
  }

  /** Fill in the key. @param {Record<string, KeyEntry>} key */
  fillIn(key) {
    for (const [path, entry] of Object.entries(key)) {
      const fields = this.fields.get(path) ?? {};
      const texts = keyTexts(entry);
      for (const name of TEXTS) {
        const control = fields[name];
        if (control && texts[name] !== undefined) control.value = texts[name];
      }
      if (fields.cut && entry.cut !== isPressed(fields.cut)) fields.cut.click();
    }
  }
}

/** @param {QuestionNode} node */
const placeOf = ({ x, ply }) => ({ x: MARGIN + x * COLUMN, y: TOP + ply * PLY });

/** @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to */
const edgeBetween = (from, to) =>
  svg("path", { class: "edge", d: `M${from.x} ${from.y + HALF}L${to.x} ${to.y - HALF}` });

/** @param {QuestionNode} node */
function nodeParts(node) {
  const { x, y } = placeOf(node);
  const below = node.leaf ? 5 : node.max ? 11 : 0;
  return [nodeShape(node, x, y, SHAPE), svg("text", { x, y: y + below }, node.name)];
}

/**
 * @param {QuestionNode} node @param {string} name @param {string[]} asked
 * @param {SVGElement} [edge]
 * @returns {Fields}
 */
function fieldsOf(node, name, asked, edge) {
  /** @type {Fields} */
  const fields = {};
  if (asked.includes("windows")) {
    fields.alpha = textField("end", `alpha at ${name}`, "α");
    fields.beta = textField("end", `beta at ${name}`, "β");
  }
  if (asked.includes("cuts") && edge) fields.cut = cutter(name, edge);
  if (asked.includes("values") && !node.leaf)
    fields.value = textField("value", `value of ${name}`, "value");
  return fields;
}

/** A button that cuts an edge, or no longer. @param {string} name @param {SVGElement} edge */
function cutter(name, edge) {
  const label = `cut the edge to ${name}`;
  const names = { class: "cutter", "aria-pressed": "false", "aria-label": label, title: label };
  const button = html("button", { type: "button", ...names }, icon("cut"));
  button.onclick = () => {
    const isCut = !isPressed(button);
    button.setAttribute("aria-pressed", String(isCut));
    edge.classList.toggle("cut", isCut);
  };
  return button;
}

/** On the edge, or beside the node. @param {QuestionNode} node @param {Fields} fields */
function placed(node, { value, alpha, beta, cut }) {
  const { x, y } = placeOf(node);
  const parts = [];
  if (alpha || cut) parts.push(put(html("div", { class: "on-edge" }, alpha, beta, cut), x, y - 46));
  if (value) parts.push(put(value, x + 24, y - 13));
  return parts;
}
