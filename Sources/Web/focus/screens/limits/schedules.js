/** Schedules: sessions that the phone begins by the clock. */

import { newId } from "../../../store/platform.js";
import { html, key } from "../../../app/render.js";
import { t } from "../../../app/i18n.js";
import { describe } from "../../../app/errors.js";
import { session } from "../../../app/stores.js";
import { calls, focus } from "../../app/stores.js";
import { questions } from "../../api/calls.js";
import { addDays } from "../../store/figures.js";
import { modeChoice } from "../../parts/mode.js";
import { several, timeField, toggle } from "../../../products/parts/controls.js";
import { focusScreen, head } from "../../parts/place.js";
import { shown } from "../../../products/parts/answered.js";
import { clockTime, dayWith } from "../../parts/words.js";
import { dayOf } from "../../../parts/day.js";
import { icon } from "../../../parts/icons.js";
import { nameField } from "../../../parts/people/profile.js";
import { run } from "../../../parts/run.js";
import { button, form } from "../../../parts/screen.js";
import { openSheet } from "../../../parts/sheet.js";
import { empty, fault } from "../../../parts/states.js";
import { hasPro } from "../starting.js";

/** @import { FocusSchedule, FocusScheduleSettings } from "../../../api/api.d.ts" */
/** @import { Sheet } from "../../../parts/sheet.js" */

// A Monday, from which the names of the weekdays follow.
const MONDAY = "2024-01-01";
const weekday = (/** @type {number} */ number, /** @type {"narrow" | "short" | "long"} */ length) =>
  dayWith(addDays(MONDAY, number - 1), { weekday: length });
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

export function schedules() {
  const self = focusScreen(t("focus.schedules.title"), view, { stores: [session], kind: "focus" });
  const known = self.watch(questions.schedules());
  const now = self.watch(questions.now());

  /** @param {FocusSchedule} schedule */
  const row = (schedule) =>
    key(
      schedule.id,
      html`
        <li>
          <button
            type="button"
            class="whole"
            @click=${() => scheduleSheet(schedule, hasPro(now.value?.pro_until ?? null))}
          >
            <span class="grow stack close">
              <span class="round">${schedule.emoji} ${schedule.name ?? t("focus.session.unnamed")}</span>
              <span class="count">${t("focus.span", { from: schedule.from, to: schedule.to })}</span>
              <span class="quiet small">
                ${schedule.weekdays.toSorted((a, b) => a - b).map((each) => weekday(each, "short")).join(
                  ", ",
                )}
              </span>
              ${schedule.next_at && html`
                <span class="quiet tiny">
                  ${t("focus.schedules.next", {
                    date: dayOf(schedule.next_at),
                    time: clockTime(schedule.next_at, session.user?.time_zone),
                  })}
                </span>
              `}
            </span>
            ${icon("forward", 18)}
          </button>
        </li>
      `,
    );

  function view() {
    const isPro = hasPro(now.value?.pro_until ?? null);
    const add = (/** @type {string} */ kind) =>
      button(t("focus.schedules.add"), { kind, icon: "plus", click: () => scheduleSheet(null, isPro) });
    return html`
      ${head()}
      <h1>${t("focus.schedules.title")}</h1>
      <p class="quiet">${t("focus.schedules.text")}</p>
      ${shown(
        known,
        ({ schedules: all }) =>
          all.length > 0 ? html`
            <ul class="rows plain">${all.map(row)}</ul>
            ${all.length === 1 && !isPro
              ? html`<p class="quiet small">${t("focus.schedules.one")}</p>`
              : add("")}
          ` : empty("tunnel", t("focus.schedules.none"), add("primary")),
      )}
    `;
  }
  return self.begin();
}

/** @param {FocusSchedule | null} schedule null: a new one @param {boolean} isPro */
function scheduleSheet(schedule, isPro) {
  /** @type {Required<FocusScheduleSettings> & { name: string }} */
  const body = {
    name: schedule?.name ?? "",
    emoji: schedule?.emoji ?? null,
    from: schedule?.from ?? "22:00",
    to: schedule?.to ?? "06:00",
    weekdays: [],
    mode: schedule?.mode ?? "allow_list",
    beast_mode: schedule?.beast_mode ?? false,
  };
  const days = new Set(schedule?.weekdays ?? WEEKDAYS);
  let problem = "", busy = false, id = newId();

  /** @param {Sheet} sheet */
  async function save(sheet) {
    problem = !body.name.trim() ? t("focus.nameless") : days.size === 0 ? t("focus.schedules.noDay") : "";
    busy = !problem;
    sheet.draw();
    if (problem) return;
    const wanted = { ...body, name: body.name.trim(), weekdays: [...days].sort((a, b) => a - b) };
    try {
      await focus.after(schedule ? calls.putSchedule(schedule.id, wanted) : calls.addSchedule(wanted, id));
      return sheet.close();
    } catch (error) {
      problem = describe(error).kind === "refused" && describe(error).pointer
        ? t("focus.schedules.length")
        : describe(error).text;
    }
    busy = false;
    sheet.draw();
  }

  /** @param {Sheet} sheet @param {() => void} set */
  const change = (sheet, set) => {
    set();
    id = newId();
    sheet.draw();
  };

  /** @param {Sheet} sheet */
  async function remove(sheet) {
    if (
      schedule &&
      await run(() => focus.after(calls.removeSchedule(schedule.id)), t("focus.schedules.removed"))
    ) sheet.close();
  }

  openSheet(schedule ? t("focus.schedules.change") : t("focus.schedules.add"), (sheet) =>
    form(
      () => save(sheet),
      html`
        ${nameField(t("focus.schedules.name"), body.name, (name) => change(sheet, () => body.name = name), {
          autofocus: !schedule,
        })}
        <div class="pair even">
          ${timeField(t("settings.from"), body.from, (from) => change(sheet, () => body.from = from))}
          ${timeField(t("settings.to"), body.to, (to) => change(sheet, () => body.to = to))}
        </div>
        ${several(
          t("focus.schedules.days"),
          WEEKDAYS.map((
            each,
          ) => /** @type {const} */ ([each, weekday(each, "narrow"), weekday(each, "long")])),
          days,
          () => change(sheet, () => {}),
        )}
        ${modeChoice(body.mode, (mode) => change(sheet, () => body.mode = mode))}
        ${(isPro || body.beast_mode) && html`
          <div class="rows">
            ${toggle(
              t("focus.beast"),
              t("focus.beastText"),
              body.beast_mode,
              (on) => change(sheet, () => body.beast_mode = on),
            )}
          </div>
        `}
        ${fault(problem)}
        ${button(t("action.save"), { kind: "primary", type: "submit", busy })}
        ${schedule &&
          button(t("focus.remove"), { kind: "danger", icon: "trash", click: () => remove(sheet) })}
      `,
      "stack loose",
    ));
}
