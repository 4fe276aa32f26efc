/** Bars and figures of Companion. */

import { html } from "../../app/render.js";
import { number, t } from "../../app/i18n.js";
import { partsOf } from "../store/reckoning.js";
import { price } from "./words.js";

/** @import { CompanionWallet } from "../../api/api.d.ts" */

/** The health points of a day: twenty parts, of which each bypass takes one. @param {number} hp @param {string} colour */
export const healthBar = (hp, colour) => html`
  <div
    class=${`hp ${colour}`}
    role="meter"
    aria-label=${t("companion.hp")}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${hp}
  >
    ${partsOf(hp).map((isFull) => html`<span class=${isFull ? "full" : ""}></span>`)}
  </div>
`;

/** @param {string} label @param {number} part from 0 to 1 @param {unknown} text @param {string} [kind] */
export const meter = (label, part, text, kind = "") => html`
  <div class=${`meter ${kind}`}>
    <div class="line apart small">
      <span>${label}</span>
      <span class="quiet count">${text}</span>
    </div>
    <div
      class="track"
      role="meter"
      aria-label=${label}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${Math.round(part * 100)}
    >
      <span class="filled" data-part=${part > 0 ? "some" : "0"} --part=${part}></span>
    </div>
  </div>
`;

/** @param {unknown} value @param {string} label */
export const figure = (value, label) => html`
  <p>
    <span class="count points">${value}</span>
    <span class="quiet small">${label}</span>
  </p>
`;

/** What the account has. @param {CompanionWallet | null} wallet @param {string} path */
export const purse = (wallet, path) =>
  wallet &&
  html`
    <a class="purse" href=${path} title=${t("companion.wallet.title")}>
      ${price(wallet.energy, "energy")}
      ${price(wallet.gems, "gems")}
    </a>
  `;

/** A number with its sign, as in a ledger. @param {number} amount */
export const signed = (amount) => `${amount < 0 ? "−" : "+"}${number(Math.abs(amount))}`;
