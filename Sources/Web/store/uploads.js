/**
 * The queue of uploads. A photo that was taken without a network goes out when there is one again, once. The page and
 * the worker share the queue through IndexedDB, and a lock lets only one of them send.
 */

import { Problem } from "../api/problems.js";
import { createListeners } from "./listeners.js";
import { aged, isDue, newUpload, next, revived } from "./upload-machine.js";

/**
 * @import { Photo } from "../api/api.d.ts"
 * @import { Client } from "../api/client.js"
 * @import { Session } from "../api/session.js"
 * @import { Send } from "../api/sending.js"
 * @import { Database } from "./database.js"
 * @import { Step, UploadRecord } from "./upload-machine.js"
 * @typedef {{ id: string, picture: Blob }} Capture
 * @typedef {Omit<UploadRecord, "state"> & { state: UploadRecord["state"] | "sending", progress: number }} UploadItem
 * @typedef {object} Outside
 * @property {Database} database
 * @property {Pick<Session, "token" | "state">} session
 * @property {Pick<Client, "createUploadTicket">} client
 * @property {Send} send
 * @property {Pick<LockManager, "request">} locks
 * @property {Pick<BroadcastChannel, "postMessage" | "addEventListener">} channel tells other tabs of a change
 * @property {() => number} now
 * @property {() => string} newId
 * @property {() => number} [random]
 * @property {(source: Blob | ImageBitmap) => Promise<Blob>} [prepare] makes a picture ready to send
 * @property {() => Promise<unknown>} [onQueued] asks the browser for a background sync
 * @typedef {ReturnType<typeof createUploads>} Uploads
 */

/** @param {Outside} outside */
export function createUploads(outside) {
  const { database, session, client, send, locks, channel, now, newId, random = Math.random } = outside;
  const changed = createListeners();
  /** @type {ReturnType<typeof createListeners<{ item: UploadRecord, photo: Photo }>>} */
  const sent = createListeners();
  /** @type {UploadRecord[]} */
  let records = [];
  /** @type {{ id: string, progress: number } | null} */
  let sending = null;

  channel.addEventListener("message", () => void load());

  async function load() {
    const all = /** @type {UploadRecord[]} */ (await database.all("uploads").catch(() => []));
    records = all.sort((a, b) => a.created_at - b.created_at || a.id.localeCompare(b.id));
    changed.tell();
  }

  async function reload() {
    await load();
    channel.postMessage("changed");
  }

  /** @param {string} id */
  const find = async (id) => /** @type {UploadRecord | undefined} */ (await database.get("uploads", id));

  /** @param {UploadRecord} record */
  async function save(record) {
    await database.write([{ store: "uploads", put: record }]);
    await reload();
  }

  /**
   * Deletes a record, and its capture when no other group waits for it.
   * @param {UploadRecord} record
   */
  async function remove(record) {
    const all = /** @type {UploadRecord[]} */ (await database.all("uploads"));
    const isShared = all.some((one) => one.capture_id === record.capture_id && one.id !== record.id);
    /** @type {import("./database.js").Change[]} */
    const changes = [{ store: "uploads", delete: record.id }];
    if (!isShared) changes.push({ store: "captures", delete: record.capture_id });
    await database.write(changes);
    await reload();
  }

  /**
   * Gets a ticket while there is a network, so that the worker can send without a session.
   * @param {UploadRecord} record
   */
  async function withTicket(record) {
    const { ticket, expires_at } = await client.createUploadTicket(record.group_id, record.id);
    return { ...record, ticket, ticket_expires_at: Date.parse(expires_at) };
  }

  /**
   * @param {UploadRecord} record
   * @param {string} token
   */
  async function attempt(record, token) {
    const capture = /** @type {Capture | undefined} */ (await database.get("captures", record.capture_id));
    if (!capture) throw new Problem(410, { code: "photo_gone" });
    /** @param {number} progress */
    const onProgress = (progress) => (sending = { id: record.id, progress }, changed.tell());
    onProgress(0);
    return await send({
      groupId: record.group_id,
      key: record.id,
      token,
      picture: capture.picture,
      onProgress,
    });
  }

  /**
   * Sends one upload and stores what follows from the outcome.
   * @param {UploadRecord} record
   * @param {string} [refused] an access token that the service refused
   */
  async function sendOne(record, refused) {
    const ticket = record.ticket_expires_at > now() ? record.ticket : null;
    let token = ticket;
    /** @type {Step} */
    let step;
    try {
      token ??= await session.token(refused);
      const photo = await attempt(record, token);
      await remove(record);
      return sent.tell({ item: record, photo });
    } catch (error) {
      // Without a token, or after a renewed one, another attempt needs the person.
      const renewed = token === null || refused !== undefined;
      const isProblem = error instanceof Problem;
      step = next(
        record,
        isProblem ? { kind: "refused", problem: error, renewed } : { kind: "failed" },
        now(),
        random(),
      );
    } finally {
      sending = null;
    }
    if (step.action === "retry-signed-in") {
      await sendOne(step.record, ticket ? undefined : token ?? undefined);
    } else await settle(step);
  }

  /** @param {Step} step */
  async function settle({ record, dropsCapture }) {
    // The person may have discarded it meanwhile.
    if (!await find(record.id)) return await remove(record);
    await save(record);
    if (!dropsCapture) return;
    const isShared = records.some((one) => one.capture_id === record.capture_id && one.id !== record.id);
    if (!isShared) await database.write([{ store: "captures", delete: record.capture_id }]);
  }

  /** Sends everything that is due, one after the other. */
  async function drain() {
    await load();
    for (const record of records) {
      const current = aged(record, now());
      if (current !== record) await save(current);
      else if (isDue(record, now())) await sendOne(record);
    }
  }

  /** Runs the driver unless another tab or the worker runs it. */
  async function run() {
    await locks.request("dayly-uploads", { ifAvailable: true }, async (lock) => {
      if (lock) await drain();
    });
  }

  return {
    subscribe: changed.subscribe,
    /** Tells of each accepted photo. */
    onSent: sent.subscribe,
    load,
    run,
    /** @returns {UploadItem[]} oldest first */
    get all() {
      return records.map((record) => {
        const isSending = sending?.id === record.id;
        return {
          ...record,
          state: isSending ? "sending" : record.state,
          progress: isSending ? sending?.progress ?? 0 : 0,
        };
      });
    },
    /** When the driver should run next, in milliseconds since 1970; null when nothing waits. */
    get nextAt() {
      const times = records.filter((record) => record.state === "waiting").map((record) => record.not_before);
      return times.length > 0 ? Math.min(...times) : null;
    },
    /**
     * Puts a picture into the queue, one upload for each group, and begins to send.
     * @param {Blob | ImageBitmap} source
     * @param {string[]} groupIds
     */
    async enqueue(source, groupIds) {
      const capture = { id: newId(), picture: await (outside.prepare ?? asItIs)(source) };
      const uploads = groupIds.map((groupId) =>
        newUpload({ id: newId(), captureId: capture.id, groupId, now: now() })
      );
      /** @type {import("./database.js").Change[]} */
      const changes = uploads.map((record) => ({ store: "uploads", put: record }));
      await database.write([{ store: "captures", put: capture }, ...changes]);
      await reload();
      await outside.onQueued?.().catch(() => {});
      void run();
      return uploads.map((record) => record.id);
    },
    /** Gets tickets for waiting uploads without one, as when the page is about to be hidden. */
    async fetchTickets() {
      for (const record of records) {
        if (record.state !== "waiting" || record.ticket || sending?.id === record.id) continue;
        const prepared = await withTicket(record).catch(() => null);
        if (prepared && await find(record.id)) await save(prepared);
      }
    },
    /** @param {string} id */
    async retry(id) {
      const record = await find(id);
      if (record) await save(revived(record, now()));
      await run();
    },
    /**
     * Keeps an upload until the day of its group is free again.
     * @param {string} id
     * @param {string} time RFC 3339
     */
    async keepUntil(id, time) {
      const record = await find(id);
      if (record) await save({ ...revived(record, Date.parse(time)), next_send_at: time });
    },
    /** @param {string} id */
    async discard(id) {
      const record = await find(id);
      if (record) await remove(record);
    },
    /**
     * The picture of an upload; null when it was deleted.
     * @param {string} id
     */
    async preview(id) {
      const record = await find(id);
      const capture = record && await database.get("captures", record.capture_id);
      return /** @type {Capture | undefined} */ (capture)?.picture ?? null;
    },
    /** Uploads that stopped because the session ended wait again after a sign-in. */
    async resume() {
      for (const record of records) {
        if (record.state === "signed-out") {
          await save({ ...record, state: "waiting", problem: null, not_before: now() });
        }
      }
      await run();
    },
    reset() {
      records = [];
      sending = null;
      changed.tell();
    },
  };
}

/** @param {Blob | ImageBitmap} source */
async function asItIs(source) {
  if (source instanceof Blob) return await Promise.resolve(source);
  throw new TypeError("Without preparation the queue takes Blobs only.");
}
