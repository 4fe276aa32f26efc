/** Starts the app. */

import { screens } from "../screens/all.js";
import "../parts/banners.js";
import { applyTheme } from "./appearance.js";
import { startBackground, wake } from "./background.js";
import { setLanguage } from "./i18n.js";
import { preferences, router, seen, session, uploads } from "./stores.js";
import { updates } from "./updates.js";

/** @type {string} */
let spoken = preferences.language;
let wasSignedIn = false;

async function onPreferences() {
  applyTheme(preferences);
  if (preferences.language === spoken) return;
  spoken = preferences.language;
  await setLanguage(spoken);
  router.reload();
}

/** A sign-in fetches everything; a sign-out leads to the welcome screen. */
function onSession() {
  const isSignedIn = session.state === "signed-in";
  if (isSignedIn === wasSignedIn) return;
  wasSignedIn = isSignedIn;
  if (isSignedIn) void uploads.load().then(() => uploads.resume()).then(wake);
  // The answer to a sign-out clears the whole storage of this origin, the worker and the choices with it.
  else void startWorker().then(() => preferences.save());
  router.check();
}

/** Waits until it is known who is here: at once for a known person, else for the service's answer. */
function person() {
  return new Promise((resolve) => {
    const look = () => session.state !== "starting" && resolve(undefined);
    session.subscribe(look);
    void session.start().then(look);
  });
}

/** Dayly works without a worker, too: a private window may refuse one. */
async function startWorker() {
  await updates.start().catch((error) => console.warn("The service worker did not start:", error));
}

async function start() {
  applyTheme(preferences);
  startBackground();
  await Promise.all([setLanguage(preferences.language), person(), seen.load(), uploads.load()]);
  wasSignedIn = session.state === "signed-in";
  preferences.subscribe(() => void onPreferences());
  session.subscribe(onSession);
  router.start(screens);
  document.documentElement.dataset["ready"] = "";
  await Promise.all([startWorker(), wake()]);
}

void start();
