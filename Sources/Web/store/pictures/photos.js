/**
 * The pictures. They are fetched with `no-store`, so that the HTTP cache never has them, and kept in Cache Storage
 * under an address that names their end. An expired picture is not given out, even if its deletion failed.
 */

import { Offline } from "../../api/problems.js";

/**
 * @import { Photo } from "../../api/api.d.ts"
 * @import { Downloads } from "./downloads.js"
 * @typedef {"full" | "thumbnail"} Size
 * @typedef {object} Outside
 * @property {typeof globalThis.fetch} fetch
 * @property {Pick<CacheStorage, "open">} caches
 * @property {Pick<LockManager, "request">} locks
 * @property {() => number} now the service's time
 * @property {(id: string) => Promise<Photo>} getPhoto gives fresh URLs
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
  /** @type {Downloads | undefined} */
  let downloads;

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

  /** What fetches pictures comes after the first screen. */
  async function loaded() {
    const { createDownloads } = await import("./downloads.js").catch((error) => {
      throw new Offline("A part of Dayly did not load.", { cause: error });
    });
    return downloads ??= createDownloads({ ...outside, open, kept, forget });
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
    kept,
    loaded,
    /**
     * The bytes of a picture, kept or fetched; null when the photo is gone. Rejects with `Offline` when the picture is
     * not kept and the network is away.
     * @param {Photo} photo
     * @param {Size} size
     * @param {AbortSignal} [signal] ends the wait, and the download when no other place waits for it
     */
    picture: async (photo, size, signal) =>
      await kept(photo, size) ?? await (await loaded()).picture(photo, size, signal),
    forget,
  };
}
