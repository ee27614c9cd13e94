// Examples of the documents that run where they stand: Python in the browser, beside the page of
// plyscope in the folder `lab`. Without that folder the examples are only read.

/** The folder of the page, beside this script's. */
const PAGE = new URL("../lab/", import.meta.url);
/** The kinds of examples, by the class of their blocks. */
const KINDS = ["pycon", "python", "console"];
/** Commands that wait for a person or serve a page. */
const NOT_HERE = /^\$ plyscope (play|web|gomocup|class|match|tournament)\b/m;

/** Python, which is started by the first example that runs. */
class Python {
  /** @type {Worker | null} */
  worker = null;
  number = 0;
  /** @type {Map<number, (shown: object[]) => void>} */
  open = new Map();

  async start() {
    const text = await (await fetch(PAGE)).text();
    const page = new DOMParser().parseFromString(text, "text/html");
    const files = JSON.parse(page.getElementById("files")?.textContent ?? "");
    const worker = new Worker(new URL(files.worker, PAGE), { type: "module" });
    await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        const { ready, fault } = JSON.parse(data);
        if (fault) reject(new Error(fault));
        if (ready) resolve(null);
      };
      worker.onerror = ({ message }) => reject(new Error(message ?? "the worker cannot be loaded"));
      worker.postMessage({ ...files.python, interrupt: null });
    });
    worker.onmessage = ({ data }) => {
      const { id, shown, fault } = JSON.parse(data);
      const all = id === undefined ? [...this.open.keys()] : [id];
      for (const each of all) {
        this.open.get(each)?.(shown ?? [{ text: fault }]);
        this.open.delete(each);
      }
    };
    this.worker = worker;
  }

  /** @param {string} kind @param {string} example @returns {Promise<{ text?: string, html?: string }[]>} */
  async run(kind, example) {
    if (!this.worker) await this.start();
    const id = ++this.number;
    return new Promise((resolve) => {
      this.open.set(id, resolve);
      this.worker?.postMessage({ id, kind, example });
    });
  }

  /** End what runs: names that the examples have given are lost. */
  stop() {
    this.worker?.terminate();
    this.worker = null;
    for (const resolve of this.open.values()) resolve([{ text: "stopped\n" }]);
    this.open.clear();
    for (const each of examples) each.hasRun = false;
  }
}

/** Return what is typed of an example: Python without its prompts and answers, commands likewise.
 * @param {string} kind @param {string} text */
function typed(kind, text) {
  const lines = text.trimEnd().split("\n");
  if (kind === "console") return lines.filter((line) => line.startsWith("$ ")).join("\n");
  if (kind === "python") return lines.join("\n");
  return lines
    .filter((line) => /^(>>>|\.\.\.)( |$)/.test(line))
    .map((line) => line.slice(4))
    .join("\n");
}

/** A block of the document. */
class Example {
  hasRun = false;

  /** @param {Element} block @param {string} kind @param {string} text */
  constructor(block, kind, text) {
    this.block = block;
    this.kind = kind;
    this.text = typed(kind, text);
    this.button = document.createElement("button");
    this.button.className = "example-run";
    this.button.textContent = "Run";
    this.button.title = "run it here, in this browser, and change it";
    this.button.onclick = () => this.press();
    block.append(this.button);
    /** @type {HTMLTextAreaElement | null} */
    this.field = null;
    this.output = document.createElement("div");
    this.output.className = "example-output";
    this.output.setAttribute("role", "status");
  }

  /** Show the field with what is typed, in place of the block's text. */
  edit() {
    if (this.field) return;
    const field = document.createElement("textarea");
    field.className = "example-field";
    field.spellcheck = false;
    field.value = this.text;
    field.setAttribute("aria-label", "the example");
    const fit = () => (field.rows = field.value.split("\n").length);
    field.oninput = () => {
      this.text = field.value;
      fit();
    };
    field.onkeydown = (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.press();
      event.stopPropagation(); // keys of the documents
    };
    fit();
    this.field = field;
    this.block.querySelector("pre")?.replaceWith(field);
    this.block.append(this.output);
  }

  async press() {
    if (python.open.size) return python.stop();
    this.edit();
    this.say(python.worker ? "running …" : "loading Python, some 8 MB the first time …");
    this.button.textContent = "Stop";
    try {
      await this.runAfterOthers();
    } catch (error) {
      this.say(`plyscope cannot start in this browser: ${/** @type {Error} */ (error).message}`);
    }
    this.button.textContent = "Run";
  }

  /** Run this example after those above it, whose names it may use. */
  async runAfterOthers() {
    const above = examples.slice(0, examples.indexOf(this));
    for (const other of above)
      if (!other.hasRun && other.kind !== "console" && this.kind !== "console") await other.run();
    this.show(await this.run());
  }

  async run() {
    const shown = await python.run(this.kind, this.text);
    this.hasRun = true;
    return shown;
  }

  /** @param {string} text */
  say(text) {
    this.show([{ text }]);
  }

  /** @param {{ text?: string, html?: string }[]} parts */
  show(parts) {
    this.output.replaceChildren(
      ...parts.map(({ text, html }) => {
        const part = document.createElement(html ? "div" : "pre");
        if (html)
          part.innerHTML = html; // made by plyscope in this browser
        else part.textContent = text ?? "";
        return part;
      }),
    );
  }
}

const python = new Python();
/** @type {Example[]} */
let examples = [];

async function begin() {
  const blocks = KINDS.flatMap((kind) =>
    [...document.querySelectorAll(`.language-${kind}.highlight`)].map((block) => ({ block, kind })),
  ).filter(({ block, kind }) => {
    const text = block.querySelector("code")?.textContent ?? "";
    return typed(kind, text) && !NOT_HERE.test(text);
  });
  if (!blocks.length || !(await fetch(PAGE, { method: "HEAD" }).catch(() => null))?.ok) return;
  blocks.sort((one, other) =>
    one.block.compareDocumentPosition(other.block) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  examples = blocks.map(
    ({ block, kind }) => new Example(block, kind, block.querySelector("code")?.textContent ?? ""),
  );
}

begin();
