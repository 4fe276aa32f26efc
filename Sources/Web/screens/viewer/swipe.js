/** The photo follows a finger that pulls it down. Far enough, or with a flick, it closes; else it springs back. */

/** Pixels from which a movement has a direction, a photo is let go, and a flick is one. */
const BEGUN = 8, FAR = 90, FLICK = 30;
/** Pixels in a millisecond. */
const QUICK = 0.5;

/** @param {HTMLElement} strip @param {() => void} close */
export function pullDown(strip, close) {
  /** @type {PointerEvent | null} */
  let from = null;
  let far = 0;

  /** @param {number} distance */
  function pull(distance) {
    far = distance;
    const page = strip.parentElement;
    page?.classList.toggle("pulled", far > 0);
    page?.style.setProperty("--pull", `${far}`);
  }

  /** @param {PointerEvent} event */
  function end(event) {
    if (event.pointerId !== from?.pointerId) return;
    const isQuick = far > FLICK && far > QUICK * (event.timeStamp - from.timeStamp);
    from = null;
    if (event.type === "pointerup" && (far > FAR || isQuick)) close();
    else pull(0);
  }

  strip.addEventListener("pointerdown", (event) => {
    // A second finger ends it, and a mouse has a button.
    from = event.isPrimary && event.pointerType !== "mouse" ? event : null;
    pull(0);
  });
  strip.addEventListener("pointermove", (event) => {
    if (event.pointerId !== from?.pointerId) return;
    const down = event.clientY - from.clientY;
    const isDown = down > BEGUN && down > Math.abs(event.clientX - from.clientX);
    // The browser itself takes a movement to the side, and says so by `pointercancel`.
    if (far > 0 || isDown) pull(Math.max(down, 1));
  });
  strip.addEventListener("pointerup", end);
  strip.addEventListener("pointercancel", end);
}
