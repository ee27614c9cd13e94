// Python in a worker of the browser: loads Pyodide and plyscope, and answers one request at a time.
// `plyscope_web/browser.py` says what goes in and out.

/** Where the packages are, in Pyodide's files. */
const FOLDER = "/plyscope";
const scope = /** @type {any} */ (self);
const say = (/** @type {object} */ message) => scope.postMessage(JSON.stringify(message));
const textOf = (/** @type {unknown} */ error) => {
  const { name, message } = /** @type {Error} */ (error);
  return `${name}: ${(message ?? "").trim().split("\n").at(-1)}`.slice(0, 300);
};

// Pyodide logs that its machine code cannot be loaded, and then waits for ever.
const { instantiateStreaming } = WebAssembly;
WebAssembly.instantiateStreaming = (source, imports) => {
  const made = instantiateStreaming(source, imports);
  made.catch((error) => say({ fault: textOf(error) }));
  return made;
};

/** @param {{ pyodide: string, archives: string[], interrupt: Uint8Array | null }} files */
async function load({ pyodide, archives, interrupt }) {
  const fetched = archives.map(async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${response.status} at ${address}`);
    return response.arrayBuffer();
  });
  const folder = new URL(".", new URL(pyodide, self.location.href)).href;
  const { loadPyodide } = await import(new URL(pyodide, self.location.href).href);
  const python = await loadPyodide({ indexURL: folder, env: { HOME: "/" } });
  if (interrupt) python.setInterruptBuffer(interrupt);
  for (const archive of await Promise.all(fetched))
    python.unpackArchive(archive, "zip", { extractDir: FOLDER });
  python.runPython(`import sys; sys.path.append("${FOLDER}")`);
  const { BrowserWorker, ready } = python.pyimport("plyscope_web.browser");
  const worker = BrowserWorker((/** @type {string} */ text) => scope.postMessage(text));
  say({ ready: JSON.parse(ready()) });
  return worker;
}

/** @type {any} */
let worker = null;
/** @param {{ data: any }} event */
scope.onmessage = async ({ data }) => {
  try {
    if (!worker) worker = await load(data);
    else if (data.example !== undefined) worker.show(data.id, data.kind, data.example);
    else worker.hear(data.id, data.endpoint, data.arguments);
  } catch (error) {
    console.error(error);
    say({ fault: textOf(error) });
  }
};
