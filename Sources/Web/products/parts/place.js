/** What all screens of a product have in common: its store, and the way to joining. */

import { router } from "../../app/stores.js";
import { screen } from "../../parts/screen.js";

/** @import { Calls } from "../../api/api.d.ts" */
/** @import { Question } from "../api/questions.js" */
/** @import { Answers } from "../store/answers.js" */
/** @import { Observable } from "../../parts/screen.js" */

/** A screen for people who have joined. Everybody else is led to joining.
 * @param {Answers} store @param {string} join the address of joining
 * @param {string} title @param {() => unknown} view @param {{stores?: Observable[], kind?: string}} options */
export function productScreen(store, join, title, view, { stores = [], kind = "" }) {
  const self = screen(title, view, [store, ...stores], kind);
  const look = () => {
    if (store.joined === false) router.go(join, { replace: true });
  };
  self.signal.addEventListener("abort", store.subscribe(look));
  return Object.assign(self, {
    /** The answer to a question, fresh as long as the screen is shown.
     * @template {keyof Calls} K @param {Question<K>} question */
    watch: (question) => store.watch(question, self.signal),
  });
}
