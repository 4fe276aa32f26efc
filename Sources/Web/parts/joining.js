/** Redeems codes, one at a time, and keeps the problem of each for the button that was pressed. */

import { t } from "../app/i18n.js";
import { describe } from "../app/errors.js";
import { groups, preferences, router } from "../app/stores.js";
import { toast } from "./toast.js";

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
        const { group_id, group_name } = await groups.redeem(code);
        preferences.set("pendingInvite", null);
        toast(t("invites.joined", { group: group_name }));
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
