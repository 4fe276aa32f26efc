/** Sends the bytes of a picture. `fetch` cannot tell how far an upload is, so a page uses XMLHttpRequest for this alone. */

import { ask, Foreign, Offline, refusalOf, valueOf } from "./problems.js";

/**
 * @import { Photo } from "./api.d.ts"
 * @typedef {object} Sending
 * @property {string} groupId
 * @property {string} key the Idempotency-Key
 * @property {string} token an access token or a ticket
 * @property {Blob} picture
 * @property {(fraction: number) => void} [onProgress]
 * @typedef {(sending: Sending) => Promise<Photo>} Send
 */

const PATIENCE = 120_000;

/** @param {Sending} sending */
const addressOf = ({ groupId }) => `/v1/groups/${encodeURIComponent(groupId)}/photos`;

/** @param {Sending} sending */
const headersOf = ({ key, token, picture }) => ({
  Authorization: `Bearer ${token}`,
  "Idempotency-Key": key,
  "Content-Type": picture.type.startsWith("image/") ? picture.type : "image/jpeg",
});

/**
 * Sends by `fetch`, without progress: for the worker.
 * @param {typeof globalThis.fetch} fetch
 * @returns {Send}
 */
export function sendByFetch(fetch) {
  return async (sending) => {
    const init = { method: "POST", headers: headersOf(sending), body: sending.picture };
    return await ask({ fetch }, addressOf(sending), init, async (response) =>
      photoOf({
        status: response.status,
        type: response.headers.get("Content-Type"),
        text: await response.text(),
      }, sending), PATIENCE);
  };
}

const SHAPE = {
  id: "x",
  group_id: "x",
  sender_id: "x",
  created_at: "x",
  expires_at: "x",
  url: "x",
  thumbnail_url: "x",
};

/**
 * The accepted photo. Only the photo itself, of this group, says that it was accepted.
 * @param {Parameters<typeof valueOf>[0]} answer
 * @param {Sending} sending
 * @returns {Photo}
 */
export function photoOf(answer, { groupId }) {
  const photo = answer.status <= 201 ? valueOf(answer, SHAPE) : null;
  if (photo?.group_id !== groupId) throw new Foreign(answer.status);
  return photo;
}

/**
 * Sends by XMLHttpRequest, with progress.
 * @returns {Send}
 */
export function sendWithProgress() {
  return (sending) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", addressOf(sending));
      request.timeout = PATIENCE;
      for (const [name, value] of Object.entries(headersOf(sending))) request.setRequestHeader(name, value);
      request.upload.onprogress = (event) => {
        if (event.lengthComputable) sending.onProgress?.(event.loaded / event.total);
      };
      request.onerror = request.onabort = () => reject(new Offline("The service could not be reached."));
      request.ontimeout = () => reject(new Offline("The upload took too long."));
      request.onload = () => {
        try {
          resolve(outcomeOf(request, sending));
        } catch (error) {
          reject(error);
        }
      };
      request.send(sending.picture);
    });
}

/** @param {XMLHttpRequest} request @param {Sending} sending */
function outcomeOf(request, sending) {
  const { status, responseText: text, responseURL } = request;
  // A redirect led elsewhere.
  if (new URL(responseURL).pathname !== addressOf(sending)) throw new Foreign(status);
  const answer = { status, text, type: request.getResponseHeader("Content-Type") };
  if (status >= 200 && status < 300) return photoOf(answer, sending);
  throw refusalOf({ ...answer, retryAfter: request.getResponseHeader("Retry-After") });
}
