/** The wardrobe: what the account owns, tried on at once. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { calls, companion } from "../app/stores.js";
import { questions } from "../api/calls.js";
import { kindOf } from "../../api/problems.js";
import { dressed } from "../store/reckoning.js";
import { petIn, thingPicture } from "../parts/drawings/pictures.js";
import { companionScreen, head, place } from "../parts/place.js";
import { categoryName, itemName } from "../parts/words.js";
import { icon } from "../../parts/icons.js";
import { shown } from "../../products/parts/answered.js";
import { run } from "../../parts/run.js";
import { empty, skeleton } from "../../parts/states.js";

/** @import { CompanionCosmetic, CompanionPet } from "../../api/api.d.ts" */

export function wardrobe() {
  /** @type {string[] | null} what is tried on, until the service has it */
  let wanted = null;
  /** Of two changes under way the earlier one might arrive last, so each waits for the one before. @type {Promise<unknown>} */
  let last = Promise.resolve();
  const self = companionScreen(t("companion.wardrobe.title"), view, { kind: "wide" });
  const known = self.watch(questions.pet());
  const catalog = self.watch(questions.catalog());

  const owned = () => (catalog.value?.cosmetics ?? []).filter((one) => one.owned);

  /** @param {string} id */
  async function change(id) {
    const outfit = wanted ?? known.value?.outfit ?? [];
    const next = wanted = dressed(outfit, id, catalog.value?.cosmetics ?? []);
    self.draw();
    // An outfit that the person has changed again meanwhile is not sent.
    await (last = last.then(() => wanted === next && run(() => companion.after(calls.wear(next)))));
    // A later choice stays until the service has that one.
    if (wanted === next) wanted = null;
    self.draw();
  }

  /** @param {CompanionCosmetic} thing @param {string[]} outfit */
  function card(thing, outfit) {
    const isWorn = outfit.includes(thing.id);
    return key(
      thing.id,
      html`
        <li>
          <button
            type="button"
            class="thing-card"
            aria-pressed=${isWorn ? "true" : "false"}
            @click=${() => change(thing.id)}
          >
            ${isWorn && html`<span class="worn-sign">${icon("check", 16)}</span>`}
            ${thingPicture(thing.id)}
            <span class="small">${itemName(thing.id, thing.title)}</span>
            <span class="quiet tiny">${categoryName(thing.category)}</span>
          </button>
        </li>
      `,
    );
  }

  /** @param {CompanionPet} pet */
  function content(pet) {
    const outfit = wanted ?? pet.outfit, things = owned();
    return html`
      <div class="duo">
        <div class="stack stage">${petIn({ ...pet, outfit }, { kind: "room" })}</div>
        <div class="stack loose">
          ${things.length > 0 ? html`
            <ul class="things">${things.map((thing) => card(thing, outfit))}</ul>
            <p class="quiet small">${t("companion.wardrobe.text")}</p>
          ` : catalog.value && empty("box", t("companion.wardrobe.none"))}
          <a class="button" href=${place("shop")}>${t("companion.shop.title")}</a>
        </div>
      </div>
    `;
  }

  function view() {
    const isNone = known.value === null && kindOf(known.error) === "gone";
    return html`
      ${head(place("pet"))}
      <h1>${t("companion.wardrobe.title")}</h1>
      ${isNone
        ? empty(
          "box",
          t("companion.wardrobe.petless"),
          html`<a class="button primary" href=${place("pet")}>${t("companion.adopt.title")}</a>`,
        )
        : shown(known, content, skeleton("block", 2))}
    `;
  }
  return self.begin();
}
