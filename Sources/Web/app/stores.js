/** The stores of this page, joined with each other and with the browser. Screens import them from here. */

import { createClient } from "../api/client.js";
import { Offline } from "../api/problems.js";
import { createSession } from "../api/session.js";
import { createBlocks } from "../store/blocks.js";
import { createDatabase, withMemory } from "../store/database.js";
import { createFeeds } from "../store/feed.js";
import { createGroups } from "../store/group-list.js";
import { createInvitations } from "../store/invitations.js";
import { createKept } from "../store/kept.js";
import { createListeners } from "../store/listeners.js";
import { createNetwork } from "../store/network.js";
import { createPhotos } from "../store/pictures/photos.js";
import {
  attempt,
  cachesOrMemory,
  channelOrNone,
  completeCrypto,
  locksOrMemory,
  newId,
} from "../store/platform.js";
import { createPreferences } from "../store/preferences.js";
import { createSeen } from "../store/seen.js";
import { createUploads } from "../store/uploads/upload-queue.js";
import { clock } from "./clock.js";
import { config } from "./config.js";
import { fetch } from "./fetch.js";
import { install } from "./browser/installation.js";
import { createRouter } from "./router.js";

export { clock, install };

completeCrypto();
export const locks = locksOrMemory(attempt(() => navigator.locks));
const localStorage = attempt(() => globalThis.localStorage);
const keeping = createListeners();
/** Whether this browser keeps anything beyond the visit, as far as it is known. */
export const storage = {
  isKept: Boolean(localStorage && attempt(() => caches)),
  subscribe: keeping.subscribe,
};
export const cacheStorage = cachesOrMemory(
  attempt(() => caches),
  () => (storage.isKept = false, keeping.tell()),
);
export const kept = createKept(cacheStorage);
/** The browser's service workers; undefined where it keeps them from the page. */
export const serviceWorker = attempt(() => navigator.serviceWorker);
/** The registration of our service worker, if there is one. */
export const findRegistration = async () => await serviceWorker?.getRegistration().catch(() => undefined);
export const database = withMemory(createDatabase(attempt(() => indexedDB)));

export const network = createNetwork();
const wire = {
  fetch,
  observe: (/** @type {Response} */ response) => {
    if (clock.observe(response)) void clock.keep(kept);
    network.reached();
  },
  missed: network.missed,
};

export const preferences = createPreferences(localStorage ?? null);

export const session = createSession({
  ...wire,
  locks,
  kept,
  channel: channelOrNone("dayly-session"),
  uptime: () => performance.now(),
  hasCookies: navigator.cookieEnabled,
  forget: forgetPerson,
});

export const client = createClient({ ...wire, session });

export const groups = createGroups({ client, kept, clock });

export const invitations = createInvitations({ client });

export const blocks = createBlocks({ client, kept, clock, channel: channelOrNone("dayly-blocks") });

export const photos = createPhotos({
  // The service's own files are where the page is, by whichever name somebody has reached it.
  fetch: (url, init) =>
    fetch(String(url).replace(`${config.origin}/files/`, `${location.origin}/files/`), init),
  caches: cacheStorage,
  locks,
  now: clock.now,
  getPhoto: client.getPhoto,
});

export const feeds = createFeeds({ client, kept, clock, blocks, forget: (id) => photos.forget(id) });

export const seen = createSeen({ kept, photosOf: (id) => feeds.of(id).photos, me: () => session.user?.id });

export const uploads = createUploads({
  database,
  session,
  me: () => session.user?.id,
  driver: () => import("../store/uploads/upload-driver.js"),
  client,
  // A page that cannot load it waits as it does without a network.
  send: async (sending) => {
    const { sendWithProgress } = await import("../api/sending.js").catch((error) => {
      throw new Offline("A part of Dayly did not load.", { cause: error });
    });
    return await sendWithProgress()(sending).catch((error) => {
      if (error instanceof Offline) network.missed(error);
      throw error;
    });
  },
  locks,
  channel: channelOrNone("dayly-uploads"),
  now: clock.now,
  newId,
  prepare: async (source) => await (await import("../store/uploads/picture.js")).prepared(source),
  onQueued: askForSync,
});

export const router = createRouter({
  person: () => ({ signedIn: session.state === "signed-in", named: Boolean(session.user?.first_name) }),
});

/** Lets the browser send the queue when there is a network, also after the page is closed, where it can. */
async function askForSync() {
  const registration = await findRegistration();
  await navigator.storage?.persist?.();
  if (registration && "sync" in registration) {
    await /** @type {{ register(tag: string): Promise<void> }} */ (registration.sync).register("uploads");
  }
}

// It comes first, so that whoever else follows the session meets empty stores, and the person's own day.
session.subscribe(() => {
  if (session.state === "signed-out") {
    for (const store of [groups, invitations, feeds, seen, blocks]) store.reset();
    // The tab that signs out ends the subscription.
    if (session.ended) preferences.set("pushWanted", false);
  } else {
    clock.zone = session.user?.time_zone;
    groups.turn();
  }
});

/**
 * What forgets is loaded when it is needed, or after the first screen. The network may fail just then.
 * @param {string} [leaver]
 * @returns {Promise<void>}
 */
async function forget(leaver) {
  const module = await import("../store/forgetting.js").catch(() => null);
  if (!module) return await new Promise((resolve) => setTimeout(resolve, 1_000)).then(() => forget(leaver));
  const registration = await findRegistration();
  await module.forgetEverything({ caches: cacheStorage, database, now: clock.now(), registration }, leaver);
  await uploads.reload();
}

/**
 * Deletes everything that the browser keeps for the person. The program itself stays.
 * @param {string} [leaver] the person who signs out
 */
async function forgetPerson(leaver) {
  if (leaver) uploads.reset();
  const unsubscribed = preferences.pushWanted &&
    import("./browser/subscription.js").then(({ push }) => push.end());
  await Promise.allSettled([
    unsubscribed,
    forget(leaver),
    navigator.clearAppBadge?.(),
  ]);
  // Photos that wait end by the service's clock.
  await clock.keep(kept);
}
