/** The calls of a session, which have no access token. */

import { ask, Foreign, valueOf } from "./problems.js";

/**
 * @param {import("./problems.js").Outside} outside
 * @param {boolean} hasCookies whether the refresh token is in a cookie
 */
export const createAuthCalls = (outside, hasCookies) =>
/**
 * @param {"verify" | "refresh" | "logout" | "request-verification"} call
 * @param {object | undefined} body
 * @param {import("./problems.js").Shape | null} shape of the answer; null where the call has none
 */
async (call, body, shape) => {
  const inCookie = call === "request-verification" || !hasCookies ? {} : { "Dayly-Session": "cookie" };
  const headers = { ...inCookie, ...(body ? { "Content-Type": "application/json" } : {}) };
  const init = { method: "POST", headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  return await ask(outside, `/v1/auth/${call}`, init, async (response) => {
    const { status } = response;
    if (!shape && status !== 204) throw new Foreign(status);
    const answer = { status, type: response.headers.get("Content-Type"), text: await response.text() };
    return shape && valueOf(answer, shape);
  });
};
