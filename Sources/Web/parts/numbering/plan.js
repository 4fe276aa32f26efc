/** Numbering plans by region and by calling code, and what they say of a number. */

import { known } from "../../app/translate.js";
import { PLANS } from "./plans.js";

/**
 * @typedef {object} Plan
 * @property {string} region
 * @property {string} code
 * @property {Set<number>} lengths
 * @property {number} shortest the least length of mobile numbers
 * @property {RegExp | null} abroad the prefix for calls abroad
 * @property {RegExp | null} home the prefix for calls at home
 * @property {string} rule what takes its place
 * @property {RegExp | null} begins the numbers of a region that shares its calling code
 * @property {RegExp | null} general
 * @property {RegExp | null} mobile
 */

/** @type {Map<string, Plan>} */
const byRegion = new Map();
/** The plans of a calling code, the main region's first. @type {Map<string, Plan[]>} */
const byCode = new Map();

/** @param {string} ranges */
function lengthsOf(ranges) {
  const all = ranges.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  return new Set(all);
}

for (const line of PLANS.trim().split("\n")) {
  const [region = "", code = "", lengths = "", shortest, abroad, home, rule = "", begins, general, mobile] =
    line.split(
      " ",
    )
      .map((each) => each === "-" ? "" : each);
  const begin = (/** @type {string | undefined} */ text) => text ? new RegExp(`^(?:${text})`) : null;
  const all = (/** @type {string | undefined} */ text) => text ? new RegExp(`^(?:${text})$`) : null;
  const plan = {
    region,
    code,
    lengths: lengthsOf(lengths),
    shortest: Number(shortest) || 0,
    abroad: begin(abroad),
    home: begin(home),
    rule,
    begins: begin(begins),
    general: all(general),
    mobile: all(mobile),
  };
  if (region !== "001") byRegion.set(region, plan);
  byCode.set(code, [...byCode.get(code) ?? [], plan]);
}

/** @param {string} region */
export const planOf = (region) => /** @type {Plan} */ (byRegion.get(region) ?? byRegion.get("US"));

/** The plans of the calling code that digits begin with. @param {string} digits */
export const plansOf = (digits) =>
  [1, 2, 3].map((length) => byCode.get(digits.slice(0, length))).find(Boolean);

/** Whether digits can become a mobile number, but are too few for one. @param {Plan[]} plans @param {string} national */
const isBegun = (plans, national) =>
  plans.some(({ mobile, shortest }) =>
    national.length < shortest &&
    [..."0123456789"].some((digit) => mobile?.test(national.padEnd(shortest, digit)))
  );

/** How well a calling code's plans know a number: 3 a mobile line's, 2 a known range, 1 a possible length, 0 none.
 * @param {Plan[]} plans @param {string} national */
export function rank(plans, national) {
  if (!plans.some(({ lengths }) => lengths.has(national.length)) || isBegun(plans, national)) return 0;
  if (plans.some(({ mobile }) => mobile?.test(national))) return 3;
  return plans.some(({ general }) => general?.test(national)) ? 2 : 1;
}

/** The region of a number; that of the field, where both have the same calling code. @param {string} number @param {string} field */
export function regionOf(number, field) {
  const plans = plansOf(number.slice(1)) ?? [];
  const [main] = plans;
  if (!main || main.code === planOf(field).code) return field;
  const national = number.slice(1 + main.code.length);
  const region = (plans.find(({ begins }) => begins?.test(national)) ?? main).region;
  return region === "001" ? field : region;
}

/** The regions with their names in the person's language, in its order. @param {string} language */
export function countries(language) {
  const names = new Intl.DisplayNames(language, { type: "region" });
  const order = new Intl.Collator(language);
  return [...byRegion.values()].map(({ region, code }) => ({
    region,
    code,
    name: names.of(region) ?? region,
  }))
    .sort((a, b) => order.compare(a.name, b.name));
}

/** The region of the browser's first language that has one. */
export function homeRegion(languages = navigator.languages) {
  for (const tag of known(languages)) {
    const region = new Intl.Locale(tag).maximize().region;
    if (region && byRegion.has(region)) return region;
  }
  return "US";
}
