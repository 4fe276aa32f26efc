/** The figures of a day: its health points, what was opened, and the limit. */

import { html } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { clock } from "../../app/stores.js";
import { hasMinutes, isAhead, usedPart } from "../store/reckoning.js";
import { ticking, untilSecond } from "../../parts/day.js";
import { icon } from "../../parts/icons.js";
import { figure, healthBar, meter } from "./gauges.js";
import { sign } from "./signs.js";
import { clockTime, duration, stateWords } from "./words.js";

/** @import { CompanionDay } from "../../api/api.d.ts" */

/** @param {CompanionDay} day */
function notice({ locked_until, open_until }) {
  if (locked_until && isAhead(locked_until, clock.now())) {
    return html`
      <p class="notice">
        ${icon("moon", 20)}
        <span>${t("companion.locked", { time: clockTime(locked_until) })}</span>
      </p>
    `;
  }
  if (!open_until || !isAhead(open_until, clock.now())) return null;
  return html`
    <p class="notice">
      ${sign("door", 20)}
      <span>${ticking(() => t("companion.openFor", { time: untilSecond(open_until) }))}</span>
    </p>
  `;
}

/** @param {CompanionDay} day @param {number | null} phones */
function spent(day, phones) {
  const { energy, within } = day;
  if (energy !== null) {
    return t(energy > 0 ? "companion.earned" : "companion.earnedNone", { energy: number(energy) });
  }
  if (!hasMinutes(day)) return t(phones === 0 ? "companion.unmeasured" : "companion.unreported");
  return t(within ? "companion.within" : "companion.over");
}

/** The minutes and the limit. Without minutes the limit stands alone. @param {CompanionDay} day */
function use(day) {
  const limit = duration(day.limit_minutes);
  if (!hasMinutes(day)) {
    return html`
      <p class="line apart small">
        <span>${t("companion.limit.title")}</span>
        <span class="quiet count">${limit}</span>
      </p>
    `;
  }
  const text = t("companion.usedOf", { used: duration(day.used_minutes), limit });
  return meter(t("companion.used"), usedPart(day), text, day.within ? "" : "beyond");
}

/** @param {CompanionDay} day */
function times({ first_use_at: first, last_use_at: last }) {
  if (!first || !last) return null;
  const [from, to] = [clockTime(first), clockTime(last)];
  return html`
    <p class="quiet small">
      ${from === to ? t("companion.once", { time: from }) : t("companion.times", { first: from, last: to })}
    </p>
  `;
}

/** @param {CompanionDay} day @param {number | null} [phones] how many have reported, if that is known */
export const dayFigures = (day, phones = null) => html`
  <section class="card stack loose figures">
    <div class="stack">
      <div class="line apart">
        <h2>${stateWords(day)}</h2>
        <span class="count quiet">${t("companion.hpOf", { hp: day.hp })}</span>
      </div>
      ${healthBar(day.hp, day.colour)}
    </div>
    ${notice(day)}
    <div class="trio">
      ${figure(number(day.bypasses), t("companion.bypasses", { count: day.bypasses }))}
      ${figure(duration(day.open_seconds / 60), t("companion.open"))}
    </div>
    ${times(day)}
    ${use(day)}
    <p class="quiet small">${spent(day, phones)}</p>
  </section>
`;
