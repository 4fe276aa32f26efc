/** What all screens of Focus have in common: their addresses, their states, and the way to joining. */

import { html } from "../../app/render.js";
import { router } from "../../app/stores.js";
import { focus } from "../../app/focus/focus-stores.js";
import { bar, screen } from "../screen.js";
import { failure, skeleton } from "../states.js";

/** @import { Calls } from "../../api/api.d.ts" */
/** @import { Question } from "../../api/focus/calls.js" */
/** @import { Observable } from "../screen.js" */

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
export function focusScreen(title, view, { stores = [], kind = "" } = {}) {
  const self = screen(title, view, [focus, ...stores], kind);
  const look = () => {
    if (focus.joined === false) router.go(place("join"), { replace: true });
  };
  self.signal.addEventListener("abort", focus.subscribe(look));
  return Object.assign(self, {
    /** The answer to a question, fresh as long as the screen is shown.
     * @template {keyof Calls} K @param {Question<K>} question */
    watch: (question) => focus.watch(question, self.signal),
  });
}

/** An answer in its state. @template T @param {import("../../store/focus/answers.js").Answer<T>} answer
 * @param {(value: T) => unknown} view @param {unknown} [waiting] */
export function shown(answer, view, waiting) {
  if (answer.value !== null) return view(answer.value);
  return answer.error ? failure(answer.error, () => void answer.again()) : waiting ?? skeleton();
}

/** A list in its state, with a button for what comes before.
 * @template T @param {import("../../store/focus/list.js").List<T>} list @param {(items: T[]) => unknown} view @param {() => unknown} none @param {() => unknown} more */
export function listed(list, view, none, more) {
  if (!list.items) return list.error ? failure(list.error, () => void list.again()) : skeleton();
  if (list.items.length === 0) return none();
  return html`${view(list.items)}${list.error && failure(list.error, () => void list.more())}${
    list.hasMore && !list.error && more()
  }`;
}

/** The line above a screen of Focus. @param {string} [back] @param {unknown} [actions] */
export const head = (back, actions) => bar(back ?? place(), actions);
