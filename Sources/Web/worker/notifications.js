/** Push messages. iOS ends a subscription after three messages without a notification, so each one shows one. */

import { createKept, KEPT_UNSEEN } from "../store/kept.js";
import { isOver } from "./queue.js";

/**
 * The payload of Declarative Web Push, which browsers without it leave to the worker.
 * @typedef {object} Payload
 * @property {{ title?: string, body?: string, lang?: string, dir?: NotificationDirection, tag?: string, navigate?: string,
 *     data?: { kind?: string, group_id?: string, invite_id?: string } }} [notification]
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));

/**
 * The payload of a message; an empty one where it cannot be read.
 * @param {PushMessageData | null} data
 * @returns {Payload}
 */
export function payloadOf(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/**
 * The path to open; the start where the message names another site.
 * @param {string | undefined} navigate
 * @param {string} origin
 */
export function pathOf(navigate, origin) {
  try {
    const url = new URL(navigate ?? "/", origin);
    // A path that begins with two slashes names a host.
    return url.origin === origin ? url.pathname.replace(/^\/+/, "/") + url.search : "/";
  } catch {
    return "/";
  }
}

/**
 * Counts one more group with a photo that was not looked at. The page counts anew whenever it is open.
 * @param {string | undefined} groupId
 */
async function countOnIcon(groupId) {
  if (!groupId) return;
  const kept = createKept(caches);
  const known = /** @type {string[]} */ (await kept.read(KEPT_UNSEEN) ?? []);
  const unseen = [...new Set(known).add(groupId)];
  await kept.write(KEPT_UNSEEN, unseen);
  await navigator.setAppBadge?.(unseen.length).catch(() => {});
}

/** @param {PushEvent} event */
export async function onPush(event) {
  const { title = "Dayly", navigate, data, ...shown } = payloadOf(event.data).notification ?? {};
  // It may be late, and somebody has signed in again.
  if (data?.kind === "signed_out" && !await isOver()) return;
  await worker.registration.showNotification(title, {
    tag: "dayly",
    ...shown,
    data: { ...data, path: pathOf(navigate, location.origin) },
    icon: "/icons/icon-192.png",
    badge: "/icons/monochrome.png",
  });
  if (data?.kind === "photo") await countOnIcon(data.group_id);
  for (const client of await worker.clients.matchAll({ type: "window" })) {
    client.postMessage({ type: "changed" });
  }
}

/** @param {NotificationEvent} event */
export async function onNotificationClick(event) {
  event.notification.close();
  const path = event.notification.data?.path ?? "/";
  const [open] = await worker.clients.matchAll({ type: "window" });
  if (!open) return void await worker.clients.openWindow(path);
  await open.focus();
  open.postMessage({ type: "navigate", path });
}
