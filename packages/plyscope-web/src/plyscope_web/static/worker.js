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
 * Start Python, from a memory if there is one; `keeps` says whether its own will be kept.
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
  const { BrowserWorker, ready } = python.pyimport("plyscope_web.browser");
  return { python, BrowserWorker, ready: JSON.parse(ready()) };
}

/** The name of a memory: it fits these files, whose names have digests, and this browser alone. */
const nameOf = (/** @type {Files} */ files) =>
  `${self.location.href}?${JSON.stringify([navigator.userAgent, files])}`;
const keptOf = (/** @type {Files} */ files) =>
  self.caches.match(nameOf(files), { cacheName: CACHE });
const forget = () => self.caches?.delete(CACHE).catch(() => {});

/** Keep the memory of a started Python, unless it is kept or refused. @param {Files} files */
async function keep(files) {
  try {
    if (!(await keptOf(files))) {
      const { python } = await start(files, true);
      const memory = python.makeMemorySnapshot();
      await self.caches.delete(CACHE); // may be of another version
      const kept = new Response(memory, { headers: { bytes: `${memory.length}` } });
      await (await self.caches.open(CACHE)).put(nameOf(files), kept);
    }
  } catch (error) {
    console.info("plyscope: the memory of Python is not kept:", error);
  }
  scope.close();
}

/** Start Python from the kept memory, if there is one and it is whole. @param {Files} files */
async function resume(files) {
  try {
    const kept = await keptOf(files);
    if (!kept) return null;
    const memory = new Uint8Array(await kept.arrayBuffer());
    if (`${memory.length}` !== kept.headers.get("bytes")) throw new Error("it is cut");
    return await start(files, false, memory);
  } catch (error) {
    console.info("plyscope: the kept memory of Python is not used:", error);
    await forget();
    return null;
  }
}

/** @param {Files & { interrupt: Uint8Array | null, keeps?: boolean }} files */
async function load({ interrupt, keeps, ...files }) {
  if (keeps) return keep(files);
  const { python, BrowserWorker, ready } = (await resume(files)) ?? (await start(files));
  if (interrupt) python.setInterruptBuffer(interrupt);
  const worker = BrowserWorker((/** @type {string} */ text) => scope.postMessage(text));
  say({ ready });
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
    forget(); // the next worker starts anew
    say({ fault: textOf(error) });
  }
};
