/** All weeks with streaks, the newest first. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { client } from "../../app/stores.js";
import { questions } from "../api/calls.js";
import { createList } from "../../products/store/list.js";
import { focusScreen, head, place } from "../parts/place.js";
import { listed } from "../../products/parts/answered.js";
import { points, streaksAndLongest, weekName } from "../parts/words.js";
import { icon } from "../../parts/icons.js";
import { button } from "../../parts/screen.js";
import { empty } from "../../parts/states.js";

/** @import { FocusWeek } from "../../api/api.d.ts" */

export function weeks() {
  const self = focusScreen(t("focus.weeks.title"), view, { kind: "focus" });
  const list = createList(client, questions.weeks(), (page) => page.weeks, self.draw);

  /** @param {FocusWeek} week */
  const row = (week) =>
    key(
      week.week,
      html`
        <li>
          <a class="whole" href=${place("week", week.week)}>
            <span class="grow stack close">
              <span>${weekName(week.week)}</span>
              <span class="quiet small">${streaksAndLongest(week.streak_count, week.longest_streak)}</span>
            </span>
            <span class="count strong">${points(week.points)}</span>
            ${icon("forward", 18)}
          </a>
        </li>
      `,
    );

  function view() {
    return html`
      ${head(place("week"))}
      <h1>${t("focus.weeks.title")}</h1>
      ${listed(
        list,
        (items) => html`<ul class="rows plain">${items.map(row)}</ul>`,
        () => empty("box", t("focus.weeks.none")),
        () => button(t("focus.more"), { busy: list.busy, click: list.more }),
      )}
    `;
  }
  return self.begin();
}
