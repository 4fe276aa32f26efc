/** The people whom this person blocked. Their photos are not shown to this person, in any tab. */

import { createListeners } from "./listeners.js";

/**
 * @import { BlockedUser } from "../api/api.d.ts"
 * @import { Client } from "../api/client.js"
 * @import { Kept } from "./kept.js"
 * @import { Clock } from "./service-clock.js"
 * @typedef {object} Outside
 * @property {Pick<Client, "listBlocks" | "blockUser" | "unblockUser">} client
 * @property {Kept} kept
 * @property {Pick<Clock, "now">} clock
 * @property {Pick<BroadcastChannel, "postMessage" | "addEventListener">} channel tells the other tabs
 * @typedef {ReturnType<typeof createBlocks>} Blocks
 */

const KEPT_BLOCKS = "blocks";

/** @param {Outside} outside */
export function createBlocks({ client, kept, clock, channel }) {
  const { subscribe, tell } = createListeners();
  /** @type {BlockedUser[] | null} */
  let all = null;
  /** @type {unknown} */
  let error = null;
  let changes = 0;

  /** @param {BlockedUser[]} blocked */
  function show(blocked) {
    changes += 1;
    all = blocked;
    tell();
  }

  /** @param {BlockedUser[]} blocked */
  async function put(blocked) {
    show(blocked);
    channel.postMessage(blocked);
    await kept.write(KEPT_BLOCKS, blocked);
  }

  /** @param {string} id */
  const without = (id) => (all ?? []).filter((one) => one.id !== id);

  channel.addEventListener("message", ({ data }) => show(data));

  return {
    subscribe,
    /** Newest first; null as long as nothing is known. */
    get all() {
      return all;
    },
    get error() {
      return error;
    },
    /** @param {string} id */
    has: (id) => all?.some((one) => one.id === id) ?? false,
    /** Shows what is kept, so that a start shows no photo of somebody who was blocked. */
    async load() {
      const before = /** @type {BlockedUser[] | null} */ (await kept.read(KEPT_BLOCKS));
      all ??= before;
      tell();
    },
    /** Asks the service again. It never rejects. An answer that is older than a change does not count. */
    async refresh() {
      const begun = changes;
      try {
        const { blocks } = await client.listBlocks();
        error = null;
        if (begun === changes) await put(blocks);
      } catch (reason) {
        error = reason;
        tell();
      }
    },
    /**
     * Hides a person's photos at once, and shows them again where the service refuses.
     * @param {{ id: string, first_name: string | null }} someone
     */
    async block({ id, first_name }) {
      show([{ id, first_name, blocked_at: new Date(clock.now()).toISOString() }, ...without(id)]);
      try {
        await client.blockUser(id);
      } catch (reason) {
        show(without(id));
        throw reason;
      }
      await put(all ?? []);
    },
    /** @param {string} id */
    async unblock(id) {
      await client.unblockUser(id);
      await put(without(id));
    },
    /** Forgets everything, as after a sign-out. */
    reset() {
      error = null;
      show([]);
      all = null;
    },
  };
}
