/** Push messages. iOS ends a subscription after three messages without a notification, so each one shows one. */

/**
 * The payload of Declarative Web Push, which browsers without it leave to the worker.
 * @typedef {object} Payload
 * @property {{ title?: string, body?: string, lang?: string, dir?: NotificationDirection, tag?: string, navigate?: string,
 *     app_badge?: number }} [notification]
 * @property {number} [app_badge]
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
  if (!navigate || !URL.canParse(navigate, origin)) return "/";
  const url = new URL(navigate, origin);
  return url.origin === origin ? url.pathname + url.search : "/";
}

/** @param {PushEvent} event */
export async function onPush(event) {
  const payload = payloadOf(event.data);
  const { title = "Dayly", body = "", lang = "", dir = "auto", tag = "dayly", navigate } =
    payload.notification ?? {};
  const badge = payload.app_badge ?? payload.notification?.app_badge;
  const data = { path: pathOf(navigate, location.origin) };
  const options = { body, lang, dir, tag, data, icon: "/icons/icon-192.png", badge: "/icons/monochrome.png" };
  await worker.registration.showNotification(title, options);
  if (badge !== undefined) await navigator.setAppBadge?.(badge).catch(() => {});
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
