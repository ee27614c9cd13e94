// The editor of an explicit tree: add and remove children, set values.
import { button, help, paragraph } from "../../shell/dom.js";
import { controls, field, isRight, numberInput } from "../../shell/forms.js";
import { kindOf } from "../../tree/nodes.js";

/** @typedef {number | Tree[]} Tree as it is written: a leaf's value, or a list of trees */
/** @typedef {(siblings: Tree[], index: number) => void} Edit */

/** @type {Record<"addChild" | "remove", Edit> & { setValue(value: number): Edit }} */
export const EDITS = {
  setValue: (value) => (siblings, index) => (siblings[index] = value),
  addChild: (siblings, index) => {
    const tree = siblings[index];
    siblings[index] = Array.isArray(tree) ? [...tree, 0] : [tree, 0];
  },
  // a node cannot be left without children: the last one becomes a zero
  remove: (siblings, index) => {
    if (siblings.length > 1) siblings.splice(index, 1);
    else siblings[index] = 0;
  },
};

/** @param {TraceNode[]} nodes @param {number | null} parent */
const childrenOf = (nodes, parent) =>
  [...nodes.keys()].filter((number) => nodes[number].parent === parent);

/** @param {TraceNode[]} nodes @param {number} number @returns {Tree} */
function treeAt(nodes, number) {
  const children = childrenOf(nodes, number);
  return children.length
    ? children.map((child) => treeAt(nodes, child))
    : (nodes[number].value ?? 0);
}

/**
 * The text of the tree in which one node has been changed.
 * @param {TraceNode[]} nodes @param {number} chosen @param {Edit} edit
 */
export function editedTree(nodes, chosen, edit) {
  const holder = [treeAt(nodes, 0)];
  /** @param {number} number @returns {[siblings: Tree[], index: number]} */
  const placeOf = (number) => {
    const { parent } = nodes[number];
    if (parent === null) return [holder, 0];
    const [siblings, index] = placeOf(parent);
    const tree = /** @type {Tree[]} */ (siblings[index]);
    return [tree, childrenOf(nodes, parent).indexOf(number)];
  };
  edit(...placeOf(chosen));
  return JSON.stringify(holder[0]);
}

export class TreeEditor {
  element = controls();

  /** @param {(text: string) => void} onchange is told the new tree */
  constructor(onchange) {
    this.onchange = onchange;
  }

  /** @param {Trace} trace @param {number | null} chosen */
  draw({ nodes, given }, chosen) {
    if (!given) return this.say("You can edit an explicit tree here: choose one of its nodes.");
    if (chosen === null) return this.say("Choose a node in the tree to edit it.");
    if (this.element.contains(document.activeElement)) return; // somebody is typing a value
    const node = nodes[chosen];
    /** @param {Edit} edit */
    const change = (edit) => this.onchange(editedTree(nodes, chosen, edit));
    const value = numberInput(node.value ?? 0, {});
    const set = button("Set", () => isRight(value) && change(EDITS.setValue(Number(value.value))));
    const parts = [
      paragraph(`${node.name} (${kindOf(node)})`),
      node.leaf && controls(field("Value", value), set),
      button("Add a child", () => change(EDITS.addChild)),
      node.parent !== null && button("Remove", () => change(EDITS.remove)),
    ];
    this.element.replaceChildren(...parts.filter((part) => part !== false));
  }

  /** @param {string} text */
  say(text) {
    this.element.replaceChildren(help(text));
  }
}
