/** A sheet that sells a thing, in the currency that the buyer picks. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { calls, companion } from "../app/stores.js";
import { pricesOf } from "../store/reckoning.js";
import { button } from "../../parts/screen.js";
import { openSheet } from "../../parts/sheet.js";
import { fault } from "../../parts/states.js";
import { toast } from "../../parts/toast.js";
import { thingPicture } from "./drawings/pictures.js";
import { amountWords, itemName } from "./words.js";

/** @import { CompanionCosmetic, CompanionCurrency, CompanionWallet } from "../../api/api.d.ts" */
/** @import { Sheet } from "../../parts/sheet.js" */

/** @param {CompanionCosmetic} thing @param {() => CompanionWallet | null} wallet */
export function buying(thing, wallet) {
  const name = itemName(thing.id, thing.title);
  /** @type {CompanionCurrency | null} */
  let busy = null;
  let problem = "";

  /** @param {Sheet} sheet @param {CompanionCurrency} currency */
  async function buy(sheet, currency) {
    if (busy) return;
    busy = currency;
    problem = "";
    sheet.draw();
    try {
      await companion.after(calls.buy(thing.id, currency));
      toast(t("companion.buy.done", { thing: name }));
      return sheet.close();
    } catch (error) {
      problem = describe(error).text;
    }
    busy = null;
    sheet.draw();
  }

  /** @param {Sheet} sheet */
  function view(sheet) {
    const prices = pricesOf(thing, wallet());
    const isLacking = prices.every(({ isEnough }) => !isEnough);
    return html`
      <div class="companion stack loose">
        ${thingPicture(thing.id)}
        <p class="quiet center">${t("companion.buy.text")}</p>
        ${fault(problem)}
        <div class="stack">
          ${prices.map(({ currency, price, isEnough }) =>
            button(t("companion.buy.for", { price: amountWords(price, currency) }), {
              kind: "primary",
              busy: busy === currency,
              disabled: !isEnough,
              click: () => buy(sheet, currency),
            })
          )}
          ${isLacking && html`<p class="quiet small center">${t("companion.buy.lacking")}</p>`}
          ${button(t("action.cancel"), { kind: "plain", click: sheet.close })}
        </div>
      </div>
    `;
  }

  openSheet(name, view);
}
