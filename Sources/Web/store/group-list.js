/** The groups of the signed-in person, kept for offline display. The clock alone ends a day that was used. */

import { kindOf } from "../api/problems.js";
import { createSharing } from "../api/sharing.js";
import { createListeners } from "./listeners.js";

/**
 * @import { PhotoGroup } from "../api/api.d.ts"
 * @import { Client } from "../api/client.js"
 * @import { GroupChange } from "../api/events.js"
 * @import { Kept } from "./kept.js"
 * @import { Clock } from "./service-clock.js"
 * @typedef {"loading" | "ready" | "offline" | "failed"} Status offline: what is shown was kept
 * @typedef {ReturnType<typeof createGroups>} Groups
 */

const KEPT_GROUPS = "groups";

/** @param {{ client: Client, kept: Kept, clock: Clock }} outside */
export function createGroups({ client, kept, clock }) {
  const { share, clear } = createSharing();
  const { subscribe, tell } = createListeners();
  /** @type {PhotoGroup[] | null} */
  let all = null;
  /** @type {Status} */
  let status = "loading";
  /** @type {unknown} */
  let error = null;
  /** @type {string | null} */
  let etag = null;
  let generation = 0;
  let cancel = () => {};

  /** Frees the days that are over, and does so again at the next midnight, when the screens change their day, too. */
  function turn() {
    cancel();
    let next = clock.today.end;
    all &&= all.map((group) => {
      const end = Date.parse(group.next_send_at ?? "");
      if (end > clock.now()) next = Math.min(next, end);
      return end <= clock.now() ? { ...group, has_sent_today: false, next_send_at: null } : group;
    });
    cancel = clock.at(next, turn);
    tell();
  }

  /** @param {PhotoGroup[]} groups */
  async function show(groups) {
    all = groups;
    turn();
    await kept.write(KEPT_GROUPS, groups);
  }

  /** @param {PhotoGroup} group */
  const put = async (group) => {
    etag = null;
    const others = all ?? [];
    const known = others.some((one) => one.id === group.id);
    await show(known ? others.map((one) => one.id === group.id ? group : one) : [...others, group]);
  };

  /** @param {string} id */
  async function drop(id) {
    etag = null;
    await show((all ?? []).filter((group) => group.id !== id));
  }

  /** @param {() => boolean} isLast */
  async function fetchAll(isLast) {
    try {
      const answer = await client.listGroups(etag);
      if (!isLast()) return;
      status = "ready";
      error = null;
      if (!answer) return tell();
      etag = answer.etag;
      await show(answer.value.groups);
    } catch (reason) {
      if (!isLast()) return;
      status = kindOf(reason) === "offline" ? "offline" : "failed";
      error = reason;
      tell();
    }
  }

  /** Asks the service again. It never rejects: `status` and `error` tell how it went. */
  const refresh = () => share("", fetchAll);

  return {
    /** Null as long as nothing is known. */
    get all() {
      return all;
    },
    get status() {
      return status;
    },
    get error() {
      return error;
    },
    subscribe,
    refresh,
    turn,
    /** @param {string} id */
    byId: (id) => all?.find((group) => group.id === id) ?? null,
    /** Shows what is kept, then what the service says. */
    async load() {
      const before = /** @type {PhotoGroup[] | null} */ (await kept.read(KEPT_GROUPS));
      // The service may have answered meanwhile, and knows better.
      all ??= before;
      turn();
      await refresh();
    },
    /**
     * @param {string} name
     * @param {string[]} numbers
     */
    async create(name, numbers) {
      const created = await client.createGroup(name, numbers);
      await put(created.group);
      return created;
    },
    /**
     * @param {string} id
     * @param {string} name
     */
    async rename(id, name) {
      await put(await client.renameGroup(id, name));
    },
    /** @param {string} id */
    async leave(id) {
      await client.leaveGroup(id);
      await drop(id);
    },
    /**
     * @param {string} id
     * @param {string} userId
     */
    async removeMember(id, userId) {
      await client.removeMember(id, userId);
      await refetch(id);
    },
    /**
     * @param {string} id
     * @param {boolean} muted
     * @param {string | null} until RFC 3339; null is for ever
     */
    async mute(id, muted, until = null) {
      await client.muteGroup(id, muted, until);
      if (until) clock.at(until, () => void refetch(id));
      await refetch(id);
    },
    /** The service has accepted a photo, so that the day is used until it ends. @param {string} id */
    async sent(id) {
      const group = this.byId(id);
      const end = new Date(clock.today.end).toISOString();
      if (group) await put({ ...group, has_sent_today: true, next_send_at: end });
    },
    /**
     * Applies a change of the stream. Names and members come with the group itself.
     * @param {GroupChange} change
     * @param {string | undefined} me the caller's id
     */
    async apply(change, me) {
      if (change.type === "resync") return await refresh();
      const id = change.data.group_id;
      const isMine = change.type === "member.left" && change.data.user_id === me;
      if (isMine) return await drop(id);
      await refetch(id);
    },
    /** Forgets everything, as after a sign-out. */
    reset() {
      generation += 1;
      clear();
      cancel();
      all = etag = error = null;
      status = "loading";
      tell();
    },
  };

  /** @param {string} id */
  async function refetch(id) {
    const begun = generation;
    try {
      const answer = await client.getGroup(id);
      if (answer && begun === generation) await put(answer.value);
    } catch (reason) {
      if (kindOf(reason) === "gone" && begun === generation) await drop(id);
    }
  }
}
