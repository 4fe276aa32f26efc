/** Which photos were looked at here: for the dot of a group and the number on the app's icon. */

import { createListeners } from "./listeners.js";

/**
 * @import { Photo } from "../api/api.d.ts"
 * @import { Kept } from "./kept.js"
 * @typedef {ReturnType<typeof createSeen>} Seen
 */

const KEPT_SEEN = "seen";

/**
 * Counts the photos of other people that the person has not looked at yet.
 * @param {Photo[]} photos
 * @param {ReadonlySet<string>} seen
 * @param {string | undefined} me
 */
export function unseenOf(photos, seen, me) {
  return photos.filter((photo) => photo.sender_id !== me && !seen.has(photo.id));
}

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
    /** @param {string} groupId */
    unseen: (groupId) => unseenOf(photosOf(groupId), seen, me()).length,
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
     * Forgets the ids of photos that are gone.
     * @param {string[]} living
     */
    async retain(living) {
      const before = seen.size;
      const known = new Set(living);
      seen = new Set([...seen].filter((id) => known.has(id)));
      if (seen.size < before) await kept.write(KEPT_SEEN, [...seen]);
    },
    reset() {
      seen = new Set();
      tell();
    },
  };
}
