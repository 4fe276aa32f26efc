/** The phones that report to Companion. A browser shields and reports nothing. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { calls, companion } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { companionScreen, head, place } from "../parts/place.js";
import { ago } from "../../parts/day.js";
import { icon } from "../../parts/icons.js";
import { shown } from "../../products/parts/answered.js";
import { run } from "../../parts/run.js";
import { button } from "../../parts/screen.js";
import { ask } from "../../parts/sheet.js";
import { empty } from "../../parts/states.js";

/** @import { CompanionDevice } from "../../api/api.d.ts" */

export function phones() {
  const self = companionScreen(t("companion.phones.title"), view);
  const known = self.watch(questions.devices());

  /** @param {CompanionDevice} device */
  async function remove({ id }) {
    const isSure = await ask({
      title: t("companion.phones.removeTitle"),
      text: t("companion.phones.removeText"),
      yes: t("companion.phones.remove"),
    });
    if (isSure) await run(() => companion.after(calls.removeDevice(id)), t("companion.phones.removed"));
  }

  /** @param {CompanionDevice} device @param {number} index */
  const row = (device, index) =>
    key(
      device.id,
      html`
        <li>
          ${icon("device")}
          <span class="grow stack close">
            <span>
              ${t("companion.phones.phone")} <span class="count quiet">${index + 1}</span>
            </span>
            <span class="quiet small">${t("companion.phones.synced")} ${ago(device.synced_at)}</span>
          </span>
          ${button(t("companion.phones.remove"), { kind: "little", click: () => remove(device) })}
        </li>
      `,
    );

  function view() {
    return html`
      ${head(place("settings"))}
      <h1>${t("companion.phones.title")}</h1>
      <p class="quiet">${t("companion.phones.text")}</p>
      ${shown(
        known,
        ({ devices }) =>
          devices.length > 0
            ? html`<ul class="rows">${devices.map(row)}</ul>`
            : empty("home", t("companion.phones.none")),
      )}
    `;
  }
  return self.begin();
}
