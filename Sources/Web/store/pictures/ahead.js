/** Fetches pictures before anybody asks for them: as the network allows, in one tab, and never while a screen waits for one. */

import { Offline } from "../../api/problems.js";

/**
 * @import { Photo } from "../../api/api.d.ts"
 * @import { Downloads } from "./downloads.js"
 * @import { Photos, Size } from "./photos.js"
 * @typedef {{ saveData?: boolean, type?: string, effectiveType?: string }} Connection what some browsers tell of the network
 * @typedef {{ photos: Photo[], unseen: Photo[] }} Pictures of a group
 * @typedef {object} Outside
 * @property {Pick<Photos, "kept" | "loaded">} photos
 * @property {Pick<LockManager, "request">} locks
 * @property {Connection | undefined} connection
 * @property {() => Pictures[]} pictures of each group
 */

/** Bytes in a millisecond from which a network is fast; without any measure it is as fast as the browser says. */
const FAST = 250;

/** @param {Outside} outside */
export function createAhead({ photos, locks, connection, pictures }) {
  let waits = false;

  /** @param {Downloads} downloads */
  const mayFetchAll = ({ speed }) =>
    (speed ?? (connection ? FAST : 0)) >= FAST && !connection?.saveData &&
    connection?.type !== "cellular" &&
    !/[23]g/.test(connection?.effectiveType ?? "");

  /** Waits until no screen waits for a picture. @param {Downloads} downloads @returns {Promise<void>} */
  const calm = (downloads) =>
    new Promise((resolve) => {
      const look = () => downloads.isWanted || (quit(), resolve());
      const quit = downloads.subscribe(look);
      look();
    });

  /**
   * @param {Downloads} downloads
   * @param {Photo} photo
   * @param {Size} size
   * @param {AbortSignal} signal
   */
  async function keep(downloads, photo, size, signal) {
    while (!await photos.kept(photo, size)) {
      await calm(downloads);
      const pause = new AbortController();
      // A thumbnail is soon there.
      const quit = downloads.subscribe(() => downloads.isWanted && size === "full" && pause.abort());
      try {
        return void await downloads.picture(photo, size, AbortSignal.any([signal, pause.signal]), true);
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
    const downloads = await photos.loaded();
    const all = pictures();
    for (const photo of all.flatMap((one) => one.photos)) await keep(downloads, photo, "thumbnail", signal);
    // A tap on a group opens its first unseen photo.
    const first = all.flatMap(({ unseen }) => unseen.slice(0, 1));
    const others = all.flatMap(({ unseen }) => unseen.slice(1));
    for (const photo of first) await keep(downloads, photo, "full", signal);
    for (const photo of others) if (mayFetchAll(downloads)) await keep(downloads, photo, "full", signal);
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
