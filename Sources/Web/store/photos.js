/**
 * The pictures. They are fetched with `no-store`, so that the HTTP cache never has them, and kept in Cache Storage
 * under an address that names their end. An expired picture is not given out, even if its deletion failed.
 */

import { Foreign, kindOf, Offline, reach } from "../api/problems.js";

/**
 * @import { Photo } from "../api/api.d.ts"
 * @typedef {"full" | "thumbnail"} Size
 * @typedef {object} Outside
 * @property {typeof globalThis.fetch} fetch
 * @property {Pick<CacheStorage, "open">} caches
 * @property {() => number} now the service's time
 * @property {(id: string) => Promise<Photo>} getPhoto gives fresh URLs
 * @typedef {ReturnType<typeof createPhotos>} Photos
 */

export const PHOTO_CACHE = "dayly-photos";
const PATIENCE = 120_000;

/**
 * Whether a picture of the service is complete: all of them are JPEG.
 * @param {Blob} blob
 */
async function isWhole(blob) {
  const ends = await new Blob([blob.slice(0, 2), blob.slice(-2)]).arrayBuffer();
  return new Uint8Array(ends).join() === "255,216,255,217";
}

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
export function createPhotos({ fetch, caches, now, getPhoto }) {
  const open = async () => await caches.open(PHOTO_CACHE);
  // Two places that show one picture share its download.
  /** @type {Map<string, Promise<Blob | null>>} */
  const running = new Map();

  /**
   * A picture that is one: a network's page is not, nor is half of a picture.
   * @param {string} url
   */
  async function download(url) {
    /** @type {RequestInit} */
    const init = { cache: "no-store", credentials: "omit", mode: "cors", referrerPolicy: "no-referrer" };
    const signal = AbortSignal.timeout(PATIENCE);
    const late = (/** @type {unknown} */ error) => {
      throw error instanceof Offline ? error : new Offline("The picture did not arrive.", { cause: error });
    };
    const response = await reach(fetch, url, { ...init, signal }).catch(late);
    const blob = await response.blob().catch(late);
    if (!response.ok || !await isWhole(blob)) throw new Foreign(response.status);
    return blob;
  }

  /**
   * Fetches a picture, once more with fresh URLs when these no longer work.
   * @param {Photo} photo
   * @param {Size} size
   */
  async function fetchPicture(photo, size) {
    /** @param {Photo} one */
    const urlOf = (one) => size === "full" ? one.url : one.thumbnail_url;
    if (Date.parse(photo.url_expires_at) > now()) {
      try {
        return await download(urlOf(photo));
      } catch (error) {
        // A store refuses a URL that has ended, in its own words.
        const isRefusal = error instanceof Foreign && error.status >= 400 && error.status < 500;
        if (!isRefusal || error.status === 429) throw error;
      }
    }
    return await download(urlOf(await getPhoto(photo.id)));
  }

  /**
   * @param {Photo} photo
   * @param {Size} size
   */
  async function keptOrFetched(photo, size) {
    const address = keptAddress(photo, size);
    const cache = await open().catch(() => null);
    const kept = await cache?.match(address).catch(() => undefined);
    if (kept) return await kept.blob();
    try {
      const blob = await fetchPicture(photo, size);
      if (isExpired(address, now())) return null;
      await cache?.put(address, new Response(blob, { headers: { "Content-Type": "image/jpeg" } })).catch(
        () => {},
      );
      return blob;
    } catch (error) {
      if (kindOf(error) !== "gone") throw error;
      await forget(photo.id);
      return null;
    }
  }

  /**
   * Deletes the pictures of one photo.
   * @param {string} id
   */
  async function forget(id) {
    const cache = await open().catch(() => null);
    if (!cache) return;
    const keys = (await cache.keys()).filter((request) => request.url.includes(`/photos/${id}/`));
    await Promise.all(keys.map((request) => cache.delete(request)));
  }

  return {
    /**
     * The bytes of a picture, kept or fetched; null when the photo is gone. Rejects with `Offline` when the picture is
     * not kept and the network is away.
     * @param {Photo} photo
     * @param {Size} size
     * @param {AbortSignal} [signal] ends the wait, not the download, whose picture is kept
     */
    async picture(photo, size, signal) {
      const address = keptAddress(photo, size);
      if (isExpired(address, now())) return null;
      const download = running.get(address) ??
        keptOrFetched(photo, size).finally(() => running.delete(address));
      running.set(address, download);
      const blob = await download;
      signal?.throwIfAborted();
      return blob;
    },
    /**
     * Keeps the pictures of photos for offline use, one after the other, until the network goes away.
     * @param {Photo[]} photos
     * @param {Size} size
     * @param {AbortSignal} [signal]
     */
    async prefetch(photos, size, signal) {
      for (const photo of photos) {
        if (signal?.aborted) return;
        try {
          await this.picture(photo, size, signal);
        } catch (error) {
          if (error instanceof Offline) return;
        }
      }
    },
    forget,
  };
}
