/** A long press with one finger; whatever it does also has a button. */

import { buzz } from "./haptics.js";

/** How far a finger trembles, in pixels. */
const TREMBLE = 10;

/** The finger that is lifted neither opens what it lies on, nor presses what has come under it. */
function hush() {
  const swallow = (/** @type {Event} */ event) => (event.preventDefault(), event.stopPropagation(), end());
  const kinds = ["pointerdown", "keydown"];
  const end = () => {
    removeEventListener("click", swallow, true);
    for (const kind of kinds) removeEventListener(kind, end, true);
  };
  addEventListener("click", swallow, true);
  for (const kind of kinds) addEventListener(kind, end, true);
}

/** @param {HTMLElement} element @param {() => void} act */
export function hold(element, act) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Touch | undefined} */
  let start;
  element.addEventListener("touchstart", ({ touches }) => {
    clearTimeout(timer);
    start = touches[0];
    if (touches.length === 1) timer = setTimeout(() => (hush(), buzz("hold"), act()), 500);
  }, { passive: true });
  element.addEventListener("touchmove", ({ touches: [now] }) => {
    const far = Math.hypot(
      (now?.clientX ?? 0) - (start?.clientX ?? 0),
      (now?.clientY ?? 0) - (start?.clientY ?? 0),
    );
    if (far > TREMBLE) clearTimeout(timer);
  }, { passive: true });
  for (const end of ["touchend", "touchcancel"]) {
    element.addEventListener(end, () => clearTimeout(timer), { passive: true });
  }
  element.addEventListener("contextmenu", (event) => {
    if (/** @type {PointerEvent} */ (event).pointerType === "touch") event.preventDefault();
  });
}
