/** Joining Companion: the cat says hello, the survey, the limit, and the consent without which nothing is stored. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { clock, router, session } from "../../app/stores.js";
import { calls, companion } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { hoursAt } from "../store/reckoning.js";
import { limitField } from "../parts/limit.js";
import { helloCat } from "../parts/drawings/pictures.js";
import { place } from "../parts/place.js";
import { promises } from "../parts/promises.js";
import { questioning, scoreWords } from "../parts/survey-form.js";
import { toggle } from "../../products/parts/controls.js";
import { bar, button, screen } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";

/** @import { CompanionSurveyResult } from "../../api/api.d.ts" */
/** @typedef {"hello" | "survey" | "consent"} Step */

/** The version of the consent text. */
const CONSENT = "1";

export function join() {
  /** @type {Step} */
  let step = "hello";
  /** @type {CompanionSurveyResult | null} */
  let score = null;
  let limit = 180, nightly = true, busy = false, problem = "";
  const self = screen(t("companion.join.title"), view, [companion, session], "companion");
  const survey = questioning(self.draw, (value) => {
    score = value;
    go("consent");
  });
  // Somebody who has joined, perhaps on their phone, has nothing to do here.
  companion.watch(questions.settings(), self.signal);
  self.signal.addEventListener(
    "abort",
    companion.subscribe(() => companion.joined && !busy && router.go(place(), { replace: true })),
  );

  /** @param {Step} next */
  function go(next) {
    step = next;
    self.draw();
    scrollTo(0, 0);
    requestAnimationFrame(() => self.element.querySelector("h1")?.focus({ preventScroll: true }));
  }

  async function agree() {
    busy = true;
    problem = "";
    self.draw();
    try {
      await companion.after(calls.putSettings({ consent: CONSENT, limit_minutes: limit, nightly }));
      toast(t("companion.join.done"));
      return router.go(place(), { replace: true });
    } catch (error) {
      problem = describe(error).text;
    }
    busy = false;
    self.draw();
  }

  const later = () =>
    button(t("companion.join.later"), { kind: "plain", click: () => router.go("/", { replace: true }) });

  const hello = () => html`
    <h1 tabindex="-1">${t("companion.join.title")}</h1>
    ${helloCat(hoursAt(clock.now(), session.user?.time_zone))}
    <p class="bubble">${t("companion.join.hello")}</p>
    <p>${t("companion.join.what")}</p>
    <p>${t("companion.join.pet")}</p>
    <div class="stack">
      ${button(t("companion.join.survey"), { kind: "primary", click: () => go("survey") })}
      ${button(t("companion.join.noSurvey"), { click: () => go("consent") })}
      ${later()}
    </div>
  `;

  const asking = () => html`
    <h1 tabindex="-1">${t("companion.survey.title")}</h1>
    <p class="quiet">${t("companion.survey.text")}</p>
    ${survey.form()}
    ${button(t("companion.survey.skip"), { kind: "plain", click: () => go("consent") })}
  `;

  const consent = () => html`
    <h1 tabindex="-1">${t("companion.join.limitTitle")}</h1>
    ${score && scoreWords(score)}
    <section class="card stack">
      ${limitField(limit, (value) => {
        limit = value;
        self.draw();
      })}
      <p class="quiet small">${t("companion.limit.text")}</p>
    </section>
    ${promises()}
    <section class="stack">
      <h2>${t("companion.join.consentTitle")}</h2>
      <p>${t("companion.join.consent")}</p>
      <div class="rows">
        ${toggle(t("companion.nightly.title"), t("companion.nightly.text"), nightly, (on) => {
          nightly = on;
          self.draw();
        })}
      </div>
      <p class="quiet small">${t("companion.join.leave")}</p>
    </section>
    ${fault(problem)}
    <div class="stack">
      ${button(t("companion.join.agree"), { kind: "primary", busy, click: agree })}
      ${later()}
    </div>
  `;

  function view() {
    return html`
      ${bar(router.path("home"))}
      ${step === "hello" ? hello() : step === "survey" ? asking() : consent()}
    `;
  }
  return self.begin();
}
