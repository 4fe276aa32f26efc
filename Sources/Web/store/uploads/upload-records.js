/**
 * The queue on disk: a record for each upload, a Blob for each capture. Several uploads may share a capture. Each belongs to the
 * person who took it, and waits for that person alone.
 */

/**
 * @import { Change, Database } from "../database.js"
 * @typedef {"waiting" | "stopped" | "signed-out"} State
 * @typedef {object} UploadRecord one upload of one capture to one group
 * @property {string} id also the Idempotency-Key
 * @property {string | undefined} [owner] the id of the person; older records have none
 * @property {string} capture_id
 * @property {string} group_id
 * @property {number} created_at milliseconds; the 24 hours begin here, anew when the person asks for another attempt
 * @property {number} [taken_at] milliseconds; older records have none
 * @property {string | null} ticket
 * @property {number} ticket_expires_at milliseconds
 * @property {State} state
 * @property {number} attempts
 * @property {number} not_before milliseconds
 * @property {string | null} problem the code of the last refusal, `too_old`, a reason of the network, or null
 * @property {string | null} next_send_at with `already_sent_today`
 * @typedef {{ id: string, picture: Blob }} Capture
 * @typedef {ReturnType<typeof createUploadRecords>} UploadRecords
 */

/** An older capture is not sent without asking, nor kept for somebody who is not signed in. */
export const OLDEST = 24 * 3_600_000;

/**
 * @param {{ id: string, owner: string | undefined, captureId: string, groupId: string, now: number }} upload
 * @returns {UploadRecord}
 */
export function newUpload({ id, owner, captureId, groupId, now }) {
  return {
    id,
    owner,
    capture_id: captureId,
    group_id: groupId,
    created_at: now,
    taken_at: now,
    ticket: null,
    ticket_expires_at: 0,
    state: "waiting",
    attempts: 0,
    not_before: now,
    problem: null,
    next_send_at: null,
  };
}

/**
 * The record after the person asks for another attempt.
 * @param {UploadRecord} record
 * @param {number} notBefore milliseconds
 * @returns {UploadRecord}
 */
export function revived(record, notBefore) {
  const fresh = { ticket: null, ticket_expires_at: 0, attempts: 0, problem: null };
  // A new start of the 24 hours: the person has just said that the picture is still meant.
  return {
    ...record,
    ...fresh,
    state: "waiting",
    created_at: notBefore,
    not_before: notBefore,
    next_send_at: null,
  };
}

/**
 * Whether a record is of a person.
 * @param {UploadRecord} record
 * @param {string | undefined} person undefined while nobody is signed in
 */
export const isOf = (record, person) => person !== undefined && (record.owner ?? person) === person;

/**
 * Whether a record waits for its person, who is not signed in.
 * @param {UploadRecord} record
 * @param {number} now
 */
export const isHeld = (record, now) =>
  record.owner !== undefined && now - record.created_at <= OLDEST &&
  (record.state !== "stopped" || record.next_send_at !== null);

/** How many photos there are, each perhaps for several groups. @param {UploadRecord[]} records */
export const photosOf = (records) => new Set(records.map((record) => record.capture_id)).size;

/** @param {Database} database */
export function createUploadRecords(database) {
  /** @returns {Promise<UploadRecord[]>} oldest first */
  async function all() {
    const records = /** @type {UploadRecord[]} */ (await database.all("uploads"));
    return records.sort((a, b) => a.created_at - b.created_at || a.id.localeCompare(b.id));
  }

  /**
   * The deletion of a record's capture, unless another upload needs it.
   * @param {UploadRecord} record
   * @returns {Promise<Change[]>}
   */
  async function withoutCapture(record) {
    const others = (await all()).filter((one) =>
      one.capture_id === record.capture_id && one.id !== record.id
    );
    return others.length > 0 ? [] : [{ store: "captures", delete: record.capture_id }];
  }

  return {
    all,
    /**
     * @param {string} id
     * @returns {Promise<UploadRecord | undefined>}
     */
    find: async (id) => /** @type {UploadRecord | undefined} */ (await database.get("uploads", id)),
    /**
     * The picture of an upload; undefined when it was deleted.
     * @param {UploadRecord} record
     */
    async picture(record) {
      const capture = /** @type {Capture | undefined} */ (await database.get("captures", record.capture_id));
      return capture?.picture;
    },
    /**
     * @param {Capture} capture
     * @param {UploadRecord[]} uploads
     */
    async add(capture, uploads) {
      /** @type {Change[]} */
      const changes = uploads.map((record) => ({ store: "uploads", put: record }));
      await database.write([{ store: "captures", put: capture }, ...changes]);
    },
    /**
     * Changes a record, unless it was deleted meanwhile.
     * @param {string} id
     * @param {(record: UploadRecord) => UploadRecord} change
     */
    edit: (id, change) => database.update("uploads", id, change),
    /**
     * Deletes the picture of a record that stays to tell its problem.
     * @param {UploadRecord} record
     */
    dropCapture: async (record) => await database.write(await withoutCapture(record)),
    /** @param {UploadRecord} record */
    async remove(record) {
      await database.write([{ store: "uploads", delete: record.id }, ...await withoutCapture(record)]);
    },
  };
}
