/** Answers and lists of products, each in its state. */

import { html } from "../../app/render.js";
import { failure, skeleton } from "../../parts/states.js";

/** An answer in its state. @template T @param {{value: T | null, error: unknown, again: () => unknown}} answer
 * @param {(value: T) => unknown} view @param {unknown} [waiting] */
export function shown(answer, view, waiting) {
  if (answer.value !== null) return view(answer.value);
  return answer.error ? failure(answer.error, () => void answer.again()) : waiting ?? skeleton();
}

/** A list in its state, with a button for what comes before.
 * @template T @param {import("../store/list.js").List<T>} list @param {(items: T[]) => unknown} view @param {() => unknown} none @param {() => unknown} more */
export function listed(list, view, none, more) {
  if (!list.items) return list.error ? failure(list.error, () => void list.again()) : skeleton();
  if (list.items.length === 0) return none();
  return html`
    ${view(list.items)}
    ${list.error && failure(list.error, () => void list.more())}
    ${list.hasMore && !list.error && more()}
  `;
}
