/** A long press with one finger; whatever it does also has a button. */

import { buzz } from "./haptics.js";

/** How far a finger trembles, in pixels. */
const TREMBLE = 10;

/** @param {HTMLElement} element @param {() => void} act */
export function hold(element, act) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let held = false;
  /** @type {Touch | undefined} */
  let start;
  element.addEventListener("touchstart", ({ touches }) => {
    clearTimeout(timer);
    held = false;
    start = touches[0];
    if (touches.length === 1) timer = setTimeout(() => (held = true, buzz("hold"), act()), 500);
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
  // The finger that is lifted must not also open what it lies on.
  element.addEventListener("click", (event) => {
    if (!held) return;
    held = false;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  element.addEventListener("contextmenu", (event) => {
    if (/** @type {PointerEvent} */ (event).pointerType === "touch") event.preventDefault();
  });
}
