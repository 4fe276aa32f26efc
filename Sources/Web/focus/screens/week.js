/** A week: seven bars, their sum, and what each day was. */

import { html, key } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { router } from "../../app/stores.js";
import { today } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { addDays, mondayOf } from "../store/figures.js";
import { weekBars } from "../parts/bars.js";
import { estimatedNote } from "../parts/dial.js";
import { focusScreen, head, place } from "../parts/place.js";
import { shown } from "../../products/parts/answered.js";
import { dayName, dayWith, duration, points, streaksAndLongest, weekName } from "../parts/words.js";
import { icon } from "../../parts/icons.js";
import { skeleton } from "../../parts/states.js";

/** @import { FocusDay, FocusWeek } from "../../api/api.d.ts" */
/** @import { Visit } from "../../app/router.js" */

/** @param {Visit} visit */
export function week(visit) {
  const monday = visit.params["id"] ?? mondayOf(today());
  const self = focusScreen(t("focus.week.title"), view, { kind: "focus" });
  const known = self.watch(questions.week(monday));

  /** @param {FocusDay} day */
  const bar = ({ day, points: value }) => ({
    day,
    value,
    text: value > 0 ? number(Math.round(value)) : "",
    label: t("focus.dayLabel", { day: dayName(day), points: points(value) }),
    path: day <= today() ? place("day", day) : null,
  });

  /** @param {FocusDay} day */
  const row = (day) =>
    key(
      day.day,
      html`
        <li>
          <a class="whole" href=${place("day", day.day)}>
            <span class="grow stack close">
              <span>${dayWith(day.day, { weekday: "long" })}</span>
              <span class="quiet small">
                ${streaksAndLongest(day.streak_count, day.longest_streak)}
                ${day.minutes !== null && html`
                  <br />
                  ${t("focus.screenTime", { time: duration(day.minutes * 60) })}
                `}
              </span>
            </span>
            <span class="count strong">${points(day.points)}</span>
            ${icon("forward", 18)}
          </a>
        </li>
      `,
    );

  /** @param {FocusWeek} value */
  const content = (value) => html`
    <section class="card stack">
      <div class="sum">
        <p class="count points">${points(value.points)}</p>
        <p class="quiet small">${streaksAndLongest(value.streak_count, value.longest_streak)}</p>
        ${estimatedNote(value.estimated)}
      </div>
      ${weekBars((value.days ?? []).map(bar), today(), t("focus.week.days"))}
    </section>
    <section class="stack">
      <h2 class="unseen">${t("focus.week.days")}</h2>
      <ul class="rows plain">
        ${(value.days ?? []).filter(({ day }) => day <= today()).toReversed().map(row)}
      </ul>
    </section>
    <a class="button" href=${place("weeks")}>${t("focus.weeks.title")}</a>
  `;

  function view() {
    return html`
      ${head()}
      <h1>${monday === mondayOf(today()) ? t("focus.week.this") : t("focus.week.title")}</h1>
      ${weekSteps(monday, (other) => place("week", other))}
      ${shown(known, content, skeleton("block", 2))}
    `;
  }
  return self.begin();
}

/** The way to the week before and to the one after, up to the current one. @param {string} monday @param {(monday: string) => string} pathOf */
export function weekSteps(monday, pathOf) {
  const step = (
    /** @type {number} */ days,
    /** @type {string} */ label,
    /** @type {"back" | "forward"} */ sign,
  ) => {
    const path = pathOf(addDays(monday, days));
    // The way back leads out of the weeks, not through all that were looked at.
    const go = (/** @type {Event} */ event) => (event.preventDefault(), router.go(path, { replace: true }));
    return html`
      <a class="icon" href=${path} aria-label=${label} title=${label} @click=${go}>${icon(sign)}</a>
    `;
  };
  return html`
    <div class="line apart steps">
      ${step(-7, t("focus.week.before"), "back")}
      <span class="round">${weekName(monday)}</span>
      ${monday < mondayOf(today())
        ? step(7, t("focus.week.after"), "forward")
        : html`<span class="icon" aria-hidden="true"></span>`}
    </div>
  `;
}
