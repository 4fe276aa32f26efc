/**
 * A toast says a short word after something happened, above what a screen has at its lower edge. It stays long enough to be
 * read, and is announced. It goes with its screen, unless the app itself left that screen, of which it speaks then.
 */

import { html, render } from "../app/render.js";
import { announce } from "../app/announce.js";

/** What a toast takes, in pixels. */
const ROOM = 96;

/** @type {HTMLElement | null} */
let place = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** Whether the person has done something since. */
let isOld = false;

/** How far from the lower edge a toast hides no button: above those that stand there, one after the other. @param {Element} above */
function bottomOf(above) {
  const parts = [...above.querySelectorAll(".dock, .limit, footer, .button")].map((each) =>
    each.getBoundingClientRect()
  ).filter(({ height, top }) => height > 0 && top < innerHeight).sort((one, other) =>
    other.bottom - one.bottom
  );
  let edge = innerHeight;
  for (const { top, bottom } of parts) if (bottom > edge - ROOM) edge = Math.min(edge, top);
  // Buttons up to the top leave no free place: then it stands at the edge.
  return edge > innerHeight / 3 ? innerHeight - edge : 0;
}

const end = () => place && render(null, place);
const locate = () =>
  place?.parentElement && place.style.setProperty("--dock", `${bottomOf(place.parentElement)}px`);

function makePlace() {
  const made = document.createElement("div");
  made.id = "toasts";
  for (const event of ["pointerdown", "keydown", "popstate"]) {
    addEventListener(event, () => isOld = true, true);
  }
  const screen = /** @type {Node} */ (document.getElementById("screen"));
  new MutationObserver(() => isOld ? end() : locate()).observe(screen, { childList: true });
  return made;
}

/** @param {string} text */
export function toast(text) {
  const shown = place ??= makePlace();
  // Above an open sheet only its own content is visible.
  const above = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (place.parentElement !== above) above.append(place);
  locate();
  isOld = false;
  render(null, shown);
  render(html`<p class="toast">${text}</p>`, shown);
  announce(text, "polite");
  clearTimeout(timer);
  timer = setTimeout(end, 3000 + text.length * 40);
}
