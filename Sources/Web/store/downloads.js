/** Downloads a picture: once for all tabs, once more with fresh URLs, and only as long as somebody waits for it. */

import { Foreign, kindOf, Offline, reach } from "../api/problems.js";
import { isExpired, keptAddress } from "./photos.js";

/**
 * @import { Photo } from "../api/api.d.ts"
 * @import { Outside, Size } from "./photos.js"
 * @typedef {Outside & {
 *   open: () => Promise<Cache | null>,
 *   kept: (photo: Photo, size: Size) => Promise<Blob | null>,
 *   forget: (id: string) => Promise<void>,
 * }} Store
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
 * @param {typeof globalThis.fetch} fetch
 * @param {string} url
 * @param {AbortSignal} leaving
 */
async function fetchWhole(fetch, url, leaving) {
  /** @type {RequestInit} */
  const init = { cache: "no-store", credentials: "omit", mode: "cors", referrerPolicy: "no-referrer" };
  const signal = AbortSignal.any([leaving, AbortSignal.timeout(PATIENCE)]);
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
 * @param {Store} store
 * @param {Photo} photo
 * @param {Size} size
 * @param {AbortSignal} signal
 */
async function fetchPicture({ fetch, now, getPhoto }, photo, size, signal) {
  /** @param {Photo} one */
  const fetched = async (one) =>
    await fetchWhole(fetch, size === "full" ? one.url : one.thumbnail_url, signal);
  if (Date.parse(photo.url_expires_at) > now()) {
    try {
      return await fetched(photo);
    } catch (error) {
      // A store refuses a URL that has ended, in its own words.
      const isRefusal = error instanceof Foreign && error.status >= 400 && error.status < 500;
      if (!isRefusal || error.status === 429) throw error;
    }
  }
  return await fetched(await getPhoto(photo.id));
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
export async function download(store, photo, size, signal) {
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
