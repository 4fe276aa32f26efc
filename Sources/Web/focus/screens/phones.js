/** The phones that measure, and how each of them is doing. A browser measures nothing. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { calls, focus } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { ago } from "../../parts/day.js";
import { focusScreen, head, place } from "../parts/place.js";
import { shown } from "../../products/parts/answered.js";
import { icon } from "../../parts/icons.js";
import { run } from "../../parts/run.js";
import { button } from "../../parts/screen.js";
import { ask } from "../../parts/sheet.js";
import { empty } from "../../parts/states.js";

/** @import { FocusDevice } from "../../api/api.d.ts" */

export function phones() {
  const self = focusScreen(t("focus.phones.title"), view, { kind: "focus" });
  const known = self.watch(questions.devices());

  /** @param {FocusDevice} device */
  function state({ status, issue, setup, issue_hours: hours }) {
    if (status === "verified") {
      return issue === "app_open_without_recent_unlock"
        ? t("focus.phones.doubt")
        : t("focus.phones.verified");
    }
    if (status === "pending") {
      return setup === "failed" ? t("focus.phones.failed") : t("focus.phones.pending");
    }
    return hours === null ? t("focus.phones.broken") : t("focus.phones.silent", { count: hours });
  }

  /** @param {FocusDevice} device */
  async function remove(device) {
    const sure = await ask({
      title: t("focus.phones.removeTitle"),
      text: t("focus.phones.removeText"),
      yes: t("focus.remove"),
    });
    if (sure) await run(() => focus.after(calls.removeDevice(device.id)), t("focus.phones.removed"));
  }

  /** @param {FocusDevice} device */
  const row = (device) =>
    key(
      device.id,
      html`
        <li>
          ${icon(device.status === "verified" ? "device" : "alert")}
          <span class="grow stack close">
            <span>
              ${device.platform === "ios" ? "iPhone" : "Android"} <span class="count quiet">
                ${device.number}
              </span>
            </span>
            <span class="quiet small">${state(device)}</span>
            ${device.synced_at &&
              html`<span class="quiet tiny">${t("focus.board.synced")} ${ago(device.synced_at)}</span>`}
          </span>
          ${button(t("focus.remove"), { kind: "little", click: () => remove(device) })}
        </li>
      `,
    );

  function view() {
    return html`
      ${head(place("settings"))}
      <h1>${t("focus.phones.title")}</h1>
      <p class="quiet">${t("focus.phones.text")}</p>
      ${shown(
        known,
        ({ devices }) =>
          devices.length > 0
            ? html`<ul class="rows">${devices.map(row)}</ul>`
            : empty("home", t("focus.phones.none")),
      )}
    `;
  }
  return self.begin();
}
