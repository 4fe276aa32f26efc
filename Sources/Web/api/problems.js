/** The errors that a call may end with, and the one place that decides whether an answer is Dayly's. */

/**
 * @import { ProblemCode, ProblemDocument } from "./api.d.ts"
 * @typedef {"offline" | "signed-out" | "refused" | "rate-limited" | "gone" | "unavailable"} Kind
 * @typedef {object} Outside
 * @property {typeof globalThis.fetch} fetch
 * @property {(response: Response) => void} [observe] sees each answer of the service
 * @property {(error: unknown) => void} [missed] sees each call that the service did not answer
 * @typedef {Record<string, unknown>} Shape members that an answer has, each with a value of the same type
 */

/** Milliseconds until the answer to a call must be there. */
export const PATIENCE = 15_000;
const DAY = 86_400;

/** The request did not reach the service, or its answer did not arrive. */
export class Offline extends Error {
  name = "Offline";
}

/** Something else than the service answered: a hotel's sign-in page, a filter, a proxy. */
export class Foreign extends Offline {
  name = "Foreign";

  /** @param {number} status */
  constructor(status) {
    super(`An answer ${status} is not of the service.`);
    this.status = status;
  }
}

/** The service refused the call (RFC 9457). */
export class Problem extends Error {
  name = "Problem";

  /**
   * @param {number} status
   * @param {Pick<ProblemDocument, "code"> & Partial<ProblemDocument>} document
   * @param {number | null} retryAfter seconds
   */
  constructor(status, document, retryAfter = null) {
    super(document.detail ?? `The service answered ${status}.`);
    this.status = status;
    /** @type {ProblemCode} */
    this.code = document.code;
    this.retryAfter = retryAfter;
    this.errors = document.errors ?? [];
    this.attemptsRemaining = document.attempts_remaining ?? null;
    this.nextSendAt = document.next_send_at ?? null;
    this.retryAt = document.retry_at ?? null;
    this.challenge = document.challenge ?? null;
  }

  /** The JSON pointer of the first fault of the body, such as `/phone_number`. */
  get pointer() {
    return this.errors[0]?.pointer ?? null;
  }
}

/**
 * @param {unknown} value
 * @param {Shape} shape
 */
export const fits = (value, shape) =>
  typeof value === "object" && value !== null && !Array.isArray(value) &&
  Object.entries(shape).every(([name, like]) => {
    const member = /** @type {Shape} */ (value)[name];
    return member !== "" && typeof member === typeof like && Array.isArray(member) === Array.isArray(like);
  });

/**
 * Reads a refusal. One without a problem document of the service, such as a proxy's page, is not the service's.
 * @param {{ status: number, type: string | null, text: string, retryAfter: string | null }} answer
 */
export function refusalOf({ status, type, text, retryAfter }) {
  const document = type?.startsWith("application/problem+json") ? parsed(text) : null;
  const isOurs = fits(document, { code: "x", type: "x" }) && document.status === status &&
    document.type.endsWith(`/problems/${document.code}`);
  return isOurs ? new Problem(status, document, secondsOf(retryAfter)) : new Foreign(status);
}

/** @param {Response} response */
export const problemOf = async (response) =>
  refusalOf({
    status: response.status,
    type: response.headers.get("Content-Type"),
    text: await response.text(),
    retryAfter: response.headers.get("Retry-After"),
  });

/**
 * The JSON of an accepted call.
 * @param {{ status: number, type: string | null, text: string }} answer
 * @param {Shape} shape
 */
export function valueOf({ status, type, text }, shape) {
  const value = type?.startsWith("application/json") ? parsed(text) : null;
  if (!fits(value, shape)) throw new Foreign(status);
  return value;
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Seconds of a `Retry-After`, which has a number or a date; at most a day.
 * @param {string | null} text
 */
export function secondsOf(text) {
  const seconds = /^\d+$/.test(text ?? "") ? Number(text) : (Date.parse(text ?? "") - Date.now()) / 1000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), DAY) : null;
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
 * Sends a request and reads its answer within a time. A failure below HTTP and a late answer become `Offline`. A redirect is
 * not followed: the service has none.
 * @template T
 * @param {Outside} outside
 * @param {string} url
 * @param {RequestInit} init
 * @param {(response: Response) => Promise<T>} read
 * @param {number} [patience] milliseconds
 * @returns {Promise<T>}
 */
export async function ask({ fetch, observe, missed }, url, init, read, patience = PATIENCE) {
  const ending = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => (reject(new Offline("The answer did not come in time.")), ending.abort()),
      patience,
    );
  });
  const work = async () => {
    const sent = {
      ...init,
      cache: /** @type {const} */ ("no-store"),
      redirect: /** @type {const} */ ("manual"),
    };
    const response = await reach(fetch, url, { ...sent, signal: ending.signal });
    // The clock must not learn from somebody else's answer.
    const refusal = response.ok || response.status === 304 ? null : await problemOf(response);
    if (refusal instanceof Foreign) throw refusal;
    const value = refusal ? null : await read(response);
    observe?.(response);
    if (refusal) throw refusal;
    return /** @type {T} */ (value);
  };
  try {
    return await /** @type {Promise<T>} */ (Promise.race([work(), late]));
  } catch (error) {
    const known = error instanceof Problem || error instanceof Offline;
    const reason = known ? error : new Offline("The answer broke off.", { cause: error });
    if (reason instanceof Offline) missed?.(reason);
    throw reason;
  } finally {
    clearTimeout(timer);
  }
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
