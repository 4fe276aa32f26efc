/** The service's time in this page. */

import { createClock } from "../store/service-clock.js";

export const clock = createClock({
  now: Date.now,
  setTimer: (run, delay) => setTimeout(run, delay),
  clearTimer: clearTimeout,
});
