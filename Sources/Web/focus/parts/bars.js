/** Seven bars of a week, and the many thin ones of a month. */

import { html, key } from "../../app/render.js";
import { heightsOf } from "../store/figures.js";
import { dayWith } from "./words.js";

/** @typedef {{day: string, value: number, text: string, label: string, path?: string | null}} Bar */

/** @param {Bar[]} bars @param {string} today @param {string} name */
export function weekBars(bars, today, name) {
  const heights = heightsOf(bars.map(({ value }) => value));
  return html`
    <ol class="bars" aria-label=${name}>
      ${bars.map((one, index) => key(one.day, html`
        <li class=${one.day === today ? "current" : one.day > today ? "ahead" : ""}>
          ${column(one, heights[index] ?? 0)}
        </li>
      `))}
    </ol>
  `;
}

/** @param {Bar} one @param {number} height */
function column({ day, text, label, path }, height) {
  const inside = html`
    <span class="count tiny value" aria-hidden="true">${text}</span>
    <span class="track" aria-hidden="true">
      <span class="filled" data-part=${height > 0 ? "some" : "0"} --part=${height}></span>
    </span>
    <span class="tiny" aria-hidden="true">${dayWith(day, { weekday: "narrow" })}</span>
    <span class="unseen">${label}</span>
  `;
  return path ? html`<a href=${path}>${inside}</a>` : html`<span class="still">${inside}</span>`;
}

/** @param {Bar[]} bars @param {string} today @param {string} name says it all to a screen reader */
export function monthBars(bars, today, name) {
  const heights = heightsOf(bars.map(({ value }) => value));
  return html`
    <div class="month" role="img" aria-label=${name}>
      ${bars.map((one, index) => html`
        <span class=${one.day === today ? "current" : ""} title=${one.label}>
          <span
            class="filled"
            data-part=${heights[index] ? "some" : "0"}
            --part=${heights[index] ?? 0}
          ></span>
        </span>
      `)}
    </div>
  `;
}
