/** The choice of a kind of pet and of its name, for adoption and for a new beginning. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { nameField } from "../../parts/people/profile.js";
import { button, form } from "../../parts/screen.js";
import { fault } from "../../parts/states.js";
import { youngOf } from "./drawings/pictures.js";

/** @import { CompanionNewPet, CompanionSpecies } from "../../api/api.d.ts" */

/** @type {CompanionSpecies[]} */
const SPECIES = ["cat", "dog"];

/** @param {() => void} draw @param {(pet: CompanionNewPet) => Promise<unknown>} adopt */
export function adopting(draw, adopt) {
  /** @type {CompanionSpecies} */
  let species = "cat";
  let name = "", problem = "", busy = false;

  async function submit() {
    problem = name.trim() ? "" : t("companion.adopt.nameless");
    if (problem || busy) return draw();
    busy = true;
    draw();
    try {
      await adopt({ species, name: name.trim() });
    } catch (error) {
      problem = describe(error).text;
    }
    busy = false;
    draw();
  }

  /** @param {CompanionSpecies} each */
  const option = (each) =>
    key(
      each,
      html`
        <label class="kind">
          <input
            type="radio"
            class="unseen"
            name="species"
            .checked=${species === each}
            @change=${() => {
              species = each;
              draw();
            }}
          />
          ${youngOf(each)}
          <span class="round">${t(`companion.species.${each}`)}</span>
        </label>
      `,
    );

  return {
    /** @param {string} text of the button */
    form: (text) =>
      form(
        submit,
        html`
          <fieldset class="kinds">
            <legend class="unseen">${t("companion.adopt.species")}</legend>
            ${SPECIES.map(option)}
          </fieldset>
          ${nameField(t("companion.adopt.name"), name, (value) => name = value)}
          ${fault(problem)}
          ${button(text, { kind: "primary", type: "submit", busy })}
        `,
        "stack loose",
      ),
  };
}
