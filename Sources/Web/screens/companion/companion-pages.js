/** Which screen each address of Companion shows. They come when they are asked for, or while the page has nothing else to do. */

import { addTexts } from "../../app/i18n.js";
import { router } from "../../app/stores.js";
import { styles } from "../all.js";

/** @typedef {import("../../app/router.js").ScreenMaker} ScreenMaker */

/** @type {Record<string, () => Promise<ScreenMaker>>} */
const pages = {
  "": async () => (await import("./companion-today.js")).today,
  join: async () => (await import("./companion-join.js")).join,
  survey: async () => (await import("./companion-survey.js")).survey,
  diary: async () => (await import("./companion-diary.js")).diary,
  day: async () => (await import("./companion-day.js")).day,
  pet: async () => (await import("./companion-pet.js")).pet,
  shop: async () => (await import("./companion-shop.js")).shop,
  wardrobe: async () => (await import("./companion-wardrobe.js")).wardrobe,
  wallet: async () => (await import("./companion-wallet.js")).wallet,
  recovery: async () => (await import("./companion-recovery.js")).recovery,
  memorial: async () => (await import("./companion-memorial.js")).memorial,
  settings: async () => (await import("./companion-settings.js")).settings,
  phones: async () => (await import("./companion-phones.js")).phones,
  data: async () => (await import("./companion-data.js")).data,
};

const SHEETS = [
  "products/products",
  "companion/companion",
  "companion/things",
  "companion/animals",
  "companion/scenes",
  "companion/movement",
];

/** @type {Promise<unknown> | null} */
let ready = null;

/** Loads the texts and the styles, which all screens share. One that does not come is asked for again. */
function dress() {
  ready ??= Promise.all([addTexts("companion/companion-"), ...SHEETS.map(styles)]).catch((error) => {
    ready = null;
    throw error;
  });
  return ready;
}

/** Loads the other screens, one after the other. */
async function loadOthers() {
  for (const page of Object.keys(pages)) {
    await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
    await router.load("companion", page).catch(() => {});
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
