/** The survey: six questions whose answers are not kept, and the words for what comes out. */

import { html, key } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { calls } from "../app/stores.js";
import { FEELINGS, openQuestions, QUESTIONS } from "../store/reckoning.js";
import { pills } from "../../products/parts/controls.js";
import { button, form } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";
import { meter } from "./gauges.js";

/** @import { CompanionSurvey, CompanionSurveyResult } from "../../api/api.d.ts" */

/** @type {CompanionSurvey["age"][]} */
const AGES = ["under_18", "18_24", "25_34", "35_44", "45_54", "55_plus"];
const HOURS = [0, 1, 2, 3, 4];
const DEGREES = [0, 1, 2, 3];

/** @param {() => void} draw @param {(score: CompanionSurveyResult) => void} done */
export function questioning(draw, done) {
  /** @type {Partial<CompanionSurvey>} */
  const answers = {};
  let problem = "", busy = false, isMarked = false;
  /** @type {HTMLElement | undefined} */
  let card;

  /** Marks the questions without an answer, and leads to the first one. @param {string[]} open */
  function lead(open) {
    problem = t("companion.survey.missing", { count: open.length });
    isMarked = true;
    draw();
    requestAnimationFrame(() => {
      const group = card?.querySelectorAll("fieldset")[QUESTIONS.findIndex((name) => name === open[0])];
      group?.querySelector("input")?.focus({ preventScroll: true });
      group?.scrollIntoView({ block: "center" });
    });
  }

  /** The first question that is open says how many are. @param {keyof CompanionSurvey} name */
  function mark(name) {
    const open = openQuestions(answers);
    if (name === open[0]) return t("companion.survey.missing", { count: open.length });
    return open.includes(name) ? t("companion.survey.open") : "";
  }

  async function submit() {
    if (busy) return;
    const open = openQuestions(answers);
    if (open.length > 0) return lead(open);
    problem = "";
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
          problem = "";
          draw();
        },
        isMarked ? mark(name) : "",
      ),
    );

  return {
    form: () =>
      form(
        submit,
        html`
          <section
            class="card stack loose survey"
            ref=${(/** @type {HTMLElement} */ element) => card = element}
          >
            ${question("use", HOURS, "hours")}
            ${FEELINGS.map((name) => question(name, DEGREES, "degree"))}
            ${question("age", AGES, "age")}
          </section>
          <p class="quiet small">${t("companion.survey.kept")}</p>
          ${fault(problem)}
          ${button(t("companion.survey.done"), { kind: "primary", type: "submit", busy })}
        `,
        "stack loose",
      ),
  };
}

/** What came out, in kind words. @param {CompanionSurveyResult} score */
export const scoreWords = ({ score, level, years }) => html`
  <section class="card stack loose result">
    <div class="stack close">
      <p class="quiet small">${t("companion.score.title")}</p>
      <p class="line score">
        <span class="count points">${number(score)}</span>
        <span class="quiet">${t("companion.score.of")}</span>
      </p>
      ${meter(t(`companion.score.${level}`), score / 100, "")}
    </div>
    <p>${t(`companion.score.${level}Text`)}</p>
    <div class="stack close">
      <p class="count points">${t("companion.score.years", { count: years })}</p>
      <p class="quiet small">${t("companion.score.yearsText")}</p>
    </div>
  </section>
`;
