/** Downloads a picture: once for all tabs, once more with fresh URLs, and only as long as somebody waits for it. */

import { Foreign, kindOf, Offline, reach } from "../../api/problems.js";
import { createListeners } from "../listeners.js";
import { isExpired, keptAddress } from "./photos.js";

/**
 * @import { Photo } from "../../api/api.d.ts"
 * @import { Outside as PhotosOutside, Size } from "./photos.js"
 * @typedef {PhotosOutside & {
 *   open: () => Promise<Cache | null>,
 *   kept: (photo: Photo, size: Size) => Promise<Blob | null>,
 *   forget: (id: string) => Promise<void>,
 * }} Outside
 * @typedef {Outside & { measured: (speed: number) => void }} Store
 * @typedef {{ places: number, stop: AbortController, blob: Promise<Blob | null> }} Running
 * @typedef {ReturnType<typeof createDownloads>} Downloads
 */

/** Milliseconds until a picture must be there. */
const PATIENCE = 120_000;
/** Milliseconds for which another tab may fetch the same picture. A phone may have put that tab to sleep. */
const TURN = 20_000;

/**
 * Whether a picture of the service is complete: all of them are JPEG.
 * @param {Blob} blob
 */
async function isWhole(blob) {
  const ends = await new Blob([blob.slice(0, 2), blob.slice(-2)]).arrayBuffer();
  return new Uint8Array(ends).join() === "255,216,255,217";
}

/**
 * A picture that is one: a network's page is not, nor is half of a picture.
 * @param {Store} store
 * @param {string} url
 * @param {AbortSignal} leaving
 */
async function fetchWhole({ fetch, now, measured }, url, leaving) {
  /** @type {RequestInit} */
  const init = { cache: "no-store", credentials: "omit", mode: "cors", referrerPolicy: "no-referrer" };
  const signal = AbortSignal.any([leaving, AbortSignal.timeout(PATIENCE)]);
  const late = (/** @type {unknown} */ error) => {
    throw error instanceof Offline ? error : new Offline("The picture did not arrive.", { cause: error });
  };
  const response = await reach(fetch, url, { ...init, signal }).catch(late);
  // How far away the store is says nothing of the speed.
  const began = now();
  const blob = await response.blob().catch(late);
  if (!response.ok || !await isWhole(blob)) throw new Foreign(response.status);
  measured(blob.size / (now() - began));
  return blob;
}

/**
 * Fetches a picture, once more with fresh URLs when these no longer work.
 * @param {Store} store
 * @param {Photo} photo
 * @param {Size} size
 * @param {AbortSignal} signal
 */
async function fetchPicture(store, photo, size, signal) {
  /** @param {Photo} one */
  const fetched = async (one) =>
    await fetchWhole(store, size === "full" ? one.url : one.thumbnail_url, signal);
  if (Date.parse(photo.url_expires_at) > store.now()) {
    try {
      return await fetched(photo);
    } catch (error) {
      // A store refuses a URL that has ended, in its own words.
      const isRefusal = error instanceof Foreign && error.status >= 400 && error.status < 500;
      if (!isRefusal || error.status === 429) throw error;
    }
  }
  return await fetched(await store.getPhoto(photo.id));
}

/**
 * Runs when no other tab fetches the same picture.
 * @template T
 * @param {Store} store
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
async function inTurn({ locks }, name, signal, run) {
  let begun = false;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(TURN)]);
  try {
    return await locks.request(name, { signal: patience }, () => (begun = true, run()));
  } catch (error) {
    if (begun || signal.aborted) throw error;
    return await run();
  }
}

/**
 * Fetches a picture and keeps it; null when the photo is gone.
 * @param {Store} store
 * @param {Photo} photo
 * @param {Size} size
 * @param {AbortSignal} signal ends the download; then nothing is kept
 */
async function download(store, photo, size, signal) {
  const address = keptAddress(photo, size);
  try {
    return await inTurn(store, address, signal, async () => {
      const before = await store.kept(photo, size);
      if (before) return before;
      const blob = await fetchPicture(store, photo, size, signal);
      signal.throwIfAborted();
      if (isExpired(address, store.now())) return null;
      const kept = new Response(blob, { headers: { "Content-Type": "image/jpeg" } });
      await (await store.open())?.put(address, kept).catch(() => {});
      return blob;
    });
  } catch (error) {
    if (kindOf(error) !== "gone") throw error;
    await store.forget(photo.id);
    return null;
  }
}

/** @param {Outside} outside */
export function createDownloads(outside) {
  // Two places that show one picture share its download, which ends with the last of them.
  /** @type {Map<string, Running>} */
  const running = new Map();
  const { subscribe, tell } = createListeners();
  let wanted = 0;
  /** @type {number | undefined} */
  let speed;
  const store = { ...outside, measured: (/** @type {number} */ value) => void (speed = value) };

  /** @param {number} change */
  const want = (change) => (wanted += change, tell());

  /**
   * @param {Photo} photo
   * @param {Size} size
   * @returns {Running}
   */
  function begin(photo, size) {
    const stop = new AbortController();
    return { places: 0, stop, blob: download(store, photo, size, stop.signal) };
  }

  return {
    /** Tells when `isWanted` may have changed. */
    subscribe,
    /** Whether a screen waits for a picture. */
    get isWanted() {
      return wanted > 0;
    },
    /** Bytes in a millisecond, of the newest download. */
    get speed() {
      return speed;
    },
    /**
     * @param {Photo} photo
     * @param {Size} size
     * @param {AbortSignal} [signal] ends the wait, and the download when no other place waits for it
     * @param {boolean} [isAhead] nobody looks at it yet
     */
    async picture(photo, size, signal, isAhead = false) {
      const address = keptAddress(photo, size);
      if (isExpired(address, outside.now())) return null;
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
  };
}
