/** Codes as people type or paste them: alone, in groups, in any digits and width, as a link, or within the message. */

import { plain } from "../plain.js";

/** The six digits of a sign-in code, in one word or in groups; null unless the text has just one. @param {string} text */
export function verificationCode(text) {
  const clean = plain(text);
  const codesIn = (/** @type {string[]} */ words) => new Set(words.filter((word) => /^\d{6}$/.test(word)));
  const whole = codesIn(clean.split(/[^\p{L}\p{N}]+/u));
  // What letters are part of is not a group.
  const groups = clean.split(/[\p{L}\p{N}]*\p{L}[\p{L}\p{N}]*/u).map((each) => each.replace(/\D/g, ""));
  const codes = whole.size ? whole : codesIn(groups);
  return codes.size === 1 ? [...codes][0] ?? null : null;
}

const ALPHABET = /^[A-HJ-NP-Z2-9]{6}$/;
// Behind the path of a link, or behind the word that the message has in front.
const NAMED = /(?:\/I\/|\/JOIN\/|CODE[ :=#]*)((?:[0-9A-Z][ -]?){5}[0-9A-Z])(?![0-9A-Z])/g;

/** The six characters of an invitation's code; null where there are none, or a 0, O, 1 or I among them, which no code has.
 * @param {string} text */
export function invitationCode(text) {
  const upper = plain(text).replace(/[a-z]/g, (letter) => letter.toUpperCase()).replace(/\s/g, " ");
  if (/\p{Cc}/u.test(upper)) return null;
  // In the message the code stands last, behind other people's words.
  const named = [...upper.matchAll(NAMED)].at(-1)?.[1]?.replace(/[ -]/g, "");
  const alone = upper.replace(/[^\p{L}\p{N}]/gu, "");
  // Words have six letters too, so a code in a sentence is told by its digits.
  const words = new Set(
    upper.split(/[^\p{L}\p{N}]+/u).filter((word) => /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{6}$/.test(word)),
  );
  const code = [...alone].length === 6 ? alone : named ?? (words.size === 1 ? [...words][0] : "") ?? "";
  return ALPHABET.test(code) ? code : null;
}
