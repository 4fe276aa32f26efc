/**
 * The answers to the questions of a product, each with its ETag. What a screen shows is asked again when a hint says that it
 * changed. The newest answers are kept for offline display.
 */

import { addressOf } from "../../api/calling.js";
import { kindOf, Problem } from "../../api/problems.js";
import { createSharing } from "../../api/sharing.js";
import { createListeners } from "../../store/listeners.js";

/**
 * @import { Calls } from "../../api/api.d.ts"
 * @import { Client } from "../../api/client.js"
 * @import { Question } from "../api/questions.js"
 * @import { Change } from "../../api/events.js"
 * @import { Kept } from "../../store/kept.js"
 * @import { Status } from "../../store/group-list.js"
 * @typedef {ReturnType<typeof createAnswers>} Answers
 */

/**
 * @template T
 * @typedef {object} Answer
 * @property {T | null} value null as long as nothing is known
 * @property {Status} status
 * @property {unknown} error of the last attempt
 * @property {() => Promise<void>} again never rejects
 */

/** @typedef {Answer<any> & { etag: string | null, question: Question<any>, asking: Promise<void> | null, shown: number }} Entry */

const MOST_KEPT = 20;

/**
 * @typedef {object} Outside
 * @property {Pick<Client, "conditional">} client
 * @property {Kept} kept
 * @property {string} product its name: what is kept has it, and its hints begin with it
 * @property {(question: Question<any>, change: Change) => boolean} concerns whether an answer may follow from a hint
 */

/** @param {Outside} outside */
export function createAnswers({ client, kept, product, concerns }) {
  const { subscribe, tell } = createListeners();
  /** @type {Map<string, Entry>} the least recently answered first */
  const entries = new Map();
  /** @type {boolean | null} */
  let joined = null;
  const { share, clear } = createSharing();
  /** @type {Promise<Record<string, unknown>> | null} */
  let before = null;

  /** @param {Question<any>} question */
  const addressFor = ({ call, parts }) => addressOf(call, parts.path, parts.query);

  /** @param {Question<any>} question */
  function entryOf(question) {
    const address = addressFor(question);
    const known = entries.get(address);
    if (known) return known;
    /** @type {Entry} */
    const entry = {
      question,
      value: null,
      etag: null,
      status: "loading",
      error: null,
      asking: null,
      shown: 0,
      again: () => entry.asking = share(address, (isLast) => ask(address, entry, isLast)),
    };
    entries.set(address, entry);
    return entry;
  }

  /**
   * Shows what was kept, until the service answers.
   * @param {string} address
   * @param {Entry} entry
   */
  async function recall(address, entry) {
    before ??= kept.read(product).then((all) => /** @type {Record<string, unknown>} */ (all ?? {}));
    const value = (await before)[address];
    if (value === undefined || entry.value !== null) return;
    entry.value = value;
    tell();
  }

  async function keep() {
    const known = [...entries].filter(([, entry]) => entry.value !== null).slice(-MOST_KEPT);
    await kept.write(product, Object.fromEntries(known.map(([address, { value }]) => [address, value])));
  }

  /**
   * @param {string} address
   * @param {Entry} entry
   * @param {() => boolean} isLast
   */
  async function ask(address, entry, isLast) {
    if (entry.value === null) await recall(address, entry);
    try {
      const answer = await client.conditional(entry.question.call, entry.etag, entry.question.parts);
      if (!isLast()) return;
      joined = true;
      Object.assign(entry, { status: "ready", error: null }, answer);
      entries.delete(address);
      entries.set(address, entry);
      if (answer) await keep();
    } catch (error) {
      if (isLast()) fail(entry, error);
    }
    tell();
  }

  /** @param {Entry} entry @param {unknown} error */
  function fail(entry, error) {
    const kind = kindOf(error);
    if (error instanceof Problem && error.code === `${product}_not_joined`) return forget(entry, error);
    // The store must not show a thing that the service does not have any more.
    if (kind === "gone") Object.assign(entry, { value: null, etag: null });
    Object.assign(entry, { status: kind === "offline" ? "offline" : "failed", error });
  }

  /**
   * Somebody who has left, perhaps on their phone, keeps nothing here.
   * @param {Entry} entry
   * @param {unknown} error
   */
  function forget(entry, error) {
    joined = false;
    for (const one of entries.values()) Object.assign(one, { value: null, etag: null });
    Object.assign(entry, { status: "failed", error });
    before = null;
    void kept.delete(product);
  }

  /** @param {(entry: Entry) => boolean} [wanted] */
  async function refresh(wanted = () => true) {
    await Promise.all([...entries.values()].filter((one) => one.shown > 0 && wanted(one)).map(reask));
  }

  /**
   * An answer that is under way may be older than the change.
   * @param {Entry} entry
   */
  async function reask(entry) {
    await entry.asking;
    await entry.again();
  }

  return {
    subscribe,
    /** Whether the person takes part; null until the service has said so. */
    get joined() {
      return joined;
    },
    /**
     * The answer to a question, which stays fresh until the signal ends.
     * @template {keyof Calls} K
     * @param {Question<K>} question
     * @param {AbortSignal} signal
     * @returns {Answer<Calls[K]["answer"]>}
     */
    watch(question, signal) {
      const entry = entryOf(question);
      entry.shown += 1;
      signal.addEventListener("abort", () => entry.shown -= 1);
      void entry.again();
      return entry;
    },
    refresh,
    /**
     * Waits for a call that changes something, then asks again for what is shown.
     * @template T
     * @param {Promise<T>} call
     */
    async after(call) {
      const answer = await call;
      await refresh();
      return answer;
    },
    /** @param {Change} change of the stream */
    async apply(change) {
      if (change.type.startsWith(`${product}.`)) await refresh(({ question }) => concerns(question, change));
      else if (change.type === "reconnected" || change.type === "resync") await refresh();
    },
    /** Forgets everything, as after a sign-out or after leaving the product. */
    async reset() {
      clear();
      joined = before = null;
      entries.clear();
      tell();
      await kept.delete(product);
    },
  };
}
