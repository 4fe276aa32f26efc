/** A member mutes a group for a while or for ever. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { clock, groups } from "../../app/stores.js";
import { run } from "../../parts/run.js";
import { button } from "../../parts/screen.js";

/** @import { PhotoGroup } from "../../api/api.d.ts" */

const HOUR = 3_600_000;

const until = (/** @type {number} */ span) => new Date(clock.now() + span).toISOString().replace(/\.\d+/, "");

/** @param {PhotoGroup} group */
export const muting = (group) => html`
  <section class="stack">
    <h2>${t("groupSettings.mute")}</h2>
    <p class="quiet small">${group.muted ? t("groupSettings.isMuted") : t("groupSettings.muteText")}</p>
    <div class="line">
      ${group.muted
        ? button(t("groupSettings.unmute"), {
          kind: "little",
          icon: "bell",
          click: () => run(() => groups.mute(group.id, false)),
        })
        : html`
          ${button(t("groupSettings.mute8h"), {
            kind: "little",
            click: () => run(() => groups.mute(group.id, true, until(8 * HOUR))),
          })}
          ${button(t("groupSettings.muteWeek"), {
            kind: "little",
            click: () => run(() => groups.mute(group.id, true, until(168 * HOUR))),
          })}
          ${button(t("groupSettings.muteAlways"), {
            kind: "little",
            click: () => run(() => groups.mute(group.id, true)),
          })}
        `}
    </div>
  </section>
`;
