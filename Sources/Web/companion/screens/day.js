/** One day that is over: how the cat was at its end, and the figures. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { session } from "../../app/stores.js";
import { questions } from "../api/calls.js";
import { dayFigures } from "../parts/day-figures.js";
import { catOf } from "../parts/drawings/pictures.js";
import { companionScreen, head, place } from "../parts/place.js";
import { dayName } from "../parts/words.js";
import { shown } from "../../products/parts/answered.js";
import { empty, failure, skeleton } from "../../parts/states.js";
import { kindOf } from "../../api/problems.js";

/** @import { Visit } from "../../app/router.js" */

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** @param {Visit} visit */
export function day(visit) {
  const wanted = visit.params["id"] ?? "";
  const name = DAY.test(wanted) ? dayName(wanted) : t("companion.day.title");
  const self = companionScreen(name, view, { stores: [session], kind: "wide" });
  const known = self.watch(questions.day(wanted));

  function content() {
    if (known.error && !known.value) {
      return kindOf(known.error) === "gone"
        ? empty(
          "tunnel",
          t("companion.day.gone"),
          html`<a class="button" href=${place("diary")}>${t("companion.diary.title")}</a>`,
        )
        : failure(known.error, () => void known.again());
    }
    return shown(known, (value) => html`
      <div class="duo">
        <div class="stack stage">${catOf(value, "evening", { canStroke: false })}</div>
        <div class="stack loose">${dayFigures(value)}</div>
      </div>
    `, skeleton("block", 2));
  }

  function view() {
    return html`
      ${head(place("diary"))}
      <h1>${name}</h1>
      ${content()}
    `;
  }
  return self.begin();
}
