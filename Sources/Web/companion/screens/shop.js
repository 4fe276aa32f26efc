/** The shop: what the pet can wear, for energy or for gems. Food is bought where it is eaten. */

import { html, key } from "../../app/render.js";
import { dateTime, t } from "../../app/i18n.js";
import { clock } from "../../app/stores.js";
import { questions } from "../api/calls.js";
import { isAhead, pricesOf } from "../store/reckoning.js";
import { buying } from "../parts/buying.js";
import { purse } from "../parts/gauges.js";
import { foodPicture, thingPicture } from "../parts/drawings/pictures.js";
import { companionScreen, head, place } from "../parts/place.js";
import { categoryName, itemName, price } from "../parts/words.js";
import { icon } from "../../parts/icons.js";
import { shown } from "../../products/parts/answered.js";
import { empty, skeleton } from "../../parts/states.js";

/** @import { CompanionCatalog, CompanionCosmetic, CompanionFood } from "../../api/api.d.ts" */

export function shop() {
  const self = companionScreen(t("companion.shop.title"), view, { kind: "wide" });
  const known = self.watch(questions.catalog());
  const wallet = self.watch(questions.wallet());

  /** @param {CompanionCosmetic} thing */
  const season = ({ from, to, available }) => {
    const date = (/** @type {string} */ iso) => dateTime(iso, { day: "numeric", month: "short" });
    if (from && isAhead(from, clock.now())) return t("companion.shop.from", { date: date(from) });
    if (!available) return t("companion.shop.over");
    return to && isAhead(to, clock.now()) ? t("companion.shop.until", { date: date(to) }) : "";
  };

  /** @param {CompanionCosmetic} thing */
  const card = (thing) =>
    key(
      thing.id,
      html`
        <li>
          <button
            type="button"
            class="thing-card large"
            aria-disabled=${thing.owned || !thing.available ? "true" : null}
            @click=${() => !thing.owned && thing.available && buying(thing, () => wallet.value)}
          >
            ${thingPicture(thing.id)}
            <span>${itemName(thing.id, thing.title)}</span>
            <span class="quiet tiny">${categoryName(thing.category)}</span>
            <span class="line prices">
              ${thing.owned
                ? html`
                  <span class="owned small">
                    ${icon("check", 18)}
                    ${t("companion.shop.owned")}
                  </span>
                `
                : pricesOf(thing, wallet.value).map(({ price: amount, currency }) => price(amount, currency))}
            </span>
            ${!thing.owned && season(thing) && html`<span class="tiny quiet">${season(thing)}</span>`}
          </button>
        </li>
      `,
    );

  /** @param {CompanionFood} food */
  const food = (food) =>
    key(
      food.id,
      html`
        <li>
          <a class="thing-card" href=${place("pet")}>
            ${foodPicture(food.id)}
            <span class="small">${itemName(food.id, food.title)}</span>
            ${price(food.energy, "energy")}
          </a>
        </li>
      `,
    );

  /** @param {CompanionCatalog} catalog */
  const content = ({ foods, cosmetics }) => html`
    <section class="stack">
      <h2>${t("companion.shop.cosmetics")}</h2>
      <p class="quiet small">${t("companion.shop.cosmeticsText")}</p>
      ${cosmetics.length > 0
        ? html`<ul class="things large">${cosmetics.map(card)}</ul>`
        : empty("box", t("companion.shop.none"))}
      <a class="button" href=${place("wardrobe")}>${t("companion.wardrobe.title")}</a>
    </section>
    <section class="stack">
      <h2>${t("companion.shop.foods")}</h2>
      <p class="quiet small">${t("companion.shop.foodsText")}</p>
      <ul class="things">${foods.toSorted((a, b) => a.energy - b.energy).map(food)}</ul>
    </section>
    <p class="quiet small">${t("companion.shop.gems")}</p>
  `;

  function view() {
    return html`
      ${head(place("pet"), purse(wallet.value, place("wallet")))}
      <h1>${t("companion.shop.title")}</h1>
      ${shown(known, content, skeleton("block", 3))}
    `;
  }
  return self.begin();
}
