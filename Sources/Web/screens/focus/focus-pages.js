/** Which screen each address of Focus shows. They come when they are asked for, or while the page has nothing else to do. */

import { addTexts } from "../../app/i18n.js";
import { router } from "../../app/stores.js";
import { styles } from "../all.js";

/** @typedef {import("../../app/router.js").ScreenMaker} ScreenMaker */

/** @type {Record<string, () => Promise<ScreenMaker>>} */
const pages = {
  "": async () => (await import("./focus-now.js")).now,
  join: async () => (await import("./focus-join.js")).join,
  week: async () => (await import("./focus-week.js")).week,
  weeks: async () => (await import("./focus-weeks.js")).weeks,
  day: async () => (await import("./focus-day.js")).day,
  board: async () => (await import("./focus-board.js")).board,
  league: async () => (await import("./focus-league.js")).league,
  feed: async () => (await import("./focus-feed.js")).feed,
  people: async () => (await import("./focus-people.js")).people,
  person: async () => (await import("./focus-person.js")).person,
  sessions: async () => (await import("./focus-sessions.js")).sessions,
  schedules: async () => (await import("./focus-schedules.js")).schedules,
  intentions: async () => (await import("./focus-intentions.js")).intentions,
  partners: async () => (await import("./focus-partners.js")).partners,
  temptations: async () => (await import("./focus-temptations.js")).temptations,
  settings: async () => (await import("./focus-settings.js")).settings,
  phones: async () => (await import("./focus-phones.js")).phones,
  data: async () => (await import("./focus-data.js")).data,
};

/** @type {Promise<unknown> | null} */
let ready = null;

/** Loads the texts and the styles, which all screens share. One that does not come is asked for again. */
function dress() {
  const sheets = ["products/products", "focus/focus", "focus/lists"].map(styles);
  ready ??= Promise.all([addTexts("focus/focus-"), ...sheets]).catch(
    (error) => {
      ready = null;
      throw error;
    },
  );
  return ready;
}

/** Loads the other screens, one after the other. */
async function loadOthers() {
  for (const page of Object.keys(pages)) {
    await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
    await router.load("focus", page).catch(() => {});
  }
}

let isLoadingOthers = false;

/** @param {string} page */
export async function load(page) {
  const screen = pages[page] ?? (async () => (await import("../about/about.js")).notFound);
  const [maker] = await Promise.all([screen(), dress()]);
  if (!isLoadingOthers) {
    isLoadingOthers = true;
    void loadOthers();
  }
  return maker;
}
