/** Notifications of this browser. Subscriptions end silently, so a wanted one is registered again at each start. */

import { createListeners } from "./listeners.js";

/**
 * @import { Client } from "../api/client.js"
 * @import { Preferences } from "./preferences.js"
 * @typedef {"none" | "unsupported" | "install-first" | "denied" | "off" | "on"} PushState `none`: this service
 *     sends none; `install-first`: on an iPhone only the app on the home screen may notify
 * @typedef {object} Outside
 * @property {Pick<Client, "registerDevice" | "unregisterDevice">} client
 * @property {string | null} key the service's, without which it sends nothing to browsers
 * @property {Preferences} preferences
 * @property {() => Promise<ServiceWorkerRegistration>} registration
 * @property {{ readonly permission: NotificationPermission, requestPermission(): Promise<NotificationPermission> } | null} notifications
 * @property {() => boolean} needsInstall
 * @property {() => string} language
 */

/** @param {Outside} outside */
export function createPush(
  { client, key, preferences, registration, notifications, needsInstall, language },
) {
  const { subscribe, tell } = createListeners();

  async function subscription() {
    const { pushManager } = await registration();
    return await pushManager.getSubscription();
  }

  /** Subscribes with the service's key, and anew when the key has changed. */
  async function subscribed() {
    const { pushManager } = await registration();
    const options = { userVisibleOnly: true, applicationServerKey: key };
    try {
      return await pushManager.subscribe(options);
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== "InvalidStateError") throw error;
      await (await pushManager.getSubscription())?.unsubscribe();
      return await pushManager.subscribe(options);
    }
  }

  async function register() {
    const { endpoint, keys = {} } = (await subscribed()).toJSON();
    const { p256dh, auth } = keys;
    if (!endpoint || !p256dh || !auth) throw new Error("The browser's subscription has no keys.");
    const address = { endpoint, keys: { p256dh, auth } };
    await client.registerDevice({ platform: "web", subscription: address, language: language() });
  }

  return {
    subscribe,
    /** @returns {PushState} */
    get state() {
      if (!key) return "none";
      if (!notifications) return needsInstall() ? "install-first" : "unsupported";
      if (notifications.permission === "denied") return "denied";
      return preferences.pushWanted && notifications.permission === "granted" ? "on" : "off";
    },
    /** Asks for the permission, which needs a tap, and registers. True when notifications are on. */
    async enable() {
      if (await notifications?.requestPermission() !== "granted") return tell(), false;
      await register();
      preferences.set("pushWanted", true);
      tell();
      return true;
    },
    async disable() {
      preferences.set("pushWanted", false);
      tell();
      const known = await subscription();
      if (!known) return;
      await client.unregisterDevice(known.endpoint).catch(() => {});
      await known.unsubscribe();
    },
    /** Registers again, at each start. */
    async renew() {
      if (this.state === "on") await register();
    },
    /** Ends the subscription of this browser, as at a sign-out; the service ends its part with the session. */
    async end() {
      preferences.set("pushWanted", false);
      await (await subscription())?.unsubscribe();
      tell();
    },
  };
}
