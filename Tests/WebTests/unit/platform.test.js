/** What stands in for a browser's stores where it has none, or where they fail. */

import assert from "node:assert/strict";
import { cachesOrMemory, locksOrMemory } from "../../../Sources/Web/store/platform.js";

const failing = {
  open: () => Promise.reject(new Error("blocked")),
  delete: () => Promise.reject(new Error("blocked")),
};

for (
  const [name, real] of [["no cache", undefined], [
    "a cache that fails",
    failing,
  ]]
) {
  // Guard: without caches and locks a page has its own, for the visit (`platform.js`)
  Deno.test(`with ${name} what is kept lasts for the visit, and the page is told once`, async () => {
    let told = 0;
    const caches = cachesOrMemory(real, () => told++);
    await (await caches.open("dayly-photos")).put(
      "/photos/a",
      new Response("picture"),
    );
    const again = await (await caches.open("dayly-photos")).match("/photos/a");
    assert.equal(await again?.text(), "picture");
    assert.equal(
      await (await caches.open("other")).match("/photos/a"),
      undefined,
    );
    await caches.delete("dayly-photos");
    assert.equal(
      await (await caches.open("dayly-photos")).match("/photos/a"),
      undefined,
    );
    assert.equal(told, real ? 1 : 0);
  });
}

const refusing = {
  request: () => Promise.reject(new DOMException("blocked", "SecurityError")),
};

for (
  const [name, real] of [["no locks", undefined], [
    "locks that are refused",
    refusing,
  ]]
) {
  // Guard: without caches and locks a page has its own, for the visit (`platform.js`)
  Deno.test(`with ${name} the calls of a page wait for each other, also after a failure`, async () => {
    const locks = locksOrMemory(real);
    const order = [];
    const { promise, resolve } = Promise.withResolvers();
    const first = locks.request("queue", async () => {
      order.push("first begins");
      await promise;
      throw new Error("failed");
    });
    const second = locks.request("queue", () => order.push("second"));
    await locks.request("another", () => order.push("another"));
    await locks.request(
      "queue",
      { ifAvailable: true },
      (lock) => order.push(lock ? "taken" : "not free"),
    );
    resolve();
    await assert.rejects(first, /failed/);
    await second;
    await locks.request(
      "queue",
      { ifAvailable: true },
      (lock) => order.push(lock ? "free" : "not free"),
    );
    assert.deepEqual(order, [
      "first begins",
      "another",
      "not free",
      "second",
      "free",
    ]);
  });
}
