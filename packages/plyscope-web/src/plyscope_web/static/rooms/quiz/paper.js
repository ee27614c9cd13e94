// The tree of a question with fields to fill in, or one node at a time if it is narrow.
import { button, classes, html, scroller, svg } from "../../shell/dom.js";
import { nodeShape } from "../../tree/nodes.js";
import { Fields } from "./fields.js";
import { HALF, layoutFor } from "./layout.js";
import { SIGNS, fullNames, keyTexts } from "./marking.js";

const SHAPE = { half: HALF, boxHalf: 14, spread: 20 };
/** The radius around a node that can be clicked. */
const HIT = 26;
/** The place of a cut on its edge, from 0 to 1. */
const CUT_FRACTION = 0.56;
/** The pixels of a window that are not the sheet's, and the least that a sheet has. */
const REST = 300;
const LEAST_HEIGHT = 260;

export class Paper {
  sheet = scroller("the tree to fill in");
  guide = html("div", { class: "guide", role: "group", hidden: true });
  element = html("div", { class: "answer" }, this.sheet, this.guide);
  /** @type {Map<string, Fields>} */
  fields = new Map();
  /** The names of the nodes by path. @type {Map<string, string>} */
  names = new Map();
  /** @type {Question | null} */
  question = null;
  /** The drawing of each node: its group and its edge. @type {Map<string, Element[]>} */
  drawn = new Map();
  /** The node that is asked about, or pointed at. */
  at = "";

  /**
   * @param {(answer: Record<string, NodeAnswer>) => void} onwrite is told what a person writes
   * @param {() => void} onend is told of Enter in the last field
   */
  constructor(onwrite, onend) {
    this.onwrite = onwrite;
    this.onend = onend;
    this.sheet.classList.add("sheet");
    this.element.onkeydown = (event) => this.hearKey(event);
    this.sheet.onclick = ({ target }) => {
      const node = /** @type {Element} */ (target).closest("[data-path]");
      if (node) this.go(node.getAttribute("data-path") ?? "");
    };
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(this.sheet);
  }

  /** @param {Question} question @param {Record<string, NodeAnswer>} [answer] */
  draw(question, answer = {}) {
    this.question = question;
    this.fields.clear();
    this.names = fullNames(question.nodes);
    for (const node of question.nodes) {
      const name = this.names.get(node.path) ?? "";
      const fields = new Fields(node, name, question.asked, () => this.written());
      fields.write(answer[node.path] ?? {});
      this.fields.set(node.path, fields);
    }
    this.at = this.asked[0] ?? "";
    this.width = 0;
    this.fit();
  }

  /** The nodes at which something is asked, in the order of the search. */
  get asked() {
    return [...this.fields].flatMap(([path, fields]) => (fields.controls.length ? [path] : []));
  }

  /** Lay the sheet out where its width has changed. */
  fit() {
    const box = getComputedStyle(this.sheet);
    const padding = parseFloat(box.paddingLeft) + parseFloat(box.paddingRight);
    const width = this.sheet.clientWidth - padding;
    if (!this.question || width <= 0 || Math.abs(width - (this.width ?? 0)) < 1) return;
    this.width = width;
    const { nodes, asked } = this.question;
    this.layout = layoutFor(nodes, asked, width, Math.max(LEAST_HEIGHT, innerHeight - REST));
    this.isGuided = this.layout.style === "guided";
    this.render();
  }

  render() {
    const { question, layout } = this;
    if (!question || !layout) return;
    const { width, height, scale, place } = layout;
    const size = { width: scale * width, height: scale * height };
    const viewBox = `0 0 ${width} ${height}`;
    const drawing = svg("svg", { ...size, viewBox, "aria-hidden": "true" });
    const paper = html("div", { class: "paper", "data-style": layout.style }, drawing);
    paper.style.width = `${size.width}px`;
    paper.style.height = `${size.height}px`;
    this.drawn.clear();
    for (const node of question.nodes) {
      const parent = question.nodes.find(({ path }) => path === node.parent);
      const { x, y } = place(node);
      const from = parent && place(parent);
      const d = from && `M${from.x} ${from.y + HALF}L${x} ${y - HALF}`;
      const edge = d && svg("path", { class: "edge", d });
      const below = node.leaf ? 5 : node.max ? 11 : 0;
      const name = svg("text", { x, y: y + below }, node.name.replace("-", "−"));
      const group = svg(
        "g",
        { class: "node", "data-path": node.path },
        nodeShape(node, x, y, SHAPE),
        name,
        svg("circle", { class: "hit", cx: x, cy: y, r: HIT }),
      );
      drawing.append(...(edge ? [edge] : []));
      this.drawn.set(node.path, edge ? [group, edge] : [group]);
      if (!this.isGuided) paper.append(...this.placed(node, { x, y }, from));
    }
    drawing.append(...[...this.drawn.values()].map(([group]) => group));
    this.sheet.replaceChildren(paper);
    this.guide.hidden = !this.isGuided || !this.asked.length;
    this.update();
    if (this.isGuided) this.go(this.at, false);
  }

  /**
   * The fields of a node: on its edge, and beside it or below.
   * @param {QuestionNode} node @param {{ x: number, y: number }} at
   * @param {{ x: number, y: number }} [above] its parent
   */
  placed(node, { x, y }, above) {
    const { texts, cutter } = /** @type {Fields} */ (this.fields.get(node.path));
    const { scale, isBeside } = /** @type {NonNullable<Paper["layout"]>} */ (this.layout);
    /** @param {HTMLElement} element @param {number} x @param {number} y */
    const at = (element, x, y) => {
      Object.assign(element.style, { left: `${scale * x}px`, top: `${scale * y}px` });
      return element;
    };
    /** @param {number} from @param {number} to */
    const between = (from, to) => from + (to - from) * CUT_FRACTION;
    const parts = [];
    if (texts.alpha) {
      const ends = html("span", { class: "ends" }, texts.alpha, texts.beta);
      const name = classes("on-edge", { leaf: node.leaf });
      parts.push(at(html("div", { class: name }, ends, cutter), x, y - HALF - 3));
    } else if (cutter && above) {
      const middle = html("div", { class: "on-edge middle" }, cutter);
      parts.push(at(middle, between(above.x, x), between(above.y, y)));
    }
    if (texts.value) {
      const box = html("span", { class: "of-node" }, texts.value);
      if (!isBeside) box.classList.add("below");
      parts.push(isBeside ? at(box, x + 24, y) : at(box, x, y + HALF + 3));
    }
    return parts;
  }

  /** Draw what was written: cuts, and all of it where there is no room for fields. */
  update() {
    if (!this.question || !this.layout) return;
    for (const old of this.sheet.querySelectorAll(".written")) old.remove();
    for (const node of this.question.nodes) {
      const fields = /** @type {Fields} */ (this.fields.get(node.path));
      const [group, edge] = this.drawn.get(node.path) ?? [];
      edge?.classList.toggle("cut", fields.isCut);
      group?.classList.toggle("at", Boolean(this.isGuided) && node.path === this.at);
      if (this.isGuided) group?.append(...this.writtenAt(node, fields));
    }
  }

  /** @param {QuestionNode} node @param {Fields} fields */
  writtenAt(node, { texts, marks, isCut }) {
    const { x, y } = /** @type {NonNullable<Paper["layout"]>} */ (this.layout).place(node);
    /** @param {Item} item @param {string} text @param {number} textX @param {number} textY */
    const text = (item, text, textX, textY) => {
      const verdict = marks.get(item)?.verdict;
      const name = `written halo ${item} ${verdict ?? ""}`;
      const sign = verdict && (text || verdict !== "right") && SIGNS[verdict];
      const [signX, signY] = item === "window" ? [textX, textY - 11] : [textX + 20, textY];
      return [
        sign && svg("text", { class: name, x: signX, y: signY }, sign),
        text && svg("text", { class: name, x: textX, y: textY }, text),
      ];
    };
    const { value, alpha, beta } = texts;
    const has = alpha?.value || beta?.value;
    const wrong = ["missing", "wrong"].includes(marks.get("cut")?.verdict ?? "");
    const parts = [
      value ? text("value", value.value.trim(), x + 36, y + 5) : [],
      alpha ? text("window", has ? `(${alpha.value}, ${beta?.value})` : "", x, y - HALF - 8) : [],
      isCut || wrong ? text("cut", isCut ? "✂" : "", x + (alpha ? 20 : 0), y - HALF - 9) : [],
    ];
    return parts.flat().filter((part) => part instanceof Element);
  }

  written() {
    this.update();
    this.onwrite(this.answer);
  }

  /** Ask about a node, or point at it. @param {string} path @param {boolean} withFocus */
  go(path, withFocus = true) {
    const fields = this.fields.get(path);
    if (!fields?.controls.length) return;
    this.at = path;
    if (this.isGuided) this.showGuide(fields);
    if (withFocus) fields.controls[0].focus({ preventScroll: this.isGuided });
    this.update();
    const { sheet, drawn } = this;
    const box = drawn.get(path)?.[0].getBoundingClientRect();
    const outer = sheet.getBoundingClientRect();
    if (box && (box.left < outer.left || box.right > outer.right))
      sheet.scrollLeft += box.left + box.width / 2 - outer.left - outer.width / 2;
  }

  /** @param {Fields} fields */
  showGuide(fields) {
    const { nodes } = /** @type {Question} */ (this.question);
    const node = /** @type {QuestionNode} */ (nodes.find(({ path }) => path === this.at));
    const place = this.asked.indexOf(this.at);
    const kind = node.leaf ? "leaf" : node.max ? "▲ MAX" : "▼ MIN";
    const title = `${this.names.get(this.at)} ${kind}`;
    const { alpha, beta, value } = fields.texts;
    /** @param {string} label @param {Children} parts */
    const part = (label, ...parts) => {
      const name = html("span", { class: "help", "aria-hidden": "true" }, label);
      return html("div", { class: "part" }, name, ...parts);
    };
    this.guide.setAttribute("aria-label", title);
    /** @param {number} step @param {string} label @param {string} sign */
    const walk = (step, label, sign) =>
      button(sign, () => this.go(this.asked[place + step], false), {
        "aria-label": label,
        "aria-disabled": String(!this.asked[place + step]),
        class: "walk",
      });
    this.guide.replaceChildren(
      walk(-1, "the node before", "←"),
      html("strong", {}, title),
      alpha ? part("window", html("span", { class: "ends" }, alpha, beta)) : "",
      fields.cutter ? part("cut", fields.cutter) : "",
      value ? part("value", html("span", { class: "of-node" }, value)) : "",
      html("span", { class: "help" }, `${place + 1} of ${this.asked.length}`),
      walk(1, "the next node", "→"),
    );
  }

  /** Enter goes to the next field, and out of the last one. @param {KeyboardEvent} event */
  hearKey(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.key !== "Enter" || !target.matches("input")) return;
    event.preventDefault();
    event.stopPropagation(); // a notebook runs its cell by Shift and Enter
    const all = [...this.fields].flatMap(([path, fields]) =>
      fields.controls.map((control) => ({ path, control })),
    );
    const at = all.findIndex(({ control }) => control === target) + (event.shiftKey ? -1 : 1);
    const next = all[at];
    if (at === all.length) this.onend();
    if (!next) return;
    if (next.path !== this.at && this.isGuided) this.go(next.path, false);
    next.control.focus();
  }

  /** Show which item of a node is meant. @param {string} path @param {Item} item */
  point(path, item) {
    for (const [other, [group]] of this.drawn) group.classList.toggle("pointed", other === path);
    const control = this.fields.get(path)?.controlsOf(item)[0];
    if (!control) return;
    this.go(path, false);
    control.focus();
  }

  /** The answer so far, by path. @returns {Record<string, NodeAnswer>} */
  get answer() {
    const written = [...this.fields].map(([path, { answer }]) => (answer ? [[path, answer]] : []));
    return Object.fromEntries(written.flat());
  }

  /** @param {Mark[]} marks */
  showMarks(marks) {
    for (const [path, fields] of this.fields)
      fields.showMarks(marks.filter((mark) => mark.path === path));
    this.update();
  }

  /** Fill in the key. @param {Record<string, KeyEntry>} key */
  fillIn(key) {
    for (const [path, entry] of Object.entries(key)) this.fields.get(path)?.write(keyTexts(entry));
    this.update();
  }

  end() {
    this.watch.disconnect();
  }
}
