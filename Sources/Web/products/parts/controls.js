/** Switches, times and choices of the settings of products. */

import { html, key } from "../../app/render.js";

/** @param {string} title @param {string | null} text @param {boolean} on @param {(on: boolean) => void} set @param {boolean} [disabled] */
export const toggle = (title, text, on, set, disabled = false) => html`
  <label>
    <span class="grow stack close">
      <span>${title}</span>
      ${text && html`<span class="quiet small">${text}</span>`}
    </span>
    <input
      class="switch"
      type="checkbox"
      .checked=${on}
      ?disabled=${disabled}
      @change=${(/** @type {any} */ event) => set(event.target.checked)}
    />
  </label>
`;

/** @param {string} label @param {string} value @param {(value: string) => void} set */
export const timeField = (label, value, set) => html`
  <label class="field grow">
    <span class="label">${label}</span>
    <input
      class="input"
      type="time"
      .value=${value}
      @change=${(/** @type {any} */ event) => event.target.value && set(event.target.value)}
    />
  </label>
`;

/** @param {string} label @param {number} value @param {{min: number, max: number, step?: number}} range @param {(value: number) => void} set @param {string} [hint] */
export const numberField = (label, value, { min, max, step = 1 }, set, hint) => html`
  <label class="field grow">
    <span class="label">${label}</span>
    <input
      class="input count"
      type="number"
      inputmode="numeric"
      min=${min}
      max=${max}
      step=${step}
      .value=${String(value)}
      @input=${(/** @type {any} */ event) => set(event.target.valueAsNumber)}
    />
    ${hint && html`<span class="quiet tiny">${hint}</span>`}
  </label>
`;

/** One of a few, as pills that lie side by side.
 * @template {string | number} T
 * @param {string} label @param {T} value @param {readonly (readonly [T, string])[]} options @param {(value: T) => void} set @param {string} [hint] */
export const pills = (label, value, options, set, hint) => html`
  <fieldset class="field">
    <legend class="label">${label}</legend>
    <div class="line">
      ${options.map(([id, text]) => key(id, html`
        <label class="pick pill">
          <input
            type="radio"
            class="unseen"
            name=${label}
            .checked=${id === value}
            @change=${() => set(id)}
          />
          <span>${text}</span>
        </label>
      `))}
    </div>
    ${hint && html`<span class="quiet tiny">${hint}</span>`}
  </fieldset>
`;

/** Any of a few. @param {string} label @param {readonly (readonly [number, string, string])[]} options value, short and full text
 * @param {Set<number>} chosen @param {() => void} changed */
export const several = (label, options, chosen, changed) => html`
  <fieldset class="field">
    <legend class="label">${label}</legend>
    <div class="line weekdays">
      ${options.map(([id, short, full]) => key(id, html`
        <label class="pick pill">
          <input
            type="checkbox"
            class="unseen"
            aria-label=${full}
            .checked=${chosen.has(id)}
            @change=${(/** @type {any} */ event) => {
              if (event.target.checked) chosen.add(id);
              else chosen.delete(id);
              changed();
            }}
          />
          <span aria-hidden="true">${short}</span>
        </label>
      `))}
    </div>
  </fieldset>
`;
