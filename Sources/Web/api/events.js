/**
 * The live stream of changes. One tab holds the connection and passes each event on to the others, since a browser
 * opens few connections and the service closes the eleventh stream of a person.
 */

import { createConnection } from "./connection.js";
import { createEventParser } from "./event-parser.js";
import { Foreign, Offline, Problem, problemOf, reach } from "./problems.js";

/**
 * @import { GroupUpdatedEvent, MemberEvent, PhotoCreatedEvent, PhotoDeletedEvent } from "./api.d.ts"
 * @import { Session } from "./session.js"
 * @typedef {{ type: "photo.created", data: PhotoCreatedEvent }
 *   | { type: "photo.deleted", data: PhotoDeletedEvent }
 *   | { type: "group.updated", data: GroupUpdatedEvent }
 *   | { type: "member.joined" | "member.left", data: MemberEvent }
 *   | { type: "resync", data: null }} GroupChange
 * @typedef {{ type: string, data: any }} Hint of a product, whose name its own begins with
 * @typedef {GroupChange | Hint | { type: "reconnected", data: null }} Change
 * @typedef {object} Outside
 * @property {typeof globalThis.fetch} fetch
 * @property {Pick<Session, "token">} session
 * @property {Pick<LockManager, "request">} locks
 * @property {Pick<BroadcastChannel, "postMessage" | "addEventListener">} channel
 * @property {(delay: number, signal: AbortSignal) => Promise<void>} sleep
 * @property {string[]} products their hints are passed on
 * @property {() => number} [random]
 * @property {() => number} [now] milliseconds
 * @property {() => void} [reached] the service has answered
 * @property {(error: unknown) => void} [missed] the service did not answer
 * @typedef {{ change: Change, id: string | null }} Message
 * @typedef {ReturnType<typeof createEvents>} Events
 */

const KNOWN = new Set(["photo.created", "photo.deleted", "group.updated", "member.joined", "member.left"]);
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;

/**
 * The wait before the next connection: the server's own time, doubled with each failure, spread at random.
 * @param {number} failures
 * @param {number | null} retry milliseconds
 * @param {number} random from 0 to 1
 */
export function waitBefore(failures, retry, random) {
  const whole = Math.min(LONGEST_WAIT, (retry ?? FIRST_WAIT) * 2 ** failures);
  return Math.round(whole * (0.5 + random / 2));
}

/**
 * Products take their hints themselves.
 * @param {Change} change
 * @returns {change is GroupChange}
 */
export const isOfGroups = (change) => KNOWN.has(change.type) || change.type === "resync";

/** @param {Outside} outside */
export function createEvents(outside) {
  const { fetch, session, locks, channel, sleep, products, random = Math.random, now = Date.now } = outside;
  /** @type {Set<(change: Change) => void>} */
  const listeners = new Set();
  /** @type {string | null} */
  let lastId = null;
  /** @type {AbortController | null} */
  let running = null;
  const connection = createConnection(now);
  /** Ends the wait for the next connection. */
  let hurry = () => {};
  let isHurried = false;
  /** @param {string} type */
  const isHint = (type) => products.some((product) => type.startsWith(`${product}.`));

  channel.addEventListener("message", (event) => {
    const { change, id } = /** @type {MessageEvent<Message>} */ (event).data;
    deliver(change, id);
  });

  /**
   * @param {Change} change
   * @param {string | null} id
   */
  function deliver(change, id) {
    lastId = id;
    for (const listener of listeners) listener(change);
  }

  /**
   * @param {Change} change
   * @param {string | null} id
   */
  function publish(change, id) {
    deliver(change, id);
    channel.postMessage({ change, id });
  }

  /** @param {AbortSignal} signal */
  async function connect(signal) {
    const headers = { Authorization: `Bearer ${await session.token()}` };
    const resumed = lastId ? { "Last-Event-ID": lastId } : {};
    const always = { cache: /** @type {const} */ ("no-store"), redirect: /** @type {const} */ ("manual") };
    const response = await reach(fetch, "/v1/events", {
      headers: { ...headers, ...resumed },
      signal,
      ...always,
    });
    const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
    if (response.ok && isStream) return response;
    const problem = response.ok ? new Foreign(response.status) : await problemOf(response);
    const refused = problem instanceof Problem && problem.status === 401;
    if (refused) await session.token(headers.Authorization.slice(7));
    throw problem;
  }

  /**
   * Reads one connection to its end.
   * @param {AbortSignal} signal
   * @returns {Promise<number | null>} the server's wait before the next one
   */
  async function read(signal) {
    const response = await connection.begin(signal, connect);
    outside.reached?.();
    const parser = createEventParser();
    // Without a cursor the stream begins now, so that everything before has to be fetched. Hints come without an id, so no
    // cursor brings those that were missed.
    publish({ type: lastId === null ? "resync" : "reconnected", data: null }, lastId);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece; reader && !(piece = await connection.within(reader.read())).done;) {
      for (const event of parser.push(piece.value)) {
        if (KNOWN.has(event.type) || isHint(event.type)) publish(changeOf(event), event.id ?? lastId);
      }
      lastId = parser.id ?? lastId;
    }
    return parser.retry;
  }

  /** @param {AbortSignal} signal */
  async function lead(signal) {
    for (let failures = 0; !signal.aborted;) {
      let retry = null;
      try {
        retry = await read(signal);
        failures = 0;
      } catch (error) {
        if (error instanceof Problem && error.code === "cursor_expired") lastId = null;
        else if (error instanceof Problem && error.code === "invalid_refresh_token") return;
        else failures = Math.min(failures + 1, 6);
        if (error instanceof Offline && !signal.aborted) outside.missed?.(error);
      }
      const hurried = new Promise((resolve) => hurry = () => resolve(undefined));
      if (!isHurried) await Promise.race([sleep(waitBefore(failures, retry, random()), signal), hurried]);
      isHurried = false;
    }
  }

  return {
    /** @param {(change: Change) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Connects, or waits to take over from the tab that is connected. Somebody who looks again does not wait. */
    start() {
      // A device that slept has kept its timers and lost its connection.
      isHurried = running !== null && connection.look();
      hurry();
      if (running) return;
      const { signal } = running = new AbortController();
      locks.request("dayly-events", { signal }, () => lead(signal)).catch(() => {});
    },
    /** Ends the connection, as when the page is hidden; the cursor is kept. */
    stop() {
      running?.abort();
      running = null;
    },
    /** Forgets the cursor, as after a sign-out. */
    reset() {
      this.stop();
      lastId = null;
    },
  };
}

/**
 * @param {{ type: string, data: string }} event
 * @returns {Change}
 */
function changeOf(event) {
  return /** @type {Change} */ ({ type: event.type, data: JSON.parse(event.data) });
}
