/** Redeems codes, one at a time, and keeps the problem of each for the button that was pressed. */

import { describe } from "../app/errors.js";
import { groups, preferences, router } from "../app/stores.js";

/** Goes on after a sign-in: to the invitation that led here, or to where the person wanted to go. */
export function onward() {
  const code = preferences.pendingInvite;
  if (code) router.go(router.path("join", { code }), { replace: true });
  else router.resume();
}

/** @param {() => void} draw */
export function joining(draw) {
  const state = {
    code: "",
    busy: false,
    /** @type {string | null} */
    problem: null,
    /** @param {string} code */
    async redeem(code) {
      if (state.busy) return;
      Object.assign(state, { code, busy: true, problem: null });
      draw();
      try {
        const { group_id } = await groups.redeem(code);
        preferences.set("pendingInvite", null);
        return router.go(router.path("group", { id: group_id }), { replace: true });
      } catch (error) {
        state.problem = describe(error).text;
      }
      state.busy = false;
      draw();
    },
  };
  return state;
}
