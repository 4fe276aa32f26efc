/** The start of a session: a goal, a name, and how the phone shields its apps. */

import { newId } from "../../store/platform.js";
import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { clock } from "../../app/stores.js";
import { calls, focus } from "../app/stores.js";
import { modeChoice } from "../parts/mode.js";
import { pills, toggle } from "../../products/parts/controls.js";
import { button, form } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";

/** @import { FocusMode } from "../../api/api.d.ts" */

const GOALS = [15, 25, 45, 60, 90, 120];

/** Whether Pro is on. @param {string | null} until */
export const hasPro = (until) => until !== null && Date.parse(until) > clock.now();

/** @param {() => void} draw */
export function starting(draw) {
  let goal = 25, name = "", problem = "", busy = false, isBeast = false;
  /** @type {FocusMode} */
  let mode = "allow_list";
  // An attempt that is repeated after a lost answer must not start a second session.
  let key = newId();

  async function begin() {
    busy = true;
    problem = "";
    draw();
    try {
      const trimmed = name.trim();
      const body = {
        goal_minutes: goal,
        mode,
        ...(trimmed ? { name: trimmed } : {}),
        ...(isBeast ? { beast_mode: true } : {}),
      };
      await focus.after(calls.startSession(body, key));
      [key, name] = [newId(), ""];
    } catch (error) {
      problem = describe(error).text;
    }
    busy = false;
    draw();
  }

  /** @template T @param {(value: T) => void} set @returns {(value: T) => void} */
  const change = (set) => (value) => {
    set(value);
    // Other bytes are another call.
    key = newId();
    draw();
  };

  return {
    /** @param {string | null} until the end of Pro */
    form: (until) =>
      form(
        begin,
        html`
          <section class="card stack loose">
            ${pills(
              t("focus.session.goalLabel"),
              goal,
              GOALS.map((each) => /** @type {const} */ ([each, t("time.minutes", { count: each })])),
              change((value) => goal = value),
            )}
            <label class="field">
              <span class="label">${t("focus.session.name")}</span>
              <input
                class="input"
                type="text"
                maxlength="50"
                autocomplete="off"
                .value=${name}
                @input=${(/** @type {any} */ event) =>
                  change((/** @type {string} */ value) => name = value)(event.target.value)}
              />
            </label>
            ${modeChoice(mode, change((value) => mode = value))}
          </section>
          ${hasPro(until) && html`
            <div class="rows">
              ${toggle(t("focus.beast"), t("focus.beastText"), isBeast, change((on) => isBeast = on))}
            </div>
          `}
          ${fault(problem)}
          ${button(t("focus.session.start"), { kind: "primary", type: "submit", busy })}
          <p class="quiet small center">${t("focus.session.phone")}</p>
        `,
        "stack loose",
      ),
  };
}
