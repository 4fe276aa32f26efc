/** What all screens of Companion have in common: their addresses, and the way to joining. */

import { companion } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { bar } from "../../parts/screen.js";
import { productScreen } from "../../products/parts/place.js";

/** @import { Observable } from "../../parts/screen.js" */

/** @typedef {"join" | "survey" | "diary" | "day" | "pet" | "shop" | "wardrobe" | "wallet" | "recovery" | "memorial" | "settings"
 *   | "phones" | "data"} Page */

/** The address of a screen of Companion; without a page it is the first one. @param {Page | ""} [page] @param {string} [id] */
export const place = (page = "", id = "") =>
  ["/companion", page, id && encodeURIComponent(id)].filter(Boolean).join("/");

/** A screen for people who have joined. Everybody else is led to joining.
 * @param {string} title @param {() => unknown} view @param {{stores?: Observable[], kind?: string}} [options] */
export function companionScreen(title, view, { stores = [], kind = "" } = {}) {
  const self = productScreen(companion, place("join"), title, view, { stores, kind: `companion ${kind}` });
  // A screen that shows a list alone learns by this whether the person takes part.
  self.watch(questions.settings());
  return self;
}

/** The line above a screen of Companion. @param {string} [back] @param {unknown} [actions] */
export const head = (back, actions) => bar(back ?? place(), actions);
