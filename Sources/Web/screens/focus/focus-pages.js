/** Which screen each address of Focus shows. */

import { createPages } from "../products/product-pages.js";

/** @type {import("../products/product-pages.js").Pages} */
const screens = {
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

const SHEETS = ["products/products", "focus/focus", "focus/lists"];

export const pages = createPages(screens, "focus/focus-", SHEETS);
