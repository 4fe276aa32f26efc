/** The figures of Companion: health points, hours, seasons, growth and prices. */

/**
 * @import { CompanionCosmetic, CompanionDay, CompanionRecoveryOffer, CompanionRestartOffer, CompanionSurvey } from "../../api/api.d.ts"
 * @import { Change } from "../../api/events.js"
 * @import { Question } from "../../products/api/questions.js"
 */

/** A bypass costs so many health points. */
const STEP = 5;

/** Which of the twenty parts of the bar are full. @param {number} hp */
export const partsOf = (hp) => Array.from({ length: 100 / STEP }, (_, part) => hp > part * STEP);

/**
 * The part of the day at an instant, by which the window's sky is drawn.
 * @param {number} time milliseconds
 * @param {string} [timeZone]
 * @returns {"morning" | "afternoon" | "evening" | "night"}
 */
export function hoursAt(time, timeZone) {
  const format = new Intl.DateTimeFormat("en", { timeZone, hourCycle: "h23", hour: "numeric" });
  const hour = Number(format.format(time));
  return hour < 5 || hour >= 21 ? "night" : hour < 12 ? "morning" : hour < 17 ? "afternoon" : "evening";
}

/** Whole hours and minutes. @param {number} minutes */
export const hoursOf = (minutes) => ({ hours: Math.floor(minutes / 60), minutes: Math.floor(minutes % 60) });

/** How much of the limit is used, from 0 to 1. @param {{ used_minutes: number, limit_minutes: number }} day */
export const usedPart = ({ used_minutes, limit_minutes }) => Math.min(1, used_minutes / limit_minutes);

/**
 * Whether a day has minutes to show. Without a report the service says 0, and only a report earns energy.
 * @param {Pick<CompanionDay, "used_minutes" | "energy">} day
 */
export const hasMinutes = ({ used_minutes, energy }) => used_minutes > 0 || (energy ?? 0) > 0;

/** The questions of the survey that ask for a degree. */
export const FEELINGS = /** @type {const} */ (["dependence", "sleep", "without_phone", "idle"]);

/** All questions of the survey, in the order in which they stand. */
export const QUESTIONS = /** @type {const} */ (["use", ...FEELINGS, "age"]);

/** The questions without an answer, in their order. 0 is an answer. @param {Partial<CompanionSurvey>} answers */
export const openQuestions = (answers) => QUESTIONS.filter((name) => answers[name] === undefined);

/** Growth at which a stage begins. @type {Record<string, number>} */
const BEGINNINGS = { baby: 0, young: 700, adult: 2_100, elder: 6_300 };
const STAGES = Object.keys(BEGINNINGS);

/**
 * How far a pet is on its way to the next stage, from 0 to 1, and that stage; null for an elder.
 * @param {{ stage: string, growth: number }} pet
 */
export function growthOf({ stage, growth }) {
  const next = STAGES[STAGES.indexOf(stage) + 1];
  if (!next) return { part: 1, next: null };
  const from = BEGINNINGS[stage] ?? 0, to = BEGINNINGS[next] ?? 1;
  return { part: Math.max(0, Math.min(1, (growth - from) / (to - from))), next };
}

/** What a fed day of a healthy pet adds to its growth. */
const GROWTH_OF_DAY = 100;

/** How many fed days there are at least until the next stage; null for an elder. @param {{ stage: string, growth: number }} pet */
export function daysToNext(pet) {
  const { next } = growthOf(pet);
  return next ? Math.max(1, Math.ceil(((BEGINNINGS[next] ?? 0) - pet.growth) / GROWTH_OF_DAY)) : null;
}

/** Whether a time is still to come. @param {string | null} time @param {number} now milliseconds */
export const isAhead = (time, now) => time !== null && Date.parse(time) > now;

/**
 * Why a recovery cannot be had: it pauses, or gems are missing; null when it can.
 * @param {CompanionRecoveryOffer | CompanionRestartOffer} recovery
 * @param {number} gems
 * @param {number} now milliseconds
 * @returns {"pause" | "gems" | null}
 */
export function hindranceOf({ gems: price, retry_at }, gems, now) {
  if (isAhead(retry_at, now)) return "pause";
  return price > 0 && gems < price ? "gems" : null;
}

/**
 * The prices of a thing, and whether the wallet has enough for each.
 * @param {Pick<CompanionCosmetic, "energy" | "gems">} thing
 * @param {{ energy: number, gems: number } | null} wallet
 */
export function pricesOf({ energy, gems }, wallet) {
  /** @type {{ currency: "energy" | "gems", price: number, isEnough: boolean }[]} */
  const prices = [];
  if (energy !== null) {
    prices.push({ currency: "energy", price: energy, isEnough: (wallet?.energy ?? 0) >= energy });
  }
  if (gems !== null) prices.push({ currency: "gems", price: gems, isEnough: (wallet?.gems ?? 0) >= gems });
  return prices;
}

/**
 * An outfit with a thing put on, in the place of another one of its category, or taken off.
 * @param {string[]} outfit
 * @param {string} id
 * @param {Pick<CompanionCosmetic, "id" | "category">[]} all
 */
export function dressed(outfit, id, all) {
  if (outfit.includes(id)) return outfit.filter((one) => one !== id);
  const category = all.find((one) => one.id === id)?.category;
  const others = outfit.filter((one) => all.find((each) => each.id === one)?.category !== category);
  return [...others, id].sort();
}

/**
 * Entries by their days, in the order in which they come.
 * @template {{ day: string }} T
 * @param {T[]} entries
 */
export function byDay(entries) {
  /** @type {{ day: string, entries: T[] }[]} */
  const days = [];
  for (const entry of entries) {
    const last = days.at(-1);
    if (last?.day === entry.day) last.entries.push(entry);
    else days.push({ day: entry.day, entries: [entry] });
  }
  return days;
}

/** @type {Record<string, RegExp>} */
const HINTED = {
  "companion.day": /day|settings|devices/,
  "companion.pet": /pet|catalog/,
  "companion.wallet": /wallet|catalog|pet|day/,
};

/**
 * Whether a hint may have changed an answer.
 * @param {Question<any>} question
 * @param {Change} change
 */
export const concerns = ({ call }, change) => HINTED[change.type]?.test(call) ?? false;
