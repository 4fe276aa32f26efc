/** The links and buttons that people follow. */

/**
 * What a link or a button is known by when its screen is made anew.
 * @param {Element | null} element
 */
export const markOf = (element) =>
  element?.matches("a, button")
    ? element.getAttribute("href") ?? element.ariaLabel ?? element.textContent
    : null;

/**
 * The link that was clicked; null where the browser itself must follow it.
 * @param {MouseEvent} event
 */
export function linkOf(event) {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  const isForBrowser = event.defaultPrevented || event.button || event.metaKey || event.ctrlKey ||
    event.shiftKey ||
    event.altKey;
  if (isForBrowser || !(link instanceof HTMLAnchorElement)) return null;
  return link.origin === location.origin && !link.target && !link.hasAttribute("download") ? link : null;
}
