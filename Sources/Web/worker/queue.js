/** Sends the queue of uploads when the browser has a network again, also without an open page. */

import { createClient } from "../api/client.js";
import { sendByFetch } from "../api/sending.js";
import { createSession } from "../api/session.js";
import { createDatabase } from "../store/database.js";
import { forgetEverything } from "../store/forgetting.js";
import { createKept } from "../store/kept.js";
import { prepared } from "../store/picture.js";
import { newId } from "../store/platform.js";
import { createUploads } from "../store/upload-queue.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));
/** A sync lasts some minutes at most, so an upload that waits longer is left to the next one. */
const SOON = 5 * 60_000;

function createQueue() {
  /** @type {typeof globalThis.fetch} */
  const fetch = (input, init) => globalThis.fetch(input, init);
  const { locks } = navigator;
  const database = createDatabase(indexedDB);
  const session = createSession({
    fetch,
    locks,
    kept: createKept(caches),
    channel: new BroadcastChannel("dayly-session"),
    uptime: () => performance.now(),
    forget: () => forgetEverything({ caches, database }),
  });
  /** @type {Promise<void> | null} */
  let starting = null;
  // Most uploads have a ticket, so that the worker rarely needs a session.
  const onDemand = {
    /** @param {string} [refused] */
    token: async (refused) => {
      await (starting ??= session.start());
      return await session.token(refused);
    },
  };
  return createUploads({
    database,
    session: onDemand,
    client: createClient({ fetch, session }),
    send: sendByFetch(fetch),
    locks,
    channel: new BroadcastChannel("dayly-uploads"),
    now: Date.now,
    newId,
    prepare: prepared,
  });
}

/** @type {ReturnType<typeof createUploads> | null} */
let queue = null;

/** Rejects while an upload still waits, so that the browser calls again. */
export async function sendQueue() {
  queue ??= createQueue();
  await queue.run({ isBack: true });
  await queue.load();
  for (const client of await worker.clients.matchAll({ type: "window" })) {
    client.postMessage({ type: "changed" });
  }
  const { nextAt } = queue;
  if (nextAt !== null && nextAt < Date.now() + SOON) throw new Error("An upload waits for another attempt.");
}
