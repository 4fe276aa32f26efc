/** The figures of a day: its health points, what was opened, and the limit. */

import { html } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { clock } from "../../app/stores.js";
import { isAhead, usedPart } from "../../store/companion/reckoning.js";
import { ticking, untilSecond } from "../day.js";
import { icon } from "../icons.js";
import { figure, healthBar, meter } from "./gauges.js";
import { sign } from "./companion-signs.js";
import { clockTime, duration, stateWords } from "./companion-words.js";

/** @import { CompanionDay } from "../../api/api.d.ts" */

/** @param {CompanionDay} day */
function notice({ locked_until, open_until }) {
  if (locked_until && isAhead(locked_until, clock.now())) {
    return html`<p class="notice">${icon("moon", 20)}<span>${
      t("companion.locked", { time: clockTime(locked_until) })
    }</span></p>`;
  }
  if (!open_until || !isAhead(open_until, clock.now())) return null;
  return html`<p class="notice">${sign("door", 20)}<span>${
    ticking(() => t("companion.openFor", { time: untilSecond(open_until) }))
  }</span></p>`;
}

/** @param {CompanionDay} day */
function spent({ energy, within }) {
  if (energy !== null) {
    return t(energy > 0 ? "companion.earned" : "companion.earnedNone", { energy: number(energy) });
  }
  return t(within ? "companion.within" : "companion.over");
}

/** @param {CompanionDay} day */
function times({ first_use_at: first, last_use_at: last }) {
  if (!first || !last) return null;
  const [from, to] = [clockTime(first), clockTime(last)];
  return html`<p class="quiet small">${
    from === to ? t("companion.once", { time: from }) : t("companion.times", { first: from, last: to })
  }</p>`;
}

/** @param {CompanionDay} day */
export const dayFigures = (day) =>
  html`
    <section
      class="card stack loose figures"><div class="stack"><div class="line apart"><h2>${stateWords(
        day,
      )}</h2><span class="count quiet">${t("companion.hpOf", { hp: day.hp })}</span></div>${healthBar(
        day.hp,
        day.colour,
      )}</div>
        ${notice(day)}
        <div class="trio">${figure(
          number(day.bypasses),
          t("companion.bypasses", { count: day.bypasses }),
        )}${figure(duration(day.open_seconds / 60), t("companion.open"))}</div>${times(day)}
        ${meter(
          t("companion.used"),
          usedPart(day),
          t("companion.usedOf", { used: duration(day.used_minutes), limit: duration(day.limit_minutes) }),
          day.within ? "" : "beyond",
        )}<p class="quiet small">${spent(day)}</p></section>
  `;
