/**
 * The queue of uploads. A photo that was taken without a network goes out when there is one again, once. The page and
 * the worker share the queue through IndexedDB, and a lock lets only one of them send.
 */

import { createListeners } from "../listeners.js";
import { createUploadRecords, isHeld, isOf, newUpload, photosOf, revived } from "./upload-records.js";

/**
 * @import { Photo } from "../../api/api.d.ts"
 * @import { Client } from "../../api/client.js"
 * @import { Session } from "../../api/session.js"
 * @import { Send } from "../../api/sending.js"
 * @import { Database } from "../database.js"
 * @import { UploadRecord } from "./upload-records.js"
 * @typedef {Omit<UploadRecord, "state"> & { state: UploadRecord["state"] | "sending", progress: number }} UploadItem
 * @typedef {object} Outside
 * @property {Database} database
 * @property {Pick<Session, "token">} session
 * @property {() => string | undefined} me the id of the signed-in person
 * @property {Pick<Client, "createUploadTicket">} client
 * @property {Send} send
 * @property {() => Promise<typeof import("./upload-driver.js")>} driver loads what sends; a service worker may not load it later
 * @property {Pick<LockManager, "request">} locks
 * @property {Pick<BroadcastChannel, "postMessage" | "addEventListener">} channel tells other tabs of a change
 * @property {() => number} now
 * @property {() => string} newId
 * @property {() => number} [random]
 * @property {(source: Blob | ImageBitmap) => Promise<Blob>} prepare makes a picture ready to send
 * @property {() => Promise<unknown>} [onQueued] asks the browser for a background sync
 * @typedef {ReturnType<typeof createUploads>} Uploads
 */

/** @param {Outside} outside */
export function createUploads(outside) {
  const { database, me, client, channel, now, newId } = outside;
  const queue = createUploadRecords(database);
  const changed = createListeners();
  /** @type {ReturnType<typeof createListeners<{ item: UploadRecord, photo: Photo }>>} */
  const sent = createListeners();
  /** Also those of people who are not signed in. @type {UploadRecord[]} */
  let records = [];
  /** @type {{ id: string, progress: number } | null} */
  let sending = null;

  channel.addEventListener("message", () => void load());

  async function load() {
    // To look into a database makes one, also after a sign-out.
    records = await database.isThere().then((isThere) => isThere ? queue.all() : []).catch(() => []);
    changed.tell();
  }

  async function reload() {
    await load();
    channel.postMessage("changed");
  }

  const own = () => records.filter((record) => isOf(record, me()));

  /** @type {ReturnType<typeof import("./upload-driver.js").createUploadDriver> | undefined} */
  let driver;

  /**
   * Sends what is due, unless another tab or the worker does. The driver comes with the first run; a page that cannot load it waits
   * as it does without a network.
   * @param {{ isBack?: boolean }} [network] `isBack`: the browser has a network again, so uploads that only lacked one go out
   */
  async function run({ isBack = false } = {}) {
    const module = me() ? await outside.driver().catch(() => null) : null;
    driver ??= module?.createUploadDriver({
      ...outside,
      records: queue,
      changed: reload,
      progressed: (progress) => (sending = progress, changed.tell()),
      accepted(one) {
        // The photo stands in its place from the same moment.
        records = records.filter((record) => record.id !== one.item.id);
        sent.tell(one);
      },
    });
    if (module) await driver?.run(isBack);
  }

  /**
   * @param {string} id
   * @param {(record: UploadRecord) => UploadRecord} change
   */
  async function edit(id, change) {
    await queue.edit(id, change);
    await reload();
  }

  /** @param {UploadRecord} record */
  function itemOf(record) {
    const progress = sending?.id === record.id ? sending.progress : null;
    return {
      ...record,
      state: progress === null ? record.state : /** @type {const} */ ("sending"),
      progress: progress ?? 0,
    };
  }

  return {
    subscribe: changed.subscribe,
    /** Tells of each accepted photo. */
    onSent: sent.subscribe,
    load,
    reload,
    run,
    /** @returns {UploadItem[]} oldest first */
    get all() {
      return own().map(itemOf);
    },
    /** How many photos wait: of this person, or, while nobody is signed in, of whoever signs in again. */
    get waiting() {
      return photosOf(me() ? own() : records.filter((record) => isHeld(record, now())));
    },
    /** Whether a picture waits that ends with the page. */
    get inMemory() {
      return records.length > 0 && database.inMemory === true;
    },
    /** When the driver should run next, in milliseconds since 1970; null when nothing waits. */
    get nextAt() {
      const times = own().filter((record) => record.state === "waiting").map((record) => record.not_before);
      return times.length > 0 ? Math.min(...times) : null;
    },
    /**
     * Puts a picture into the queue, one upload for each group, and begins to send.
     * @param {Blob | ImageBitmap} source
     * @param {string[]} groupIds
     */
    async enqueue(source, groupIds) {
      const owner = me();
      const capture = { id: newId(), picture: await outside.prepare(source) };
      const uploads = groupIds.map((groupId) =>
        newUpload({ id: newId(), owner, captureId: capture.id, groupId, now: now() })
      );
      await queue.add(capture, uploads);
      await reload();
      outside.onQueued?.().catch(() => {});
      void run();
      return uploads.map((record) => record.id);
    },
    /** Gets tickets, as when the page is about to be hidden, so that the worker can send without a session. */
    async fetchTickets() {
      for (const { id, group_id, state, ticket } of own()) {
        if (state !== "waiting" || ticket || sending?.id === id) continue;
        const answer = await client.createUploadTicket(group_id, id).catch(() => null);
        if (!answer) continue;
        const ends = Date.parse(answer.expires_at);
        await edit(id, (record) => ({ ...record, ticket: answer.ticket, ticket_expires_at: ends }));
      }
    },
    /** @param {string} id */
    async retry(id) {
      await edit(id, (record) => revived(record, now()));
      await run();
    },
    /**
     * Keeps an upload until the day of its group is free again.
     * @param {string} id
     * @param {string} time RFC 3339
     */
    keepUntil: (id, time) =>
      edit(id, (record) => ({ ...revived(record, Date.parse(time)), next_send_at: time })),
    /** @param {string} id */
    async discard(id) {
      const record = await queue.find(id);
      if (record) await queue.remove(record);
      await reload();
    },
    /**
     * The picture of an upload; null when it was deleted.
     * @param {string} id
     */
    async preview(id) {
      const record = await queue.find(id);
      return (record && await queue.picture(record)) ?? null;
    },
    /** Uploads that stopped because the session ended wait again after a sign-in. */
    async resume() {
      for (const { id } of own().filter((record) => record.state === "signed-out")) {
        await edit(id, (record) => ({ ...record, state: "waiting", problem: null, not_before: now() }));
      }
      await run();
    },
    /** Forgets what is in memory, as after a sign-out. */
    reset() {
      records = [];
      sending = null;
      changed.tell();
    },
  };
}
