/**
 * A toast says a short word after something happened, above what a screen has at its lower edge. It stays long enough to be
 * read, and is announced. It goes with its screen, unless the app itself left that screen, of which it speaks then.
 */

import { html, render } from "../app/render.js";
import { announce } from "../app/announce.js";

/** @type {HTMLElement | null} */
let place = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** Whether the person has done something since. */
let isOld = false;

const end = () => place && render(null, place);

function makePlace() {
  const made = document.createElement("div");
  made.id = "toasts";
  for (const event of ["pointerdown", "keydown", "popstate"]) {
    addEventListener(event, () => isOld = true, true);
  }
  const screen = /** @type {Node} */ (document.getElementById("screen"));
  new MutationObserver(() => isOld && end()).observe(screen, { childList: true });
  return made;
}

/** @param {string} text */
export function toast(text) {
  const shown = place ??= makePlace();
  // Above an open sheet only its own content is visible.
  const above = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (place.parentElement !== above) above.append(place);
  const dock = document.querySelector(".dock, .limit")?.getBoundingClientRect();
  place.style.setProperty("--dock", `${dock ? innerHeight - dock.top : 0}px`);
  isOld = false;
  render(null, shown);
  render(html`<p class="toast">${text}</p>`, shown);
  announce(text, "polite");
  clearTimeout(timer);
  timer = setTimeout(end, 3000 + text.length * 40);
}
