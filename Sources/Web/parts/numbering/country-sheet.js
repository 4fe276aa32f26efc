/** A sheet with all countries and a search. The current one stands first. */

import { html, key } from "../../app/render.js";
import { language, t } from "../../app/i18n.js";
import { openSheet } from "../sheet.js";
import { countries } from "./plan.js";

/** @param {string} region the current one @param {(region: string) => void} chosen */
export function chooseCountry(region, chosen) {
  let wanted = "";
  const all = countries(language()).sort((a, b) => Number(b.region === region) - Number(a.region === region));
  openSheet(t("phone.country"), (sheet) => {
    const needle = wanted.toLocaleLowerCase().replace(/^\+/, "");
    const fits = all.filter(({ name, code }) =>
      name.toLocaleLowerCase().includes(needle) || code.startsWith(needle)
    );
    const search = (/** @type {any} */ event) => (wanted = event.target.value, sheet.draw());
    const pick = (/** @type {string} */ choice) => (sheet.close(), chosen(choice));
    return html`
      <input
        class="input"
        type="search"
        aria-label=${t("phone.search")}
        placeholder=${t("phone.search")}
        @input=${search}
      />
      <div class="rows countries">
        ${fits.map((each) => key(each.region, html`
          <button
            type="button"
            aria-current=${each.region === region ? "true" : null}
            @click=${() => pick(each.region)}
          >
            <span class="grow">${each.name}</span>
            <span class="quiet count" dir="ltr">+${each.code}</span>
          </button>
        `))}
      </div>
      ${fits.length === 0 && html`<p class="quiet" role="status">${t("phone.noCountry")}</p>`}
    `;
  });
}
