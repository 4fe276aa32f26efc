/** Fields that the first steps and the settings share. */

import { html, key } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { preferences } from "../../app/stores.js";
import { icon } from "../icons.js";

/** @param {string} label @param {string} value @param {(value: string) => void} set @param {{autofocus?: boolean, autocomplete?: string}} [options] */
export const nameField = (label, value, set, { autofocus = false, autocomplete = "off" } = {}) => html`
  <label class="field">
    <span class="label">${label}</span>
    <input
      class="input"
      type="text"
      maxlength="50"
      required
      autocomplete=${autocomplete}
      ?autofocus=${autofocus}
      .value=${value}
      @input=${(/** @type {any} */ event) => set(event.target.value)}
    />
  </label>
`;

/** @param {string} label @param {string} value @param {[string, string][]} options @param {(value: string) => void} set @param {string} [hint] */
export const choice = (label, value, options, set, hint) => html`
  <label class="field">
    <span class="label">${label}</span>
    <span class="choice">
      <select
        class="input"
        aria-label=${label}
        aria-description=${hint}
        @change=${(/** @type {any} */ event) => set(event.target.value)}
      >
        ${options.map(([id, text]) =>
          key(id, html`<option value=${id} ?selected=${id === value}>${text}</option>`)
        )}
      </select>
      ${icon("down", 20)}
    </span>
    ${hint && html`<span class="quiet tiny">${hint}</span>`}
  </label>
`;

/** The city of a time zone. @param {string} zone */
export const placeOf = (zone) => zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone;

/** @param {string} zone @param {(zone: string) => void} set */
export function zoneField(zone, set) {
  const zones = new Set([
    zone,
    Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...Intl.supportedValuesOf("timeZone"),
  ]);
  return choice(
    t("profile.zone"),
    zone,
    [...zones].sort().map((each) => [each, each.replaceAll("_", " ")]),
    set,
    t("profile.zoneHint"),
  );
}

export const languageField = () =>
  choice(t("profile.language"), preferences.language, [["auto", t("profile.auto")], ["de", "Deutsch"], [
    "en",
    "English",
  ]], (value) => preferences.set("language", /** @type {any} */ (value)));
