/** The page of a nickname: tier, and the current week. */

import { html } from "../../../app/render.js";
import { t } from "../../../app/i18n.js";
import { calls, focus } from "../../app/stores.js";
import { kindOf } from "../../../api/problems.js";
import { questions } from "../../api/calls.js";
import { person as face } from "../../../parts/people/avatar.js";
import { focusScreen, head, place } from "../../parts/place.js";
import { shown } from "../../../products/parts/answered.js";
import { points, tierName, weekName } from "../../parts/words.js";
import { run } from "../../../parts/run.js";
import { button } from "../../../parts/screen.js";
import { empty, skeleton } from "../../../parts/states.js";

/** @import { FocusNickname } from "../../../api/api.d.ts" */
/** @import { Visit } from "../../../app/router.js" */

/** @param {Visit} visit */
export function person(visit) {
  const nickname = visit.query.get("nickname") ?? "";
  const self = focusScreen(nickname, view, { kind: "focus" });
  const known = self.watch(questions.person(nickname));

  /** @param {FocusNickname} value */
  const change = (value) =>
    run(
      () =>
        focus.after(value.is_followed ? calls.unfollow(value.user_id) : calls.followNickname(value.nickname)),
      value.is_followed
        ? t("focus.people.unfollowed", { name: value.nickname })
        : t("focus.people.followed", { name: value.nickname }),
    );

  /** @param {FocusNickname} value */
  const content = (value) => html`
    <section class="card stack">
      <p class="quiet">${tierName(value.tier)}</p>
      <div class="sum">
        <p class="count points">${points(value.points)}</p>
        <p class="quiet small">
          ${t("focus.streaks", { count: value.streak_count })} · ${weekName(value.week)}
        </p>
      </div>
    </section>
    ${button(value.is_followed ? t("focus.people.unfollow") : t("focus.people.follow"), {
      kind: value.is_followed ? "" : "primary",
      click: () => change(value),
    })}
  `;

  function view() {
    const isUnknown = known.error !== null && kindOf(known.error) === "gone";
    return html`
      ${head(place("people"))}
      <div class="line">
        ${face({ id: known.value?.user_id ?? nickname, first_name: nickname })}
        <h1 class="grow" dir="auto" translate="no">${known.value?.nickname ?? nickname}</h1>
      </div>
      ${isUnknown ? empty("door", t("focus.people.unknown")) : shown(known, content, skeleton("block", 1))}
    `;
  }
  return self.begin();
}
