// Python in a worker of the browser: loads Pyodide and plyscope, and answers one request at a time.
// `plyscope_web/browser.py` says what goes in and out. The memory of a Python that has just started
// is kept in this browser, and later workers begin with it.

/** Where the packages are, in Pyodide's files. */
const FOLDER = "/plyscope";
/** The cache of the memory; `service.js` deletes it when it takes a new version. */
const CACHE = `plyscope memory ${new URL(".", self.location.href).href}`;
const scope = /** @type {any} */ (self);
const say = (/** @type {object} */ message) => scope.postMessage(JSON.stringify(message));
const textOf = (/** @type {unknown} */ error) => {
  const { name, message } = /** @type {Error} */ (error);
  return `${name}: ${(message ?? "").trim().split("\n").at(-1)}`.slice(0, 300);
};
const absolute = (/** @type {string} */ address) => new URL(address, self.location.href).href;

// Pyodide logs that its machine code cannot be loaded, and then waits for ever.
const { instantiateStreaming } = WebAssembly;
WebAssembly.instantiateStreaming = (source, imports) => {
  const made = instantiateStreaming(source, imports);
  made.catch((error) => say({ fault: textOf(error) }));
  return made;
};

// It waits for a library that cannot be loaded, too.
scope.onunhandledrejection = (/** @type {any} */ { reason }) =>
  worker ?? say({ fault: textOf(reason) });

/**
 * What Python is made of: addresses, and the place of the library in FOLDER.
 * @typedef {{ pyodide: string, library: string, place: string, archives: string[] }} Files
 */

/** Start Python, from a memory if there is one. @param {Files} files @param {Uint8Array} [memory] */
async function start({ pyodide, library, place, archives }, memory) {
  const indexURL = absolute(pyodide).replace(/[^/]*$/, "");
  const packages = archives.map(async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${response.status} at ${address}`);
    return response.arrayBuffer();
  });
  const [{ loadPyodide }, { default: create }] = await Promise.all([
    import(absolute(pyodide)),
    import(`${indexURL}pyodide.asm.mjs`),
  ]);
  const locateFile = (/** @type {string} */ name) =>
    name.endsWith(place) ? absolute(library) : indexURL + name;
  // A memory has addresses of the library, which are always the same if it is loaded first.
  const dynamicLibraries = [`${FOLDER}/${place}`];
  const python = await loadPyodide({
    indexURL,
    env: { HOME: "/" },
    createPyodideModule: (/** @type {object} */ settings) =>
      create({ ...settings, dynamicLibraries, locateFile }),
    _makeSnapshot: !memory,
    _loadSnapshot: memory,
  });
  for (const archive of await Promise.all(packages))
    python.unpackArchive(archive, "zip", { extractDir: FOLDER });
  if (!memory) python.runPython(`import sys; sys.path.append("${FOLDER}")`);
  const { BrowserWorker, ready } = python.pyimport("plyscope_web.browser");
  return { python, BrowserWorker, ready: JSON.parse(ready()) };
}

const digestOf = async (/** @type {BufferSource} */ memory) =>
  `${new Uint8Array(await crypto.subtle.digest("SHA-256", memory))}`;

/** Return the kept memory of this name if it is whole. @param {string} name */
async function memoryOf(name) {
  const kept = await self.caches.match(name, { cacheName: CACHE });
  const memory = kept && new Uint8Array(await kept.arrayBuffer());
  return memory && (await digestOf(memory)) === kept.headers.get("digest") ? memory : null;
}

/** Keep the memory of a Python that has just started. @param {any} python @param {string} name */
async function keep(python, name) {
  const memory = python.makeMemorySnapshot();
  await self.caches.delete(CACHE); // may be of another version
  const headers = { digest: await digestOf(memory) };
  await (await self.caches.open(CACHE)).put(name, new Response(memory, { headers }));
}

/** @param {Files & { interrupt: Uint8Array | null }} files */
async function load({ interrupt, ...files }) {
  // A memory fits these files, whose names have digests, and this browser alone.
  const name = `${self.location.href}?${JSON.stringify([navigator.userAgent, files])}`;
  const log = (/** @type {unknown} */ error) => console.info("plyscope keeps no memory:", error);
  const memory = await memoryOf(name).catch(log);
  let started = memory && (await start(files, memory).catch(log));
  if (!started) {
    started = await start(files);
    keep(started.python, name).catch(log);
  }
  const { python, BrowserWorker, ready } = started;
  if (interrupt) python.setInterruptBuffer(interrupt);
  const made = BrowserWorker((/** @type {string} */ text) => scope.postMessage(text));
  say({ ready });
  return made;
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
    self.caches?.delete(CACHE); // the next worker starts anew
    say({ fault: textOf(error) });
  }
};
