/** Which screen each address of Companion shows. */

import { createPages } from "../products/product-pages.js";

/** @type {import("../products/product-pages.js").Pages} */
const screens = {
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

export const pages = createPages(screens, "companion/companion-", SHEETS);
