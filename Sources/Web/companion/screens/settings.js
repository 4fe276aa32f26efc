/** The limit, the cooldown, the schedule and the evening message, and the way to phones, survey and data. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { calls, companion } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { limitField } from "../parts/limit.js";
import { companionScreen, head, place } from "../parts/place.js";
import { dayName, duration } from "../parts/words.js";
import { icon } from "../../parts/icons.js";
import { shown } from "../../products/parts/answered.js";
import { pills, several, timeField, toggle } from "../../products/parts/controls.js";
import { run } from "../../parts/run.js";

/** @import { CompanionCooldown, CompanionShieldTimes, CompanionPreferences, CompanionPreferencesRequest } from "../../api/api.d.ts" */
/** @import { IconName } from "../../parts/icons.js" */

/** @type {CompanionCooldown[]} */
const COOLDOWNS = [10, 20, 30, 45, 60];
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
/** @type {CompanionShieldTimes} */
const WORK = { from: "09:00", to: "17:00", weekdays: [1, 2, 3, 4, 5] };
const PATIENCE = 700;

// 1 January 2024 was a Monday.
const weekday = (/** @type {number} */ day, /** @type {"narrow" | "long"} */ length) =>
  dayName(`2024-01-0${day}`, { weekday: length });

export function settings() {
  /** @type {Partial<CompanionPreferencesRequest>} what was chosen and is not stored yet */
  let chosen = {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const self = companionScreen(t("companion.settings.title"), view);
  const known = self.watch(questions.settings());
  self.signal.addEventListener("abort", () => void save());

  /** Waits until a person has finished. @param {Partial<CompanionPreferencesRequest>} part */
  function change(part) {
    chosen = { ...chosen, ...part };
    clearTimeout(timer);
    timer = setTimeout(save, PATIENCE);
    self.draw();
  }

  /** The call replaces all of them. */
  async function save() {
    clearTimeout(timer);
    const { value } = known, part = chosen;
    if (!value || Object.keys(part).length === 0) return;
    const { consent, limit_minutes, cooldown_minutes, schedule, nightly } = value;
    const body = { consent, limit_minutes, cooldown_minutes, schedule, nightly, ...part };
    await run(() => companion.after(calls.putSettings(body)), t("settings.saved"));
    if (chosen === part) chosen = {};
    self.draw();
  }

  /** @param {CompanionPreferences} stored */
  function limit(stored) {
    const { limit_minutes: wanted, limit_minutes_today: today } = stored;
    return html`
      <section class="card stack">
        ${limitField(chosen.limit_minutes ?? wanted, (limit_minutes) => change({ limit_minutes }))}
        <p class="quiet small">${t("companion.limit.rule")}</p>
        ${today !== wanted && html`
          <p class="notice">
            ${icon("clock", 20)}
            <span>
              ${t("companion.limit.tomorrow", { today: duration(today), tomorrow: duration(wanted) })}
            </span>
          </p>
        `}
      </section>
    `;
  }

  /** @param {CompanionShieldTimes | null} plan */
  function schedule(plan) {
    const days = new Set(plan?.weekdays ?? []);
    const put = (/** @type {Partial<CompanionShieldTimes>} */ part) =>
      plan && change({ schedule: { ...plan, ...part } });
    // A plan without a day is none; the last day stays.
    const setDays = () => days.size > 0 ? put({ weekdays: [...days].sort((a, b) => a - b) }) : self.draw();
    return html`
      <div class="rows">
        ${toggle(
          t("companion.schedule.title"),
          t("companion.schedule.text"),
          plan !== null,
          (on) => change({ schedule: on ? WORK : null }),
        )}
        ${plan && html`
          <div class="stack plan">
            <div class="pair even">
              ${timeField(t("settings.from"), plan.from, (from) => put({ from }))}
              ${timeField(t("settings.to"), plan.to, (to) => put({ to }))}
            </div>
            ${several(
              t("companion.schedule.days"),
              WEEKDAYS.map((
                each,
              ) => /** @type {const} */ ([each, weekday(each, "narrow"), weekday(each, "long")])),
              days,
              setDays,
            )}
          </div>
        `}
      </div>
    `;
  }

  /** @param {string} path @param {IconName} sign @param {string} text */
  const link = (path, sign, text) => html`
    <a href=${path}>
      ${icon(sign)}
      <span class="grow">${text}</span>
      ${icon("forward", 18)}
    </a>
  `;

  /** @param {CompanionPreferences} stored */
  const content = (stored) => {
    const now = { ...stored, ...chosen };
    return html`
      ${limit(stored)}
      <section class="card stack">
        ${pills(
          t("companion.cooldown.title"),
          now.cooldown_minutes ?? 30,
          COOLDOWNS.map((each) => /** @type {const} */ ([each, t("time.minutes", { count: each })])),
          (cooldown_minutes) => change({ cooldown_minutes }),
          t("companion.cooldown.text"),
        )}
      </section>
      ${schedule(now.schedule ?? null)}
      <div class="rows">
        ${toggle(
          t("companion.nightly.title"),
          t("companion.nightly.text"),
          now.nightly ?? true,
          (nightly) => change({ nightly }),
        )}
      </div>
    `;
  };

  function view() {
    return html`
      ${head()}
      <h1>${t("companion.settings.title")}</h1>
      ${shown(known, content)}
      <div class="rows">
        ${link(place("phones"), "device", t("companion.phones.title"))}
        ${link(place("survey"), "search", t("companion.survey.title"))}
        ${link(place("data"), "copy", t("companion.data.title"))}
      </div>
    `;
  }
  return self.begin();
}
