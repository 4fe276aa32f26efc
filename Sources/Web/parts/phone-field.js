/** A field for a phone number. The country in front of it opens a sheet with a search. */

import { html, key } from "../app/render.js";
import { language, t } from "../app/i18n.js";
import { codes, countries, homeRegion, international, tidied } from "./calling-codes.js";
import { icon } from "./icons.js";
import { openSheet } from "./sheet.js";
import { fault } from "./states.js";

/** @param {string} region */
const countryName = (region) => new Intl.DisplayNames(language(), { type: "region" }).of(region) ?? region;

/** @param {() => void} draw @param {string} label */
export function phoneField(draw, label) {
  let region = homeRegion();
  let text = "";
  const id = `phone-${crypto.randomUUID()}`;

  function choose() {
    let wanted = "";
    const all = countries(language());
    const pick = (/** @type {string} */ chosen, /** @type {import("./sheet.js").Sheet} */ sheet) => {
      region = chosen;
      sheet.close();
      draw();
    };
    openSheet(t("phone.country"), (sheet) => {
      const needle = wanted.toLocaleLowerCase().replace(/^\+/, "");
      const fits = all.filter(({ name, code }) =>
        name.toLocaleLowerCase().includes(needle) || code.startsWith(needle)
      );
      const search = (/** @type {any} */ event) => (wanted = event.target.value, sheet.draw());
      return html`<input class="input" type="search" aria-label=${t("phone.search")} placeholder=${
        t("phone.search")
      } @input=${search} />
        <div class="rows countries">${
        fits.map((each) =>
          key(
            each.region,
            html`<button type="button" aria-current=${each.region === region ? "true" : null} @click=${() =>
              pick(each.region, sheet)}>
            <span class="grow">${each.name}</span><span class="quiet count" dir="ltr">+${each.code}</span></button>`,
          )
        )
      }</div>
        ${fits.length === 0 && html`<p class="quiet" role="status">${t("phone.noCountry")}</p>`}`;
    });
  }

  return {
    /** All numbers that stand in the field; a pasted list may have several. */
    get numbers() {
      return text.split(/[,;\n]/).filter((each) => /\d/.test(each)).map((each) =>
        international(each, region)
      );
    },
    clear() {
      text = "";
      draw();
    },
    get region() {
      return region;
    },
    focus: () => document.getElementById(id)?.focus(),
    /** @param {string | null} problem @param {{autofocus?: boolean, own?: boolean}} [options] */
    view(problem, { autofocus = false, own = false } = {}) {
      const typed = (/** @type {any} */ event) => (text = event.target.value, draw());
      const tidy = (/** @type {any} */ event) => event.target.value = text = tidied(text, region);
      return html`<div class="field">
        <label for=${id}>${label}</label>
        <div class="line phone">
          <button type="button" class="input country" aria-label=${
        t("phone.countryIs", { country: countryName(region), code: codes.get(region) ?? "" })
      } @click=${choose}>
            <span class="count" dir="ltr">+${codes.get(region)}</span>${icon("down", 18)}</button>
          <input class="input grow" dir="ltr" type="tel" inputmode="tel" id=${id} autocomplete=${
        own ? "tel" : "off"
      } .value=${text}
            ?autofocus=${autofocus} aria-invalid=${
        problem ? "true" : null
      } aria-describedby=${`${id}-fault`} @input=${typed} @blur=${tidy} />
        </div>
        ${fault(problem, `${id}-fault`)}
      </div>`;
    },
  };
}
