/** Starts the app. Everything that the first screen does not need is loaded after it. */

import { pagesOf, screens } from "../screens/all.js";
import { unloaded } from "../screens/unloaded/unloaded.js";
import { setLanguage } from "./i18n.js";
import { blocks, clock, groups, kept, preferences, router, seen, session, uploads } from "./stores.js";

/** @type {string} */
let spoken = preferences.language;
let wasSignedIn = false;
/** @type {Promise<void> | undefined} */
let firstData;

/** `early.js` has set the theme before the first frame. */
const { setTheme } = /** @type {{ setTheme?: (theme: string) => void }} */ (globalThis);

async function onPreferences() {
  setTheme?.(preferences.theme);
  if (preferences.language === spoken) return;
  spoken = preferences.language;
  await texts();
  router.reload();
}

async function resume() {
  await uploads.load();
  await uploads.resume();
  await (await background()).wake();
}

/** A sign-in fetches everything; a sign-out leads to the welcome screen. */
function onSession() {
  const isSignedIn = session.state === "signed-in";
  if (isSignedIn === wasSignedIn) return;
  wasSignedIn = isSignedIn;
  // The answer to a sign-out clears the whole storage of this origin, the worker and the choices with it. Only the tab that
  // signs out saves its choices: those of another one may be older.
  void (isSignedIn
    ? resume()
    : background().then(({ startWorker }) => startWorker()).then(() => session.ended || preferences.save()));
  router.check();
}

/** Waits until it is known who is here: at once for a known person, else for the service's answer. */
async function person() {
  const timely = clock.recall(kept);
  await new Promise((resolve) => {
    const look = () => session.state !== "starting" && resolve(undefined);
    session.subscribe(look);
    void session.start().then(look);
  });
  await timely;
  if (session.state === "signed-in") firstData = groups.load();
}

/** @param {number} delay */
const pause = (delay) => new Promise((resolve) => setTimeout(resolve, delay));

/**
 * Loads the texts. The network may fail just then, and a process of an older version does not have them.
 * @returns {Promise<void>}
 */
const texts = () => setLanguage(preferences.language).catch(() => pause(2_000).then(texts));

/**
 * Loads what comes after the first screen. The network may fail just then.
 * @returns {Promise<typeof import("./background.js")>}
 */
const background = () => import("./background.js").catch(() => pause(5_000).then(background));

/**
 * Loads the other screens, one after the other, while the page has nothing else to do. Each opens at once then, also when
 * the service has a newer version meanwhile. Safari cannot tell when there is nothing to do.
 */
async function loadScreens() {
  for (const name of /** @type {(keyof typeof screens)[]} */ (Object.keys(screens))) {
    // One that does not come now is asked for again when somebody goes there.
    for (const page of (await pagesOf(name).catch(() => null))?.names ?? [""]) {
      await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
      await router.load(name, page).catch(() => {});
    }
  }
}

async function start() {
  await Promise.all([texts(), person(), blocks.load(), seen.load(), uploads.load()]);
  wasSignedIn = session.state === "signed-in";
  preferences.subscribe(() => void onPreferences());
  session.subscribe(onSession);
  await router.start(screens, unloaded);
  document.documentElement.dataset["ready"] = "";
  // The rest must not slow down the first answer. A network that answers nothing is not waited for.
  await Promise.race([firstData, pause(1_000)]);
  const { startBackground, startWorker, wake } = await background();
  startBackground();
  await Promise.all([startWorker(), wake(), loadScreens()]);
  document.documentElement.dataset["complete"] = "";
}

void start();
