/** Reads a number's digits as they are dialled in a region. The service decides which numbers get messages. */

import { planOf, plansOf, rank } from "./plan.js";

/**
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {{number: string, rank: number, plans: Plan[], national: string}} Line
 */

// Countries where 8 was the prefix for calls at home, and stands in old address books.
const ONCE_EIGHT = /^(?:37[0-5]|380|99[2-68])$/;
// Prefixes for calls abroad that people keep in their contacts, whatever country they are in.
const ABROAD = [/^00/, /^011/, /^0011/, /^010/, /^810/, /^119/];

/** @param {Plan[]} plans @param {string} national @returns {Line} */
const line = (plans, national) => ({
  number: `+${plans[0]?.code}${national}`,
  rank: rank(plans, national),
  plans,
  national,
});

/** A number without the prefix for calls at home. @param {Plan} plan @param {string} digits */
function withoutHome({ home, rule }, digits) {
  const found = home?.exec(digits);
  if (!found?.[0]) return digits;
  const rest = digits.slice(found[0].length);
  // A rule puts a local number behind its area, or keeps what stood behind a carrier's digits.
  return rule && found.at(-1) && found.length > 1
    ? rule.replace(/\$(\d)/g, (_, group) => found[group] ?? "") + rest
    : rest;
}

/**
 * The best reading of a national number. What it begins with goes where that leads to a better known number: the prefix for
 * calls at home, a zero that a country does not have or has given up, and the country's own code, typed once more.
 * @param {Plan[]} plans @param {Plan} plan @param {string} digits
 */
function atHome(plans, plan, digits) {
  const { code } = plan;
  const asTyped = line(plans, digits);
  const dialled = line(plans, withoutHome(plan, digits));
  let best = asTyped.rank > 1 && dialled.rank < 2 ? asTyped : dialled;
  const first = ONCE_EIGHT.test(code) && /^8(?=0?\d{8})/.test(digits) ? digits.slice(1) : digits;
  if (best.rank < 2 && first !== digits) {
    const next = line(plans, withoutHome(plan, first));
    if (next.rank > 2) best = next;
  }
  for (let rest = digits; best.rank < 2 && rest.startsWith("0");) {
    rest = rest.slice(1);
    const next = line(plans, withoutHome(plan, rest));
    if (next.rank > best.rank && next.rank >= (best.rank ? 2 : 1)) best = next;
  }
  // Argentina's 9 in front of an area with its 0 or 15.
  if (best.rank < 2 && code === "54" && digits.startsWith("9")) {
    const mobile = line(plans, `9${withoutHome(plan, digits.slice(1)).replace(/^9/, "")}`);
    if (mobile.rank > best.rank) best = mobile;
  }
  if (best.rank < 2 && digits.startsWith(code)) {
    const again = line(plans, withoutHome(plan, digits.slice(code.length)));
    if (again.rank >= 2) best = again;
  }
  return best;
}

/** A number that begins with a calling code. @param {string} digits @returns {Line | null} */
function withCode(digits) {
  const plans = plansOf(digits);
  const main = plans?.[0];
  if (!plans || !main) return null;
  const rest = digits.slice(main.code.length);
  // Forms put a country code before a number that has it.
  if (rest.startsWith(`00${main.code}`)) return withCode(rest.slice(2));
  return atHome(plans, main, rest);
}

/** @param {string} digits behind a plus @returns {Line | null} */
export function international(digits) {
  const prefix = digits.startsWith("0") ? ABROAD.findLast((each) => each.test(digits)) ?? /^0+/ : /^/;
  return withCode(digits.replace(prefix, ""));
}

/** @param {(Line | null | undefined)[]} lines best first, each number once */
function sorted(lines) {
  const all = /** @type {Line[]} */ (lines.filter(Boolean)).sort((a, b) => b.rank - a.rank);
  return all.filter(({ number }, at) => all.findIndex((each) => each.number === number) === at);
}

/** Of a call abroad by the country's own prefix and one by 00 the first counts, where it leads to a known number; but many
 * keep their own country's number with 00. @param {Plan[]} plans @param {Line | null} own @param {Line | null} zeros */
function outside(plans, own, zeros) {
  const isHome = zeros && zeros.plans === plans && zeros.rank >= (own?.rank ?? 0);
  return own && own.rank > 1 && !isHome ? own : sorted([zeros, own])[0];
}

/**
 * All that digits without a plus can mean: one line, or several of which the person must choose, the likeliest first.
 * The rank of the first is 0 where nothing has a possible length.
 * @param {string} digits @param {string} region @returns {Line[]}
 */
export function dialled(digits, region) {
  const plan = planOf(region);
  const plans = /** @type {Plan[]} */ (plansOf(plan.code));
  const abroad = (/** @type {RegExp | null} */ prefix) =>
    prefix?.test(digits) ? withCode(digits.replace(prefix, "")) : null;
  // No number begins with two zeros.
  const home = digits.startsWith("00") ? null : atHome(plans, plan, digits);
  const at = home?.rank ?? 0;
  const out = outside(plans, abroad(plan.abroad), abroad(/^00/));
  // Numbers at home are not that long.
  const isLong = home && home.national.length > 12;
  if (out && (out.rank > 1 && (at < 2 || isLong) || at === 0 && out.rank)) return [out];
  if (home && at === 3) return out?.rank === 3 && plan.abroad ? [home, out] : [home];
  const bare = digits.startsWith("0") ? null : withCode(digits);
  const own = digits.startsWith(plan.code) ? atHome(plans, plan, digits.slice(plan.code.length)) : null;
  if (own?.rank === 3) return [own];
  const isDialled = home && at === 2 && withoutHome(plan, digits) === home.national &&
    home.national !== digits;
  const prefixed = ABROAD.map(abroad);
  // A prefix for home is clear, unless with another country's prefix for abroad it leads to a mobile line.
  const again = isDialled && home.national.startsWith(plan.code)
    ? atHome(plans, plan, home.national.slice(plan.code.length))
    : null;
  if (isDialled && out?.rank !== 3) {
    return [...sorted([again, ...prefixed]).filter(({ rank }) => rank === 3), home];
  }
  const others = sorted([own, bare, ...prefixed]).filter((each) =>
    each.rank === 3 || each.rank === 2 && (each.plans === plans || at === 0)
  );
  if (at) return sorted([...others, home]);
  const best = others.filter((each) => each.rank === others[0]?.rank);
  return best.length ? best : sorted([out, home]).slice(0, 1);
}
