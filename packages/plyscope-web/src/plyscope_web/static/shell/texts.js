// The user's heuristics as texts, in Python or as a table, saved in this browser.
import { Listened } from "./listened.js";
import { browser } from "./memory.js";

/** The names of the texts, which are also their choices. */
export const TEXTS = ["mine", "other"];
/** The choice that begins the first text. */
export const WRITE = "write";
const KEY = "plyscope-heuristic-";
const BEFORE = "-before";
/** Characters of a text that a link has room for. */
export const MOST_LINKED = 6000;

/** @extends {Listened<[]>} */
export class Texts extends Listened {
  /** The texts that the address has too, as the user has asked for. @type {Set<string>} */
  linked = new Set();

  /** @param {import("./memory.js").Kept} kept */
  constructor(kept = browser) {
    super();
    this.kept = kept;
  }

  /** The text of a name, "" for none. @param {string} name */
  get(name) {
    return this.kept.getItem(KEY + name) ?? "";
  }

  /** The names that have a text. */
  get names() {
    return TEXTS.filter((name) => this.get(name));
  }

  /** @param {string} name @param {string} text */
  set(name, text) {
    const isNew = !this.get(name) !== !text;
    this.kept.setItem(KEY + name, text);
    if (isNew) this.tell();
  }

  /** Take a text from elsewhere; the one before can be brought back. @param {string} name @param {string} text */
  bring(name, text) {
    const before = this.get(name);
    if (before && before !== text) this.kept.setItem(KEY + name + BEFORE, before);
    this.set(name, text);
  }

  /** The text that was replaced. @param {string} name */
  before(name) {
    const before = this.kept.getItem(KEY + name + BEFORE) ?? "";
    return before === this.get(name) ? "" : before;
  }

  /** What an address says of the texts. @returns {Place} */
  get place() {
    const said = TEXTS.map((name) => [
      name,
      this.linked.has(name) ? encodeText(this.get(name)) : "",
    ]);
    return Object.fromEntries(said);
  }

  /** Put a text into the address, or take it out. @param {string} name @param {boolean} is */
  link(name, is) {
    const { length } = this.get(name);
    if (is && length > MOST_LINKED)
      throw new Error(
        `the text has ${length} characters; expected at most ${MOST_LINKED} for a link`,
      );
    if (is) this.linked.add(name);
    else this.linked.delete(name);
  }
}

/** A text as an address has it: base64url of UTF-8. @param {string} text */
export function encodeText(text) {
  const bytes = new TextEncoder().encode(text);
  const plain = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text of an address, null where it is none. @param {string} code */
export function decodeText(code) {
  try {
    const plain = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.length <= MOST_LINKED ? text : null;
  } catch {
    return null;
  }
}

/** The name of a text in a request, "" for another heuristic. @param {unknown} asked */
export const textName = (asked) =>
  (typeof asked === "string" && /^(\w+):\n/.exec(asked)?.[1]) || "";
