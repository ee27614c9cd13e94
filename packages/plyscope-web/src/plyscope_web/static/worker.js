// Python in a worker of the browser: loads Pyodide and plyscope, and answers one request at a time.
// `plyscope_web/browser.py` says what goes in and out. The memory of a started Python is kept in
// this browser by a worker that does nothing else, and later workers begin with it.

/** Where the packages are, in Pyodide's files. */
const FOLDER = "/plyscope";
/** The cache of the memory, one for each site. */
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

/**
 * What Python is made of: addresses, and the place of the library in FOLDER.
 * @typedef {{ pyodide: string, library: string, place: string, archives: string[] }} Files
 */

/**
 * Start Python, from a memory if there is one; `keeps` says whether its own can be kept.
 * @param {Files} files @param {boolean} [keeps] @param {Uint8Array} [memory]
 */
async function start({ pyodide, library, place, archives }, keeps, memory) {
  const indexURL = absolute(pyodide).replace(/[^/]*$/, "");
  const packages = archives.map(fetched);
  const [{ loadPyodide }, { default: create }] = await Promise.all([
    import(absolute(pyodide)),
    import(`${indexURL}pyodide.asm.mjs`),
  ]);
  const locateFile = (/** @type {string} */ name) =>
    name.endsWith(place) ? absolute(library) : indexURL + name;
  // A memory has addresses of the library, which are always the same if it is loaded first.
  const preload = async (/** @type {any} */ module) => {
    module.addRunDependency(place);
    const path = `${FOLDER}/${place}`;
    module.FS.mkdirTree(path.replace(/[^/]*$/, ""));
    module.FS.writeFile(path, ""); // found there, and loaded already
    await module.loadDynamicLibrary(path, { loadAsync: true, nodelete: true }, {});
    if (memory && memory.length > module.HEAP8.length) module.growMemory(memory.length);
    module.removeRunDependency(place);
  };
  const python = await loadPyodide({
    indexURL,
    env: { HOME: "/", PYTHONPATH: FOLDER },
    createPyodideModule: (/** @type {any} */ settings) =>
      create({ ...settings, preRun: [...settings.preRun, preload], locateFile }),
    _makeSnapshot: keeps,
    _loadSnapshot: memory,
  });
  for (const archive of await Promise.all(packages))
    python.unpackArchive(archive, "zip", { extractDir: FOLDER });
  return python;
}

/** @param {Files & { interrupt: Uint8Array | null, keeps?: boolean }} files */
async function load({ interrupt, keeps, ...files }) {
  const name = absolute(`memory?${JSON.stringify(files)}`); // names of files have digests
  const cache = await self.caches?.open(CACHE).catch(() => null);
  const kept = await cache?.match(name);
  if (keeps && (kept || !cache)) return scope.close();
  let python = null;
  try {
    if (kept) python = await start(files, false, new Uint8Array(await kept.arrayBuffer()));
  } catch (error) {
    console.warn("plyscope: the kept memory is not used:", error);
    await cache?.delete(name);
  }
  python ??= await start(files, keeps);
  const { BrowserWorker, ready } = python.pyimport("plyscope_web.browser");
  const found = ready();
  if (keeps) {
    await self.caches.delete(CACHE);
    await (await self.caches.open(CACHE)).put(name, new Response(python.makeMemorySnapshot()));
    return scope.close();
  }
  if (interrupt) python.setInterruptBuffer(interrupt);
  const worker = BrowserWorker((/** @type {string} */ text) => scope.postMessage(text));
  say({ ready: JSON.parse(found) });
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
    self.caches?.delete(CACHE); // the next worker starts anew
    say({ fault: textOf(error) });
  }
};
