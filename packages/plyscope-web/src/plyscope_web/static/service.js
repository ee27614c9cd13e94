// Keeps the page, so that it opens without a network. `site.py` writes `SITE` before this text.
// Names of files have digests, but for the page itself: a kept file never changes. A new version is
// kept whole before it takes over, and pages of the version before still find their files.

const service = /** @type {any} */ (self);
/** @type {string} */
const root = service.registration.scope;
const OURS = `plyscope ${root} `;
const NAME = OURS + SITE.version;
/** @param {string} name */
const addressOf = (name) => new URL(name, root).href;
const FILES = new Set(SITE.files.map(addressOf));
const PAGE = addressOf("index.html");

/**
 * A response as it is kept. The page shares no window with others, so that it may share memory with
 * its workers; what runs in a worker may load the files of the site alone.
 * @param {string} address @param {Response} response
 */
function kept(address, response) {
  const name = address.slice(root.length);
  const isWorker = SITE.policies.includes(name);
  if (address !== PAGE && !isWorker) return response;
  const headers = new Headers(response.headers);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  if (isWorker)
    headers.set(
      "content-security-policy",
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    );
  return new Response(response.body, { headers });
}

/** Keep the files of these names that are not kept. @param {string[]} names */
async function keep(names) {
  const cache = await caches.open(NAME);
  for (const address of names.map(addressOf)) {
    if (await cache.match(address)) continue;
    const known = address !== PAGE && (await caches.match(address));
    const found = known || kept(address, await fetch(address, { cache: "no-cache" }));
    if (found.ok) await cache.put(address, found);
    else throw new Error(`${found.status} at ${address}`);
  }
}

/** Remove what is neither of this version nor of the one before, and the memory of `worker.js`. */
async function clear() {
  await caches.delete(`plyscope memory ${root}`);
  const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== NAME);
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
}

/**
 * @param {Request} request @param {string} address
 * @param {(kept: Promise<void>) => void} wait
 */
async function answer(request, address, wait) {
  const cache = await caches.open(NAME);
  const known = (await cache.match(address)) ?? (await caches.match(address));
  if (known) return known;
  const response = await fetch(request);
  if (!response.ok) return response;
  const found = kept(address, response);
  if (FILES.has(address)) wait(cache.put(address, found.clone()));
  return found;
}

service.addEventListener("install", (/** @type {any} */ event) => {
  service.skipWaiting();
  event.waitUntil(keep(service.registration.active ? SITE.files : SITE.shell));
});
service.addEventListener("activate", (/** @type {any} */ event) =>
  event.waitUntil(Promise.all([clear(), service.clients.claim()])),
);
service.addEventListener("message", (/** @type {any} */ event) =>
  event.waitUntil(keep(SITE.files)),
);
service.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const [asked] = request.url.split(/[?#]/);
  const address = asked === root ? PAGE : asked;
  const wait = (/** @type {Promise<void>} */ kept) => event.waitUntil(kept);
  if (request.method === "GET" && address.startsWith(root))
    event.respondWith(answer(request, address, wait));
});
