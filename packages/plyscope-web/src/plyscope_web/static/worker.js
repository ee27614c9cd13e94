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
const fetched = async (/** @type {string} */ address) => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} at ${address}`);
  return response.arrayBuffer();
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
  const packages = archives.map(fetched);
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

/**
 * Start Python from the memory of this name, or without it.
 * @param {Files} files @param {string} name
 */
async function resume(files, name) {
  try {
    const kept = await self.caches.match(name, { cacheName: CACHE });
    if (kept) {
      const memory = new Uint8Array(await kept.arrayBuffer());
      if ((await digestOf(memory)) === kept.headers.get("digest"))
        return await start(files, memory);
    }
  } catch (error) {
    console.info("plyscope: the kept memory of Python is not used:", error);
  }
  const started = await start(files);
  keep(started.python, name);
  return started;
}

/**
 * Keep the memory of a Python that has just started, unless the browser refuses.
 * @param {any} python @param {string} name
 */
async function keep(python, name) {
  try {
    const memory = python.makeMemorySnapshot();
    await self.caches.delete(CACHE); // may be of another version
    const headers = { digest: await digestOf(memory) };
    await (await self.caches.open(CACHE)).put(name, new Response(memory, { headers }));
  } catch (error) {
    console.info("plyscope: the memory of Python is not kept:", error);
  }
}

/** @param {Files & { interrupt: Uint8Array | null }} files */
async function load({ interrupt, ...files }) {
  // A memory fits these files, whose names have digests, and this browser alone.
  const name = `${self.location.href}?${JSON.stringify([navigator.userAgent, files])}`;
  const { python, BrowserWorker, ready } = await resume(files, name);
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
