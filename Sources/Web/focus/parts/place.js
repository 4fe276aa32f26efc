/** What all screens of Focus have in common: their addresses, their states, and the way to joining. */

import { focus } from "../app/stores.js";
import { bar } from "../../parts/screen.js";
import { productScreen } from "../../products/parts/place.js";

/** @import { Observable } from "../../parts/screen.js" */

/** @typedef {"join" | "week" | "weeks" | "day" | "board" | "league" | "feed" | "people" | "person" | "sessions" | "schedules"
 *   | "intentions" | "partners" | "temptations" | "settings" | "data" | "phones"} Page */

/** The address of a screen of Focus; without a page it is the first one. @param {Page | ""} [page] @param {string} [id] @param {Record<string, string>} [query] */
export function place(page = "", id = "", query = {}) {
  const search = new URLSearchParams(query).toString();
  const path = ["/focus", page, id && encodeURIComponent(id)].filter(Boolean).join("/");
  return search ? `${path}?${search}` : path;
}

/** The page of a nickname. It may have a dot, and a path that ends like the name of a file is not a screen's. @param {string} nickname */
export const placeOf = (nickname) => place("person", "", { nickname });

/** A screen for people who have joined. Everybody else is led to joining.
 * @param {string} title @param {() => unknown} view @param {{stores?: Observable[], kind?: string}} [options] */
export const focusScreen = (title, view, options = {}) =>
  productScreen(focus, place("join"), title, view, options);

/** The line above a screen of Focus. @param {string} [back] @param {unknown} [actions] */
export const head = (back, actions) => bar(back ?? place(), actions);
