/** Keeps the stores fresh while the page is open: stream, queue, forgetting, badge, worker. It comes after the first screen. */

import { createEvents, isOfGroups } from "../api/events.js";
import { createAhead } from "../store/pictures/ahead.js";
import { forgetExpired, forgetWaiting } from "../store/forgetting.js";
import { KEPT_UNSEEN } from "../store/kept.js";
import "../parts/banners.js";
import { config } from "./config.js";
import { tidyNotices } from "./browser/tray.js";
import { push } from "./browser/subscription.js";
import { channelOrNone } from "../store/platform.js";
import {
  blocks,
  cacheStorage,
  clock,
  database,
  feeds,
  groups,
  invitations,
  kept,
  locks,
  network,
  photos,
  router,
  seen,
  serviceWorker,
  session,
  storage,
  uploads,
} from "./stores.js";
import { updates } from "./browser/updates.js";

/** @import { Photo } from "../api/api.d.ts" */

/** A hidden page keeps its stream for this long. */
const PATIENCE = 30_000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let sending;
let onIcon = "";
let leaving = new AbortController();

export const events = createEvents({
  fetch: (input, init) => globalThis.fetch(input, init),
  session,
  locks,
  products: config.features,
  channel: channelOrNone("dayly-events"),
  reached: network.reached,
  missed: network.missed,
  sleep: (delay, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, delay);
      signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
    }),
});

const ahead = createAhead({
  photos,
  locks,
  connection: /** @type {any} */ (navigator).connection,
  pictures: () =>
    (groups.all ?? []).map(({ id }) => ({ photos: feeds.of(id).photos, unseen: seen.unseen(id) })),
});

/** Dayly works without a worker, too: a private window may refuse one. */
export async function startWorker() {
  await updates.start().catch((error) => console.warn("The service worker did not start:", error));
}

/** Fetches everything that may have changed, and forgets everything that has ended. */
export async function wake() {
  // A message may wake a hidden page, which must not keep its stream.
  if (!document.hidden) clearTimeout(hiding);
  clock.look();
  await Promise.allSettled([forgetOthers(), forgetExpired(cacheStorage, clock.now()), feeds.expire()]);
  if (session.state !== "signed-in") return;
  if (!document.hidden) events.start();
  // Uploads of an earlier visit have no timer yet, nor have those for which there was no network.
  const running = uploads.run().then(armQueue);
  const people = Promise.all([invitations.refresh(), blocks.refresh()]);
  const shown = Promise.all([groups.load().then(refreshFeeds), people]).then(tidyNotices);
  await Promise.allSettled([running, shown, push.renew(), updates.look()]);
}

/** Photos do not wait for ever for people who are not signed in. */
async function forgetOthers() {
  if (session.state === "starting" || !await database.isThere()) return;
  await forgetWaiting(database, clock.now(), session.user?.id);
  await uploads.load();
}

async function refreshFeeds() {
  await Promise.all((groups.all ?? []).map((group) => feeds.refresh(group.id)));
  if (groups.status === "ready") await seen.retain((groups.all ?? []).map((group) => feeds.of(group.id)));
  // An earlier visit or a message may have left a number on the icon that is over.
  if (groups.status === "ready") onIcon = "?";
  showBadge();
  keepForOffline();
}

/** Keeps pictures for a time without a network. */
function keepForOffline() {
  if (storage.isKept && groups.status === "ready") void ahead.run(leaving.signal);
}

function hide() {
  void uploads.fetchTickets();
  hiding = setTimeout(() => events.stop(), PATIENCE);
}

/** Runs the queue again when its next upload is due. */
function armQueue() {
  clearTimeout(sending);
  const { nextAt } = uploads;
  if (nextAt === null || session.state !== "signed-in") return;
  sending = setTimeout(() => void uploads.run(), Math.min(Math.max(nextAt - clock.now(), 250), 2 ** 31 - 1));
}

/** Shows on the app's icon in how many groups there are photos that were not looked at. */
function showBadge() {
  const unseen = (groups.all ?? []).filter((group) => seen.unseen(group.id).length > 0).map((group) =>
    group.id
  );
  if (unseen.join() === onIcon) return;
  onIcon = unseen.join();
  if (session.state === "signed-in") void kept.write(KEPT_UNSEEN, unseen);
  const shown = unseen.length > 0 ? navigator.setAppBadge?.(unseen.length) : navigator.clearAppBadge?.();
  shown?.catch(() => {});
}

/** @param {import("../api/events.js").Change} change */
async function apply(change) {
  // What a dead line has kept back is asked for again over a new one.
  if (change.type === "reconnected" && groups.status !== "ready") {
    return await groups.refresh().then(refreshFeeds);
  }
  if (!isOfGroups(change)) return;
  await Promise.all([groups.apply(change, session.user?.id), feeds.apply(change)]);
  if (change.type === "member.left" && !groups.byId(change.data.group_id)) {
    await feeds.drop(change.data.group_id);
  }
  if (change.type === "photo.created") keepForOffline();
  // Whoever joined or left elsewhere may have done so by an invitation.
  else if (change.type !== "photo.deleted") void invitations.refresh();
}

/** Nothing that is under way may keep a picture after a sign-out. */
function onSession() {
  if (session.state !== "signed-out") return;
  events.reset();
  leaving.abort();
  leaving = new AbortController();
}

/** The group has its photo at the moment at which the upload goes from the screen. @param {Photo} photo */
function accept(photo) {
  if (session.state !== "signed-in") return;
  void groups.sent(photo.group_id).then(groups.refresh);
  void feeds.add(photo);
}

export function startBackground() {
  session.subscribe(onSession);
  events.subscribe((change) => void apply(change));
  uploads.subscribe(armQueue);
  uploads.onSent(({ photo }) => accept(photo));
  for (const store of [groups, feeds, seen]) store.subscribe(showBadge);
  document.addEventListener("visibilitychange", () => document.hidden ? hide() : void wake());
  const back = () => {
    void uploads.run({ isBack: true });
    void wake();
  };
  addEventListener("online", back);
  network.subscribe(() => network.state === "there" && back());
  addEventListener("beforeunload", (event) => uploads.inMemory && event.preventDefault());
  serviceWorker?.addEventListener("message", ({ data }) => void onWorker(data));
}

/**
 * The worker has sent an upload or received a push message, or a person tapped a notification.
 * @param {{ type: "changed", sent?: Photo[] } | { type: "navigate", path: string }} message
 */
async function onWorker(message) {
  if (message.type === "navigate") return router.go(message.path);
  await uploads.load();
  for (const photo of message.sent ?? []) accept(photo);
  await wake();
}
