/** Intentions: how often an app is opened on a day. Which app it is stays on the phone; the service knows a label. */

import { newId } from "../../../store/platform.js";
import { html, key } from "../../../app/render.js";
import { t } from "../../../app/i18n.js";
import { describe } from "../../../app/errors.js";
import { calls, focus } from "../../app/stores.js";
import { questions } from "../../api/calls.js";
import { numberField } from "../../../products/parts/controls.js";
import { focusScreen, head } from "../../parts/place.js";
import { shown } from "../../../products/parts/answered.js";
import { sign } from "../../parts/signs.js";
import { icon } from "../../../parts/icons.js";
import { nameField } from "../../../parts/people/profile.js";
import { run } from "../../../parts/run.js";
import { button, form } from "../../../parts/screen.js";
import { openSheet } from "../../../parts/sheet.js";
import { empty, fault } from "../../../parts/states.js";
import { hasPro } from "../starting.js";

/** @import { FocusIntention, FocusIntentionSettings, FocusNow } from "../../../api/api.d.ts" */
/** @import { Sheet } from "../../../parts/sheet.js" */

const MOST_PIPS = 12;

export function intentions() {
  const self = focusScreen(t("focus.intentions.title"), view, { kind: "focus" });
  const known = self.watch(questions.intentions());
  const now = self.watch(questions.now());
  const freezeKey = newId();

  /** A pip for each open of the day; many are told in figures alone. @param {FocusIntention} intention */
  const pips = ({ opens, used }) =>
    opens <= MOST_PIPS &&
    html`
      <span class="pips" aria-hidden="true">
        ${Array.from(
          { length: Math.max(opens, Math.min(used, MOST_PIPS)) },
          (_, index) => html`<span class=${index >= opens ? "beyond" : index < used ? "used" : ""}></span>`,
        )}
      </span>
    `;

  /** @param {FocusIntention} intention */
  const row = (intention) =>
    key(
      intention.id,
      html`
        <li>
          <button type="button" class="whole" @click=${() => intentionSheet(intention)}>
            <span class="grow stack close">
              <span class="round">${intention.label}</span>
              ${pips(intention)}
              <span class="quiet small count">
                ${t("focus.intentions.used", { used: intention.used, opens: intention.opens })} ·
                ${t("focus.intentions.minutes", { count: intention.minutes })}
              </span>
              ${intention.opens_from_tomorrow !== null && html`
                <span class="quiet tiny">
                  ${t("focus.intentions.tomorrow", { opens: intention.opens_from_tomorrow })}
                </span>
              `}
              ${intention.frozen &&
                html`<span class="quiet tiny line">${sign("snow", 16)}${t("focus.freeze.today")}</span>`}
            </span>
            <span class="stack close end">
              <span class="count strong">${t("focus.days", { count: intention.streak })}</span>
              <span class="quiet tiny count">${t("focus.intentions.best", { count: intention.best })}</span>
            </span>
            ${icon("forward", 18)}
          </button>
        </li>
      `,
    );

  /** @param {FocusNow} value */
  function freeze({ freeze: { available, frozen_today: frozen }, pro_until: until }) {
    if (!frozen && !available && !hasPro(until)) return null;
    const text = frozen
      ? t("focus.freeze.today")
      : available
      ? t("focus.freeze.text")
      : t("focus.freeze.used");
    return html`
      <section class="card stack">
        <h2 class="line">${sign("snow", 20)}${t("focus.freeze.title")}</h2>
        <p class="quiet small">${text}</p>
        ${available && !frozen &&
          button(t("focus.freeze.take"), {
            click: () => run(() => focus.after(calls.freeze(freezeKey)), t("focus.freeze.today")),
          })}
      </section>
    `;
  }

  function view() {
    const add = (/** @type {string} */ kind) =>
      button(t("focus.intentions.add"), { kind, icon: "plus", click: () => intentionSheet(null) });
    return html`
      ${head()}
      <h1>${t("focus.intentions.title")}</h1>
      <p class="quiet">${t("focus.intentions.text")}</p>
      ${shown(
        known,
        ({ intentions: all }) =>
          all.length > 0 ? html`
            <ul class="rows plain">${all.map(row)}</ul>
            ${add("")}
            ${now.value && freeze(now.value)}
          ` : empty("door", t("focus.intentions.none"), add("primary")),
      )}
    `;
  }
  return self.begin();
}

/** @param {FocusIntention | null} intention null: a new one */
function intentionSheet(intention) {
  /** @type {FocusIntentionSettings} */
  const body = {
    label: intention?.label ?? "",
    opens: intention?.opens_from_tomorrow ?? intention?.opens ?? 5,
    minutes: intention?.minutes ?? 10,
  };
  let problem = "", busy = false, id = newId();

  /** @param {Sheet} sheet */
  async function save(sheet) {
    const isIn = (/** @type {number} */ value, /** @type {number} */ most) =>
      Number.isInteger(value) && value >= 1 && value <= most;
    problem = !body.label.trim()
      ? t("focus.nameless")
      : isIn(body.opens, 50) && isIn(body.minutes, 60)
      ? ""
      : t("focus.intentions.range");
    busy = !problem;
    sheet.draw();
    if (problem) return;
    const wanted = { ...body, label: body.label.trim() };
    try {
      await focus.after(
        intention ? calls.putIntention(intention.id, wanted) : calls.addIntention(wanted, id),
      );
      return sheet.close();
    } catch (error) {
      problem = describe(error).text;
    }
    busy = false;
    sheet.draw();
  }

  /** @param {Sheet} sheet @param {Partial<FocusIntentionSettings>} part */
  const change = (sheet, part) => {
    Object.assign(body, part);
    id = newId();
    sheet.draw();
  };

  /** @param {Sheet} sheet */
  async function remove(sheet) {
    if (
      intention &&
      await run(() => focus.after(calls.removeIntention(intention.id)), t("focus.intentions.removed"))
    ) sheet.close();
  }

  openSheet(intention ? t("focus.intentions.change") : t("focus.intentions.add"), (sheet) =>
    form(
      () => save(sheet),
      html`
        ${nameField(t("focus.intentions.label"), body.label, (label) => change(sheet, { label }), {
          autofocus: !intention,
        })}
        <div class="pair even">
          ${numberField(
            t("focus.intentions.opens"),
            body.opens,
            { min: 1, max: 50 },
            (opens) => change(sheet, { opens }),
          )}
          ${numberField(
            t("focus.intentions.each"),
            body.minutes,
            { min: 1, max: 60 },
            (minutes) => change(sheet, { minutes }),
          )}
        </div>
        <p class="quiet small">${t("focus.intentions.rule")}</p>
        ${fault(problem)}
        ${button(t("action.save"), { kind: "primary", type: "submit", busy })}
        ${intention &&
          button(t("focus.remove"), { kind: "danger", icon: "trash", click: () => remove(sheet) })}
      `,
      "stack loose",
    ));
}
