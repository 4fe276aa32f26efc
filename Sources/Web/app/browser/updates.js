/** The service worker, and the change to a new version of the program. */

import { createListeners } from "../../store/listeners.js";
import { findRegistration, serviceWorker } from "../stores.js";

const { subscribe, tell } = createListeners();
/** @type {ServiceWorker | null} */
let waiting = null;
let isStale = false;
let isApplying = false;
let isWatching = false;
let isControlled = false;

const WORKER = "/sw.js";
export const PICTURE_WORKER = new URL("../../worker/preparing.js", import.meta.url).href;

/** @typedef {{ createScriptURL(url: string): unknown }} Policy */

/** @type {Policy | undefined} */
let policy;

/**
 * The page's one Trusted Types policy: it admits the addresses of the two workers and nothing else.
 * @param {string} script
 */
export function admitted(script) {
  const { trustedTypes } =
    /** @type {{ trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }} */ (globalThis);
  policy ??= trustedTypes?.createPolicy("dayly", {
    createScriptURL(url) {
      if (url !== WORKER && url !== PICTURE_WORKER) throw new TypeError("This script is not admitted.");
      return url;
    },
  });
  return /** @type {string} */ (policy?.createScriptURL(script) ?? script);
}

/** @param {ServiceWorkerRegistration} registration */
function watch(registration) {
  const look = () => {
    // Without a controller it is the first version, which nobody has to be asked about.
    if (!registration.waiting || !navigator.serviceWorker.controller) return;
    waiting = registration.waiting;
    tell();
  };
  look();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", look);
  });
}

/**
 * This tab or another one has switched to a new version: one that nobody looks at follows at once. The first worker that
 * takes over a page without one is not a new version.
 */
function onSwitch() {
  if (!isControlled) return void (isControlled = true);
  if (isApplying || document.hidden) return location.reload();
  isStale = true;
  tell();
}

export const updates = {
  subscribe,
  /** Whether a new version waits. */
  get isWaiting() {
    return waiting !== null || isStale;
  },
  /** Switches to the new version, which loads the page again. */
  apply() {
    isApplying = true;
    if (isStale || !waiting) return location.reload();
    const ask = () => waiting?.postMessage("activate");
    ask();
    // Chromium may not act on a request that comes while the page is still being loaded.
    setInterval(ask, 1_000);
  },
  /** Looks for a new version: iOS never looks by itself. */
  async look() {
    const registration = await findRegistration();
    if (!waiting) await registration?.update().catch(() => {});
  },
  /** Registers the worker. The browser itself lets a waiting version take over when the last page is closed. */
  async start() {
    if (!serviceWorker) return;
    if (!isWatching) serviceWorker.addEventListener("controllerchange", onSwitch);
    if (!isWatching) isControlled = serviceWorker.controller !== null;
    isWatching = true;
    const registration = await serviceWorker.register(admitted(WORKER), {
      type: "module",
      updateViaCache: "none",
    });
    watch(registration);
  },
};
