/** The rules of the upload queue, without a clock, a network or a disk. */

/**
 * @import { Problem } from "../api/problems.js"
 * @typedef {"waiting" | "stopped" | "signed-out"} State
 * @typedef {object} UploadRecord one upload of one capture to one group
 * @property {string} id also the Idempotency-Key
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
 * @typedef {object} Step
 * @property {UploadRecord} record
 * @property {boolean} again whether to try at once with another token
 * @property {boolean} dropsCapture whether no later attempt can use the picture
 */

const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 5 * 60_000;
/** An older capture is not sent without asking. */
export const OLDEST = 24 * 3_600_000;

/** Somebody else than the service answered, so nothing is decided. */
const REASONS = ["foreign_network", "too_large_for_network"];

/** @type {ReadonlySet<number>} */
const FINAL = new Set([400, 403, 404, 410, 413, 415, 422]);

/**
 * @param {{ id: string, captureId: string, groupId: string, now: number }} upload
 * @returns {UploadRecord}
 */
export function newUpload({ id, captureId, groupId, now }) {
  return {
    id,
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
 * Whether the driver may send it now.
 * @param {UploadRecord} record
 * @param {number} now
 */
export function isDue(record, now) {
  return record.state === "waiting" && record.not_before <= now;
}

/**
 * Whether the last attempt got no answer. A refusal, which names its own wait, is something else.
 * @param {UploadRecord} record
 */
export function lackedNetwork(record) {
  return record.state === "waiting" && record.attempts > 0 &&
    (record.problem === null || REASONS.includes(record.problem));
}

/**
 * A waiting upload that has become too old stops and asks; every other one stays as it is.
 * @param {UploadRecord} record
 * @param {number} now
 */
export function aged(record, now) {
  const isOld = record.state === "waiting" && now - record.created_at > OLDEST;
  return isOld ? stopped(record, "too_old") : record;
}

/**
 * What follows from a failed attempt. An accepted one deletes record and capture.
 * @param {UploadRecord} record
 * @param {{ kind: "failed", reason?: string | null } | { kind: "refused", problem: Problem, renewed: boolean }} outcome `failed`: no answer of the service;
 *     `renewed`: the refused token was a fresh one
 * @param {number} now
 * @param {number} random from 0 to 1
 * @returns {Step}
 */
export function next(record, outcome, now, random) {
  if (outcome.kind === "failed") return keep(waiting(record, outcome.reason ?? null, null, now, random));
  const { problem, renewed } = outcome;
  if (problem.status === 401) {
    const without = { ...record, ticket: null };
    return renewed
      ? keep({ ...without, state: "signed-out", problem: "unauthorized" })
      : { ...keep(without), again: true };
  }
  if (problem.code === "already_sent_today") {
    return keep({ ...stopped(record, problem.code), next_send_at: problem.nextSendAt });
  }
  if (FINAL.has(problem.status)) return { ...keep(stopped(record, problem.code)), dropsCapture: true };
  return keep(waiting(record, problem.code, problem.retryAfter, now, random));
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

/** @param {UploadRecord} record */
const keep = (record) => ({ record, again: false, dropsCapture: false });

/**
 * @param {UploadRecord} record
 * @param {string} problem
 * @returns {UploadRecord}
 */
const stopped = (record, problem) => ({ ...record, state: "stopped", problem });

/**
 * @param {UploadRecord} record
 * @param {string | null} problem
 * @param {number | null} retryAfter seconds
 * @param {number} now
 * @param {number} random
 * @returns {UploadRecord}
 */
function waiting(record, problem, retryAfter, now, random) {
  const attempts = record.attempts + 1;
  // Full jitter: phones that lost the same network do not come back at the same moment.
  const wait = retryAfter === null
    ? random * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** record.attempts)
    : retryAfter * 1000;
  return { ...record, state: "waiting", attempts, problem, not_before: now + Math.round(wait) };
}
