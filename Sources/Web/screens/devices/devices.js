/** The devices on which this person is signed in. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { client, router } from "../../app/stores.js";
import { dayOf } from "../../parts/day.js";
import { icon } from "../../parts/icons.js";
import { shown } from "../../products/parts/answered.js";
import { bar, button, load, screen } from "../../parts/screen.js";
import { ask } from "../../parts/sheet.js";
import { toast } from "../../parts/toast.js";

/** @import { SessionInfo } from "../../api/api.d.ts" */

export function devices() {
  const self = screen(t("devices.title"), view);
  const known = load(() => client.listSessions(), self.draw);

  /** @param {() => Promise<unknown>} act */
  async function end(act) {
    await act().then(() => toast(t("devices.ended")), (error) => toast(describe(error).text));
    await known.again();
  }

  async function endOthers() {
    if (
      await ask({ title: t("devices.othersTitle"), text: t("devices.othersText"), yes: t("devices.others") })
    ) await end(() => client.endOtherSessions());
  }

  /** @param {SessionInfo} device */
  const row = (device) =>
    key(
      device.id,
      html`
        <li>
          ${icon("device")}
          <span class="grow stack close">
            <span>${device.device_name ?? t("devices.unnamed")}</span>
            <span class="quiet small">
              ${device.current
                ? t("devices.current")
                : t("devices.used", { date: dayOf(device.last_used_at) })}
            </span>
          </span>
          ${!device.current &&
            button(t("devices.end"), {
              kind: "little",
              click: () => end(() => client.endSession(device.id)),
            })}
        </li>
      `,
    );

  function view() {
    return html`
      ${bar(router.path("settings"))}
      <h1>${t("devices.title")}</h1>
      <p class="quiet">${t("devices.text")}</p>
      ${shown(known, ({ sessions }) => html`
        <ul class="rows">${sessions.toSorted((a, b) => Number(b.current) - Number(a.current)).map(row)}</ul>
        ${sessions.length > 1 &&
          button(t("devices.others"), { kind: "danger", icon: "leave", click: endOthers })}
      `)}
    `;
  }
  return self.begin();
}
