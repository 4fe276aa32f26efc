/** The stores of this page, joined with each other and with the browser. Screens import them from here. */

import { createClient } from "../api/client.js";
import { createEvents } from "../api/events.js";
import { sendWithProgress } from "../api/sending.js";
import { createSession } from "../api/session.js";
import { createAccount } from "../store/account.js";
import { createClock } from "../store/service-clock.js";
import { createDatabase } from "../store/database.js";
import { createFeeds } from "../store/feed.js";
import { forgetEverything } from "../store/forgetting.js";
import { createGroups } from "../store/group-list.js";
import { createKept } from "../store/kept.js";
import { createPhotos } from "../store/photos.js";
import { prepared } from "../store/picture.js";
import { createPreferences } from "../store/preferences.js";
import { createPush } from "../store/push.js";
import { createSeen } from "../store/seen.js";
import { createUploads } from "../store/upload-queue.js";
import { install } from "./installation.js";
import { createRouter } from "./router.js";

export { install };

/** @type {typeof globalThis.fetch} */
const fetch = (input, init) => globalThis.fetch(input, init);
const { locks } = navigator;
export const kept = createKept(caches);
const database = createDatabase(indexedDB);

/** A browser that refuses storage throws at the very name. */
function localStorageIfAny() {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

export const preferences = createPreferences(localStorageIfAny());

export const clock = createClock({
  now: Date.now,
  setTimer: (run, delay) => setTimeout(run, delay),
  clearTimer: clearTimeout,
});

export const session = createSession({
  fetch,
  locks,
  kept,
  channel: new BroadcastChannel("dayly-session"),
  uptime: () => performance.now(),
  observe: clock.observe,
  forget: forgetPerson,
});

export const client = createClient({ fetch, session, observe: clock.observe });

export const account = createAccount({ client, session });

export const groups = createGroups({ client, kept });

export const photos = createPhotos({ fetch, caches, now: clock.now, getPhoto: client.getPhoto });

export const feeds = createFeeds({ client, kept, clock, forget: (id) => photos.forget(id) });

export const seen = createSeen({ kept, photosOf: (id) => feeds.of(id).photos, me: () => session.user?.id });

export const uploads = createUploads({
  database,
  session,
  client,
  send: sendWithProgress(),
  locks,
  channel: new BroadcastChannel("dayly-uploads"),
  now: clock.now,
  newId: () => crypto.randomUUID(),
  prepare: prepared,
  onQueued: askForSync,
});

export const events = createEvents({
  fetch,
  session,
  locks,
  channel: new BroadcastChannel("dayly-events"),
  sleep: (delay, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, delay);
      signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
    }),
});

export const push = createPush({
  client,
  preferences,
  registration: () => navigator.serviceWorker.ready,
  notifications: "Notification" in globalThis && "PushManager" in globalThis ? Notification : null,
  needsInstall: () => install.state === "ios",
  language: () => document.documentElement.lang,
});

export const router = createRouter({
  person: () => ({ signedIn: session.state === "signed-in", named: Boolean(session.user?.first_name) }),
});

/** Lets the browser send the queue when there is a network, also after the page is closed, where it can. */
async function askForSync() {
  const registration = await navigator.serviceWorker?.getRegistration();
  await navigator.storage?.persist?.();
  if (registration && "sync" in registration) {
    await /** @type {{ register(tag: string): Promise<void> }} */ (registration.sync).register("uploads");
  }
}

/** Deletes everything that the browser keeps for the person. The program itself stays. */
async function forgetPerson() {
  events.reset();
  for (const store of [groups, feeds, uploads, seen]) store.reset();
  await Promise.allSettled([push.end(), forgetEverything({ caches, database }), navigator.clearAppBadge?.()]);
}
