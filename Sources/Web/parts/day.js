// Times as a person says them, in the person's own day.
import { html } from "../app/render.js";
import { relativeTime, remaining, t } from "../app/i18n.js";
import { clock, session } from "../app/stores.js";
import "./clock.js";

/** @param {() => string} text */
export const ticking = (text) => html`<day-clock class="count" .text=${text}></day-clock>`;

/** @param {string} iso */
export const ago = (iso) => ticking(() => relativeTime(iso));

/** @param {string} iso */
export const goneIn = (iso) => ticking(() => t("photo.goneIn", { time: remaining(iso) }));

/** Seconds until midnight in the person's time zone. */
export function secondsOfToday() {
  const timeZone = session.user?.time_zone;
  const parts = new Intl.DateTimeFormat("en", { timeZone, hourCycle: "h23", hour: "numeric", minute: "numeric", second: "numeric" })
    .formatToParts(clock.now());
  const of = (/** @type {string} */ type) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return 86_400 - of("hour") * 3600 - of("minute") * 60 - of("second");
}

/** A clock's time until a moment, such as 7:05:09. @param {string} iso */
export function countdown(iso) {
  const seconds = Math.max(0, Math.ceil((Date.parse(iso) - clock.now()) / 1000));
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
