/** The survey: six questions whose answers are not kept, and the words for what comes out. */

import { html, key } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { calls } from "../../app/companion/companion-stores.js";
import { pills } from "../products/controls.js";
import { button, form } from "../screen.js";
import { fault } from "../states.js";
import { meter } from "./figures.js";

/** @import { CompanionSurvey, CompanionSurveyScore } from "../../api/api.d.ts" */

/** @type {CompanionSurvey["age"][]} */
const AGES = ["under_18", "18_24", "25_34", "35_44", "45_54", "55_plus"];
const HOURS = [0, 1, 2, 3, 4];
const DEGREES = [0, 1, 2, 3];
const FEELINGS = /** @type {const} */ (["dependence", "sleep", "without_phone", "idle"]);

/** @param {() => void} draw @param {(score: CompanionSurveyScore) => void} done */
export function questioning(draw, done) {
  /** @type {Partial<CompanionSurvey>} */
  const answers = {};
  let problem = "", busy = false;

  async function submit() {
    const { use, dependence, sleep, without_phone, idle, age } = answers;
    const all = [use, dependence, sleep, without_phone, idle, age];
    problem = all.every((one) => one !== undefined) ? "" : t("companion.survey.missing");
    if (problem || busy) return draw();
    busy = true;
    draw();
    try {
      done(await calls.survey(/** @type {CompanionSurvey} */ ({ ...answers })));
    } catch (error) {
      problem = describe(error).text;
    }
    busy = false;
    draw();
  }

  /** @template {keyof CompanionSurvey} K @param {K} name @param {NonNullable<CompanionSurvey[K]>[]} options @param {string} words */
  const question = (name, options, words) =>
    key(
      name,
      pills(
        t(`companion.survey.${name}`),
        /** @type {any} */ (answers[name] ?? ""),
        options.map((
          each,
        ) => /** @type {const} */ ([/** @type {any} */ (each), t(`companion.survey.${words}.${each}`)])),
        (value) => {
          answers[name] = value;
          draw();
        },
      ),
    );

  return {
    form: () =>
      form(
        submit,
        html`
          <section class="card stack loose">${question("use", HOURS, "hours")}${FEELINGS.map((name) =>
            question(name, DEGREES, "degree")
          )}${question("age", AGES, "age")}</section><p
            class="quiet small">${t("companion.survey.kept")}</p>${fault(problem)}${button(
              t("companion.survey.done"),
              { kind: "primary", type: "submit", busy },
            )}
        `,
        "stack loose",
      ),
  };
}

/** What came out, in kind words. @param {CompanionSurveyScore} score */
export const scoreWords = ({ score, level, years }) =>
  html`
    <section class="card stack loose result">
      <div class="stack close"><p class="quiet small">${t("companion.score.title")}</p>
        <p class="line score"><span class="count points">${number(score)}</span><span class="quiet">${t(
          "companion.score.of",
        )}</span></p>${meter(t(`companion.score.${level}`), score / 100, "")}</div>
      <p>${t(`companion.score.${level}Text`)}</p>
      <div class="stack close">
        <p class="count points">${t("companion.score.years", { count: years })}</p>
        <p class="quiet small">${t("companion.score.yearsText")}</p>
      </div>
    </section>
  `;
