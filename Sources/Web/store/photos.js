/**
 * The pictures. They are fetched with `no-store`, so that the HTTP cache never has them, and kept in Cache Storage
 * under an address that names their end. An expired picture is not given out, even if its deletion failed.
 */

import { createListeners } from "./listeners.js";

/**
 * @import { Photo } from "../api/api.d.ts"
 * @typedef {"full" | "thumbnail"} Size
 * @typedef {object} Outside
 * @property {typeof globalThis.fetch} fetch
 * @property {Pick<CacheStorage, "open">} caches
 * @property {Pick<LockManager, "request">} locks
 * @property {() => number} now the service's time
 * @property {(id: string) => Promise<Photo>} getPhoto gives fresh URLs
 * @typedef {{ places: number, stop: AbortController, blob: Promise<Blob | null> }} Running
 * @typedef {ReturnType<typeof createPhotos>} Photos
 */

export const PHOTO_CACHE = "dayly-photos";

/**
 * The address of a kept picture. Its end stands in the address, so that forgetting needs to read no picture.
 * @param {{ id: string, expires_at: string }} photo
 * @param {Size} size
 */
export function keptAddress(photo, size) {
  return `/photos/${photo.id}/${size}?expires=${Date.parse(photo.expires_at)}`;
}

/**
 * Whether a kept picture must go.
 * @param {string} url
 * @param {number} now
 */
export function isExpired(url, now) {
  const expires = Number(new URL(url, "https://kept.invalid").searchParams.get("expires") ?? 0);
  return !(expires > now);
}

/** @param {Outside} outside */
export function createPhotos(outside) {
  const { caches, now } = outside;
  const open = async () => await caches.open(PHOTO_CACHE).catch(() => null);
  // Two places that show one picture share its download, which ends with the last of them.
  /** @type {Map<string, Running>} */
  const running = new Map();
  const { subscribe, tell } = createListeners();
  let wanted = 0;

  /** @param {number} change */
  const want = (change) => (wanted += change, tell());

  /**
   * A picture that is on this device.
   * @param {Photo} photo
   * @param {Size} size
   */
  async function kept(photo, size) {
    const address = keptAddress(photo, size);
    if (isExpired(address, now())) return null;
    const found = await (await open())?.match(address).catch(() => undefined);
    return await found?.blob() ?? null;
  }

  /**
   * @param {Photo} photo
   * @param {Size} size
   * @returns {Running}
   */
  function begin(photo, size) {
    const stop = new AbortController();
    const blob = import("./downloads.js").then(({ download }) =>
      download({ ...outside, open, kept, forget }, photo, size, stop.signal)
    );
    return { places: 0, stop, blob };
  }

  /**
   * Deletes the pictures of one photo.
   * @param {string} id
   */
  async function forget(id) {
    const cache = await open();
    if (!cache) return;
    const keys = (await cache.keys()).filter((request) => request.url.includes(`/photos/${id}/`));
    await Promise.all(keys.map((request) => cache.delete(request)));
  }

  return {
    /** Tells when `isWanted` may have changed. */
    subscribe,
    /** Whether a screen waits for a picture. */
    get isWanted() {
      return wanted > 0;
    },
    kept,
    /**
     * The bytes of a picture, kept or fetched; null when the photo is gone. Rejects with `Offline` when the picture is
     * not kept and the network is away.
     * @param {Photo} photo
     * @param {Size} size
     * @param {AbortSignal} [signal] ends the wait, and the download when no other place waits for it
     * @param {boolean} [isAhead] nobody looks at it yet
     */
    async picture(photo, size, signal, isAhead = false) {
      const address = keptAddress(photo, size);
      const before = await kept(photo, size);
      if (before || isExpired(address, now())) return before;
      signal?.throwIfAborted();
      const one = running.get(address) ?? begin(photo, size);
      running.set(address, one);
      one.places += 1;
      if (!isAhead) want(1);
      const left = new Promise((_, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
      );
      try {
        return await /** @type {Running["blob"]} */ (Promise.race([one.blob, left]));
      } finally {
        if (!isAhead) want(-1);
        if (--one.places === 0) {
          running.delete(address);
          one.stop.abort();
        }
      }
    },
    forget,
  };
}
