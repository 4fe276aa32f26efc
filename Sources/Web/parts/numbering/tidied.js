/** Spaces for a number that was typed. */

import { typedForm } from "../contacts/calling-codes.js";
import { plain } from "../plain.js";
import { planOf } from "./plan.js";
import { numbersIn } from "./text.js";

/** What was typed for a region, with spaces, unless that could be read as another number. @param {string} text @param {string} region */
export function tidied(text, region) {
  const [found, ...others] = numbersIn(text, region);
  const [number, ...readings] = found?.numbers ?? [];
  if (!found || !number || others.length || readings.length || found.rank < 2) return text;
  const isHome = number.startsWith(`+${planOf(region).code}`) && !plain(text).includes("+");
  const forms = [typedForm(number).split(" ").slice(1).join(" "), typedForm(number)];
  const reads = (/** @type {string} */ form) =>
    numbersIn(form, region).every(({ numbers }) => numbers.join() === number);
  return forms.slice(isHome ? 0 : 1).find(reads) ?? text;
}
