/** The survey, for whoever wants to look again. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { head, place } from "../parts/place.js";
import { questioning, scoreWords } from "../parts/survey-form.js";
import { button, screen } from "../../parts/screen.js";

/** @import { CompanionSurveyResult } from "../../api/api.d.ts" */

export function survey() {
  /** @type {CompanionSurveyResult | null} */
  let score = null;
  const self = screen(t("companion.survey.title"), view, [], "companion");
  const show = (/** @type {CompanionSurveyResult | null} */ value) => {
    score = value;
    self.draw();
    scrollTo(0, 0);
  };
  let questions = questioning(self.draw, show);

  function again() {
    questions = questioning(self.draw, show);
    show(null);
  }

  function view() {
    return html`
      ${head(place("settings"))}
      <h1>${t("companion.survey.title")}</h1>
      ${score ? html`
        ${scoreWords(score)}
        ${button(t("companion.survey.again"), { click: again })}
      ` : html`
        <p class="quiet">${t("companion.survey.text")}</p>
        ${questions.form()}
      `}
    `;
  }
  return self.begin();
}
