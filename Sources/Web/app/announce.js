/** Leads people who use a screen reader or the keyboard. */

/** @type {Record<"polite" | "assertive", ReturnType<typeof setTimeout> | undefined>} */
const timers = { polite: undefined, assertive: undefined };

/**
 * Tells of something that changed elsewhere on the screen.
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

/**
 * What a link or a button is known by when its screen is made anew.
 * @param {Element | null} element
 */
export const markOf = (element) =>
  element?.matches("a, button")
    ? element.getAttribute("href") ?? element.ariaLabel ?? element.textContent
    : null;

/**
 * Puts the keyboard where the screen begins, as a browser does for a new page; after a way back, on the link that was followed.
 * @param {{ element: HTMLElement, title: string }} screen
 * @param {string | null} [mark]
 */
export function focusOn({ element, title }, mark) {
  const wish = mark && [...element.querySelectorAll("a, button")].find((one) => markOf(one) === mark) ||
    element.querySelector("[autofocus]");
  const target = wish ?? element.querySelector("h1") ?? element;
  if (!(target instanceof HTMLElement)) return;
  if (!wish) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  if (wish) announce(title);
}
