/** The data that Companion stores, and the data that it does not. It stands where people join, and in their data. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { icon } from "../../parts/icons.js";

const COLLECTED = [
  "companion.collected.days",
  "companion.collected.minutes",
  "companion.collected.diary",
  "companion.collected.pet",
  "companion.collected.wallet",
];
const NOT_COLLECTED = ["companion.never.apps", "companion.never.survey"];

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

export const promises = () => html`
  <section class="card stack">
    <h2>${t("companion.collected.title")}</h2>
    ${list(COLLECTED, "check")}
    <p class="quiet small">${t("companion.collected.others")}</p>
    <p class="quiet small">${t("companion.collected.kept")}</p>
  </section>
  <section class="card stack">
    <h2>${t("companion.never.title")}</h2>
    ${list(NOT_COLLECTED, "close")}
  </section>
`;
