// The page without a server: the widget with workers of this browser as its model.
import { open } from "./shell/pagemodel.js";
import { TabModel } from "./shell/tabmodel.js";

/** Milliseconds that the service worker has to take over the page. */
const TAKE_OVER = 2000;

/** Wait for the service worker, which keeps what is loaded through it; a page can do without. */
async function keep() {
  const { serviceWorker: service } = navigator;
  const taken = new Promise((resolve) => {
    service?.addEventListener("controllerchange", resolve, { once: true });
    setTimeout(resolve, service ? TAKE_OVER : 0);
  });
  try {
    await service?.register("service.js");
    await taken;
  } catch (error) {
    console.warn("plyscope: the page is not kept for use without a network:", error);
  }
}

const { textContent } = /** @type {Element} */ (document.getElementById("files"));
const model = new TabModel(JSON.parse(textContent ?? ""));
// The first visit loads what the service worker has not seen.
model.on("ready", () => navigator.serviceWorker?.controller?.postMessage("keep"));
const kept = keep();
if (navigator.serviceWorker?.controller) model.begin();
else kept.then(() => model.begin());
open(model);
