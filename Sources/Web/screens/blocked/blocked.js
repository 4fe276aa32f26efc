/** The people whom this person blocked. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { blocks, router } from "../../app/stores.js";
import { called, person } from "../../parts/people/avatar.js";
import { dayOf } from "../../parts/day.js";
import { run } from "../../parts/run.js";
import { bar, button, screen } from "../../parts/screen.js";
import { empty, failure, skeleton } from "../../parts/states.js";

/** @import { BlockedUser } from "../../api/api.d.ts" */

export function blocked() {
  const self = screen(t("blocked.title"), view, [blocks]);
  void blocks.refresh();

  /** @param {BlockedUser} someone */
  const unblock = ({ id, first_name }) =>
    run(() => blocks.unblock(id), t("blocked.ended", { name: called(first_name) }));

  /** @param {BlockedUser} someone */
  const row = (someone) =>
    key(
      someone.id,
      html`
        <li>
          ${person(someone)}
          <span class="grow stack close">
            <span dir="auto" translate="no">${called(someone.first_name)}</span>
            <span class="quiet small">${t("blocked.since", { date: dayOf(someone.blocked_at) })}</span>
          </span>
          ${button(t("blocked.end"), { kind: "little", click: () => unblock(someone) })}
        </li>
      `,
    );

  function view() {
    const list = () => blocks.all?.length ? html`
      <p class="quiet">${t("blocked.text")}</p>
      <ul class="rows">${blocks.all.map(row)}</ul>
    ` : empty("door", t("blocked.none"));
    return html`
      ${bar(router.path("settings"))}
      <h1>${t("blocked.title")}</h1>
      ${blocks.all ? list() : blocks.error ? failure(blocks.error, blocks.refresh) : skeleton()}
    `;
  }
  return self.begin();
}
