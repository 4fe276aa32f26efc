/** The keys of calls that must have one effect. */

import { Problem } from "../../api/problems.js";

/** @typedef {ReturnType<typeof createKeys>} Keys */

/**
 * The service has said what became of a call. A fault of its own says nothing: the effect may be there.
 * @param {unknown} error
 */
const isAnswer = (error) => error instanceof Problem && error.status < 500 && error.status !== 429;

/** @param {() => string} newKey */
export function createKeys(newKey) {
  /** @type {Map<string, string>} by the call and its body, until an answer is there */
  const open = new Map();
  /** @type {Map<string, Promise<any>>} */
  const running = new Map();

  /**
   * @template T
   * @param {string} what
   * @param {(key: string) => Promise<T>} send
   */
  async function attempt(what, send) {
    const key = open.get(what) ?? newKey();
    open.set(what, key);
    try {
      const answer = await send(key);
      open.delete(what);
      return answer;
    } catch (error) {
      if (isAnswer(error)) open.delete(what);
      throw error;
    }
  }

  return {
    /**
     * Sends a call with its key. The same call gets the same key until the service has answered it, and a second one beside
     * one under way is the same one.
     * @template T
     * @param {string} what the call and its body
     * @param {(key: string) => Promise<T>} send
     * @returns {Promise<T>}
     */
    once(what, send) {
      const known = running.get(what);
      if (known) return known;
      const begun = attempt(what, send).finally(() => running.delete(what));
      running.set(what, begun);
      return begun;
    },
    /** Forgets all keys, as after a sign-out. */
    reset: () => open.clear(),
  };
}
