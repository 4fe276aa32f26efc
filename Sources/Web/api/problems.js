/** The errors that a call may end with. Screens see six kinds of them. */

/**
 * @import { ProblemCode, ProblemDocument } from "./api.d.ts"
 * @typedef {"offline" | "signed-out" | "refused" | "rate-limited" | "gone" | "unavailable"} Kind
 */

/** The request did not reach the service, or its answer did not arrive. */
export class Offline extends Error {
  name = "Offline";
}

/** The service refused the call (RFC 9457). */
export class Problem extends Error {
  name = "Problem";

  /**
   * @param {number} status
   * @param {Partial<ProblemDocument>} document what the service said; empty where a proxy answered
   * @param {number | null} retryAfter seconds
   */
  constructor(status, document, retryAfter = null) {
    super(document.detail ?? `The service answered ${status}.`);
    this.status = status;
    /** @type {ProblemCode} */
    this.code = document.code ??
      (status >= 500 ? "unavailable" : status === 429 ? "rate_limited" : "invalid_request");
    this.retryAfter = retryAfter;
    this.errors = document.errors ?? [];
    this.attemptsRemaining = document.attempts_remaining ?? null;
    this.nextSendAt = document.next_send_at ?? null;
    this.retryAt = document.retry_at ?? null;
  }

  /** The JSON pointer of the first fault of the body, such as `/phone_number`. */
  get pointer() {
    return this.errors[0]?.pointer ?? null;
  }
}

/**
 * Reads a refusal. An answer without a problem document, such as a proxy's page, becomes one by its status.
 * @param {Response} response
 */
export async function problemOf(response) {
  const isProblem = response.headers.get("Content-Type")?.startsWith("application/problem+json");
  /** @type {Partial<ProblemDocument>} */
  const document = isProblem ? await response.json().catch(() => ({})) : {};
  return new Problem(response.status, document, secondsOf(response.headers.get("Retry-After")));
}

/** @param {string | null} text */
export function secondsOf(text) {
  const seconds = Number.parseInt(text ?? "", 10);
  return seconds > 0 ? seconds : null;
}

/**
 * The kind of an error, by which a screen chooses its way out.
 * @param {unknown} error
 * @returns {Kind}
 */
export function kindOf(error) {
  if (error instanceof Offline) return "offline";
  if (!(error instanceof Problem)) return "unavailable";
  if (error.code === "unauthorized" || error.code === "invalid_refresh_token") return "signed-out";
  if (error.status === 429) return "rate-limited";
  if (error.status === 404 || error.status === 410) return "gone";
  return error.status >= 500 || error.status === 408 ? "unavailable" : "refused";
}

/**
 * Sends a request; a failure below HTTP becomes `Offline`. An abort by the caller stays an abort.
 * @param {typeof globalThis.fetch} fetch
 * @param {string} url
 * @param {RequestInit} init
 */
export async function reach(fetch, url, init) {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Offline("The service could not be reached.", { cause: error });
  }
}
