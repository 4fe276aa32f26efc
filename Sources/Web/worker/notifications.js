/** Push messages. iOS ends a subscription after three messages without a notification, so each one shows one. */

import { createKept, KEPT_UNSEEN } from "../store/kept.js";

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
    return url.origin === origin ? url.pathname + url.search : "/";
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
  const known = /** @type {string[] | null} */ (await kept.read(KEPT_UNSEEN)) ?? [];
  const unseen = [...new Set([...known, groupId])];
  await kept.write(KEPT_UNSEEN, unseen);
  await navigator.setAppBadge?.(unseen.length).catch(() => {});
}

/** @param {PushEvent} event */
export async function onPush(event) {
  const { title = "Dayly", body = "", lang = "", dir = "auto", tag = "dayly", navigate, data } =
    payloadOf(event.data).notification ?? {};
  const path = pathOf(navigate, location.origin);
  const icons = { icon: "/icons/icon-192.png", badge: "/icons/monochrome.png" };
  await worker.registration.showNotification(title, {
    body,
    lang,
    dir,
    tag,
    data: { ...data, path },
    ...icons,
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
