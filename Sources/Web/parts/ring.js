/** The day ring is a thin circle of which a part, from 0 to 1, is drawn in the accent colour. */

import { html } from "../app/render.js";

/** @param {number} part @param {unknown} [inside] @param {string} [kind] */
export function ring(part, inside, kind = "") {
  const drawn = Math.max(0, Math.min(1, part));
  return html`
    <span class=${`ring ${kind}`} data-part=${drawn > 0 ? "some" : "0"}>
      <svg class="arc" viewBox="0 0 56 56" aria-hidden="true">
        <circle cx="28" cy="28" r="26" pathLength="1" />
        <circle cx="28" cy="28" r="26" pathLength="1" stroke-dasharray="1 1" --part=${drawn} />
      </svg>
      ${inside}
    </span>
  `;
}
