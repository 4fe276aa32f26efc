/** The service's time, by which photos expire. A phone's clock may be wrong by hours. */

/**
 * @typedef {object} Outside
 * @property {() => number} now the device's clock, in milliseconds since 1970
 * @property {(run: () => void, delay: number) => number} setTimer
 * @property {(timer: number) => void} clearTimer
 * @typedef {ReturnType<typeof createClock>} Clock
 */

/** `Date` has whole seconds and the answer takes time, so a smaller difference says nothing. */
const TOLERANCE = 2_000;
/** Browsers hold a timer's delay in 32 bits. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Milliseconds since 1970.
 * @param {string | number} time an RFC 3339 time, or milliseconds
 */
export function millisecondsOf(time) {
  return typeof time === "number" ? time : Date.parse(time);
}

/** @param {Outside} outside */
export function createClock({ now, setTimer, clearTimer }) {
  let offset = 0;

  const serverNow = () => now() + offset;

  /**
   * Runs something at a time of the service; at once when it has passed. Timers sleep with the device, so whoever depends
   * on the time looks again after waking.
   * @param {string | number} time
   * @param {() => void} run
   * @returns {() => void} cancels
   */
  function at(time, run) {
    const due = millisecondsOf(time);
    let timer = 0;
    const arm = () => {
      const left = due - serverNow();
      if (left <= 0) run();
      else timer = setTimer(arm, Math.min(left, LONGEST_DELAY));
    };
    timer = setTimer(arm, 0);
    return () => clearTimer(timer);
  }

  /** @param {number} period */
  const every = (period) => {
    /** @param {() => void} run */
    return (run) => {
      let timer = 0;
      const arm = () => {
        // Each beat falls on the whole second or minute, so that all countdowns change together.
        timer = setTimer(() => (arm(), run()), period - serverNow() % period);
      };
      arm();
      return () => clearTimer(timer);
    };
  };

  return {
    now: serverNow,
    /**
     * Learns the service's time from an answer.
     * @param {Response} response
     */
    observe(response) {
      const date = Date.parse(response.headers.get("Date") ?? "");
      if (Number.isNaN(date)) return;
      const difference = date + 500 - now();
      offset = Math.abs(difference) <= TOLERANCE ? 0 : difference;
    },
    at,
    everySecond: every(1_000),
    everyMinute: every(60_000),
    /** @param {string | number} time */
    hasPassed: (time) => millisecondsOf(time) <= serverNow(),
  };
}
