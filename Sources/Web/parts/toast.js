/** A toast says a short word after something happened. It stays long enough to be read, longer with a button, and is announced. */

import { html, render } from "../app/render.js";
import { announce } from "../app/announce.js";

/** @type {HTMLElement | null} */
let place = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {string} text @param {{label: string, click: () => void}} [action] */
export function toast(text, action) {
  if (!place) {
    place = document.createElement("div");
    place.id = "toasts";
  }
  // Above an open sheet only its own content is visible.
  const above = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (place.parentElement !== above) above.append(place);
  const shown = place;
  const end = () => render(null, shown);
  const press = () => {
    end();
    action?.click();
  };
  render(null, shown);
  render(
    html`<div class="toast"><span>${text}</span>${
      action && html`<button type="button" @click=${press}>${action.label}</button>`
    }</div>`,
    shown,
  );
  announce(text, "polite");
  clearTimeout(timer);
  timer = setTimeout(end, (action ? 8000 : 3000) + text.length * 40);
}
