/** Temptations: the messages with which Dayly tries to end a streak, if the person wants that. */

import { html } from "../../../app/render.js";
import { t } from "../../../app/i18n.js";
import { calls, focus } from "../../app/stores.js";
import { questions } from "../../api/calls.js";
import { pills, timeField, toggle } from "../../../products/parts/controls.js";
import { focusScreen, head, place } from "../../parts/place.js";
import { shown } from "../../../products/parts/answered.js";
import { createReplacing } from "../../../products/store/replacing.js";
import { run } from "../../../parts/run.js";

/** @import { FocusTemptations } from "../../../api/api.d.ts" */

export function temptations() {
  const self = focusScreen(t("focus.temptations.title"), view, { kind: "focus" });
  const known = self.watch(questions.temptations());

  const put = createReplacing(
    focus,
    known,
    ({ enabled, intensity, quiet_from, quiet_to }) =>
      calls.putTemptations({ enabled, intensity, quiet_from, quiet_to }),
  );

  /** @param {Partial<FocusTemptations>} part */
  async function change(part) {
    const { quiet_from: from, quiet_to: to } = { ...known.value && put.ahead(known.value), ...part };
    if (from && from === to) return;
    await run(() => put(part), t("settings.saved"));
    self.draw();
  }

  /** @param {FocusTemptations} value */
  const quiet = (value) => {
    const { quiet_from: from, quiet_to: to } = value;
    const isOn = from !== null && to !== null;
    return html`
      <div class="rows">
        ${toggle(
          t("settings.quiet"),
          t("focus.temptations.quietText"),
          isOn,
          (on) =>
            change(on ? { quiet_from: "22:00", quiet_to: "07:00" } : { quiet_from: null, quiet_to: null }),
        )}
        ${isOn && html`
          <div>
            ${timeField(t("settings.from"), from, (quiet_from) => change({ quiet_from }))}
            ${timeField(t("settings.to"), to, (quiet_to) => change({ quiet_to }))}
          </div>
        `}
      </div>
    `;
  };

  /** @param {FocusTemptations} value */
  const content = (value) => html`
    <div class="rows">
      ${toggle(
        t("focus.temptations.title"),
        t("focus.temptations.onText"),
        value.enabled,
        (enabled) => change({ enabled }),
      )}
    </div>
    ${value.enabled && html`
      ${pills(
        t("focus.temptations.intensity"),
        value.intensity,
        [["low", t("focus.temptations.low")], ["medium", t("focus.temptations.medium")], [
          "high",
          t("focus.temptations.high"),
        ]],
        (intensity) => change({ intensity }),
        t("focus.temptations.intensityText"),
      )}
      ${quiet(value)}
    `}
    <section class="card trio">
      <p>
        <span class="count points">${value.sent}</span>
        <span class="quiet small">${t("focus.temptations.sent")}</span>
      </p>
      <p>
        <span class="count points">${value.resisted}</span>
        <span class="quiet small">${t("focus.temptations.resisted")}</span>
      </p>
    </section>
  `;

  function view() {
    return html`
      ${head(place("settings"))}
      <h1>${t("focus.temptations.title")}</h1>
      <p class="quiet">${t("focus.temptations.text")}</p>
      ${shown(known, (value) => content(put.ahead(value)))}
    `;
  }
  return self.begin();
}
