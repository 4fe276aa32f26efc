/** Codes as people type or paste them: alone, in groups, in any digits and width, as a link, or within the message. */

import { plain } from "./plain.js";

/** The six digits of a sign-in code; null unless the text has just one. @param {string} text */
export function verificationCode(text) {
  const words = plain(text).split(/[^\p{L}\p{N}]+/u);
  const isCode = (/** @type {string} */ word) => /^\d{6}$/.test(word);
  const joined = words.join("");
  if (isCode(joined)) return joined;
  const codes = new Set(words.filter(isCode));
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
