/** The first screen of Focus: the running streak and its worth, the day, the week, and the way to everything else. */

import { html, key } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { clock, groups, router, session } from "../../app/stores.js";
import { focus, today } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { mondayOf, pointsOf } from "../store/figures.js";
import { people } from "../../parts/people/avatar.js";
import { weekBars } from "../parts/bars.js";
import { dial, estimatedNote } from "../parts/dial.js";
import { focusScreen, place } from "../parts/place.js";
import { shown } from "../../products/parts/answered.js";
import {
  clockTime,
  dayName,
  duration,
  points,
  running,
  streaksAndLongest,
  tierName,
} from "../parts/words.js";
import { sign } from "../parts/signs.js";
import { icon } from "../../parts/icons.js";
import { bar, iconButton } from "../../parts/screen.js";
import { skeleton } from "../../parts/states.js";

/** @import { FocusNow, FocusWeek } from "../../api/api.d.ts" */
/** @import { SignName } from "../parts/signs.js" */

export function now() {
  const self = focusScreen(t("focus.title"), view, { stores: [groups, session], kind: "focus" });
  const known = self.watch(questions.now());
  const monday = mondayOf(today());
  const week = self.watch(questions.week(monday));
  void groups.refresh();
  // Only a streak or a session that runs changes from second to second.
  self.signal.addEventListener(
    "abort",
    clock.everySecond(() => (known.value?.streak || known.value?.session) && self.draw()),
  );
  // A day that ends while the screen is shown begins a new one.
  self.signal.addEventListener(
    "abort",
    clock.everyMinute(() => today() !== known.value?.day.day && focus.refresh()),
  );

  /** @param {FocusNow} value */
  function hero({ streak, status }) {
    if (!streak) {
      const text = status === "pending" ? t("focus.now.pending") : t("focus.now.inUse");
      return dial(
        null,
        html`
          ${icon(status === "pending" ? "device" : "moon", 28)}
          <p class="small quiet">${text}</p>
        `,
      );
    }
    const seconds = Math.max(0, (clock.now() - Date.parse(streak.since)) / 1000);
    return dial(
      seconds,
      html`
        <p class="count time">${running(seconds)}</p>
        <p class="count worth">${t("focus.worth", { points: points(pointsOf(seconds)) })}</p>
        <p class="quiet tiny">
          ${t("focus.now.since", { time: clockTime(streak.since, session.user?.time_zone) })}
        </p>
        ${estimatedNote(streak.estimated, t("focus.estimatedWhy"))}
      `,
    );
  }

  /** @param {FocusWeek} value */
  const bars = (value) =>
    weekBars(
      (value.days ?? []).map((one) => ({
        day: one.day,
        value: one.points,
        text: one.points > 0 ? number(Math.round(one.points)) : "",
        label: t("focus.dayLabel", { day: dayName(one.day), points: points(one.points) }),
      })),
      today(),
      t("focus.week.days"),
    );

  /** @param {FocusNow} value */
  const days = ({ day, week: sum }) => html`
    <div class="pair">
      <a class="card figure" href=${place("day", day.day)}>
        <h2>${t("focus.today")}</h2>
        <p class="count points">${points(day.points)}</p>
        <p class="quiet small">${streaksAndLongest(day.streak_count, day.longest_streak)}</p>
      </a>
      <a class="card figure" href=${place("week", sum.week)}>
        <h2>${t("focus.week.this")}</h2>
        <p class="count points">${points(sum.points)}</p>
        ${week.value ? bars(week.value) : skeleton("row", 1)}
      </a>
    </div>
  `;

  /** @param {string} path @param {SignName} name @param {string} text @param {unknown} [more] */
  const link = (path, name, text, more) => html`
    <a href=${path}>
      ${sign(name)}
      <span class="grow">${text}</span>
      ${more && html`<span class="quiet small count">${more}</span>`}
      ${icon("forward", 18)}
    </a>
  `;

  /** The session that runs stands before everything else. @param {FocusNow} value */
  function current({ session: one }) {
    if (!one) return null;
    const left = (Date.parse(one.goal_ends_at) - clock.now()) / 1000;
    return html`
      <div class="rows">
        ${link(
          place("sessions"),
          "timer",
          [one.emoji, one.name ?? t("focus.session.unnamed")].filter(Boolean).join(" "),
          left > 0 ? t("focus.session.left", { time: running(left) }) : t("focus.session.reached"),
        )}
      </div>
    `;
  }

  const boards = () => (groups.all ?? []).length > 0 && html`
    <section class="stack">
      <h2>${t("focus.boards")}</h2>
      <div class="rows">
        ${groups.all?.map((group) => key(group.id, html`
          <a href=${place("board", group.id)}>
            <span class="grow" dir="auto" translate="no">${group.name}</span>
            ${people(group.members, 3)}
            ${icon("forward", 18)}
          </a>
        `))}
      </div>
    </section>
  `;

  /** @param {FocusNow} value */
  const more = (value) => html`
    <section class="stack">
      <h2>${t("focus.away")}</h2>
      <div class="rows">
        ${link(place("sessions"), "timer", t("focus.sessions.title"))}
        ${link(place("schedules"), "calendar", t("focus.schedules.title"))}
        ${link(place("intentions"), "door", t("focus.intentions.title"))}
        ${link(place("partners"), "people", t("focus.partners.title"))}
      </div>
    </section>
    <section class="stack">
      <h2>${t("focus.others")}</h2>
      <div class="rows">
        ${link(place("league"), "league", t("focus.league.title"), tierName(value.tier))}
        ${link(place("feed"), "feed", t("focus.feed.title"))}
        ${link(place("people"), "person", t("focus.people.title"))}
      </div>
    </section>
  `;

  /** @param {FocusNow} value */
  const goal = ({ goal: { minutes, streak, lives }, day }) => minutes !== null && html`
    <a class="notice" href=${place("day", day.day)}>
      ${icon("device", 20)}
      <span class="grow">
        ${day.minutes === null
          ? t("focus.goal.none", { goal: duration(minutes * 60) })
          : t("focus.goal.used", { time: duration(day.minutes * 60), goal: duration(minutes * 60) })}
        <br />
        <span class="quiet">
          ${t("focus.goal.days", { count: streak })} · ${t("focus.goal.lives", { count: lives })}
        </span>
      </span>
    </a>
  `;

  /** @param {FocusNow} value */
  const warning = ({ status }) =>
    status !== "verified" &&
    html`
      <a class="notice" href=${place("phones")}>
        ${icon("alert", 20)}
        <span class="grow">${status === "pending" ? t("focus.warn.pending") : t("focus.warn.broken")}</span>
      </a>
    `;

  function view() {
    const settings = iconButton("settings", t("focus.settings.title"), () => router.go(place("settings")));
    return html`
      ${bar(router.path("home"), settings)}
      <h1>${t("focus.title")}</h1>
      ${shown(known, (value) => html`
        ${current(value)}
        ${hero(value)}
        ${warning(value)}
        ${days(value)}
        ${goal(value)}
        ${boards()}
        ${more(value)}
        <p class="quiet small center count">${t("focus.totals", { xp: value.xp, coins: value.coins })}</p>
      `, skeleton("block", 3))}
    `;
  }
  return self.begin();
}
