/**
 * The dial of a streak. Equal angles are equal points, so the marks of the hours move together: a long streak grows slowly.
 * Like a clock, it turns the same way in every language.
 */

import { html } from "../../app/render.js";
import { language, t } from "../../app/i18n.js";
import { partOf } from "../store/figures.js";

/** @type {[number, "minute" | "hour", number][]} */
const MARKS = [[5, "minute", 300], [20, "minute", 1_200], [1, "hour", 3_600], [3, "hour", 10_800], [
  8,
  "hour",
  28_800,
], [24, "hour", 86_400]];

/** The point on a circle around the middle. @param {number} part @param {number} radius */
function at(part, radius) {
  const angle = (part - 0.25) * 2 * Math.PI;
  return { x: 100 + radius * Math.cos(angle), y: 100 + radius * Math.sin(angle) };
}

/** @param {number} part */
function tick(part) {
  const [from, to] = [at(part, 75), at(part, 80)];
  return `M${from.x} ${from.y}L${to.x} ${to.y}`;
}

const ticks = MARKS.map(([, , seconds]) => tick(partOf(seconds))).join("");

/** @param {number} part how far the streak is */
const labels = (part) =>
  MARKS.map(([count, unit, seconds]) => {
    const { x, y } = at(partOf(seconds), 93);
    const text = new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "narrow" }).format(
      count,
    );
    return html`
      <span
        class=${`mark ${partOf(seconds) <= part ? "passed" : ""}`}
        aria-hidden="true"
        --x=${x / 200}
        --y=${y / 200}
      >
        ${text}
      </span>
    `;
  });

/** @param {number | null} seconds how long the streak has run; null without one @param {unknown} inside */
export function dial(seconds, inside) {
  const part = seconds === null ? 0 : partOf(seconds);
  const end = at(part, 66);
  return html`
    <div class="dial" data-part=${part > 0 ? "some" : "0"}>
      <svg viewBox="0 0 200 200" aria-hidden="true">
        <circle cx="100" cy="100" r="66" />
        <circle
          class="grown"
          cx="100"
          cy="100"
          r="66"
          pathLength="1"
          stroke-dasharray="1 1"
          --part=${part}
          transform="rotate(-90 100 100)"
        />
        <circle class="end" cx=${end.x} cy=${end.y} r="5" />
        <path d=${ticks} />
      </svg>
      ${labels(part)}
      <div class="inside">${inside}</div>
    </div>
  `;
}

/** A promise that is kept: the part of the goal that has passed. @param {number} part @param {unknown} inside */
export const goalDial = (part, inside) => html`
  <div class="dial goal" data-part=${part > 0 ? "some" : "0"}>
    <svg viewBox="0 0 200 200" aria-hidden="true">
      <circle cx="100" cy="100" r="88" />
      <circle
        class="grown"
        cx="100"
        cy="100"
        r="88"
        pathLength="1"
        stroke-dasharray="1 1"
        --part=${Math.max(0, Math.min(1, part))}
        transform="rotate(-90 100 100)"
      />
    </svg>
    <div class="inside">${inside}</div>
  </div>
`;

/** A figure that rests on a guess. @param {boolean} estimated @param {string} [text] */
export const estimatedNote = (estimated, text = t("focus.estimated")) =>
  estimated && html`<span class="quiet tiny">${text}</span>`;
