/** The field for the daily limit, in quarters of an hour. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { duration } from "./words.js";

const LEAST = 15, MOST = 960;

/** @param {number} minutes @param {(minutes: number) => void} set */
export const limitField = (minutes, set) => html`
  <label class="field">
    <span class="line apart">
      <span class="label">${t("companion.limit.title")}</span>
      <output class="count points">${duration(minutes)}</output>
    </span>
    <input
      class="range"
      type="range"
      min=${LEAST}
      max=${MOST}
      step="15"
      .value=${String(minutes)}
      aria-valuetext=${duration(minutes)}
      @input=${(/** @type {any} */ event) => set(event.target.valueAsNumber)}
    />
    <span class="line apart quiet tiny" aria-hidden="true">
      <span>${duration(LEAST)}</span>
      <span>${duration(MOST)}</span>
    </span>
  </label>
`;
