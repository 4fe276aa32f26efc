/** The list of data that Focus collects, and of data that it does not. It stands where people join, and in their data. */

import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { icon } from "../../parts/icons.js";

const COLLECTED = [
  "focus.collected.locks",
  "focus.collected.minutes",
  "focus.collected.plans",
  "focus.collected.people",
  "focus.collected.game",
];
const NOT_COLLECTED = [
  "focus.never.apps",
  "focus.never.contents",
  "focus.never.place",
  "focus.never.contacts",
];

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
    <h2>${t("focus.collected.title")}</h2>
    ${list(COLLECTED, "check")}
    <p class="quiet small">${t("focus.collected.moments")}</p>
    <p class="quiet small">${t("focus.collected.kept")}</p>
  </section>
  <section class="card stack">
    <h2>${t("focus.never.title")}</h2>
    ${list(NOT_COLLECTED, "close")}
  </section>
`;
