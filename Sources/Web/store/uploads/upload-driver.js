/** Sends what is due in the queue, and stores what follows from each outcome. */

import { Foreign, Problem } from "../../api/problems.js";
import { aged, isDue, lackedNetwork, next } from "./upload-machine.js";
import { isOf } from "./upload-records.js";

/**
 * @import { Photo } from "../../api/api.d.ts"
 * @import { Session } from "../../api/session.js"
 * @import { Send } from "../../api/sending.js"
 * @import { UploadRecord, UploadRecords } from "./upload-records.js"
 * @typedef {object} Outside
 * @property {UploadRecords} records
 * @property {Pick<Session, "token">} session
 * @property {() => string | undefined} me the id of the signed-in person
 * @property {Send} send
 * @property {() => number} now
 * @property {() => number} [random]
 * @property {Pick<LockManager, "request">} locks
 * @property {() => Promise<void>} changed tells this page and the others
 * @property {(progress: { id: string, progress: number } | null) => void} progressed
 * @property {(sent: { item: UploadRecord, photo: Photo }) => void} accepted
 */

/** Milliseconds until the other tab that sends must be asleep. */
const LOCK_PATIENCE = 135_000;

/**
 * What stands in the way, if not the lack of a network.
 * @param {unknown} error
 */
const reasonOf = (error) =>
  !(error instanceof Foreign) || error.status >= 500 && error.status !== 511
    ? null
    : error.status === 413
    ? "too_large_for_network"
    : "foreign_network";

/** @param {Outside} outside */
export function createUploadDriver(outside) {
  const { records, session, me, send, now, locks, changed, progressed, accepted } = outside;
  const { random = Math.random } = outside;
  /**
   * @param {UploadRecord} record
   * @param {string} token
   */
  async function attempt(record, token) {
    const picture = await records.picture(record);
    if (!picture) throw new Problem(410, { code: "photo_gone" });
    /** @param {number} progress */
    const onProgress = (progress) => progressed({ id: record.id, progress });
    onProgress(0);
    const photo = await send({ groupId: record.group_id, key: record.id, token, picture, onProgress });
    await records.remove(record);
    return photo;
  }

  /**
   * @param {UploadRecord} record
   * @param {string} [refused] an access token that the service refused
   */
  async function sendOne(record, refused) {
    const ticket = record.ticket_expires_at > now() ? record.ticket : null;
    let token = ticket;
    try {
      token ??= await session.token(refused);
      // Somebody else may have signed in meanwhile.
      if (!isOf(record, me())) return;
      accepted({ item: record, photo: await attempt(record, token) });
    } catch (error) {
      // Without a token, or after a renewed one, another attempt needs the person.
      const renewed = token === null || refused !== undefined;
      const isProblem = error instanceof Problem;
      const outcome = isProblem ? /** @type {const} */ ({ kind: "refused", problem: error, renewed }) : null;
      const step = next(record, outcome ?? { kind: "failed", reason: reasonOf(error) }, now(), random());
      if (step.again) return await sendOne(step.record, ticket ? undefined : token ?? undefined);
      await records.edit(record.id, () => step.record);
      if (step.dropsCapture) await records.dropCapture(record);
    } finally {
      progressed(null);
    }
    await changed();
  }

  /**
   * Sends everything that is due, one after the other.
   * @param {boolean} isBack whether there is a network again, so that uploads which only lacked one are due
   */
  async function drain(isBack) {
    for (const { id } of await records.all()) {
      const record = await records.find(id);
      if (!record || !isOf(record, me())) continue;
      const current = aged(record, now());
      if (current !== record) await records.edit(id, () => current).then(changed);
      else if (isDue(record, now()) || (isBack && lackedNetwork(record))) await sendOne(record);
    }
  }

  return {
    /**
     * @param {boolean} isBack This run waits for the lock: whoever holds it may have looked at the uploads before the network came.
     *     Whoever holds it for longer than an upload may take is asleep; an upload that is sent twice is one photo
     */
    async run(isBack) {
      const limit = isBack ? { signal: AbortSignal.timeout(LOCK_PATIENCE) } : { ifAvailable: true };
      let begun = false;
      try {
        await locks.request("dayly-uploads", limit, async (lock) => {
          begun = true;
          if (lock) await drain(isBack);
        });
      } catch (error) {
        if (begun) throw error;
        await drain(isBack);
      }
    },
  };
}
