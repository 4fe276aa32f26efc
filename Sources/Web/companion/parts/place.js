/** What all screens of Companion have in common: their addresses, and the way to joining. */

import { router } from "../../app/stores.js";
import { companion } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { bar, screen } from "../../parts/screen.js";

/** @import { Calls } from "../../api/api.d.ts" */
/** @import { Question } from "../../products/api/questions.js" */
/** @import { Observable } from "../../parts/screen.js" */

/** @typedef {"join" | "survey" | "diary" | "day" | "pet" | "shop" | "wardrobe" | "wallet" | "recovery" | "memorial" | "settings"
 *   | "phones" | "data"} Page */

/** The address of a screen of Companion; without a page it is the first one. @param {Page | ""} [page] @param {string} [id] */
export const place = (page = "", id = "") =>
  ["/companion", page, id && encodeURIComponent(id)].filter(Boolean).join("/");

/** A screen for people who have joined. Everybody else is led to joining.
 * @param {string} title @param {() => unknown} view @param {{stores?: Observable[], kind?: string}} [options] */
export function companionScreen(title, view, { stores = [], kind = "" } = {}) {
  const self = screen(title, view, [companion, ...stores], `companion ${kind}`);
  const look = () => {
    if (companion.joined === false) router.go(place("join"), { replace: true });
  };
  self.signal.addEventListener("abort", companion.subscribe(look));
  // A screen that shows a list alone learns by this whether the person takes part.
  companion.watch(questions.settings(), self.signal);
  return Object.assign(self, {
    /** The answer to a question, fresh as long as the screen is shown.
     * @template {keyof Calls} K @param {Question<K>} question */
    watch: (question) => companion.watch(question, self.signal),
  });
}

/** The line above a screen of Companion. @param {string} [back] @param {unknown} [actions] */
export const head = (back, actions) => bar(back ?? place(), actions);
