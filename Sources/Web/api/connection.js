/** The connection of a stream, which ends when it has been silent for too long. */

import { Offline, PATIENCE } from "./problems.js";

/** The service sends something every 15 s, so that a stream which is silent for longer is dead. */
const LONGEST_SILENCE = 40_000;

/** @param {() => number} now milliseconds */
export function createConnection(now) {
  let ending = new AbortController();
  let heardAt = 0;
  return {
    /**
     * Waits for the answer to the first request, as to any call.
     * @template T
     * @param {AbortSignal} signal also ends the connection
     * @param {(signal: AbortSignal) => Promise<T>} connect
     */
    begin(signal, connect) {
      const own = ending = new AbortController();
      signal.addEventListener("abort", () => own.abort());
      if (signal.aborted) own.abort();
      return this.within(connect(own.signal), PATIENCE);
    },
    /** Ends a connection that was silent while the device slept, together with the timers. @returns {boolean} whether it did */
    look() {
      const isDead = heardAt > 0 && !ending.signal.aborted && now() - heardAt > LONGEST_SILENCE;
      if (isDead) ending.abort();
      return isDead;
    },
    /**
     * Waits for something of the connection, not for longer than that may be silent.
     * @template T
     * @param {Promise<T>} wait
     * @param {number} [patience] milliseconds
     * @returns {Promise<T>}
     */
    async within(wait, patience = LONGEST_SILENCE) {
      const own = ending;
      heardAt = now();
      const timer = setTimeout(() => own.abort(), patience);
      const { promise: silent, reject } =
        /** @type {PromiseWithResolvers<never>} */ (Promise.withResolvers());
      const give = () => reject(new Offline("The stream has ended."));
      own.signal.addEventListener("abort", give);
      if (own.signal.aborted) give();
      wait.catch(() => {});
      try {
        return await Promise.race([wait, silent]);
      } finally {
        clearTimeout(timer);
        own.signal.removeEventListener("abort", give);
        heardAt = now();
      }
    },
  };
}
