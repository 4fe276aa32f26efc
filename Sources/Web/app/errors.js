/** The text and the way out of an error. */

import { Foreign, kindOf, Problem } from "../api/problems.js";
import { t } from "./i18n.js";

/**
 * @import { Kind } from "../api/problems.js"
 * @import { ProblemCode } from "../api/api.d.ts"
 * @import { Key } from "./i18n.js"
 * @typedef {object} Description
 * @property {Kind} kind
 * @property {string} text
 * @property {number | null} retryAfter seconds
 * @property {string | null} pointer the member of the body at fault, such as `/phone_number`
 */

/**
 * Codes with a text of their own; any other error is told by its kind.
 * @type {Partial<Record<ProblemCode | "too_old" | "foreign_network" | "too_large_for_network", Key>>}
 */
const TEXTS = {
  invalid_phone_number: "problem.invalid_phone_number",
  too_many_attempts: "problem.too_many_attempts",
  verification_failed: "problem.verification_failed",
  time_zone_changed_recently: "problem.time_zone_changed_recently",
  group_limit_reached: "problem.group_limit_reached",
  group_full: "problem.group_full",
  removal_limit_reached: "problem.removal_limit_reached",
  invite_limit_reached: "problem.invite_limit_reached",
  invite_not_found: "problem.invite_not_found",
  already_sent_today: "problem.already_sent_today",
  upload_in_progress: "problem.upload_in_progress",
  photo_gone: "problem.photo_gone",
  upload_too_large: "problem.upload_too_large",
  image_too_large: "problem.upload_too_large",
  unsupported_media_type: "problem.unreadable_image",
  unreadable_image: "problem.unreadable_image",
  idempotency_key_reused: "problem.unreadable_image",
  too_old: "problem.too_old",
  foreign_network: "error.foreign",
  too_large_for_network: "error.tooLargeForNetwork",
};

/** @type {Record<Kind, Key>} */
const KINDS = {
  "offline": "error.offline",
  "signed-out": "error.signed-out",
  "refused": "error.refused",
  "rate-limited": "error.rate-limited",
  "gone": "error.gone",
  "unavailable": "error.unavailable",
};

/**
 * The text of a problem's code; null for a code without one.
 * @param {string | null} code
 */
export function textOf(code) {
  const key = TEXTS[/** @type {ProblemCode} */ (code)];
  if (key) return t(key);
  // Products have texts of their own, also for their codes. A key without a text is its own text.
  return [t(`focus.problem.${code}`), t(`companion.problem.${code}`)].find((text) => /\s/.test(text)) ?? null;
}

/**
 * @param {unknown} error
 * @returns {Description}
 */
export function describe(error) {
  const kind = error instanceof Foreign && error.status >= 500 && error.status !== 511
    ? "unavailable"
    : kindOf(error);
  const isProblem = error instanceof Problem;
  const foreign = error instanceof Foreign && kind === "offline" ? t("error.foreign") : null;
  return {
    kind,
    text: (isProblem ? textOf(error.code) : foreign) ?? t(KINDS[kind]),
    retryAfter: isProblem ? error.retryAfter : null,
    pointer: isProblem ? error.pointer : null,
  };
}
