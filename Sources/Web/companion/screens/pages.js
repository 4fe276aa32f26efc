/** Which screen each address of Companion shows. */

import { createPages } from "../../products/screens/pages.js";

/** @type {import("../../products/screens/pages.js").Pages} */
const screens = {
  "": async () => (await import("./today.js")).today,
  join: async () => (await import("./join.js")).join,
  survey: async () => (await import("./survey.js")).survey,
  diary: async () => (await import("./diary.js")).diary,
  day: async () => (await import("./day.js")).day,
  pet: async () => (await import("./pet.js")).pet,
  shop: async () => (await import("./shop.js")).shop,
  wardrobe: async () => (await import("./wardrobe.js")).wardrobe,
  wallet: async () => (await import("./wallet.js")).wallet,
  recovery: async () => (await import("./recovery.js")).recovery,
  memorial: async () => (await import("./memorial.js")).memorial,
  settings: async () => (await import("./settings.js")).settings,
  phones: async () => (await import("./phones.js")).phones,
  data: async () => (await import("./data.js")).data,
};

const SHEETS = [
  "products/styles/products",
  "companion/styles/companion",
  "companion/styles/things",
  "companion/styles/animals",
  "companion/styles/scenes",
  "companion/styles/movement",
];

export const pages = createPages(screens, "companion/locales/", SHEETS);
