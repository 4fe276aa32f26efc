/** Sends the bytes of a picture. `fetch` cannot tell how far an upload is, so a page uses XMLHttpRequest for this alone. */

import { Offline, Problem, problemOf, reach, secondsOf } from "./problems.js";

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
    const response = await reach(fetch, addressOf(sending), {
      ...init,
      signal: AbortSignal.timeout(PATIENCE),
    })
      .catch((error) => {
        throw error instanceof Offline ? error : new Offline("The upload took too long.", { cause: error });
      });
    if (!response.ok) throw await problemOf(response);
    return await response.json();
  };
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
        if (request.status === 200 || request.status === 201) resolve(parsed(request.responseText));
        else reject(refusal(request));
      };
      request.send(sending.picture);
    });
}

/** @param {XMLHttpRequest} request */
function refusal(request) {
  const isProblem = request.getResponseHeader("Content-Type")?.startsWith("application/problem+json");
  const seconds = secondsOf(request.getResponseHeader("Retry-After"));
  return new Problem(request.status, isProblem ? parsed(request.responseText) ?? {} : {}, seconds);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
