/** Whether the service is reached, as its answers tell: a browser believes that it is online in any hotel. */

import { Foreign } from "../api/problems.js";
import { createListeners } from "./listeners.js";

/** @typedef {"there" | "away" | "foreign"} NetworkState `foreign`: the network answers in the place of the service */

/** One call without an answer says little. */
const ENOUGH = 2;

export function createNetwork() {
  const { subscribe, tell } = createListeners();
  /** @type {NetworkState} */
  let state = "there";
  let missing = 0;

  /** @param {NetworkState} next */
  function become(next) {
    if (next === state) return;
    state = next;
    tell();
  }

  return {
    subscribe,
    get state() {
      return state;
    },
    /** The service has answered. */
    reached() {
      missing = 0;
      become("there");
    },
    /** @param {unknown} error of a call that the service did not answer */
    missed(error) {
      missing += 1;
      // A gateway that says 502 stands before a service that is away.
      if (error instanceof Foreign && (error.status < 500 || error.status === 511)) become("foreign");
      else if (missing >= ENOUGH) become("away");
    },
  };
}
