/** The open invitations to the signed-in person. */

import { createListeners } from "./listeners.js";

/**
 * @import { ReceivedInvite } from "../api/api.d.ts"
 * @import { Client } from "../api/client.js"
 */

/** @param {{ client: Pick<Client, "listReceivedInvites"> }} outside */
export function createInvitations({ client }) {
  const { subscribe, tell } = createListeners();
  /** @type {ReceivedInvite[] | null} */
  let open = null;
  /** @type {unknown} */
  let error = null;
  let asked = 0;

  return {
    subscribe,
    /** Null as long as nothing is known. */
    get open() {
      return open;
    },
    get error() {
      return error;
    },
    /** Asks the service again. It never rejects: `error` tells how it went. Only the newest question counts. */
    async refresh() {
      const begun = ++asked;
      const answer = await client.listReceivedInvites().catch((reason) => ({ invites: open, reason }));
      if (begun !== asked) return;
      open = answer.invites;
      error = "reason" in answer ? answer.reason : null;
      tell();
    },
    /** Takes an invitation off that has led to its group. @param {string} code */
    take(code) {
      open = open?.filter((one) => one.code !== code) ?? null;
      tell();
    },
    /** Forgets everything, as after a sign-out. */
    reset() {
      asked += 1;
      open = error = null;
      tell();
    },
  };
}
