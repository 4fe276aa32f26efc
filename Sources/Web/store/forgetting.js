/** Deletes what has ended from the disk. Page and worker run it at every waking. */

import { KEPT_CACHE, KEPT_FEED } from "./kept.js";
import { isExpired, PHOTO_CACHE } from "./pictures/photos.js";
import { createUploadRecords, isHeld, isOf } from "./uploads/upload-records.js";

/**
 * @import { Photo } from "../api/api.d.ts"
 * @import { Database } from "./database.js"
 */

/**
 * Deletes expired pictures, and expired photos from the kept feeds.
 * @param {Pick<CacheStorage, "open">} caches
 * @param {number} now milliseconds
 */
export async function forgetExpired(caches, now) {
  const pictures = await caches.open(PHOTO_CACHE);
  for (const request of await pictures.keys()) {
    if (isExpired(request.url, now)) await pictures.delete(request);
  }
  const kept = await caches.open(KEPT_CACHE);
  for (const request of await kept.keys()) {
    if (decodeURIComponent(request.url).includes(`/kept/${KEPT_FEED}`)) await trim(kept, request, now);
  }
}

/**
 * @param {Cache} cache
 * @param {Request} request
 * @param {number} now
 */
async function trim(cache, request, now) {
  const photos = /** @type {Photo[]} */ (await (await cache.match(request))?.json() ?? []);
  const living = photos.filter((photo) => Date.parse(photo.expires_at) > now);
  if (living.length < photos.length) await cache.put(request, new Response(JSON.stringify(living)));
}

/**
 * Deletes photos that waited for somebody who is not signed in, when their 24 hours are over.
 * @param {Database} database
 * @param {number} now milliseconds
 * @param {string} [me] the person who is signed in
 * @param {string} [leaver] the person who signs out, whose photos go at once
 * @returns {Promise<boolean>} whether something waits
 */
export async function forgetWaiting(database, now, me, leaver) {
  const queue = createUploadRecords(database);
  const records = await queue.all();
  const stays = records.filter((one) => isOf(one, me) || one.owner !== leaver && isHeld(one, now));
  for (const record of records) if (!stays.includes(record)) await queue.remove(record);
  return stays.length > 0;
}

/**
 * Deletes everything that the browser keeps for the person. The program itself stays, and so do photos that wait for somebody.
 * @param {{ caches: Pick<CacheStorage, "delete">, database: Database, now: number, registration?: ServiceWorkerRegistration | undefined }} outside
 * @param {string} [leaver] the person who signs out, whose photos go, too
 */
export async function forgetEverything({ caches, database, now, registration }, leaver) {
  const queue = forgetWaiting(database, now, undefined, leaver).catch(() => false);
  await Promise.allSettled([
    caches.delete(KEPT_CACHE),
    caches.delete(PHOTO_CACHE),
    queue.then(async (waits) => waits || await database.destroy()),
    registration?.getNotifications?.().then((all) => all.forEach((one) => one.close())),
  ]);
}
