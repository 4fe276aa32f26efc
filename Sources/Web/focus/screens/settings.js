/** What others see of a person in Focus, their goal, and the way to phones, temptations and data. */

import { html } from "../../app/render.js";
import { dateTime, t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { calls, focus } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { numberField, toggle } from "../../products/parts/controls.js";
import { focusScreen, head, place } from "../parts/place.js";
import { shown } from "../../products/parts/answered.js";
import { createReplacing } from "../../products/store/replacing.js";
import { duration } from "../parts/words.js";
import { icon } from "../../parts/icons.js";
import { run } from "../../parts/run.js";
import { button, form } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";
import { hasPro } from "./starting.js";

/** @import { FocusProfile } from "../../api/api.d.ts" */
/** @import { IconName } from "../../parts/icons.js" */

const NICKNAME = /^[\w.]{3,30}$/;

export function settings() {
  /** @type {string | null} */
  let nickname = null;
  let problem = "";
  const self = focusScreen(t("focus.settings.title"), view, { kind: "focus" });
  const known = self.watch(questions.profile());
  const now = self.watch(questions.now());

  const put = createReplacing(
    focus,
    known,
    ({ consent, nickname, boards, leagues, feed, morning, goal_minutes }) =>
      calls.putProfile({ consent, nickname, boards, leagues, feed, morning, goal_minutes }),
  );

  /** @param {Partial<FocusProfile>} part */
  async function change(part) {
    await run(() => put(part), t("settings.saved"));
    self.draw();
  }

  async function rename() {
    const wanted = nickname?.trim() ?? "";
    problem = wanted === "" || NICKNAME.test(wanted) ? "" : t("focus.profile.nicknameForm");
    if (!problem) {
      try {
        await put({ nickname: wanted || null });
        nickname = null;
        toast(t("settings.saved"));
      } catch (error) {
        const { kind, text } = describe(error);
        problem = kind === "rate-limited" ? t("focus.profile.nicknameWait") : text;
      }
    }
    self.draw();
  }

  /** @param {FocusProfile} profile */
  const naming = (profile) =>
    form(
      rename,
      html`
        <label class="field">
          <span class="label">${t("focus.profile.nickname")}</span>
          <input
            class="input"
            type="text"
            maxlength="30"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            aria-describedby="nickname-fault"
            .value=${nickname ?? profile.nickname ?? ""}
            @input=${(/** @type {any} */ event) => (nickname = event.target.value, self.draw())}
          />
          <span class="quiet tiny">${t("focus.profile.nicknameText")}</span>
        </label>
        ${fault(problem, "nickname-fault")}
        ${nickname !== null && nickname.trim() !== (profile.nickname ?? "") &&
          button(t("action.save"), { kind: "primary", type: "submit" })}
      `,
    );

  /** @param {FocusProfile} profile */
  const seen = (profile) => html`
    <section class="stack">
      <h2>${t("focus.profile.seen")}</h2>
      <div class="rows">
        ${toggle(
          t("focus.profile.boards"),
          t("focus.profile.boardsText"),
          profile.boards,
          (boards) => change({ boards }),
        )}
        ${toggle(
          t("focus.profile.leagues"),
          profile.nickname === null ? t("focus.profile.leaguesNameless") : t("focus.profile.leaguesText"),
          profile.leagues,
          (leagues) => change({ leagues }),
        )}
        ${toggle(
          t("focus.profile.feed"),
          t("focus.profile.feedText"),
          profile.feed,
          (feed) => change({ feed }),
        )}
      </div>
    </section>
  `;

  /** @param {FocusProfile} profile */
  function goal(profile) {
    const minutes = profile.goal_minutes;
    const set = (/** @type {number} */ hours) => {
      const wanted = Math.round(hours * 60);
      if (wanted >= 15 && wanted <= 960) void change({ goal_minutes: wanted });
    };
    return html`
      <section class="stack">
        <h2>${t("focus.goal.title")}</h2>
        <div class="rows">
          ${toggle(
            t("focus.goal.on"),
            t("focus.goal.text"),
            minutes !== null,
            (on) => change({ goal_minutes: on ? 180 : null }),
          )}
          ${minutes !== null && html`
            <div>
              ${numberField(
                t("focus.goal.hours"),
                minutes / 60,
                { min: 0.25, max: 16, step: 0.25 },
                later(set),
              )}
            </div>
          `}
          ${toggle(
            t("focus.profile.morning"),
            t("focus.profile.morningText"),
            profile.morning,
            (morning) => change({ morning }),
          )}
        </div>
        ${profile.goal_from_tomorrow !== null && html`
          <p class="notice">
            ${icon("clock", 20)}
            <span>${t("focus.goal.tomorrow", { time: duration(profile.goal_from_tomorrow * 60) })}</span>
          </p>
        `}
      </section>
    `;
  }

  /** @param {FocusProfile} profile */
  function content(profile) {
    const ahead = put.ahead(profile);
    return html`
      ${naming(profile)}
      ${seen(ahead)}
      ${goal(ahead)}
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

  function view() {
    const until = now.value?.pro_until ?? null;
    return html`
      ${head()}
      <h1>${t("focus.settings.title")}</h1>
      ${shown(known, content)}
      <div class="rows">
        ${link(place("phones"), "device", t("focus.phones.title"))}
        ${link(place("temptations"), "bell", t("focus.temptations.title"))}
        ${link(place("data"), "copy", t("focus.data.title"))}
      </div>
      ${until !== null && hasPro(until) && html`
        <p class="quiet small center">${t("focus.pro", { date: dateTime(until, { dateStyle: "long" }) })}</p>
      `}
    `;
  }
  return self.begin();
}

/** Waits until a person has finished typing a figure. @param {(value: number) => void} set @returns {(value: number) => void} */
function later(set) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return (value) => {
    clearTimeout(timer);
    if (Number.isFinite(value)) timer = setTimeout(() => set(value), 800);
  };
}
