/** A sheet that gives the pet another name. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { calls, companion } from "../app/stores.js";
import { nameField } from "../../parts/people/profile.js";
import { button, form } from "../../parts/screen.js";
import { openSheet } from "../../parts/sheet.js";
import { fault } from "../../parts/states.js";

/** @import { CompanionPet } from "../../api/api.d.ts" */
/** @import { Sheet } from "../../parts/sheet.js" */

/** @param {CompanionPet} pet */
export function renaming(pet) {
  let { name } = pet, problem = "", busy = false;

  /** @param {Sheet} sheet */
  async function save(sheet) {
    problem = name.trim() ? "" : t("companion.adopt.nameless");
    busy = !problem;
    sheet.draw();
    if (problem) return;
    try {
      await companion.after(calls.rename(name.trim()));
      return sheet.close();
    } catch (error) {
      problem = describe(error).text;
    }
    busy = false;
    sheet.draw();
  }

  openSheet(t("companion.rename.title"), (sheet) =>
    form(
      () => save(sheet),
      html`
        ${nameField(t("companion.adopt.name"), name, (value) => name = value, { autofocus: true })}
        ${fault(problem)}
        ${button(t("action.save"), { kind: "primary", type: "submit", busy })}
      `,
    ));
}
