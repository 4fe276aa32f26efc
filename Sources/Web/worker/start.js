/**
 * The service worker: it answers with the files of its version, sends the queue, shows notifications, and forgets
 * expired photos at each waking.
 */

import { match } from "../app/routes.js";
import { createDatabase } from "../store/database.js";
import { forgetExpired, forgetWaiting } from "../store/forgetting.js";
import { onNotificationClick, onPush } from "./notifications.js";
import { clock, recall, sendQueue } from "./queue.js";

/**
 * @typedef {{ version: string, precache: readonly string[] | string }} Build `precache`: a text only in the template
 * @typedef {ExtendableEvent & { tag: string }} SyncEvent
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));
const SHELLS = "dayly-shell-";
const PAUSE = 60_000;
let forgotAt = 0;

/** Forgets, but not again within a minute: a page asks for many files. */
async function forget() {
  if (Date.now() - forgotAt < PAUSE) return;
  forgotAt = Date.now();
  const database = createDatabase(indexedDB);
  try {
    const me = await recall();
    await forgetExpired(caches, clock.now());
    if (await database.isThere()) await forgetWaiting(database, clock.now(), me);
  } catch {
    forgotAt = 0;
  }
}

/** The media type of each kind of file. @type {Record<string, string>} */
const TYPES = { js: "text/javascript", css: "text/css", json: "application/json", html: "text/html" };

/**
 * Whether an answer is a file of this version, and not a page that a network shows in its place.
 * @param {string} address
 * @param {Response} response
 * @param {string} version
 */
export async function isFile(address, response, version) {
  const ending = address.split(".").at(-1) ?? "";
  const type = response.headers.get("Content-Type") ?? "";
  const isKind = TYPES[ending] ? type.startsWith(TYPES[ending]) : !type.startsWith("text/html");
  if (response.status !== 200 || !isKind) return false;
  return ending !== "html" || (await response.text()).includes(`/app/${version}/`);
}

/**
 * @param {string} address
 * @param {string} version
 */
async function load(address, version) {
  // The HTTP cache may have kept a network's page.
  for (const cache of /** @type {const} */ (["default", "reload"])) {
    const response = await fetch(address, { redirect: "manual", cache });
    if (await isFile(address, response.clone(), version)) return response;
  }
  throw new TypeError(`${address} is not of this version.`);
}

/** @param {Build} build */
async function install({ version, precache }) {
  const cache = await caches.open(SHELLS + version);
  const files = await Promise.all([...precache].map((address) => load(address, version)));
  await Promise.all(files.map((response, at) => cache.put(precache[at] ?? "", response)));
}

/** @param {string} version */
async function activate(version) {
  const old = (await caches.keys()).filter((name) => name.startsWith(SHELLS) && name !== SHELLS + version);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * The answer to a navigation: the page of this version, so that it never meets a file of another one.
 * @param {Request} request
 * @param {string} version
 */
async function page(request, version) {
  const shell = await caches.match(`/app/${version}/index.html`, { cacheName: SHELLS + version })
    .catch(() => undefined);
  const isOurs = match(new URL(request.url).pathname).route.name !== "not-found";
  if (shell && isOurs) return shell;
  return await fetch(request).catch((error) => {
    if (shell) return shell;
    throw error;
  });
}

/** @param {Request} request */
const file = async (request) => await caches.match(request).catch(() => undefined) ?? await fetch(request);

/** @param {Build} build */
export function start(build) {
  const { version } = build;
  worker.addEventListener("install", (event) => event.waitUntil(install(build)));
  worker.addEventListener("activate", (event) => event.waitUntil(Promise.all([activate(version), forget()])));
  worker.addEventListener("message", (event) => {
    if (event.data === "activate") void worker.skipWaiting();
  });
  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (origin !== location.origin || request.method !== "GET") return;
    if (request.mode === "navigate") event.respondWith(page(request, version));
    else if (pathname.startsWith("/app/")) event.respondWith(file(request));
    event.waitUntil(forget());
  });
  worker.addEventListener("push", (event) => event.waitUntil(Promise.all([onPush(event), forget()])));
  worker.addEventListener("notificationclick", (event) => event.waitUntil(onNotificationClick(event)));
  worker.addEventListener("sync", (event) => {
    /** @type {SyncEvent} */ (event).waitUntil(Promise.all([sendQueue(), forget()]));
  });
  worker.addEventListener("periodicsync", (event) => /** @type {SyncEvent} */ (event).waitUntil(forget()));
}
