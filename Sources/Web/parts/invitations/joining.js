/** Redeems codes, one at a time, and keeps the problem of each for the button that was pressed. */

import { describe } from "../../app/errors.js";
import { client, groups, invitations, preferences, router } from "../../app/stores.js";

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
    /** Whether the code itself is refused, so that another attempt helps nobody. */
    isRefused: false,
    /** Goes to the group; false where the code does not lead there. @param {string} code */
    async redeem(code) {
      if (state.busy) return true;
      Object.assign(state, { code, busy: true, problem: null, isRefused: false });
      draw();
      // The group's screen comes meanwhile.
      void router.load("group").catch(() => {});
      try {
        const { group_id } = await client.redeemInvite(code);
        preferences.set("pendingInvite", null);
        invitations.take(code);
        await groups.refresh();
        router.go(router.path("group", { id: group_id }), { replace: true });
        return true;
      } catch (error) {
        const { kind, text } = describe(error);
        Object.assign(state, { busy: false, problem: text, isRefused: kind === "gone" });
        if (state.isRefused) preferences.set("pendingInvite", null);
      }
      draw();
      return false;
    },
  };
  return state;
}
