/** A day: when the phones were left alone, what each streak was worth, the screen time, and the person's own word on it. */

import { html, key } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { session } from "../../app/stores.js";
import { calls, focus, today } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { isOpenForRating, mondayOf, partOfDay } from "../store/figures.js";
import { estimatedNote } from "../parts/dial.js";
import { focusScreen, head, place } from "../parts/place.js";
import { shown } from "../../products/parts/answered.js";
import { sign } from "../parts/signs.js";
import { clockTime, dayName, duration, points, streaksAndLongest } from "../parts/words.js";
import { run } from "../../parts/run.js";
import { empty, skeleton } from "../../parts/states.js";

/** @import { FocusDay, FocusStreak } from "../../api/api.d.ts" */
/** @import { Visit } from "../../app/router.js" */

/** @param {Visit} visit */
export function day(visit) {
  const date = visit.params["id"] ?? today();
  const zone = session.user?.time_zone ?? "UTC";
  const self = focusScreen(t("focus.day.title"), view, { stores: [session], kind: "focus" });
  const known = self.watch(questions.day(date));

  /** The hours of the day as a band; a streak that began on the day before begins at its edge. @param {FocusStreak[]} streaks */
  const band = (streaks) => html`
    <div class="band" aria-hidden="true">
      <div class="hours">
        ${streaks.map((streak) => {
          const from = partOfDay(streak.began_at, date, zone);
          const to = partOfDay(streak.ended_at, date, zone);
          return html`
            <span class=${streak.counted ? "" : "uncounted"} --from=${from} --width=${to - from}></span>
          `;
        })}
      </div>
      <p class="line apart tiny quiet count">
        <span>0</span>
        <span>6</span>
        <span>12</span>
        <span>18</span>
        <span>24</span>
      </p>
    </div>
  `;

  /** @param {FocusStreak} streak */
  const row = (streak) =>
    key(
      streak.ended_at,
      html`
        <li>
          <span class="grow stack close">
            <span class="count">${duration(streak.seconds)}</span>
            <span class="quiet small count">
              ${t("focus.span", {
                from: clockTime(streak.began_at, zone),
                to: clockTime(streak.ended_at, zone),
              })}
            </span>
            ${estimatedNote(streak.estimated)}
            ${!streak.counted && html`<span class="quiet tiny">${t("focus.day.uncounted")}</span>`}
          </span>
          <span class=${streak.counted ? "count strong" : "count quiet"}>${points(streak.points)}</span>
        </li>
      `,
    );

  /** @param {FocusDay} value */
  function streaks({ streaks: all = null }) {
    if (all === null) return html`<p class="quiet">${t("focus.day.old")}</p>`;
    if (all.length === 0) return empty("box", t("focus.day.none"));
    return html`
      <section class="stack">
        <h2>${t("focus.day.streaks")}</h2>
        ${band(all)}
        <ul class="rows">${all.toReversed().map(row)}</ul>
      </section>
    `;
  }

  /** @param {FocusDay} value @param {"up" | "down"} rating @param {"sun" | "cloud"} picture @param {string} text */
  const choice = (value, rating, picture, text) => html`
    <button
      type="button"
      class="button rating"
      aria-pressed=${value.rating === rating ? "true" : "false"}
      @click=${() => run(() => focus.after(calls.rate(date, rating)))}
    >
      ${sign(picture)}
      ${text}
    </button>
  `;

  /** @param {FocusDay} value */
  const review = (value) => value.minutes !== null && html`
    <section class="card stack">
      <h2>${t("focus.day.screen")}</h2>
      <div class="trio">
        <p>
          <span class="count points">${duration(value.minutes * 60)}</span>
          <span class="quiet small">${t("focus.day.minutes")}</span>
        </p>
        <p>
          <span class="count points">${number(value.score ?? 0)}</span>
          <span class="quiet small">${t("focus.day.score")}</span>
        </p>
        <p>
          <span class="count points">${number(value.usage_points ?? 0)}</span>
          <span class="quiet small">${value.closed ? t("focus.day.usage") : t("focus.day.usageOpen")}</span>
        </p>
      </div>
      ${isOpenForRating(date, today()) ? html`
        <p>${t("focus.day.ask")}</p>
        <div class="line">
          ${choice(value, "up", "sun", t("focus.day.up"))}
          ${choice(value, "down", "cloud", t("focus.day.down"))}
        </div>
      ` : value.rating && html`
        <p class="line quiet">
          ${sign(value.rating === "up" ? "sun" : "cloud")}
          ${value.rating === "up" ? t("focus.day.up") : t("focus.day.down")}
        </p>
      `}
    </section>
  `;

  function view() {
    return html`
      ${head(place("week", mondayOf(date)))}
      <h1>${date === today() ? t("focus.today") : dayName(date)}</h1>
      ${shown(known, (value) => html`
        <section class="card sum">
          <p class="count points">${points(value.points)}</p>
          <p class="quiet small">${streaksAndLongest(value.streak_count, value.longest_streak)}</p>
        </section>
        ${review(value)}
        ${streaks(value)}
      `, skeleton("block", 2))}
    `;
  }
  return self.begin();
}
