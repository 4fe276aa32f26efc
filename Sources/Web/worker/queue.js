/** Sends the queue of uploads when the browser has a network again, also without an open page. */

import { createClient } from "../api/client.js";
import { sendByFetch } from "../api/sending.js";
import { createSession, KEPT_USER } from "../api/session.js";
import { createDatabase } from "../store/database.js";
import { forgetEverything } from "../store/forgetting.js";
import { createKept } from "../store/kept.js";
import { prepared } from "../store/uploads/picture.js";
import { newId } from "../store/platform.js";
import { createClock } from "../store/service-clock.js";
import * as driver from "../store/uploads/upload-driver.js";
import { createUploads } from "../store/uploads/upload-queue.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));
/** A sync lasts some minutes at most, so an upload that waits longer is left to the next one. */
const SOON = 5 * 60_000;

/** The service's time, as the page or an answer has learned it. */
export const clock = createClock({ now: Date.now, setTimer: setTimeout, clearTimer: clearTimeout });
const kept = createKept(caches);
/** Who was signed in at the last look. @type {string | undefined} */
let known;

/** Reads what the page has kept: the time, and the id of the person who is signed in. */
export async function recall() {
  await clock.recall(kept);
  const user = /** @type {{ id: string } | null} */ (await kept.read(KEPT_USER));
  return known = user?.id;
}

/** What went out. @type {import("../api/api.d.ts").Photo[]} */
let sent = [];

const { locks } = navigator;
const wire = {
  /** @type {typeof fetch} */
  fetch: (input, init) => fetch(input, init),
  observe: (/** @type {Response} */ response) => clock.observe(response) && void clock.keep(kept),
};
const openSession = (database = createDatabase(indexedDB)) =>
  createSession({
    ...wire,
    locks,
    kept,
    channel: new BroadcastChannel("dayly-session"),
    uptime: () => performance.now(),
    async forget(leaver) {
      await forgetEverything(
        { caches, database, now: clock.now(), registration: worker.registration },
        leaver,
      );
      await clock.keep(kept);
    },
  });

/** Asks the service whether nobody is signed in here any more; then nothing is kept any more. */
export async function isOver() {
  const session = openSession();
  await session.start();
  return session.state === "signed-out";
}

function createQueue() {
  const database = createDatabase(indexedDB);
  const session = openSession(database);
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
  const queue = createUploads({
    database,
    session: onDemand,
    me: () => session.user?.id ?? known,
    driver: async () => await driver,
    client: createClient({ ...wire, session }),
    send: sendByFetch(wire.fetch),
    locks,
    channel: new BroadcastChannel("dayly-uploads"),
    now: clock.now,
    newId,
    prepare: prepared,
  });
  queue.onSent(({ photo }) => void sent.push(photo));
  return queue;
}

/** @type {ReturnType<typeof createUploads> | null} */
let queue = null;

/** Rejects while an upload still waits, so that the browser calls again. */
export async function sendQueue() {
  await recall();
  queue ??= createQueue();
  await queue.run({ isBack: true });
  await queue.load();
  for (const client of await worker.clients.matchAll({ type: "window" })) {
    client.postMessage({ type: "changed", sent });
  }
  sent = [];
  const { nextAt } = queue;
  if (nextAt !== null && nextAt < clock.now() + SOON) throw new Error("An upload waits for another attempt.");
}
