/** The feed: long streaks and closed weeks of the people whom the person follows, to the hour. */

import { html, key } from "../../../app/render.js";
import { t } from "../../../app/i18n.js";
import { client } from "../../../app/stores.js";
import { questions } from "../../api/calls.js";
import { createList } from "../../../products/store/list.js";
import { person } from "../../../parts/people/avatar.js";
import { ago } from "../../../parts/day.js";
import { focusScreen, head, place, placeOf } from "../../parts/place.js";
import { listed } from "../../../products/parts/answered.js";
import { duration, points, weekName } from "../../parts/words.js";
import { button } from "../../../parts/screen.js";
import { empty } from "../../../parts/states.js";
import { nameOf } from "./people.js";

/** @import { FocusFeedItem } from "../../../api/api.d.ts" */

export function feed() {
  const self = focusScreen(t("focus.feed.title"), view, { kind: "focus" });
  const list = createList(client, questions.feed(), (page) => page.items, self.draw);

  /** @param {FocusFeedItem} item */
  const text = (item) =>
    item.kind === "streak"
      ? t("focus.feed.streak", { time: duration((item.minutes ?? 0) * 60) })
      : t("focus.feed.week", {
        week: weekName(item.week ?? ""),
        points: points(item.points ?? 0),
        streaks: t("focus.streaks", { count: item.streak_count ?? 0 }),
      });

  /** @param {FocusFeedItem} item */
  const row = (item) =>
    key(
      item.id,
      html`
        <li>
          ${person({ id: item.user_id, first_name: nameOf(item) })}
          <span class="grow stack close">
            <span class="round" dir="auto" translate="no">
              ${item.nickname ? html`<a href=${placeOf(item.nickname)}>${nameOf(item)}</a>` : nameOf(item)}
            </span>
            <span class="small">${text(item)}</span>
            <span class="quiet tiny">${ago(item.at)}</span>
          </span>
        </li>
      `,
    );

  function view() {
    return html`
      ${head()}
      <h1>${t("focus.feed.title")}</h1>
      <p class="quiet">${t("focus.feed.text")}</p>
      ${listed(
        list,
        (items) => html`<ul class="rows">${items.map(row)}</ul>`,
        () =>
          empty(
            "prints",
            t("focus.feed.none"),
            html`<a class="button" href=${place("people")}>${t("focus.people.title")}</a>`,
          ),
        () => button(t("focus.more"), { busy: list.busy, click: list.more }),
      )}
    `;
  }
  return self.begin();
}
