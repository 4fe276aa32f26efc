/** The photos of each group: fetched whole once, then as changes after a cursor, and never shown past their end. */

import { kindOf, Problem } from "../api/problems.js";
import { createSharing } from "../api/sharing.js";
import { mergeFeed } from "./feed-merge.js";
import { KEPT_FEED } from "./kept.js";
import { createListeners } from "./listeners.js";

/**
 * @import { Photo } from "../api/api.d.ts"
 * @import { Client } from "../api/client.js"
 * @import { GroupChange } from "../api/events.js"
 * @import { Clock } from "./service-clock.js"
 * @import { Kept } from "./kept.js"
 * @import { Status } from "./group-list.js"
 * @typedef {{ photos: Photo[], status: Status, error: unknown }} Feed
 * @typedef {{ photo: Photo, reason: "expired" | "deleted" }} Ended
 * @typedef {Feed & { cursor: string | null, etag: string | null, loaded: boolean }} Entry
 * @typedef {object} Outside
 * @property {Client} client
 * @property {Kept} kept
 * @property {Clock} clock
 * @property {(photoId: string) => Promise<void>} forget deletes the pictures of a photo
 * @property {Pick<import("./blocks.js").Blocks, "has" | "subscribe">} [blocks] the people whose photos are not shown
 * @typedef {ReturnType<typeof createFeeds>} Feeds
 */

/** @param {Outside} outside */
export function createFeeds({ client, kept, clock, forget, blocks }) {
  const changed = createListeners();
  /** @type {ReturnType<typeof createListeners<Ended>>} */
  const ended = createListeners();
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  const { share, clear } = createSharing();
  let cancelTimer = () => {};
  blocks?.subscribe(changed.tell);

  /** @param {string} groupId */
  const entryOf = (groupId) => {
    /** @type {Entry} */
    const fresh = { photos: [], cursor: null, etag: null, status: "loading", error: null, loaded: false };
    const entry = entries.get(groupId) ?? fresh;
    entries.set(groupId, entry);
    return entry;
  };

  /**
   * @param {string} groupId
   * @param {Photo[]} photos
   */
  async function show(groupId, photos) {
    const entry = entryOf(groupId);
    const gone = entry.photos.filter((photo) => !photos.some((one) => one.id === photo.id));
    entry.photos = photos;
    arm();
    changed.tell();
    for (const photo of gone) {
      ended.tell({ photo, reason: clock.hasPassed(photo.expires_at) ? "expired" : "deleted" });
    }
    await Promise.all([...gone.map((photo) => forget(photo.id)), kept.write(KEPT_FEED + groupId, photos)]);
  }

  /** Sets one timer, for the photo that ends first. */
  function arm() {
    cancelTimer();
    const ends = [...entries.values()].flatMap((entry) => entry.photos.map((photo) => photo.expires_at))
      .sort();
    cancelTimer = ends[0] ? clock.at(ends[0], () => void expire()) : () => {};
  }

  /** Takes out every expired photo, here and where it is kept. */
  async function expire() {
    for (const [groupId, entry] of entries) {
      const living = entry.photos.filter((photo) => !clock.hasPassed(photo.expires_at));
      if (living.length < entry.photos.length) await show(groupId, living);
    }
  }

  /** @param {string} groupId @param {() => boolean} isLast */
  async function fetchFeed(groupId, isLast) {
    const entry = entryOf(groupId);
    try {
      const answer = await client.listPhotos(groupId, entry.cursor, entry.etag);
      if (entries.get(groupId) !== entry || !isLast()) return;
      entry.status = "ready";
      entry.error = null;
      if (!answer) return changed.tell();
      const before = entry.cursor ? entry.photos : [];
      // An ETag belongs to the address with its cursor, so a new cursor ends it.
      entry.etag = answer.value.cursor === entry.cursor ? answer.etag : null;
      entry.cursor = answer.value.cursor;
      await show(groupId, mergeFeed(before, answer.value, clock.now()));
    } catch (reason) {
      if (entries.get(groupId) !== entry || !isLast()) return;
      const isExpired = reason instanceof Problem && reason.code === "cursor_expired" && entry.cursor;
      if (!isExpired) return await failed(groupId, entry, reason);
      entry.cursor = entry.etag = null;
      await fetchFeed(groupId, isLast);
    }
  }

  /**
   * @param {string} groupId
   * @param {Entry} entry
   * @param {unknown} reason
   */
  async function failed(groupId, entry, reason) {
    const kind = kindOf(reason);
    if (kind === "gone") return await drop(groupId);
    entry.status = kind === "offline" ? "offline" : "failed";
    entry.error = reason;
    changed.tell();
  }

  /** @param {string} groupId @param {() => boolean} isLast */
  async function load(groupId, isLast) {
    const entry = entryOf(groupId);
    if (!entry.loaded) {
      entry.loaded = true;
      const photos = /** @type {Photo[] | null} */ (await kept.read(KEPT_FEED + groupId)) ?? [];
      if (photos.length > 0) {
        await show(
          groupId,
          photos.filter((photo) => !clock.hasPassed(photo.expires_at)),
        );
      }
    }
    await fetchFeed(groupId, isLast);
  }

  /**
   * Asks the service what changed. It never rejects: `status` and `error` of the feed tell how it went.
   * @param {string} groupId
   */
  const refresh = (groupId) => share(groupId, (isLast) => load(groupId, isLast));

  /** @param {string} groupId */
  async function drop(groupId) {
    await show(groupId, []);
    entries.delete(groupId);
    await kept.delete(KEPT_FEED + groupId);
  }

  return {
    subscribe: changed.subscribe,
    /** Tells of each photo that ended while it was known. */
    onEnded: ended.subscribe,
    refresh,
    drop,
    expire,
    /** @type {(groupId: string) => Feed} */
    of(groupId) {
      const { photos, status, error } = entryOf(groupId);
      const shown = photos.filter((one) => !clock.hasPassed(one.expires_at) && !blocks?.has(one.sender_id));
      return { photos: shown, status, error };
    },
    /** @param {Photo} photo one of the caller's own */
    async deletePhoto(photo) {
      await client.deletePhoto(photo.id);
      await this.remove(photo.group_id, photo.id);
    },
    /** @type {(groupId: string, photoId: string) => Promise<void>} */
    async remove(groupId, photoId) {
      await forget(photoId);
      const { photos } = entryOf(groupId);
      const others = photos.filter((one) => one.id !== photoId);
      if (others.length < photos.length) await show(groupId, others);
    },
    /**
     * Shows a photo that the service has just accepted or told of.
     * @param {Photo} photo
     */
    async add(photo) {
      const { photos } = entryOf(photo.group_id);
      const answer = { photos: [photo], removed: [], cursor: "" };
      await show(photo.group_id, mergeFeed(photos, answer, clock.now()));
    },
    /** @param {GroupChange} change of the stream */
    async apply(change) {
      if (change.type === "photo.created") await this.add(change.data.photo);
      else if (change.type === "photo.deleted") await this.remove(change.data.group_id, change.data.photo_id);
      // The photos of a renamed member come again with their new name.
      else if (change.type === "group.updated") await refresh(change.data.group_id);
      else if (change.type === "resync") await Promise.all([...entries.keys()].map(refresh));
    },
    /** Forgets everything, as after a sign-out. */
    reset() {
      cancelTimer();
      entries.clear();
      clear();
      changed.tell();
    },
  };
}
