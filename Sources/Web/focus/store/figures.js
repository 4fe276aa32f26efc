/** The figures of Focus: points, durations, days and weeks. */

/**
 * @import { Change } from "../../api/events.js"
 * @import { Question } from "../../products/api/questions.js"
 */

const DAY = 86_400_000;
const LONGEST = 604_800;

/** A full dial is the worth of one day. */
export const FULL = 86_400;

/**
 * The points of a streak: 10 · ln(s / 60), in hundredths.
 * @param {number} seconds
 */
export function pointsOf(seconds) {
  return seconds < 60 ? 0 : Math.floor(1000 * Math.log(Math.min(seconds, LONGEST) / 60) + 0.5) / 100;
}

/**
 * The part of the dial that a streak fills, from 0 to 1: equal angles are equal points.
 * @param {number} seconds
 */
export const partOf = (seconds) =>
  seconds <= 60 ? 0 : Math.min(1, Math.log(seconds / 60) / Math.log(FULL / 60));

/**
 * Whole hours and minutes.
 * @param {number} seconds
 */
export function hoursOf(seconds) {
  const minutes = Math.floor(Math.max(0, seconds) / 60);
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

/** Days are texts such as `2026-03-02`. @param {number} time milliseconds @param {string} [timeZone] */
export function dayAt(time, timeZone = "UTC") {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    calendar: "iso8601",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(time);
  const of = (/** @type {string} */ type) => parts.find((part) => part.type === type)?.value ?? "";
  return `${of("year").padStart(4, "0")}-${of("month")}-${of("day")}`;
}

/** Noon in UTC is the same date in most zones. @param {string} day */
export const noonOf = (day) => Date.parse(`${day}T12:00:00Z`);

/** @param {string} day @param {number} count */
export const addDays = (day, count) => new Date(noonOf(day) + count * DAY).toISOString().slice(0, 10);

/** The Monday of a day's week. @param {string} day */
export const mondayOf = (day) => addDays(day, -((new Date(noonOf(day)).getUTCDay() + 6) % 7));

/**
 * How much of a day has passed at an instant, from 0 to 1, by the clocks of a zone; 0 before the day, and 1 after it.
 * @param {string | number} time
 * @param {string} day
 * @param {string} timeZone
 */
export function partOfDay(time, day, timeZone) {
  const at = new Date(time).getTime();
  const local = dayAt(at, timeZone);
  if (local !== day) return local < day ? 0 : 1;
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const of = (/** @type {string} */ type) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return (of("hour") * 3600 + of("minute") * 60 + of("second")) / FULL;
}

/**
 * The heights of bars, from 0 to 1; the greatest fills its place.
 * @param {number[]} values
 */
export function heightsOf(values) {
  const most = Math.max(...values, 0);
  return values.map((value) => most > 0 ? value / most : 0);
}

/**
 * Whether a day may still be rated: until 7 days after it.
 * @param {string} day
 * @param {string} today
 */
export const isOpenForRating = (day, today) => day <= today && addDays(day, 7) >= today;

/**
 * Whether a hint may have changed an answer: a board's names its group.
 * @param {Question<any>} question
 * @param {Change} change
 */
export const concerns = ({ call, parts }, change) =>
  change.type === "focus.board" ? parts.path?.["id"] === change.data.group_id : !/group|league/.test(call);
