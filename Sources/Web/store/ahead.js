/** Fetches pictures before anybody asks for them: as the network allows, in one tab, and never while a screen waits for one. */

import { Offline } from "../api/problems.js";

/**
 * @import { Photo } from "../api/api.d.ts"
 * @import { Photos, Size } from "./photos.js"
 * @typedef {{ saveData?: boolean, type?: string, effectiveType?: string }} Connection what some browsers tell of the network
 * @typedef {{ photos: Photo[], unseen: Photo[] }} Pictures of a group
 * @typedef {object} Outside
 * @property {Pick<Photos, "kept" | "picture" | "subscribe" | "isWanted">} photos
 * @property {Pick<LockManager, "request">} locks
 * @property {Connection | undefined} connection
 * @property {() => number} uptime milliseconds
 * @property {() => Pictures[]} pictures of each group
 */

/** Bytes in a millisecond from which a network is fast. */
const FAST = 250;

/** @param {Outside} outside */
export function createAhead({ photos, locks, connection, uptime, pictures }) {
  let waits = false;
  // Without a word of the browser a network is slow until a picture came fast.
  let isFast = Boolean(connection);

  const mayFetchAll = () =>
    isFast && !connection?.saveData && connection?.type !== "cellular" &&
    !/[23]g/.test(connection?.effectiveType ?? "");

  /** Waits until no screen waits for a picture. @returns {Promise<void>} */
  const calm = () =>
    new Promise((resolve) => {
      const look = () => photos.isWanted || (quit(), resolve());
      const quit = photos.subscribe(look);
      look();
    });

  /**
   * @param {Photo} photo
   * @param {Size} size
   * @param {AbortSignal} signal
   */
  async function keep(photo, size, signal) {
    while (!await photos.kept(photo, size)) {
      await calm();
      const pause = new AbortController();
      const quit = photos.subscribe(() => photos.isWanted && pause.abort());
      const began = uptime();
      try {
        const blob = await photos.picture(photo, size, AbortSignal.any([signal, pause.signal]), true);
        if (blob) isFast = blob.size >= FAST * (uptime() - began);
        return;
      } catch (error) {
        if (signal.aborted || error instanceof Offline) throw error;
        if (!pause.signal.aborted) return;
      } finally {
        quit();
      }
    }
  }

  /** @param {AbortSignal} signal */
  async function keepAll(signal) {
    const all = pictures();
    for (const photo of all.flatMap((one) => one.photos)) await keep(photo, "thumbnail", signal);
    // A tap on a group opens its first unseen photo.
    const first = all.flatMap(({ unseen }) => unseen.slice(0, 1));
    const others = all.flatMap(({ unseen }) => unseen.slice(1));
    for (const photo of first) await keep(photo, "full", signal);
    for (const photo of others) if (mayFetchAll()) await keep(photo, "full", signal);
  }

  return {
    /**
     * Keeps every thumbnail, and of the photos that nobody has looked at the first one of each group, or all of them. It goes
     * on at the next call where the network went away.
     * @param {AbortSignal} signal
     */
    async run(signal) {
      if (waits) return;
      waits = true;
      const turn = async () => (waits = false, await keepAll(signal));
      try {
        await locks.request("dayly-ahead", { signal }, turn);
      } catch (error) {
        if (!signal.aborted && !(error instanceof Offline)) throw error;
      } finally {
        waits = false;
      }
    },
  };
}
