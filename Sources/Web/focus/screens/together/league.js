/** The league of a week: strangers by nickname, those who rise and those who fall. */

import { html, key } from "../../../app/render.js";
import { t } from "../../../app/i18n.js";
import { today } from "../../app/stores.js";
import { kindOf } from "../../../api/problems.js";
import { questions } from "../../api/calls.js";
import { mondayOf } from "../../store/figures.js";
import { person } from "../../../parts/people/avatar.js";
import { left, ticking } from "../../../parts/day.js";
import { focusScreen, head, place } from "../../parts/place.js";
import { shown } from "../../../products/parts/answered.js";
import { points, tierName } from "../../parts/words.js";
import { icon } from "../../../parts/icons.js";
import { empty, skeleton } from "../../../parts/states.js";
import { weekSteps } from "../week.js";

/** @import { FocusLeague, FocusLeagueEntry, FocusProfile } from "../../../api/api.d.ts" */
/** @import { Visit } from "../../../app/router.js" */

/** @param {Visit} visit */
export function league(visit) {
  const week = visit.query.get("week");
  const monday = week ?? mondayOf(today());
  const self = focusScreen(t("focus.league.title"), view, { kind: "focus" });
  const known = self.watch(questions.league(week ?? undefined));
  const profile = self.watch(questions.profile());

  /** @param {FocusLeagueEntry} entry @param {number} index @param {FocusLeague} value */
  function row(entry, index, { rises, falls, entries }) {
    const way = index < rises ? "up" : index >= entries.length - falls ? "down" : null;
    const name = entry.nickname ?? t("people.unnamed");
    return key(
      entry.rank,
      html`
        <li class=${`place ${entry.is_me ? "me" : ""} ${way ?? ""}`}>
          <span class="count rank" aria-label=${t("focus.rank", { rank: entry.rank })}>${entry.rank}</span>
          ${person({ id: name, first_name: name })}
          <span class="grow stack close">
            <span class="round" dir="auto" translate="no">
              ${name}
              ${entry.is_me && html`<span class="quiet small">${t("focus.you")}</span>`}
            </span>
            <span class="quiet tiny count">${t("focus.xp", { count: entry.xp })}</span>
          </span>
          ${way && html`
            <span
              class="way quiet"
              role="img"
              aria-label=${way === "up" ? t("focus.league.rises") : t("focus.league.falls")}
            >
              ${icon("up", 18)}
            </span>
          `}
          <span class="count strong">${points(entry.points)}</span>
        </li>
      `,
    );
  }

  /** @param {FocusLeague} value */
  const content = (value) => html`
    <p class="quiet">
      ${value.rises + value.falls > 0
        ? t("focus.league.moves", { rises: value.rises, falls: value.falls })
        : t("focus.league.few")}
    </p>
    <ol class="rows board">${value.entries.map((entry, index) => row(entry, index, value))}</ol>
    <p class="quiet small center">
      ${value.closed
        ? t("focus.board.closed")
        : ticking(() => t("focus.league.closes", { time: left(value.closes_at) }))}
    </p>
  `;

  /** @param {FocusProfile | null} mine */
  function none(mine) {
    if (week) return empty("box", t("focus.league.past"));
    const isOn = mine?.leagues && mine.nickname !== null;
    return isOn
      ? empty(
        "prints",
        t("focus.league.soon"),
        html`<a class="button" href=${place("sessions")}>${t("focus.sessions.title")}</a>`,
      )
      : empty(
        "prints",
        t("focus.league.off"),
        html`<a class="button" href=${place("settings")}>${t("focus.settings.title")}</a>`,
      );
  }

  function view() {
    const isNone = known.error !== null && kindOf(known.error) === "gone";
    return html`
      ${head()}
      <h1>${known.value ? tierName(known.value.tier) : t("focus.league.title")}</h1>
      ${weekSteps(monday, (other) => place("league", "", { week: other }))}
      ${isNone ? none(profile.value) : shown(known, content, skeleton("row", 4))}
    `;
  }
  return self.begin();
}
