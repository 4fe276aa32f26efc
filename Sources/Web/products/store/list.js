/** A list that comes in pages, the newest first. */

import { Problem } from "../../api/problems.js";

/**
 * @import { Calls } from "../../api/api.d.ts"
 * @import { Client } from "../../api/client.js"
 * @import { Question } from "../api/questions.js"
 */

/**
 * @template T
 * @typedef {object} List
 * @property {T[] | null} items null as long as nothing is known
 * @property {unknown} error of the last attempt
 * @property {boolean} hasMore
 * @property {boolean} busy
 * @property {() => Promise<void>} again begins anew; never rejects
 * @property {() => Promise<void>} more adds the next page; never rejects
 */

/**
 * @template {keyof Calls} K
 * @template T
 * @param {Pick<Client, "send">} client
 * @param {Question<K>} question
 * @param {(page: Calls[K]["answer"]) => T[]} itemsOf
 * @param {() => void} changed
 * @returns {List<T>}
 */
export function createList(client, { call, parts }, itemsOf, changed) {
  /** @type {string | null} */
  let cursor = null;
  let turn = 0;
  /** @type {List<T>} */
  const list = {
    items: null,
    error: null,
    hasMore: false,
    busy: false,
    again: () => fetch(null),
    more: async () => {
      if (cursor && !list.busy) await fetch(cursor);
    },
  };

  /** @param {string | null} from */
  async function fetch(from) {
    const begun = ++turn;
    list.busy = true;
    changed();
    try {
      const query = { ...parts.query, ...(from ? { cursor: from } : {}) };
      const page = /** @type {any} */ (await client.send(call, { ...parts, query }));
      if (begun !== turn) return;
      list.items = [...(from ? list.items ?? [] : []), ...itemsOf(page)];
      cursor = page.cursor;
      Object.assign(list, { error: null, hasMore: cursor !== null });
    } catch (error) {
      if (begun !== turn) return;
      // A page that is too old is not known any more: the list begins anew.
      if (from && error instanceof Problem && error.code === "cursor_expired") return await fetch(null);
      list.error = error;
    }
    list.busy = false;
    changed();
  }

  void list.again();
  return list;
}
