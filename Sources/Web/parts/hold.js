/** A long press with one finger; whatever it does also has a button. @param {HTMLElement} element @param {() => void} act */
export function hold(element, act) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  element.addEventListener("touchstart", () => timer = setTimeout(act, 500), { passive: true });
  for (const end of ["touchend", "touchmove", "touchcancel"]) {
    element.addEventListener(end, () => clearTimeout(timer), { passive: true });
  }
  element.addEventListener("contextmenu", (event) => {
    if (/** @type {PointerEvent} */ (event).pointerType === "touch") event.preventDefault();
  });
}
