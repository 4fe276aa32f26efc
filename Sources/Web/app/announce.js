/** Tells screen readers of something that changed elsewhere on the screen. */

/** @type {Record<"polite" | "assertive", ReturnType<typeof setTimeout> | undefined>} */
const timers = { polite: undefined, assertive: undefined };

/**
 * @param {string} text
 * @param {"polite" | "assertive"} [urgency]
 */
export function announce(text, urgency = "polite") {
  const region = document.getElementById(`live-${urgency}`);
  if (!region) return;
  clearTimeout(timers[urgency]);
  region.textContent = "";
  // A region must be empty for a moment, or the same text said twice is not read again.
  timers[urgency] = setTimeout(() => {
    region.textContent = text;
    // Somebody who walks through the page later must not find old messages.
    timers[urgency] = setTimeout(() => region.textContent = "", 10_000);
  }, 50);
}
