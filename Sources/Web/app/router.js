/** Shows the screen of the address, and moves between addresses without loading the page again. */

import { announce } from "./announce.js";
import { t } from "./i18n.js";
import { detour, match, pathOf } from "./routes.js";

/**
 * @import { Route, RouteName } from "./routes.js"
 * @typedef {object} Visit
 * @property {RouteName} name
 * @property {Record<string, string>} params
 * @property {URLSearchParams} query
 * @property {unknown} state what `go` was given
 * @typedef {object} Screen
 * @property {string} title
 * @property {HTMLElement} element
 * @property {(visit: Visit) => void} [update] the same screen with other parameters; without it the screen is made anew
 * @property {() => void} [leave] ends subscriptions, timers and streams
 * @typedef {(visit: Visit) => Screen} ScreenMaker
 * @typedef {Record<RouteName, ScreenMaker>} Screens
 * @typedef {{ index: number, state: unknown }} Entry an entry of the browser's history
 * @typedef {object} Outside
 * @property {() => { signedIn: boolean, named: boolean }} person
 * @typedef {ReturnType<typeof createRouter>} Router
 */

/** @param {Outside} outside */
export function createRouter({ person }) {
  /** @type {Screens | null} */
  let screens = null;
  /** @type {{ route: Route, visit: Visit, screen: Screen } | null} */
  let shown = null;
  /** @type {string | null} */
  let wanted = null;
  let index = 0;
  /** @type {Map<number, number>} */
  const scrolls = new Map();

  const main = () => /** @type {HTMLElement} */ (document.getElementById("screen"));
  /** @returns {Entry} */
  const entry = () => history.state ?? { index: 0, state: null };

  /** Shows what the address says, after a detour where the person may not see it. */
  function show() {
    const { route, params } = match(location.pathname);
    const instead = detour(route, person());
    if (instead && instead !== route.name) {
      if (route.access === "signed-in" && route.name !== "home" && route.name !== "name") {
        wanted = location.pathname;
      }
      history.replaceState({ index, state: null }, "", pathOf(instead));
      return show();
    }
    const visit = {
      name: route.name,
      params,
      query: new URLSearchParams(location.search),
      state: entry().state,
    };
    if (shown?.route === route && shown.screen.update) {
      shown.visit = visit;
      shown.screen.update(visit);
      title(shown.screen);
    } else replace(route, visit);
  }

  /**
   * @param {Route} route
   * @param {Visit} visit
   */
  function replace(route, visit) {
    const maker = screens?.[route.name];
    if (!maker) return;
    const isFirst = shown === null;
    const change = () => {
      shown?.screen.leave?.();
      const screen = maker(visit);
      shown = { route, visit, screen };
      main().dataset["screen"] = route.name;
      main().replaceChildren(screen.element);
      title(screen);
      scrollTo(0, scrolls.get(index) ?? 0);
      if (!isFirst) focusOn(screen);
    };
    const isCalm = isFirst || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isCalm || !document.startViewTransition) return change();
    const { ready, finished } = document.startViewTransition(change);
    // A transition that another one overtakes, or that a hidden page skips, is not an error.
    for (const promise of [ready, finished]) promise.catch(() => {});
  }

  /** @param {Screen} screen */
  function title(screen) {
    document.title = screen.title ? t("app.title", { screen: screen.title }) : t("app.name");
  }

  /**
   * Puts the keyboard where the screen begins, as a browser does for a new page.
   * @param {Screen} screen
   */
  function focusOn(screen) {
    const wish = screen.element.querySelector("[autofocus]");
    const target = wish ?? screen.element.querySelector("h1") ?? screen.element;
    if (!(target instanceof HTMLElement)) return;
    if (!wish) target.tabIndex = -1;
    target.focus({ preventScroll: true });
    if (wish) announce(screen.title);
  }

  /**
   * @param {string} path
   * @param {{ replace?: boolean, state?: unknown }} [options]
   */
  function go(path, { replace: replaces = false, state = null } = {}) {
    scrolls.set(index, scrollY);
    if (!replaces) index += 1;
    scrolls.delete(index);
    history[replaces ? "replaceState" : "pushState"]({ index, state }, "", path);
    document.documentElement.dataset["direction"] = "forward";
    show();
  }

  function onPop() {
    scrolls.set(index, scrollY);
    const next = entry().index;
    document.documentElement.dataset["direction"] = next < index ? "back" : "forward";
    index = next;
    show();
  }

  /** @param {MouseEvent} event */
  function onClick(event) {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey &&
      !event.altKey;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (!isPlain || event.defaultPrevented || !(link instanceof HTMLAnchorElement)) return;
    const isOurs = link.origin === location.origin && !link.target && !link.hasAttribute("download");
    if (!isOurs || match(link.pathname).route.name === "not-found") return;
    event.preventDefault();
    go(link.pathname + link.search);
  }

  return {
    /** The visit that is shown; null before the start. */
    get current() {
      return shown?.visit ?? null;
    },
    path: pathOf,
    go,
    /**
     * Goes back inside of the app; where the app began here, to another address.
     * @param {string} fallback
     */
    back(fallback = "/") {
      if (index > 0) history.back();
      else go(fallback, { replace: true });
    },
    /** Goes where the person wanted to go before they signed in. */
    resume() {
      const path = wanted ?? "/";
      wanted = null;
      go(path, { replace: true });
    },
    /** Looks at the address again, as after a sign-out. */
    check() {
      if (shown && detour(shown.route, person())) show();
      // The next person does not want to go where this one was.
      if (!person().signedIn) wanted = null;
    },
    /** Makes the shown screen anew, as after a change of the language. */
    reload() {
      if (shown) replace(shown.route, shown.visit);
    },
    /** @param {Screens} all */
    start(all) {
      screens = all;
      index = entry().index;
      history.scrollRestoration = "manual";
      addEventListener("popstate", onPop);
      addEventListener("click", onClick);
      show();
    },
  };
}
