/** The queue on disk: a record for each upload, a Blob for each capture. Several uploads may share a capture. */

/**
 * @import { Change, Database } from "./database.js"
 * @import { UploadRecord } from "./upload-machine.js"
 * @typedef {{ id: string, picture: Blob }} Capture
 * @typedef {ReturnType<typeof createUploadRecords>} UploadRecords
 */

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
