/** The data that a product stores, and the data that it does not. It stands where people join, and in their data. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { icon } from "../../parts/icons.js";

/** @param {string[]} keys @param {"check" | "close"} sign */
const list = (keys, sign) => html`
  <ul class="promises">
    ${keys.map((each) => html`
      <li>
        ${icon(sign, 20)}
        <span>${t(each)}</span>
      </li>
    `)}
  </ul>
`;

/**
 * All are keys of texts.
 * @param {string} product the beginning of its texts' keys
 * @param {{ stored: string[], notes: string[], never: string[] }} keys
 */
export const promisesOf = (product, { stored, notes, never }) => html`
  <section class="card stack">
    <h2>${t(`${product}.collected.title`)}</h2>
    ${list(stored, "check")}
    ${notes.map((each) => html`<p class="quiet small">${t(each)}</p>`)}
  </section>
  <section class="card stack">
    <h2>${t(`${product}.never.title`)}</h2>
    ${list(never, "close")}
  </section>
`;
