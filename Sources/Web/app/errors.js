/** The text and the way out of an error. */

import { Foreign, kindOf, Problem } from "../api/problems.js";
import { config } from "./config.js";
import { t } from "./i18n.js";

/**
 * @import { Kind } from "../api/problems.js"
 * @import { Key } from "./i18n.js"
 * @typedef {object} Description
 * @property {Kind} kind
 * @property {string} text
 * @property {number | null} retryAfter seconds
 * @property {string | null} pointer the member of the body at fault, such as `/phone_number`
 */

/**
 * Codes whose text stands elsewhere; that of the others is `problem.CODE`.
 * @type {Record<string, Key>}
 */
const ELSEWHERE = {
  too_many_attempts: "code.spent",
  group_limit_reached: "groups.full",
  photo_gone: "viewer.over",
  image_too_large: "problem.upload_too_large",
  unsupported_media_type: "camera.unreadable",
  unreadable_image: "camera.unreadable",
  idempotency_key_reused: "camera.unreadable",
  foreign_network: "error.foreign",
  too_large_for_network: "error.tooLargeForNetwork",
};

/**
 * The text of a problem's code; null for a code without one.
 * @param {string | null} code
 */
export function textOf(code) {
  const key = ELSEWHERE[`${code}`];
  if (key) return t(key, { count: config.limits.groups_per_user });
  // Products have texts of their own, also for their codes. A key without a text is its own text.
  const keys = [`problem.${code}`, ...config.features.map((product) => `${product}.problem.${code}`)];
  return keys.map((key) => t(key)).find((text) => /\s/.test(text)) ?? null;
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
    text: (isProblem ? textOf(error.code) : foreign) ?? t(`error.${kind}`),
    retryAfter: isProblem ? error.retryAfter : null,
    pointer: isProblem ? error.pointer : null,
  };
}
