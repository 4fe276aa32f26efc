/** Which photos were looked at here: for the dot of a group and the number on the app's icon. */

import { createListeners } from "./listeners.js";

/**
 * @import { Photo } from "../api/api.d.ts"
 * @import { Feed } from "./feed.js"
 * @import { Kept } from "./kept.js"
 * @typedef {ReturnType<typeof createSeen>} Seen
 */

const KEPT_SEEN = "seen";

/**
 * @param {object} outside
 * @param {Kept} outside.kept
 * @param {(groupId: string) => Photo[]} outside.photosOf
 * @param {() => string | undefined} outside.me
 */
export function createSeen({ kept, photosOf, me }) {
  const { subscribe, tell } = createListeners();
  /** @type {Set<string>} */
  let seen = new Set();

  return {
    subscribe,
    async load() {
      const ids = /** @type {string[] | null} */ (await kept.read(KEPT_SEEN));
      seen = new Set([...(ids ?? []), ...seen]);
      tell();
    },
    /** The photos of others that were not looked at yet, oldest first. @param {string} groupId */
    unseen: (groupId) => photosOf(groupId).filter(({ id, sender_id }) => sender_id !== me() && !seen.has(id)),
    /** @param {string} photoId */
    has: (photoId) => seen.has(photoId),
    /** @param {string[]} photoIds */
    async mark(photoIds) {
      if (photoIds.every((id) => seen.has(id))) return;
      for (const id of photoIds) seen.add(id);
      tell();
      await kept.write(KEPT_SEEN, [...seen]);
    },
    /**
     * Forgets the ids of photos that are gone, once the service has told which photos each group has.
     * @param {Feed[]} feeds
     */
    async retain(feeds) {
      if (feeds.length === 0 || feeds.some(({ status }) => status !== "ready")) return;
      const before = seen.size;
      const known = new Set(feeds.flatMap(({ photos }) => photos.map(({ id }) => id)));
      seen = new Set([...seen].filter((id) => known.has(id)));
      if (seen.size < before) await kept.write(KEPT_SEEN, [...seen]);
    },
    reset() {
      seen = new Set();
      tell();
    },
  };
}
