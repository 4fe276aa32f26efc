/** Says the figures of Companion as a person says them. */

import { html } from "../../app/render.js";
import { dateTime, number, t } from "../../app/i18n.js";
import { clock, session } from "../../app/stores.js";
import { hoursOf } from "../store/reckoning.js";
import { left } from "../../parts/day.js";
import { sign } from "./signs.js";

/** @import { CompanionCurrency, CompanionDay, CompanionPet } from "../../api/api.d.ts" */

/** A number stays with its unit. @param {string} text */
const joined = (text) => text.replaceAll(" ", "\u00a0");

/** "2 h 5 min". @param {number} minutes */
export function duration(minutes) {
  const { hours, minutes: rest } = hoursOf(minutes);
  if (hours === 0) return joined(t("time.minutes", { count: rest }));
  return [
    joined(t("time.hours", { count: hours })),
    rest > 0 ? joined(t("time.minutes", { count: rest })) : "",
  ].join(" ").trim();
}

/** Days are texts such as `2026-03-02`; noon in UTC is the same date. @param {string} day @param {Intl.DateTimeFormatOptions} [options] */
export const dayName = (day, options = { weekday: "long", day: "numeric", month: "long" }) =>
  dateTime(Date.parse(`${day}T12:00:00Z`), { timeZone: "UTC", ...options });

/** "2 March 2026". @param {string} day */
export const longDay = (day) => dayName(day, { day: "numeric", month: "long", year: "numeric" });

/** A time of day in the person's zone. @param {string} iso */
export const clockTime = (iso) =>
  dateTime(iso, {
    hour: "numeric",
    minute: "2-digit",
    ...(session.user ? { timeZone: session.user.time_zone } : {}),
  });

/** A text that the catalogues of the web client may have; else null. @param {string} text @param {string} key */
const known = (text, key) => text === key ? null : text;

/** The name of a food or of a cosmetic. Those of later catalogues have their title only. @param {string} id @param {string} [title] */
export const itemName = (id, title = id) => known(t(`companion.item.${id}`), `companion.item.${id}`) ?? title;

/** @param {string} category */
export const categoryName = (category) =>
  known(t(`companion.category.${category}`), `companion.category.${category}`) ?? category;

/** How the day's cat is, in a few words. @param {CompanionDay} day */
export const stateWords = ({ state, tone }) =>
  tone === "playful" ? t("companion.state.playful") : t(`companion.state.${state}`);

/** How a pet is. @param {CompanionPet} pet */
export function healthWords({ health, fragile_until, mood, name }) {
  if (health !== "healthy") return t(`companion.pet.${health}`, { name });
  if (fragile_until && Date.parse(fragile_until) > clock.now()) return t("companion.pet.fragile", { name });
  return t(
    mood >= 9
      ? "companion.pet.delighted"
      : mood >= 6
      ? "companion.pet.glad"
      : mood >= 3
      ? "companion.pet.well"
      : "companion.pet.low",
    { name },
  );
}

/** @param {number} amount @param {CompanionCurrency} currency */
export const amountWords = (amount, currency) =>
  t(currency === "gems" ? "companion.gems" : "companion.energy", { count: amount });

/** An amount with its sign. @param {number} amount @param {CompanionCurrency} currency */
export const price = (amount, currency) => html`
  <span class="price">
    <span class="unseen">${amountWords(amount, currency)}</span>
    <span class="count" aria-hidden="true">${number(amount)}</span>
    ${sign(currency === "gems" ? "gem" : "energy", 18)}
  </span>
`;

const DAY = 86_400_000;

/** How many days there are until an instant. @param {string} iso */
const daysUntil = (iso) => Math.floor((Date.parse(iso) - clock.now()) / DAY);

/** "3 days", or "14 h". @param {string} iso */
export const until = (iso) =>
  daysUntil(iso) >= 2 ? t("companion.days", { count: daysUntil(iso) }) : left(iso);

/** "in 3 days", or "in 14 h". @param {string} iso */
export const inTime = (iso) =>
  daysUntil(iso) >= 2
    ? t("companion.inDays", { count: daysUntil(iso) })
    : t("companion.in", { time: left(iso) });
