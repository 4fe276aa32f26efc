/**
 * The signed-in person. The refresh token is an HttpOnly cookie that no script reads; the access token is a variable.
 * All tabs and the worker share one refresh at a time, and only the service's refusal signs a person out.
 */

import { Offline, Problem, problemOf, reach } from "./problems.js";

/**
 * @import { TokenResponse, User, VerificationStarted } from "./api.d.ts"
 * @import { Kept } from "../store/kept.js"
 * @typedef {object} Outside
 * @property {typeof globalThis.fetch} fetch
 * @property {Pick<LockManager, "request">} locks
 * @property {Kept} kept
 * @property {Pick<BroadcastChannel, "postMessage" | "addEventListener">} channel tells the other tabs
 * @property {() => number} uptime milliseconds of a clock that nobody sets
 * @property {(response: Response) => void} [observe] sees each answer, for the clock
 * @property {() => Promise<void>} [forget] deletes everything that the browser keeps for this person
 * @typedef {"starting" | "signed-in" | "signed-out"} SessionState
 * @typedef {{ verification_id: string, code: string, time_zone?: string, device_name?: string }} SignIn
 * @typedef {ReturnType<typeof createSession>} Session
 */

/** An access token is renewed this long before its end, in milliseconds. */
const MARGIN = 30_000;
const KEPT_USER = "user";

/** @param {Outside} outside */
export function createSession(outside) {
  const { fetch, locks, kept, channel, uptime } = outside;
  /** @type {Set<() => void>} */
  const listeners = new Set();
  /** @type {{ token: string, endsAt: number } | null} */
  let access = null;
  /** @type {User | null} */
  let user = null;
  /** @type {SessionState} */
  let state = "starting";
  let ended = false;
  // An answer that arrives after a sign-out, or after another sign-in, belongs to an older generation and is dropped.
  let generation = 0;
  /** @type {Promise<string> | null} */
  let refreshing = null;

  channel.addEventListener("message", (event) => {
    const { data } = /** @type {MessageEvent} */ (event);
    if (data === "signed-out" && state !== "signed-out") become("signed-out", true);
    else if (data === "signed-in" && state === "signed-out") void start();
  });

  /**
   * @param {SessionState} next
   * @param {boolean} byOthers
   */
  function become(next, byOthers = false) {
    state = next;
    ended = next === "signed-out" && byOthers;
    if (next === "signed-out") {
      generation += 1;
      access = user = refreshing = null;
    }
    for (const listener of listeners) listener();
  }

  /**
   * @param {"verify" | "refresh" | "logout" | "request-verification"} call
   * @param {object} [body]
   */
  async function post(call, body) {
    const inCookie = call === "request-verification" ? {} : { "Dayly-Session": "cookie" };
    const headers = { ...inCookie, ...(body ? { "Content-Type": "application/json" } : {}) };
    const init = { method: "POST", headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await reach(fetch, `/v1/auth/${call}`, { ...init, cache: "no-store" });
    outside.observe?.(response);
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  /** @param {TokenResponse} answer */
  async function accept(answer) {
    access = { token: answer.access_token, endsAt: uptime() + answer.expires_in * 1000 - MARGIN };
    await remember(answer.user);
    return answer.access_token;
  }

  /** @param {User} person */
  async function remember(person) {
    const begun = generation;
    user = person;
    become("signed-in");
    await kept.write(KEPT_USER, person);
    // A sign-out that ran meanwhile has deleted what is kept, before this write.
    if (begun !== generation) await kept.delete(KEPT_USER);
  }

  /** Ends what this browser keeps. A failure to delete must not keep the person signed in. */
  async function forget() {
    become("signed-out");
    await outside.forget?.().catch(() => {});
  }

  async function refresh() {
    const begun = generation;
    try {
      const answer = await locks.request("dayly-session", async () => {
        return /** @type {TokenResponse} */ (await (await post("refresh")).json());
      });
      if (begun !== generation) throw new Offline("The session changed meanwhile.");
      return await accept(answer);
    } catch (error) {
      const refused = error instanceof Problem && error.code === "invalid_refresh_token";
      if (refused && begun === generation) await endedByService();
      throw error;
    }
  }

  async function endedByService() {
    const wasSignedIn = user !== null;
    if (wasSignedIn) channel.postMessage("signed-out");
    await forget();
    if (wasSignedIn) become("signed-out", true);
  }

  /**
   * A valid access token.
   * @param {string} [refused] a token that the service refused, which must not be given again
   */
  async function token(refused) {
    if (state === "signed-out") throw new Problem(401, { code: "unauthorized" });
    if (access && access.token !== refused && uptime() < access.endsAt) return access.token;
    refreshing ??= refresh().finally(() => refreshing = null);
    return await refreshing;
  }

  /** Finds out who is signed in: at once from what is kept, then from the service. */
  async function start() {
    user = /** @type {User | null} */ (await kept.read(KEPT_USER));
    become(user ? "signed-in" : "starting");
    await token().catch(() => {
      // Without a network a known person stays signed in.
      if (state === "starting") become("signed-out");
    });
  }

  return {
    get state() {
      return state;
    },
    get user() {
      return user;
    },
    /** Whether the service or another tab ended the session, rather than this person here. */
    get ended() {
      return ended;
    },
    start,
    token,
    /** @param {() => void} listener */
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /**
     * Sends a request with a token, and once more with a new one when the service refuses the first.
     * @param {(token: string) => Promise<Response>} send
     */
    async authorized(send) {
      const first = await token();
      const response = await send(first);
      return response.status === 401 ? await send(await token(first)) : response;
    },
    /** @param {string} phoneNumber */
    async requestCode(phoneNumber) {
      const response = await post("request-verification", { phone_number: phoneNumber });
      return /** @type {VerificationStarted} */ (await response.json());
    },
    /** @param {SignIn} body */
    async signIn(body) {
      const response = await post("verify", body);
      const answer = /** @type {TokenResponse} */ (await response.json());
      generation += 1;
      await accept(answer);
      channel.postMessage("signed-in");
      return { user: answer.user, isNew: answer.is_new_user ?? false };
    },
    /** Takes over a changed profile. */
    remember,
    /** Signs out here. Without a network the cookie stays until the service is reached, so the call then fails. */
    async signOut() {
      await locks.request("dayly-session", () => post("logout"));
      await this.drop();
    },
    /** Forgets a session that has ended already, as after the deletion of the account. */
    async drop() {
      // The other tabs learn it first. A tab that does not know yet could keep something after the deletion.
      channel.postMessage("signed-out");
      await forget();
    },
  };
}
