/** The rules of the upload queue, without a clock, a network or a disk. */

import { OLDEST } from "./upload-records.js";

/**
 * @import { Problem } from "../../api/problems.js"
 * @import { UploadRecord } from "./upload-records.js"
 * @typedef {object} Step
 * @property {UploadRecord} record
 * @property {boolean} again whether to try at once with another token
 * @property {boolean} dropsCapture whether no later attempt can use the picture
 */

const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 5 * 60_000;

/** Somebody else than the service answered, so nothing is decided. */
const REASONS = ["foreign_network", "too_large_for_network"];

/** @type {ReadonlySet<number>} */
const FINAL = new Set([400, 403, 404, 410, 413, 415, 422]);

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
