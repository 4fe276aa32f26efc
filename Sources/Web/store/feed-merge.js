/** Joins the changes of a feed with what is known of it. */

import { millisecondsOf } from "./service-clock.js";

/** @import { Photo, PhotoFeed } from "../api/api.d.ts" */

/**
 * The photos after an answer: those before, without the removed and expired ones, with the new ones, oldest first.
 * @param {Photo[]} before empty for an answer without a cursor
 * @param {PhotoFeed} answer
 * @param {number} now
 */
export function mergeFeed(before, answer, now) {
  const photos = new Map(before.map((photo) => [photo.id, photo]));
  for (const id of answer.removed) photos.delete(id);
  for (const photo of answer.photos) photos.set(photo.id, photo);
  return [...photos.values()].filter((photo) => millisecondsOf(photo.expires_at) > now)
    .sort((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id));
}
