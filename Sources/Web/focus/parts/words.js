/** Says the figures of Focus as a person says them. */

import { dateTime, language, t } from "../../app/i18n.js";
import { addDays, hoursOf, noonOf } from "../store/figures.js";

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/** Points always have two decimals, so that a column of them is even. @param {number} value */
export function points(value) {
  const tag = language();
  const format = formats.get(tag) ??
    new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  formats.set(tag, format);
  return format.format(value);
}

/** "2h 5m", or "45 minutes" under an hour. @param {number} seconds */
export function duration(seconds) {
  const { hours, minutes } = hoursOf(seconds);
  return hours > 0
    ? t("focus.time.hours", { hours, minutes }).replaceAll(" ", "\u00a0")
    : t("focus.time.minutes", { count: minutes });
}

/** A running time to the second: "1:23:45". @param {number} seconds */
export function running(seconds) {
  const { hours, minutes } = hoursOf(seconds);
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  const rest = two(Math.floor(Math.max(0, seconds)) % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** @param {string} day @param {Intl.DateTimeFormatOptions} options */
export const dayWith = (day, options) => dateTime(noonOf(day), { timeZone: "UTC", ...options });

/** "Monday, 2 March". @param {string} day */
export const dayName = (day) => dayWith(day, { weekday: "long", day: "numeric", month: "long" });

/** "2 March". @param {string} day */
export const shortDay = (day) => dayWith(day, { day: "numeric", month: "long" });

/** "2 – 8 March". @param {string} monday */
export const weekName = (monday) =>
  `\u2068${dayWith(monday, { day: "numeric", month: "short" })}\u2069 – \u2068${
    dayWith(addDays(monday, 6), { day: "numeric", month: "short" })
  }\u2069`;

/** A time of day in the person's zone. @param {string} iso @param {string | undefined} timeZone */
export const clockTime = (iso, timeZone) =>
  dateTime(iso, { hour: "numeric", minute: "2-digit", ...(timeZone ? { timeZone } : {}) });

/** @param {import("../../api/api.d.ts").FocusLeague["tier"]} tier */
export const tierName = (tier) => t(`focus.tier.${tier}`);

/** @param {number} streaks @param {number} longest seconds */
export const streaksAndLongest = (streaks, longest) =>
  streaks === 0
    ? t("focus.noStreaks")
    : t("focus.streaksLongest", { streaks: t("focus.streaks", { count: streaks }), time: duration(longest) });
