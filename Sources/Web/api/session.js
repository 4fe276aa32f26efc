/**
 * The signed-in person. The refresh token is an HttpOnly cookie that no script reads; the access token is a variable.
 * All tabs and the worker share one refresh at a time, and only the service's refusal signs a person out.
 */

import { createListeners } from "../store/listeners.js";
import { createAuthCalls } from "./auth-calls.js";
import { Offline, Problem } from "./problems.js";
import { createSharing, createTurns } from "./sharing.js";

/**
 * @import { BrowserTokenResponse, TokenResponse, User, VerificationStarted, WorkProof } from "./api.d.ts"
 * @import { Kept } from "../store/kept.js"
 * @import { Outside as Wire } from "./problems.js"
 * @typedef {Wire & Own} Outside
 * @typedef {object} Own
 * @property {Pick<LockManager, "request">} locks
 * @property {Kept} kept
 * @property {Pick<BroadcastChannel, "postMessage" | "addEventListener">} channel tells the other tabs
 * @property {() => number} uptime milliseconds of a clock that nobody sets
 * @property {boolean} [hasCookies] whether the browser keeps the cookie; without it a session lasts as long as the page
 * @property {(leaver?: string) => Promise<void>} [forget] deletes everything that the browser keeps for this person; photos that wait
 *     go with the person who signs out, and else stay for whoever took them
 * @typedef {"starting" | "signed-in" | "signed-out"} SessionState
 * @typedef {{ verification_id: string, code: string, time_zone?: string, device_name?: string }} SignIn
 * @typedef {ReturnType<typeof createSession>} Session
 */

/** An access token is renewed this long before its end, in milliseconds. */
const MARGIN = 30_000;
export const KEPT_USER = "user";
const STARTED = { verification_id: "x" };
const TOKENS = { access_token: "x", expires_in: 1, user: {} };

/** @param {Outside} outside */
export function createSession(outside) {
  const { locks, kept, channel, uptime, hasCookies = true } = outside;
  /** @type {string | undefined} the refresh token, where there are no cookies */
  let held;
  const { subscribe, tell } = createListeners();
  /** @type {{ token: string, endsAt: number } | null} */
  let access = null;
  /** @type {User | null} */
  let user = null;
  /** @type {SessionState} */
  let state = "starting";
  let ended = false;
  // An answer that arrives after a sign-out, or after another sign-in, belongs to an older generation and is dropped.
  let generation = 0;
  const { share, clear } = createSharing();
  const alone = createTurns(locks, "dayly-session");

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
      clear();
      access = user = null, held = undefined;
    }
    tell();
  }

  const post = createAuthCalls(outside, hasCookies);
  const heldBody = () => hasCookies ? undefined : { refresh_token: held ?? "" };

  /** @param {TokenResponse | BrowserTokenResponse} answer */
  async function accept(answer) {
    held = /** @type {{ refresh_token?: string }} */ (answer).refresh_token;
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

  /** Ends what this browser keeps. A failure to delete must not keep the person signed in. @param {string} [leaver] */
  async function forget(leaver) {
    become("signed-out");
    await outside.forget?.(leaver).catch(() => {});
  }

  async function refresh() {
    const begun = generation;
    try {
      /** @type {TokenResponse | BrowserTokenResponse} */
      const answer = await alone(() => post("refresh", heldBody(), TOKENS));
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
    return await share("", refresh);
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
    subscribe,
    /**
     * Sends a request with a token, and once more with a new one when the service refuses the first.
     * @template T
     * @param {(token: string) => Promise<T>} send
     */
    async authorized(send) {
      const first = await token();
      try {
        return await send(first);
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 401) throw error;
        return await send(await token(first));
      }
    },
    /** @param {string} phoneNumber @param {WorkProof} [proof] */
    async requestCode(phoneNumber, proof) {
      const body = { phone_number: phoneNumber, proof };
      return /** @type {VerificationStarted} */ (await post("request-verification", body, STARTED));
    },
    /** @param {SignIn} body */
    async signIn(body) {
      const answer = /** @type {TokenResponse | BrowserTokenResponse} */ (await post("verify", body, TOKENS));
      generation += 1;
      await accept(answer);
      channel.postMessage("signed-in");
      return { user: answer.user, isNew: answer.is_new_user ?? false };
    },
    remember,
    /** Signs out here. Without a network the cookie stays until the service is reached, so the call then fails. */
    async signOut() {
      await alone(() => post("logout", heldBody(), null));
      await this.drop();
    },
    /** Forgets a session that has ended already, as after the deletion of the account. */
    async drop() {
      // The other tabs learn it first: a tab that does not know yet could keep something after the deletion.
      channel.postMessage("signed-out");
      await forget(user?.id);
    },
  };
}
