/** Says times as a person says them, by the service's clock and in the person's own day. */

import { html } from "../app/render.js";
import { countdown, dateTime, relativeTime, remaining, t } from "../app/i18n.js";
import { clock } from "../app/stores.js";

/** A text that is kept true as time passes. @param {() => string} text */
export const ticking = (text) => html`<day-clock class="count" .text=${text}></day-clock>`;

/** @param {string} iso */
export const since = (iso) => relativeTime(iso, clock.now());

/** @param {string | number} end */
export const left = (end) => remaining(end, clock.now());

/** @param {string} iso */
export const untilSecond = (iso) => countdown(iso, clock.now());

/** @param {string} iso */
export const ago = (iso) => ticking(() => since(iso));

/** @param {string} iso */
export const goneIn = (iso) => ticking(() => t("photo.goneIn", { time: left(iso) }));

/** A day as in a calendar on the wall. @param {string} iso */
export const dayOf = (iso) => dateTime(iso, { weekday: "long", day: "numeric", month: "long" });

/** Seconds until the person's midnight. */
export const secondsOfToday = () => Math.ceil((clock.today.end - clock.now()) / 1_000);

const shown = new Set();
/** @type {number | undefined} */
let timer;

function tick() {
  for (const one of shown) one.draw();
}

/**
 * <day-clock .text=${() => …}> shows a text that depends on the time, such as "2 hours ago", and keeps it true.
 * Only the element's own text changes; the screen around it is not drawn again.
 */
class DayClock extends HTMLElement {
  #text = () => "";

  get text() {
    return this.#text;
  }

  set text(text) {
    this.#text = text;
    this.draw();
  }

  draw() {
    const text = this.#text();
    if (this.textContent !== text) this.textContent = text;
  }

  connectedCallback() {
    shown.add(this);
    timer ??= setInterval(tick, 1000);
  }

  disconnectedCallback() {
    shown.delete(this);
    if (shown.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }
}

customElements.define("day-clock", DayClock);
