/** A swipe downwards with one finger. @param {HTMLElement} element @param {() => void} done */
export function swipeDown(element, done) {
  /** @type {Touch | null} */
  let from = null;
  element.addEventListener(
    "touchstart",
    (event) => from = event.touches.length === 1 ? event.touches[0] ?? null : null,
    { passive: true },
  );
  element.addEventListener("touchend", (event) => {
    const to = event.changedTouches[0];
    if (from && to && to.clientY - from.clientY > 90 && Math.abs(to.clientX - from.clientX) < 60) done();
    from = null;
  }, { passive: true });
}
