/** The notifications of this browser. */

import { createPush } from "../../store/push.js";
import { config } from "../config.js";
import { client, install, preferences, serviceWorker } from "../stores.js";

export const push = createPush({
  client,
  key: config.push_key,
  preferences,
  registration: () => navigator.serviceWorker.ready,
  notifications: serviceWorker && "Notification" in globalThis && "PushManager" in globalThis
    ? Notification
    : null,
  needsInstall: () => install.state === "ios",
  language: () => document.documentElement.lang,
});
