/**
 * A screen draws itself into one element, again whenever a store or its own state changed, at most once for each
 * picture of the display, until it is left.
 */

import { html, render } from "../app/render.js";
import { router } from "../app/stores.js";
import { t } from "../app/i18n.js";
import { icon } from "./icons.js";

/** @import { IconName } from "./icons.js" */
/** @typedef {{subscribe: (listener: () => void) => () => void}} Observable */

/** @param {string} title @param {() => unknown} view @param {Observable[]} [stores] @param {string} [kind] */
export function screen(title, view, stores = [], kind = "") {
  const element = document.createElement("div");
  element.className = `page ${kind}`;
  let waiting = false;
  const left = new AbortController();
  const draw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (!left.signal.aborted) render(view(), element);
    });
  };
  const self = {
    title,
    element,
    draw,
    /** Ends with the screen. */
    signal: left.signal,
    leave: () => left.abort(),
    /** Draws for the first time, when everything that the view reads is there. */
    begin() {
      render(view(), element);
      return self;
    },
  };
  for (const store of stores) left.signal.addEventListener("abort", store.subscribe(draw));
  return self;
}

/** Something that is fetched once for a screen, and again on demand.
 * @template T @param {() => Promise<T>} fetch @param {() => void} draw */
export function load(fetch, draw) {
  /** @type {{value: T | null, error: unknown, again: () => Promise<void>}} */
  const loaded = {
    value: null,
    error: null,
    async again() {
      loaded.error = null;
      draw();
      await fetch().then((value) => loaded.value = value, (error) => loaded.error = error);
      draw();
    },
  };
  void loaded.again();
  return loaded;
}

/** The line above a screen: the way back, and at most two actions. @param {string | null} back @param {unknown} [actions] @param {IconName} [sign] */
export const bar = (back, actions, sign = "back") => html`
  <header class="bar">
    ${back &&
      iconButton(sign, sign === "close" ? t("action.close") : t("action.back"), () => router.back(back))}
    <span class="space"></span>
    ${actions}
  </header>
`;

/** @param {IconName} name @param {string} label @param {(event: Event) => void} click @param {boolean} [disabled] */
export const iconButton = (name, label, click, disabled = false) => html`
  <button type="button" class="icon" aria-label=${label} title=${label} ?disabled=${disabled} @click=${click}>
    ${icon(name)}
  </button>
`;

/** @typedef {{kind?: string, icon?: IconName, busy?: boolean, disabled?: boolean, type?: string, click?: (event: Event) => void}} ButtonOptions */

/** @param {string} text @param {ButtonOptions} [options] */
export const button = (
  text,
  { kind = "", icon: sign, busy = false, disabled = false, type = "button", click } = {},
) => html`
  <button
    type=${type}
    class=${`button ${kind}`}
    aria-busy=${busy ? "true" : null}
    aria-disabled=${busy || disabled ? "true" : null}
    @click=${(/** @type {Event} */ event) => busy || disabled ? event.preventDefault() : click?.(event)}
  >
    ${sign && icon(sign, 20)}
    ${text}
  </button>
`;

/** A form whose submission stays in the page. @param {() => void} submit @param {unknown} content @param {string} [kind] */
export const form = (submit, content, kind = "stack") => html`
  <form
    class=${kind}
    novalidate
    @submit=${(/** @type {Event} */ event) => (event.preventDefault(), submit())}
  >
    ${content}
  </form>
`;
