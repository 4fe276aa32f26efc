/** Which screen each address of Focus shows. */

import { createPages } from "../../products/screens/pages.js";

/** @type {import("../../products/screens/pages.js").Pages} */
const screens = {
  "": async () => (await import("./now.js")).now,
  join: async () => (await import("./join.js")).join,
  week: async () => (await import("./week.js")).week,
  weeks: async () => (await import("./weeks.js")).weeks,
  day: async () => (await import("./day.js")).day,
  board: async () => (await import("./together/board.js")).board,
  league: async () => (await import("./together/league.js")).league,
  feed: async () => (await import("./together/feed.js")).feed,
  people: async () => (await import("./together/people.js")).people,
  person: async () => (await import("./together/person.js")).person,
  sessions: async () => (await import("./limits/sessions.js")).sessions,
  schedules: async () => (await import("./limits/schedules.js")).schedules,
  intentions: async () => (await import("./limits/intentions.js")).intentions,
  partners: async () => (await import("./together/partners.js")).partners,
  temptations: async () => (await import("./limits/temptations.js")).temptations,
  settings: async () => (await import("./settings.js")).settings,
  phones: async () => (await import("./phones.js")).phones,
  data: async () => (await import("./data.js")).data,
};

const SHEETS = ["products/styles/products", "focus/styles/focus", "focus/styles/lists"];

export const pages = createPages(screens, "focus/locales/", SHEETS);
