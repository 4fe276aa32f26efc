import assert from "node:assert/strict";
import { PHOTO_CACHE } from "../../../Sources/Web/store/pictures/photos.js";
import { fakeCaches } from "./fakes.js";

// The module is written for a worker's global scope.
Object.assign(globalThis, { registration: {}, clients: {} });
const { pathOf, payloadOf } = await import(
  "../../../Sources/Web/worker/notifications.js"
);
const { start } = await import("../../../Sources/Web/worker/start.js");

const ORIGIN = "https://dayly.example";

// Guard: a notification opens this site only (`notifications.js`)
Deno.test("a notification opens a path of this site and nothing else", () => {
  assert.equal(pathOf("/g/1", ORIGIN), "/g/1");
  assert.equal(pathOf("https://dayly.example/g/1?x=2", ORIGIN), "/g/1?x=2");
  assert.equal(pathOf("https://dayly.example//evil.example/x", ORIGIN), "/evil.example/x");
  for (
    const address of [
      "https://evil.example/g/1",
      "//evil.example",
      "javascript:alert(1)",
      "http://[",
      undefined,
    ]
  ) {
    assert.equal(pathOf(address, ORIGIN), "/");
  }
});

// Guard: every push message shows a notification (`notifications.js`)
Deno.test("a message that cannot be read is an empty one, so that a notification is still shown", () => {
  assert.deepEqual(payloadOf(null), {});
  assert.deepEqual(payloadOf({ json: () => JSON.parse("{") }), {});
  const message = { notification: { title: "Family" } };
  assert.deepEqual(payloadOf({ json: () => message }), message);
});

Deno.test("a push message wakes the worker, which forgets the pictures that have ended, also without a page", async () => {
  const caches = fakeCaches();
  const now = Date.now();
  const ends = [now - 60_000, now + 60_000];
  const pictures = await caches.open(PHOTO_CACHE);
  for (const end of ends) await pictures.put(`/photos/1/full?expires=${end}`, new Response("picture"));
  const listeners = {};
  const before = Object.getOwnPropertyDescriptors(globalThis);
  const fakes = {
    caches,
    location: { origin: ORIGIN },
    indexedDB: { databases: async () => await [] },
    registration: { showNotification: async () => await undefined },
    clients: { matchAll: async () => await [] },
    addEventListener: (name, listener) => listeners[name] = listener,
  };
  for (const [name, value] of Object.entries(fakes)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  start({ version: "1", precache: [] });
  const waits = [];
  listeners.push({ data: null, waitUntil: (work) => waits.push(work) });
  await Promise.all(waits);
  for (const name of Object.keys(fakes)) {
    if (before[name]) Object.defineProperty(globalThis, name, before[name]);
    else delete globalThis[name];
  }
  const left = (await pictures.keys()).map(({ url }) => new URL(url).search);
  assert.deepEqual(left, [`?expires=${ends[1]}`]);
});
