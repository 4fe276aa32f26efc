/** Shares a call that is under way with whoever asks for the same, in this page and with the other tabs. */

import { PATIENCE } from "./problems.js";

/** Another tab may sleep with the lock. The service then gives both tabs the same token. */
const LOCK_PATIENCE = 5_000;

/** @param {() => number} now milliseconds */
export function createSharing(now = Date.now) {
  /** @type {Map<string, { since: number, promise: Promise<any> }>} */
  const running = new Map();
  return {
    /**
     * Begins a call, or gives the one that is under way. One that is older than an answer may be is not waited for: it may be dead.
     * @template T
     * @param {string} key
     * @param {(isLast: () => boolean) => Promise<T>} begin `isLast`: whether no later call has begun, whose answer is newer
     * @returns {Promise<T>}
     */
    share(key, begin) {
      const known = running.get(key);
      if (known && now() - known.since < PATIENCE) return known.promise;
      const isLast = () => running.get(key) === own;
      const own = { since: now(), promise: /** @type {Promise<any>} */ (Promise.resolve()) };
      running.set(key, own);
      own.promise = begin(isLast).finally(() => isLast() && running.delete(key));
      return own.promise;
    },
    /** Whatever is under way is not the last any more, as after a sign-out. */
    clear: () => running.clear(),
  };
}

/** @param {Pick<LockManager, "request">} locks @param {string} name */
export const createTurns = (locks, name) =>
/**
 * Runs something while no other tab does, unless that takes too long.
 * @template T
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
async (run) => {
  let begun = false;
  const once = () => (begun = true, run());
  try {
    return /** @type {T} */ (await locks.request(name, { signal: AbortSignal.timeout(LOCK_PATIENCE) }, once));
  } catch (error) {
    if (begun) throw error;
    return await run();
  }
};
